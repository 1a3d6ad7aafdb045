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
      "Id of the credentials of the service that suggests addresses while visitors type. Absent: they type alone. It is never sent to visitors.",
      { credentialsType: "address-search" },
    ),
  ),
  parts: marked(
    { title: "Save parts in variables", help: "Emptied if the visitor ignores the suggestions." },
    option.list(
      "Parts of a suggestion that the visitor has chosen. Where another address was typed, these variables are emptied.",
      {
        part: titled("Part", option.word(addressParts, "Part of the address.", "Street")),
        variableId: option.writtenVariable("Id of the variable that is set."),
      },
    ),
  ),
});

const shown = blockSchema({
  ...fields,
  hasSuggestions: Type.Optional(
    Type.Literal(true, { description: "The operation `listSuggestions` finds addresses for what the visitor types." }),
  ),
});

type Options = Static<typeof schema>["options"];

export const addressInput = defineInput({
  type: "address input",
  inputType: "address",
  summary:
    "Takes an address as it is typed, or one that a service suggested meanwhile, whose parts can go into variables.",
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
    return "Parts are only known of an address that a service has suggested. Choose credentials of an address search, or ask for the parts one by one.";
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
