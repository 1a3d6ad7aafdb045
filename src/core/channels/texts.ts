import { type Static, Type } from "@sinclair/typebox";

/** The texts that a connection itself sends, with their defaults. Nothing is sent for a text that is null. */
const defaults = {
  choose: "―",
  several: "Send the numbers, divided by commas.",
  list: "Select",
  more: "More",
  back: "Back",
  open: "Open",
  pay: "Pay {{amount}}",
  file: "Send a file.",
  phone: "Send my phone number",
  skip: "Skip",
  oldButton: "This button is no longer in use.",
  unsupported: "I can't read this kind of message.",
  mediaFailed: "The file did not arrive. Please send it again.",
  failed: "Something went wrong. Please try again later.",
  stopped: "You will get no more messages. Send START to get them again.",
  noBot: null,
  expired: null,
  date: null,
} as const;

const said: Readonly<Record<keyof typeof defaults, string>> = {
  choose: "Above buttons, if the bot has said nothing before them.",
  several: "Asks for several choices by their numbers.",
  list: "Opens a list, and chooses a picture without a title.",
  more: "Shows further choices.",
  back: "Shows the choices before.",
  open: "Opens an address.",
  pay: "Opens the page of a payment; `{{amount}}` is what is due.",
  file: "Asks for a file.",
  phone: "Sends the contact's own phone number, where the messenger can.",
  skip: "Continues without a file, where the block has no words of its own.",
  oldButton: "Answers a button of an earlier question.",
  unsupported: "Answers a message that no bot can read, once a chat.",
  mediaFailed: "Answers a file that could not be fetched.",
  failed: "Answers a message after which the flow failed, once a chat.",
  stopped: "Answers a word that stops messages.",
  noBot: "Answers a message that no bot takes, once a day.",
  expired: "Ends a chat that is over, once.",
  date: "Says how to write a date.",
};

const names = Object.keys(defaults).filter((name): name is keyof typeof defaults => name in defaults);

/** The schema of a connection's own texts. An absent text falls back to its default, and null disables the text. */
export const TextsSchema = Type.Partial(
  Type.Object(
    Object.fromEntries(
      names.map((name) => [
        name,
        Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()], {
          description: said[name],
          default: defaults[name],
        }),
      ]),
    ),
  ),
  { description: "Texts of the connection itself. `null` says nothing." },
);

export type Texts = { readonly [Name in keyof typeof defaults]: string | null };

/** All texts, including those of the settings. A blank text says nothing, like null. */
export function textsOf(settings: Static<typeof TextsSchema> | undefined): Texts {
  const given = Object.entries(settings ?? {}).map(([name, text]) => [name, text?.trim() === "" ? null : text]);
  return { ...defaults, ...Object.fromEntries(given) };
}
