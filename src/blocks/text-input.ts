import { Type } from "@sinclair/typebox";
import { defineInput } from "../interpreter/block.ts";
import type { Reply } from "../interpreter/state.ts";
import type { Value } from "../interpreter/values.ts";
import type { Write } from "../interpreter/variables.ts";
import { labelsSchema, shownOptions } from "./input-parts.ts";

const visibility = Type.Union(["Auto", "Public", "Private"].map((word) => Type.Literal(word)));
const mediaSchema = Type.Object({
  isEnabled: Type.Optional(Type.Boolean()),
  saveVariableId: Type.Optional(Type.String()),
  visibility: Type.Optional(visibility),
});

const schema = Type.Object({
  options: Type.Optional(
    Type.Object({
      labels: labelsSchema,
      variableId: Type.Optional(Type.String()),
      isLong: Type.Optional(Type.Boolean()),
      inputMode: Type.Optional(
        Type.Union(["text", "decimal", "numeric", "tel", "search", "email", "url"].map((word) => Type.Literal(word))),
      ),
      audioClip: Type.Optional(mediaSchema),
      attachments: Type.Optional(mediaSchema),
    }),
  ),
});

/** A free text, with files or a voice clip where the author allows them. */
export const textInput = defineInput({
  type: "text input",
  inputType: "text",
  summary: "Takes any text as it is, also the empty one; a voice clip counts as its address.",
  schema,
  variableId: ({ options }) => options?.variableId,
  ask: ({ options }, view) => shownOptions(options, view),
  reply({ options }, view, reply) {
    if (!reply || reply.type === "command") return { kind: "invalid" };
    if (reply.type === "audio") {
      const { isEnabled, saveVariableId } = options?.audioClip ?? {};
      const writes = isEnabled && saveVariableId !== undefined ? [{ variableId: saveVariableId, value: reply.url }] : [];
      return { kind: "accepted", content: reply.url, writes };
    }
    return { kind: "accepted", content: reply.text, writes: attachmentWrites(options?.attachments, reply, (id) => view.variables.get(id)) };
  },
  examples: [
    { title: "The text is stored as it is.", block: { options: { variableId: "v-Name" } }, variables: { Name: null }, reply: " Ana ", expect: { answer: " Ana ", variables: { Name: " Ana " } } },
    {
      title: "What the variable holds is offered as the answer.",
      block: { options: { variableId: "v-Name", labels: { placeholder: "Your name, {{Title}}" } } },
      variables: { Name: "Ana", Title: "Dr" },
      expect: { input: { options: { variableId: "v-Name", labels: { placeholder: "Your name, Dr" } }, prefilledValue: "Ana" } },
    },
  ],
});

/** One file is its address, several are a list; a list that is there already grows. */
function attachmentWrites(
  attachments: { isEnabled?: boolean; saveVariableId?: string } | undefined,
  reply: Extract<Reply, { type: "text" }>,
  valueOf: (variableId: string) => Value,
): Write[] {
  const urls = reply.attachedFileUrls ?? [];
  const variableId = attachments?.saveVariableId;
  if (!attachments?.isEnabled || variableId === undefined || urls.length === 0) return [];
  const current = valueOf(variableId);
  if (Array.isArray(current)) return [{ variableId, value: [...current, ...urls] }];
  return [{ variableId, value: urls.length === 1 ? urls[0] : urls }];
}
