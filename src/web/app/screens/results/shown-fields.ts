import type { Input } from "../../api/index.ts";
import { channelName } from "../../page-parts/channels/kinds.ts";
import type { WordsOf } from "../../words/language.ts";
import type { Question, Result } from "./columns.ts";

type Query = NonNullable<Input<"GET /api/v1/bots/:botId/results">["query"]>;

/** The bot whose results are shown. */
export type ShownBot = {
  /** Whether the bot's flow contains payments. */
  readonly hasPayments: boolean;
  /** The numbers of the bot's versions, newest first. */
  readonly versions: readonly number[];
  /** The messenger types on which the bot answers; empty if it answers only on the web. */
  readonly channels: readonly string[];
  /** The questions of the bot's flow. */
  readonly questions: readonly Question[];
};

/** A field of a result, with its column in the table and its filter. */
export type ShownField = {
  title(words: WordsOf<"result">): string;
  cell(result: Result, words: WordsOf<"result">): string | number;
  /** Whether the results of the bot have the field. If absent, the results of every bot have it. */
  isOf?(bot: ShownBot): boolean;
  readonly filter?: FieldFilter;
};

/** A filter by one value of a field. The empty text matches every value. */
export type FieldFilter = {
  /** The name and the value of the API's query parameter. */
  readonly parameter: keyof Query;
  queryValue(value: string): Query[keyof Query];
  /** Whether the text is a valid value. The URL may contain anything. */
  isValue(text: string): boolean;
  /** Returns the values to choose from. If there are fewer than two, and no value is selected, the filter is hidden. */
  choices(bot: ShownBot): readonly string[];
  nameOf(value: string, words: WordsOf<"result">, bot: ShownBot): string;
  anyName(words: WordsOf<"result">): string;
};

/**
 * The fields of a result that have a column after the answers and variables, a filter, or both. The keys are part of
 * URLs and stored table settings, so they must not change.
 */
export const shownFields = {
  paid: {
    title: (words) => words.paid,
    cell: ({ isPaid }, words) => (isPaid ? words.isPaid : "–"),
    isOf: ({ hasPayments }) => hasPayments,
  },
  version: {
    title: (words) => words.version,
    cell: ({ publicationNumber }) => publicationNumber ?? "–",
    filter: {
      parameter: "publicationNumber",
      queryValue: Number,
      isValue: (text) => /^[1-9]\d{0,8}$/.test(text),
      choices: ({ versions }) => versions.map(String),
      nameOf: (value, words) => words.versionOf({ number: Number(value) }),
      anyName: (words) => words.allVersions,
    },
  },
  channel: {
    title: (words) => words.channel,
    cell: ({ channel }, words) => (channel === null ? words.onWeb : channelName(channel, words.channels)),
    isOf: ({ channels }) => channels.length > 0,
    filter: {
      parameter: "channel",
      queryValue: String,
      isValue: (text) => /^[a-z]{1,50}$/.test(text),
      choices: ({ channels }) => channels,
      nameOf: (value, words) => channelName(value, words.channels),
      anyName: (words) => words.allChannels,
    },
  },
  // A filter without a column, to which conversations link.
  contact: {
    title: (words) => words.contact,
    cell: () => "",
    isOf: () => false,
    filter: {
      parameter: "contactId",
      queryValue: String,
      isValue: (text) => /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text),
      choices: () => [],
      nameOf: (_, words) => words.oneContact,
      anyName: (words) => words.allContacts,
    },
  },
  // A filter without a column, to which the insight screen links.
  leftAt: {
    title: (words) => words.leftAt,
    cell: () => "",
    isOf: () => false,
    filter: {
      parameter: "leftAt",
      queryValue: String,
      isValue: (text) => text.length <= 200,
      choices: () => [],
      nameOf(value, words, { questions }) {
        const found = questions.find(({ blockId }) => blockId === value);
        if (!found) return words.leftAtOne;
        const { group, label } = found;
        return words.leftAtQuestion({ question: group === undefined ? label : `${group} · ${label}` });
      },
      anyName: (words) => words.leftAnywhere,
    },
  },
} as const satisfies Readonly<Record<string, ShownField>>;

type Fields = typeof shownFields;
type Filtered = { [Name in keyof Fields]: Fields[Name] extends { filter: object } ? Name : never }[keyof Fields];
type Parameter = Fields[Filtered]["filter"]["parameter"];

/** The value of each filterable field. */
export type FieldValues = { readonly [Name in Filtered]: string };

/** The fields that have a filter, with their names. */
const filtered = Object.entries<ShownField>(shownFields).flatMap(([name, { title, filter }]) =>
  filter ? [{ name, title, filter }] : [],
);

/** Returns the filter of each field, with its current value. */
export function fieldFilters(values: FieldValues): readonly (Omit<(typeof filtered)[number], "name"> & {
  readonly name: string;
  readonly value: string;
  /** Returns the filter values with a new value for this field only. */
  with(value: string): Partial<FieldValues>;
})[];
export function fieldFilters(values: Readonly<Record<string, string>>): object {
  return filtered.map((field) => ({
    ...field,
    value: values[field.name] ?? "",
    with: (value: string) => ({ [field.name]: value }),
  }));
}

/** Reads the values from a URL. An invalid value becomes the empty text. */
export function readFieldValues(query: URLSearchParams): FieldValues;
export function readFieldValues(query: URLSearchParams): object {
  return Object.fromEntries(
    filtered.map(({ name, filter }) => {
      const text = query.get(name) ?? "";
      return [name, filter.isValue(text) ? text : ""];
    }),
  );
}

/** Returns the values as query parameters of the API. */
export function fieldQuery(values: FieldValues): { readonly [Name in Parameter]?: Query[Name] };
export function fieldQuery(values: FieldValues): object {
  const given = fieldFilters(values).filter(({ value }) => value !== "");
  return Object.fromEntries(given.map(({ filter, value }) => [filter.parameter, filter.queryValue(value)]));
}
