import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { titled } from "../interpreter/schemas/field-marks.ts";
import { languageNames } from "../words/languages.ts";
import type { Channel } from "./channel.ts";
import { TextsSchema, textLanguages } from "./texts.ts";
import type { Words } from "./words.ts";

const word = { minLength: 1, maxLength: 50 };
const words = (title: string, description: string, preset: readonly string[]) =>
  optional(
    title,
    Type.Array(Type.String(word), {
      maxItems: 20,
      default: [...preset],
      description: `${description} Each entry must match a whole message.`,
    }),
  );

function optional<Schema extends TSchema>(title: string, schema: Schema) {
  return titled(title, Type.Optional(schema));
}

/** The settings that connections of all channels share. */
export const commonSettings = {
  texts: Type.Optional(TextsSchema),
  language: optional(
    "Language of the connection's texts",
    Type.Union(
      textLanguages.map((language) => Type.Literal(language)),
      {
        wordTitles: languageNames(textLanguages),
        description:
          "The language of the texts that `texts` does not set. By default, it is the language of the bot, otherwise of the contact, otherwise English.",
      },
    ),
  ),
  restartWords: words("Words that start again", "End the chat and start a new one.", []),
  stopWords: words("Words that stop messages", "The contact gets no more messages.", ["STOP", "UNSUBSCRIBE"]),
  startWords: words("Words that allow messages again", "Undo a word that stops messages.", ["START"]),
  gatherSeconds: optional(
    "Seconds within which messages are combined",
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description:
        "Texts that arrive within this number of seconds after each other are combined into one reply, unless the question has choices. With 0, each text is a separate reply.",
    }),
  ),
  early: optional(
    "Messages before the question has arrived",
    Type.Union([Type.Literal("answer"), Type.Literal("ignore")], {
      default: "answer",
      description:
        "`answer`: the messages answer the question if they can. `ignore`: the messages are stored, but answer nothing.",
    }),
  ),
  staleMinutes: optional(
    "Minutes after which a message is too old",
    Type.Integer({
      minimum: 1,
      maximum: 1_440,
      default: 360,
      description:
        "A message that is older than this number of minutes when Parley first handles it is dropped: it neither answers nor starts a chat.",
    }),
  ),
  inDoubt: optional(
    "If it is unknown whether a message was sent",
    Type.Union([Type.Literal("resend"), Type.Literal("skip")], {
      default: "resend",
      description:
        "`resend`: no message is lost, but a contact may get a message twice. `skip`: no message is sent twice, but one may be lost.",
    }),
  ),
  typing: optional(
    "Typing indicator",
    Type.Boolean({
      default: true,
      description:
        "Whether the messenger shows that the bot is typing, and messages wait for the pauses of the bot's typing emulation.",
    }),
  ),
  keepMedia: optional(
    "Keep files that the bot does not ask for",
    Type.Boolean({
      default: false,
      description:
        "Whether files that a contact sends during a chat are stored even if the bot does not ask for a file.",
    }),
  ),
  contentDays: optional(
    "Days for which messages are kept",
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description:
        "Number of days after which the content of messages is erased on this service. Results do not change.",
    }),
  ),
  timeZone: optional(
    "Time zone",
    Type.String({
      maxLength: 64,
      default: "UTC",
      widget: "zone",
      description: "The time zone for values that otherwise come from a browser, such as the moment of the day.",
    }),
  ),
} as const;

/** Returns the command words of a connection: the words in its settings and the `commandWords` of its channel. */
export function wordsIn(
  { commandWords }: Pick<Channel, "commandWords">,
  stored: Parameters<typeof commonSettingsOf>[0],
): Words {
  const { restartWords, stopWords, startWords } = commonSettingsOf(stored);
  const { restart = [], stop = [], start = [] } = commandWords ?? {};
  return {
    restart: [...restartWords, ...restart],
    stop: [...stopWords, ...stop],
    start: [...startWords, ...start],
  };
}

const schema = Type.Object(commonSettings);
export type CommonSettings = Required<Omit<Static<typeof schema>, "texts" | "language">> &
  Pick<Static<typeof schema>, "texts" | "language">;

/** Returns the shared settings of a connection, completed with defaults. */
export function commonSettingsOf(stored: Static<typeof schema>): CommonSettings {
  return {
    restartWords: [],
    stopWords: ["STOP", "UNSUBSCRIBE"],
    startWords: ["START"],
    gatherSeconds: 0,
    early: "answer",
    staleMinutes: 360,
    inDoubt: "resend",
    typing: true,
    keepMedia: false,
    contentDays: 30,
    timeZone: "UTC",
    ...stored,
  };
}
