import type { Message } from "../program/outcome.ts";
import type { View } from "../program/view.ts";
import { defaultSystemMessages } from "../schemas/defaults.ts";
import { textMessage } from "./text-content.ts";

/** What the visitor reads in place of a bubble that would have shown a model's answer. The author may have it be nothing. */
export function noAnswer(blockId: string, view: View): { readonly text: string; readonly messages: Message[] } {
  const own = view.program.settings.general?.systemMessages?.noAnswer;
  if (own === "") return { text: "", messages: [] };
  const text = view.text(own ?? defaultSystemMessages.noAnswer);
  const message = textMessage(blockId, text, view.contentFormat);
  return { text, messages: [own === undefined ? { ...message, notice: { code: "model.no_answer" } } : message] };
}
