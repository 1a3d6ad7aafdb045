import { textOf } from "../../components/inputs/parts/field.tsx";
import "../../conversation/rare-words.ts";
import type { Chat } from "../chat-state.ts";

/** Keeps an answer to a question on the page in its field, since the chat asks another question. */
export function keepAnswer({ view, words }: Chat, form: FormData): void {
  view.update({ draft: textOf(form, "text"), notice: { text: words.moved } });
}
