import { type Static, Type } from "@sinclair/typebox";
import { knownLanguage } from "../words/languages.ts";
import words from "./texts.json";

/**
 * The texts that a connection itself sends, with their defaults in English. Nothing is sent for a text that is null. A
 * language that lacks a text uses the default in English.
 */
const defaults = { ...words.en, noBot: null, expired: null, date: null } as const;

const languages: Readonly<Record<string, Partial<typeof words.en>>> = words;

/** The languages of the default texts. */
export const textLanguages: readonly string[] = Object.keys(languages);

/** The titles of the texts in forms. */
const titles: Readonly<Record<keyof typeof defaults, string>> = {
  choose: "Above buttons without a message",
  several: "Ask for several choices",
  list: "Button that opens a list",
  more: "Button for more choices",
  back: "Button for the previous choices",
  open: "Button that opens a link",
  pay: "Button that opens a payment",
  file: "Ask for a file",
  phone: "Button that sends the phone number",
  skip: "Button that skips a file",
  oldButton: "Answer to an old button",
  unsupported: "Answer to an unreadable message",
  mediaFailed: "Answer to a file that did not arrive",
  failed: "Answer after an error",
  stopped: "Answer to a stop word",
  noBot: "Answer if no bot is responsible",
  expired: "Message after a chat has expired",
  date: "How to write a date",
};

const said: Readonly<Record<keyof typeof defaults, string>> = {
  choose: "Shown above buttons if the bot has not sent a message before them.",
  several: "Asks for several choices by number.",
  list: "Label of the button that opens a list, or that chooses a picture without a title.",
  more: "Label of the button that shows more choices.",
  back: "Label of the button that shows the previous choices.",
  open: "Label of the button that opens a link.",
  pay: "Label of the button that opens the page of a payment. `{{amount}}` is the amount due.",
  file: "Asks for a file.",
  phone: "Label of the button that sends the contact's own phone number, if the messenger supports it.",
  skip: "Label of the button that continues without a file, if the block has no label of its own.",
  oldButton: "Answers a press on a button of an earlier question.",
  unsupported: "Answers a message that bots cannot read, once per chat.",
  mediaFailed: "Answers a file that could not be downloaded.",
  failed: "Answers a message for which the flow failed, once per chat.",
  stopped: "Answers a word that stops messages.",
  noBot: "Answers a message that no bot accepts, once per day.",
  expired: "Sent once when a chat has expired.",
  date: "Explains how to write a date.",
};

const names = Object.keys(defaults).filter((name): name is keyof typeof defaults => name in defaults);

/** The schema of a connection's own texts. An absent text falls back to its default, and null disables the text. */
export const TextsSchema = Type.Partial(
  Type.Object(
    Object.fromEntries(
      names.map((name) => [
        name,
        Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()], {
          title: titles[name],
          description: said[name],
          default: defaults[name],
          widget: "optionalText",
        }),
      ]),
    ),
  ),
  {
    title: "Texts",
    description:
      "Texts of the connection itself. `null` disables a text: a message is not sent, and a button is omitted or shows a sign.",
    help: "If a field is empty, its default is sent in the language of the chat.",
  },
);

export type Texts = { readonly [Name in keyof typeof defaults]: string | null };

/**
 * Returns all texts. A text that is not given has its default in the first known language of `tags`, or in English. A
 * blank text is treated as null.
 */
export function textsOf(
  settings: Static<typeof TextsSchema> | undefined,
  tags: readonly (string | null | undefined)[] = [],
): Texts {
  const given = Object.entries(settings ?? {}).map(([name, text]) => [name, text?.trim() === "" ? null : text]);
  const language = tags.map((tag) => knownLanguage(tag ?? "", textLanguages)).find((known) => known !== undefined);
  return { ...defaults, ...languages[language ?? "en"], ...Object.fromEntries(given) };
}
