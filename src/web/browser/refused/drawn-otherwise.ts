import { textOf } from "../../components/inputs/parts/field.tsx";
import "../../conversation/rare-words.ts";
import type { Chat } from "../chat-state.ts";

/** Keeps an answer in its field that was given to what the page had drawn, since the chat asks something else. */
export function keepAnswer({ view, words }: Chat, form: FormData): void {
  view.update({ draft: textOf(form, "text"), notice: { text: words.moved } });
}
