import { type Static, Type } from "@sinclair/typebox";
import { textAt } from "../../../interpreter/flow.ts";
import { defineInput } from "../../../interpreter/program/block.ts";
import type { SuggestionParts } from "../../../interpreter/program/call.ts";
import type { ReplyVerdict } from "../../../interpreter/program/outcome.ts";
import { blockSchema, marked, option, titled } from "../../options.ts";
import examples from "../examples.json";
import { shownOptions } from "../helpers.ts";
import { exampleLabels } from "../numbered.ts";
import { addressParts, readAddresses } from "./address-parts.ts";

const placeholder = "Type your address...";
const fields = { variableId: option.answerVariable, labels: option.fieldLabels(placeholder) };

const schema = blockSchema({
  ...fields,
  credentialsId: marked(
    { title: "Address search", help: "The service that suggests addresses while visitors type." },
    option.credentials(
      "Id of the credentials of the service that suggests addresses while visitors type. Absent: there are no suggestions. The id is never sent to visitors.",
      { credentialsType: "address-search" },
    ),
  ),
  parts: marked(
    { title: "Save parts in variables", help: "Cleared if the visitor does not choose a suggestion." },
    option.list(
      "Parts of the chosen suggestion to save in variables. If the visitor types another address, these variables are cleared.",
      {
        part: titled("Part", option.word(addressParts, "Part of the address.", "Street")),
        variableId: option.writtenVariable("Id of the variable to set."),
      },
    ),
  ),
});

const shown = blockSchema({
  ...fields,
  hasSuggestions: Type.Optional(
    Type.Literal(true, {
      description: "Whether the operation `listSuggestions` suggests addresses for the visitor's text.",
    }),
  ),
});

type Options = Static<typeof schema>["options"];

export const addressInput = defineInput({
  type: "address input",
  inputType: "address",
  summary:
    "Asks for an address. Visitors type it or choose a suggestion of a service, whose parts can be saved in variables.",
  schema,
  shown,
  ask({ options }, view) {
    const resolved = options?.credentialsId ? { hasSuggestions: true } : undefined;
    return shownOptions(options, view, resolved, ["credentialsId", "parts"]);
  },
  reply({ id: blockId, options }, _view, reply) {
    if (reply?.type !== "text") return { kind: "invalid" };
    const { replyId: token } = reply;
    const text = reply.text.trim();
    if (text === "") return { kind: "invalid" };
    if (token === undefined || !takesParts(options)) return accepted(options, text, {});
    return { kind: "perform", effect: { kind: "suggestion", blockId, text, token }, memo: { text } };
  },
  replyReport({ options }, _view, report, memo) {
    const parts = report.kind === "suggestion" ? report.parts : null;
    return accepted(options, textAt(memo, "text") ?? "", parts ?? {});
  },
  suggestions({ options }) {
    const { credentialsId } = options ?? {};
    if (!credentialsId) return undefined;
    return {
      ...{ credentialsType: "address-search", credentialsId, takesParts: takesParts(options) },
      ask: (words) => ({ method: "GET", path: "/", query: [["query", words]] }),
      read: readAddresses,
    };
  },
  asKnown: (shown) => ({ type: "text input", options: exampleLabels(shown, labelOf(shown)) }),
  advice({ options }) {
    if (options?.credentialsId || !takesParts(options)) return undefined;
    return "Only suggested addresses have parts. Choose credentials for an address search, or ask for the parts separately.";
  },
  editor: {
    name: "Address",
    icon: "map-pin",
    words: ["street", "city", "postcode", "zip", "place", "location", "geocode", "delivery"],
    row: ["{options.labels.placeholder}"],
    related: ["text input"],
  },
  examples: examples["address input"],
});

function takesParts(options: Options): boolean {
  return (options?.parts ?? []).some(({ variableId }) => variableId !== undefined && variableId !== "");
}

function accepted(options: Options, content: string, found: SuggestionParts): ReplyVerdict {
  const writes = (options?.parts ?? []).flatMap(({ part = "Street", variableId }) =>
    variableId ? [{ variableId, value: found[part] ?? null }] : [],
  );
  return { kind: "accepted", content, writes };
}

function labelOf(shown: unknown): string {
  return textAt(shown, "options", "labels", "placeholder") || placeholder;
}
