/**
 * A text with placeholders: `"Delete {name}?"`. `{count, number}` is formatted in the number format of the language,
 * and `{name, capital}` starts with a capital letter. A text that depends on a value has several forms: `{ one: "1
 * bot", other: "{count} bots" }`.
 */
export type Message = string | Forms;

/**
 * Forms of a text. The value named `by`, or `count` by default, selects the form: first a form for exactly this value,
 * such as `"=0"`, then the language's plural category for a number, then `other`. The key `"="` is for an empty or
 * absent value. A form may have further forms that depend on another value.
 */
export type Forms = { readonly by?: string; readonly other: Message } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, "other">]?: Message;
} & { readonly [exactly: `=${string}`]: Message };

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Whether a value is a message. A group of texts may also have the key `other`, so a message with forms needs at least
 * one more key, and all its keys must be `by`, plural categories or exact values.
 */
export function isMessage(value: unknown): value is Message {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null || !("other" in value)) return false;
  const keys = Object.keys(value);
  return keys.length > 1 && keys.every((key) => /^(by|zero|one|two|few|many|other|=.*)$/.test(key));
}

/** Matches a placeholder, but not double braces, which contain a variable of a flow. */
const place = /\{(\w+)(?:, (number|capital))?\}(?!\})/g;

/** Returns the placeholders of a text with their formats. */
export function placesOf(text: string): readonly { readonly name: string; readonly kind: string | undefined }[] {
  return [...text.matchAll(place)].map(([, name = "", kind]) => ({ name, kind }));
}

/** Whether a message needs values. */
export function hasPlaces(message: Message): boolean {
  return typeof message !== "string" || message.search(place) >= 0;
}

/** Returns a message as text in the language of the given tag. */
export function messageText(message: Message, values: Values, tag: string): string {
  if (typeof message === "string") return filled(message, values, tag);
  const value = values[message.by ?? "count"] ?? "";
  const category = typeof value === "number" ? categoryOf(value, tag) : "other";
  return messageText(message[`=${value}`] ?? message[category] ?? message.other, values, tag);
}

/** Rules are cached because creating them takes 0.1 ms and a list formats hundreds of counts. */
const rules: Record<string, Intl.PluralRules> = {};

function categoryOf(count: number, tag: string): Intl.LDMLPluralRule {
  const known = rules[tag] ?? new Intl.PluralRules(tag);
  rules[tag] = known;
  return known.select(count);
}

function filled(text: string, values: Values, tag: string): string {
  return text.replaceAll(place, (whole, name: string, kind: string | undefined) => {
    const value = values[name] ?? whole;
    const written = kind === "number" ? value.toLocaleString(tag) : `${value}`;
    return kind === "capital" ? written.charAt(0).toUpperCase() + written.slice(1) : written;
  });
}
