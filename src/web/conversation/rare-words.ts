import { messageText } from "../../core/words/message.ts";
import type { Places } from "./en/keys.d.ts";
import english from "./en/rare.json";
import { addEnglish, type Words } from "./words.ts";

/**
 * Texts of the parts that browsers load on demand, and of the server's pages. They include all texts with placeholders.
 * Importing this file adds the English texts.
 */
addEnglish(english);

/** Formats a text with its values: `say(words, "found", { count: 3 })`. */
export function say<Key extends keyof Places>(words: Words, key: Key, values: Places[Key]): string {
  // A sentence in English uses English plural rules.
  return messageText(words[key], values, Object.hasOwn(words, key) ? words.language : "en");
}
