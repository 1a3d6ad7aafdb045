import type { Message } from "../program/outcome.ts";
import type { View } from "../program/view.ts";
import { defaultSystemMessages } from "../schemas/defaults.ts";
import { textMessage } from "./text-content.ts";

/** The text that the visitor reads in place of a bubble with a model's answer. The author may leave it empty. */
export function noAnswer(blockId: string, view: View): { readonly text: string; readonly messages: Message[] } {
  const own = view.program.settings.general?.systemMessages?.noAnswer;
  if (own === "") return { text: "", messages: [] };
  const text = view.text(own ?? defaultSystemMessages.noAnswer);
  const message = textMessage(blockId, text, view.contentFormat);
  return { text, messages: [own === undefined ? { ...message, notice: { code: "model.no_answer" } } : message] };
}
