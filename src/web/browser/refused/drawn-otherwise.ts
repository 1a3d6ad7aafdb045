import { textOf } from "../../components/inputs/parts/field.tsx";
import "../../conversation/rare-words.ts";
import type { Chat } from "../chat-state.ts";

/**
 * Puts the text of an answer into the open field instead of sending it, because the chat asks a different question than
 * the page showed.
 */
export function keepAnswer({ view, words }: Chat, form: FormData): void {
  view.update({ draft: textOf(form, "text"), notice: { text: words.moved } });
}
