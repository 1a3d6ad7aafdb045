import { defaultSystemMessages } from "../../core/interpreter/schemas/defaults.ts";
import type { Message } from "../../core/words/message.ts";
import type { Places } from "./en/keys.d.ts";
import page from "./en/page.json";
import type rare from "./en/rare.json";
import type { PageSettings } from "./settings.ts";

type English = typeof page & typeof rare & typeof defaultSystemMessages;

/**
 * The words of the page itself. `language` is the tag that numbers, dates and names of countries follow.
 */
export type Words = Readonly<
  Record<Exclude<keyof English, keyof Places> | "language", string> & Record<keyof Places, Message>
>;

/**
 * The loaded English words: `en/rare.json` has those for few chats. Each other language has a file in `languages/`,
 * with all of its words.
 */
const english: Record<string, Message> = { ...defaultSystemMessages, ...page, language: "en" };

/** Adds the words that few chats need, also to words that pages already use. */
export function addEnglish(words: typeof rare): void {
  Object.assign(english, words);
}

/** The words for a bot: its author's messages take precedence over the language's. */
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
