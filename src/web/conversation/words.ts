import { defaultSystemMessages } from "../../core/interpreter/schemas/defaults.ts";
import type { Message } from "../../core/words/message.ts";
import type { Places } from "./en/keys.d.ts";
import page from "./en/page.json";
import type rare from "./en/rare.json";
import type { PageSettings } from "./settings.ts";

type English = typeof page & typeof rare & typeof defaultSystemMessages;

/**
 * The texts of the page itself. `language` is the tag that determines the formats of numbers and dates, and the names
 * of countries.
 */
export type Words = Readonly<
  Record<Exclude<keyof English, keyof Places> | "language", string> & Record<keyof Places, Message>
>;

/**
 * The loaded English texts; `en/rare.json` contains the texts that few chats need. Each other language has a file in
 * `languages/` with all texts.
 */
const english: Record<string, Message> = { ...defaultSystemMessages, ...page, language: "en" };

/** Adds the texts that few chats need. Words that were created earlier contain them too. */
export function addEnglish(words: typeof rare): void {
  Object.assign(english, words);
}

/** Returns the texts for a bot. The author's messages take precedence over the texts of the language. */
export function wordsOf(
  { systemMessages }: Pick<PageSettings, "systemMessages">,
  language: Partial<Words> = {},
): Words {
  const own = Object.entries(systemMessages).filter(
    ([name, text]) => Object.hasOwn(defaultSystemMessages, name) && text !== "",
  );
  return Object.assign(Object.create(english), language, Object.fromEntries(own));
}

/** Formats a number for the page's language. */
export function numberIn({ language }: Words, number: number): string {
  return number.toLocaleString(language);
}
