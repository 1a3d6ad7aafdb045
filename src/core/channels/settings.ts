import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { titled } from "../interpreter/schemas/field-marks.ts";
import type { Channel } from "./channel.ts";
import { TextsSchema } from "./texts.ts";
import type { Words } from "./words.ts";

const word = { minLength: 1, maxLength: 50 };
const words = (title: string, description: string, preset: readonly string[]) =>
  optional(
    title,
    Type.Array(Type.String(word), {
      maxItems: 20,
      default: [...preset],
      description: `${description} Whole messages.`,
    }),
  );

function optional<Schema extends TSchema>(title: string, schema: Schema) {
  return titled(title, Type.Optional(schema));
}

/** The settings that connections of all channels share. */
export const commonSettings = {
  texts: Type.Optional(TextsSchema),
  restartWords: words("Words that start again", "End the chat and begin a new one.", []),
  stopWords: words("Words that stop messages", "The contact gets no more messages.", ["STOP", "UNSUBSCRIBE"]),
  startWords: words("Words that allow messages again", "Undo a word that stops messages.", ["START"]),
  gatherSeconds: optional(
    "Seconds in which messages are joined",
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: "Texts that follow each other within so many seconds are one reply. 0: each is its own.",
    }),
  ),
  early: optional(
    "Messages before the question has arrived",
    Type.Union([Type.Literal("answer"), Type.Literal("ignore")], {
      default: "answer",
      description: "`answer`: they answer it, where they can. `ignore`: they are kept, and answer nothing.",
    }),
  ),
  staleMinutes: optional(
    "Minutes after which a message is too old",
    Type.Integer({
      minimum: 1,
      maximum: 1_440,
      default: 360,
      description: "A message that arrives so late answers nothing any more.",
    }),
  ),
  inDoubt: optional(
    "Messages of which it is unknown whether they were sent",
    Type.Union([Type.Literal("resend"), Type.Literal("skip")], {
      default: "resend",
      description:
        "`resend`: nothing is lost, and a contact may see a message twice. `skip`: no message comes twice, and one may be lost.",
    }),
  ),
  typing: optional(
    "Shows that the bot is writing",
    Type.Boolean({ default: true, description: "Whether the messenger shows that the bot is writing." }),
  ),
  keepMedia: optional(
    "Keeps files that nothing asks for",
    Type.Boolean({
      default: false,
      description: "Whether files that a contact sends during a chat are stored although the bot does not ask for one.",
    }),
  ),
  contentDays: optional(
    "Days for which messages are kept",
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: "After so many days the content of messages is erased here. Results are not touched.",
    }),
  ),
  timeZone: optional(
    "Time zone",
    Type.String({
      maxLength: 64,
      default: "UTC",
      description: "The time zone of what a bot asks a browser for elsewhere, such as the moment of the day.",
    }),
  ),
} as const;

/** Returns the command words of a connection: the words in its settings and the commands of its channel's apps. */
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
export type CommonSettings = Required<Omit<Static<typeof schema>, "texts">> & Pick<Static<typeof schema>, "texts">;

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
