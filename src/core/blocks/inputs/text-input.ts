import type { Static } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import type { Value } from "../../interpreter/language/values.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { Reply } from "../../interpreter/program/state.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { advanced, blockSchema, helped, marked, option, shownWhen, titled, whenEnabled } from "../options.ts";
import examples from "./examples.json";
import { acceptOrRetry, askedWith, checkedHere, shownOptions } from "./helpers.ts";
import { countryIn } from "./matching/countries.ts";

const inputModes = ["text", "decimal", "numeric", "tel", "search", "email", "url"] as const;

const followUpsField = "Suggested answers, which are shown above the field. Pressing one sends it.";
const ofText = { isCountry: [false] };
const fields = {
  variableId: option.answerVariable,
  labels: option.fieldLabels("Type your answer..."),
  isCountry: marked(
    { title: "Country", help: "The visitor chooses a country from a list." },
    option.flag(
      "Whether the answer is a country, which visitors choose from a searchable list. The country's name is stored in the bot's language, or in the language of the reply if the settings name none. Other texts are rejected.",
    ),
  ),
  retryMessageContent: shownWhen({ isCountry: [true] }, option.retryMessage()),
  isLong: shownWhen(ofText, titled("Several lines", option.flag("Whether the field has several lines."))),
  inputMode: shownWhen(
    ofText,
    advanced(titled("Keyboard on phones", option.word(inputModes, "The keyboard that a phone shows."))),
  ),
  audioClip: shownWhen(ofText, uploadsOption("Voice clips", "visitors can send a voice clip instead")),
  attachments: shownWhen(ofText, uploadsOption("Attachments", "visitors can attach files")),
};

const schema = blockSchema({
  ...fields,
  followUps: shownWhen(
    ofText,
    marked(
      { title: "Suggestions", help: "Up to six answers above the field; pressing one sends it." },
      option.part(
        `${followUpsField} Clients get the first 6 different suggestions, each with its first 80 characters.`,
        {
          texts: titled("Texts", option.texts("The suggestions. Each can contain variables.")),
          listVariableId: advanced(
            marked(
              { title: "Texts from a variable", help: "The variable's list replaces the texts." },
              option.readVariable("Id of a variable whose list replaces the texts."),
            ),
          ),
        },
      ),
    ),
  ),
});

const shown = blockSchema({ ...fields, followUps: option.texts(followUpsField) });

type FollowUps = NonNullable<NonNullable<Static<typeof schema>["options"]>["followUps"]>;

/** Returns the suggestions offered to the visitor, or undefined if there are no suggestions. */
function offered({ texts = [], listVariableId }: FollowUps, view: View): string[] | undefined {
  const list = listVariableId === undefined ? undefined : view.variables.get(listVariableId);
  const found = Array.isArray(list) ? list : texts.map((text) => view.text(text));
  const cut = (text: string) => Array.from(text.trim()).slice(0, limits.followUps.characters).join("");
  const filled = found.flatMap((text) => (text?.trim() ? [cut(text)] : []));
  const distinct = [...new Set(filled)].slice(0, limits.followUps.most);
  return distinct.length > 0 ? distinct : undefined;
}

export const textInput = defineInput({
  type: "text input",
  inputType: "text",
  summary:
    "Asks for any text, including an empty text. For a voice clip, the answer is its URL. With `isCountry`, asks for the name of a country.",
  schema,
  shown,
  ask({ options }, view) {
    if (options?.isCountry) return shownOptions(options, view, undefined, offers);
    const followUps = options?.followUps && offered(options.followUps, view);
    return shownOptions(options, view, followUps && { followUps }, ["followUps"]);
  },
  // Voice clips and attachments have separate settings. If only one of the two is enabled, its settings apply to both.
  uploadRules({ options: { isCountry, audioClip, attachments } = {} }, fileType) {
    if (isCountry) return undefined;
    const preferred = fileType.startsWith("audio/") ? [audioClip, attachments] : [attachments, audioClip];
    const media = preferred.find((settings) => settings?.isEnabled);
    return media && { isPrivate: media.visibility === "Private", sizeLimit: undefined, types: undefined };
  },
  reply({ options }, view, reply) {
    if (!reply || reply.type === "command") return { kind: "invalid" };
    if (options?.isCountry) {
      const { language } = view.program.settings.general ?? {};
      const country = reply.type === "text" ? countryIn(reply, language) : undefined;
      return acceptOrRetry(country, () => view.text(options.retryMessageContent));
    }
    if (reply.type === "audio") {
      const { isEnabled, saveVariableId } = options?.audioClip ?? {};
      const writes =
        isEnabled && saveVariableId !== undefined ? [{ variableId: saveVariableId, value: reply.url }] : [];
      return { kind: "accepted", content: reply.url, writes };
    }
    return {
      kind: "accepted",
      content: reply.text,
      writes: attachmentWrites(options?.attachments, reply, (id) => view.variables.get(id)),
    };
  },
  // The pattern matches no path of the block, because the service itself supplies the names of countries.
  offers: ({ options }) => (options?.isCountry ? /^$/ : undefined),
  editor: {
    name: "Text input",
    icon: "text-cursor-input",
    words: ["answer", "question", "ask", "name", "open", "message", "voice"],
    row: ["{options.labels.placeholder}"],
    form: [
      ...askedWith,
      cells("options.isLong", "options.isCountry"),
      cells("options.retryMessageContent"),
      checkedHere,
    ],
    related: ["email input", "number input", "phone number input", "url input", "date input", "choice input"],
  },
  examples: examples["text input"],
});

/** Options without effect in inputs for a country, which offer no suggestions and accept no files. */
const offers = ["followUps", "attachments", "audioClip"];

/**
 * Returns the write that stores a reply's attachments. A single file is stored as its address, several files as a list.
 * If the variable already contains a list, the addresses are appended.
 */
function attachmentWrites(
  attachments: { isEnabled?: boolean; saveVariableId?: string } | undefined,
  reply: Extract<Reply, { type: "text" }>,
  heldBy: (variableId: string) => Value,
): Write[] {
  const urls = reply.attachedFileUrls ?? [];
  const variableId = attachments?.saveVariableId;
  if (!attachments?.isEnabled || variableId === undefined || urls.length === 0) return [];
  const current = heldBy(variableId);
  if (Array.isArray(current)) return [{ variableId, value: [...current, ...urls] }];
  return [{ variableId, value: urls.length === 1 ? urls[0] : urls }];
}

function uploadsOption(title: string, what: string) {
  return marked(
    { title, isAdvanced: true },
    option.part(`Whether ${what}.`, {
      isEnabled: titled("Allowed", option.flag(`Whether ${what}.`)),
      saveVariableId: whenEnabled(
        titled("Save URL in", option.writtenVariable("Id of the variable that stores the URL, or a list of URLs.")),
      ),
      visibility: whenEnabled(
        helped(
          "Only people who can see the bot's results can open private files.",
          option.word(
            ["Auto", "Public", "Private"],
            "`Private`: only people who can see the bot's results can open the sent files. `Public` and `Auto`: anyone with the URL can open the files.",
            "Auto",
          ),
        ),
      ),
    }),
  );
}
