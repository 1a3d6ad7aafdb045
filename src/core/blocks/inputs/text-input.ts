import type { Value } from "../../interpreter/language/values.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { Reply } from "../../interpreter/program/state.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import { advanced, blockSchema, marked, option, titled, whenEnabled } from "../options.ts";
import { shownOptions } from "./helpers.ts";

const inputModes = ["text", "decimal", "numeric", "tel", "search", "email", "url"] as const;

const schema = blockSchema({
  variableId: option.answerVariable,
  labels: option.fieldLabels("Type your answer..."),
  isLong: titled("Several lines", option.flag("Whether the field has several lines.")),
  inputMode: advanced(titled("Keyboard of phones", option.word(inputModes, "The keyboard that a phone shows."))),
  audioClip: uploadsOption("Voice clips", "a voice clip may be sent instead"),
  attachments: uploadsOption("Attachments", "files may be sent along"),
});

export const textInput = defineInput({
  type: "text input",
  inputType: "text",
  summary: "Takes any text as it is, also the empty one; a voice clip counts as its address.",
  schema,
  ask: ({ options }, view) => shownOptions(options, view),
  // Voice clips and attachments have settings each; where only one is enabled, its settings hold for both.
  uploadRules({ options: { audioClip, attachments } = {} }, fileType) {
    const preferred = fileType.startsWith("audio/") ? [audioClip, attachments] : [attachments, audioClip];
    const media = preferred.find((settings) => settings?.isEnabled);
    return media && { isPrivate: media.visibility === "Private", sizeLimit: undefined, types: undefined };
  },
  reply({ options }, view, reply) {
    if (!reply || reply.type === "command") return { kind: "invalid" };
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
  editor: {
    name: "Text input",
    icon: "text-cursor-input",
    words: ["answer", "question", "ask", "name", "open", "message", "voice"],
    row: ["{options.labels.placeholder}"],
    related: ["email input", "number input", "phone number input", "url input", "date input", "choice input"],
  },
  examples: [
    {
      title: "The text is stored as it is.",
      block: { options: { variableId: "v_Name" } },
      variables: { Name: null },
      reply: " Ana ",
      expect: { answer: " Ana ", variables: { Name: " Ana " } },
    },
    {
      title: "The input offers the variable's value as the answer.",
      block: { options: { variableId: "v_Name", labels: { placeholder: "Your name, {{Title}}" } } },
      variables: { Name: "Ana", Title: "Dr" },
      expect: {
        input: { options: { variableId: "v_Name", labels: { placeholder: "Your name, Dr" } }, prefilledValue: "Ana" },
      },
    },
  ],
});

/** One file is written as its address, several as a list. Where the variable holds a list, they are appended. */
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
    option.part(`Says whether ${what}.`, {
      isEnabled: titled("Allowed", option.flag(`Whether ${what}.`)),
      saveVariableId: whenEnabled(
        titled(
          "Save address in",
          option.writtenVariable("Id of the variable that gets the address, or a list of them."),
        ),
      ),
      visibility: whenEnabled(option.word(["Auto", "Public", "Private"], "Access to the sent files.", "Auto")),
    }),
  );
}
