/** @jsxImportSource preact */
import type { Words } from "../../conversation/words.ts";

/** The line above the messages that are new since the visitor last saw the chat. */
export function NewSince({ words }: { readonly words: Words }) {
  return <p class="new-since">{words.newSince}</p>;
}
