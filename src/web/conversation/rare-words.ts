import { messageText } from "../../core/words/message.ts";
import type { Places } from "./en/keys.d.ts";
import english from "./en/rare.json";
import { addEnglish, type Words } from "./words.ts";

/**
 * Words of inputs that browsers load when they need them, and of pages of the server. They include all texts with
 * values. An import adds the English words.
 */
addEnglish(english);

/** Writes a text with its values: `say(words, "found", { count: 3 })`. */
export function say<Key extends keyof Places>(words: Words, key: Key, values: Places[Key]): string {
  // An English sentence uses English plural rules.
  return messageText(words[key], values, Object.hasOwn(words, key) ? words.language : "en");
}
