import { defaultSystemMessages } from "../../core/interpreter/schemas/defaults.ts";
import type { rareEnglish } from "./rare-words.ts";
import type { PageSettings } from "./settings.ts";

/**
 * The words of the page itself, in English. Those of `rare-words.ts` are for few chats. Other languages have a file
 * each in `languages/`, with all of them.
 */
export const english = {
  ...defaultSystemMessages,
  /** The language's tag: numbers, dates and names of countries follow it. */
  language: "en",
  chat: "Chat",
  conversation: "Conversation",
  newMessages: "New messages",
  send: "Send",
  continue: "Continue",
  sending: "Sending…",
  chooseOne: "Choose at least one.",
  required: "Please fill this in.",
  typeAnswer: "Type your answer...",
  close: "Close",
  sendByKeys: "Press Ctrl and Enter to send.",
  sendByCommand: "Press ⌘ and Enter to send.",
  file: "File",
  offline: "You are offline. Your answer is sent when you are online again.",
  retrying: "Your message was not sent. Trying again…",
  tryAgain: "Try again",
  failed: "Something went wrong. Please try again.",
  busy: "This service is busy at the moment. Trying again…",
  over: "This chat has ended.",
  startAgain: "Start again",
  you: "You",
  skipped: "Skipped",
  madeWith: "Made with Parley",
} as const satisfies Record<string, string>;

export type Words = Readonly<Record<keyof typeof english | keyof typeof rareEnglish, string>>;

/** The English words that have been loaded. */
const base: Record<string, string> = { ...english };

/** Adds the words that few chats need, also to the words that pages have already. */
export function addEnglish(words: typeof rareEnglish): void {
  Object.assign(base, words);
}

/** The same, for browsers that meet what needs them. */
export async function loadRareEnglish(): Promise<void> {
  addEnglish((await import("./rare-words.ts")).rareEnglish);
}

/** The words for a bot: its author's messages take precedence over the language's. */
export function wordsOf(
  { systemMessages }: Pick<PageSettings, "systemMessages">,
  language: Partial<Words> = {},
): Words {
  const own = Object.entries(systemMessages).filter(
    ([name, text]) => Object.hasOwn(defaultSystemMessages, name) && text !== "",
  );
  return Object.assign(Object.create(base), language, Object.fromEntries(own));
}

/** Formats a number for the page's language. */
export function numberIn({ language }: Words, number: number): string {
  return new Intl.NumberFormat(language).format(number);
}

/** Fills placeholders in a sentence: `{count}` from `{ count: 3 }`. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
