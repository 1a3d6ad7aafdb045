import { isMessage, type Message, placesOf } from "../../../src/core/words/message.ts";
import type { Words } from "./files.ts";
import { choicesOf, textsOf } from "./keys.ts";

type Translated = {
  readonly english: Words;
  readonly words: Words;
  readonly tag: string;
  /** Parts whose keys are not checked, because English defines their names elsewhere or uses the keys as names. */
  readonly byAnyKey?: readonly string[];
};

/** Returns the problems of a translation. A missing text is not a problem, because English replaces it. */
export function faultsOf(translated: Translated): string[] {
  return [...unknownKeys(translated), ...wrongTexts(translated)];
}

type Path = readonly string[];

function unknownKeys({ english, words, byAnyKey = [] }: Translated): string[] {
  const known = messagesIn(english).map(([path]) => path);
  const texts = new Set(known.map((path) => path.join(".")));
  const parts = new Set(known.flatMap((path) => path.map((_, end) => path.slice(0, end).join("."))));
  return messagesIn(words).flatMap(([path, message]) => {
    const key = path.join(".");
    // A part with a text under the key `other` looks like a message.
    const isKnown = texts.has(key) || (typeof message !== "string" && parts.has(key));
    return isKnown || byAnyKey.some((list) => key.startsWith(`${list}.`)) ? [] : [`${key} is no key of English`];
  });
}

/** Returns the messages of an object with their paths, such as "canvas", "wheels", "zoom". */
function messagesIn(value: object, path: Path = []): [path: Path, message: Message][] {
  return Object.entries(value).flatMap(([key, word]: [string, unknown]): [Path, Message][] => {
    const at = [...path, key];
    if (isMessage(word)) return [[at, word]];
    return typeof word === "object" && word !== null ? messagesIn(word, at) : [];
  });
}

function wrongTexts({ english, words, tag }: Translated): string[] {
  return messagesIn(english).flatMap(([path, message]) => {
    const own = path.reduce<unknown>((found, key) => Reflect.get(Object(found), key), words);
    if (own === undefined) return [];
    const faults = isMessage(own) ? faultsOfText(message, own, tag) : ["no text"];
    return faults.map((fault) => `${path.join(".")}: ${fault}: ${JSON.stringify(own)}`);
  });
}

function faultsOfText(english: Message, own: Message, tag: string): string[] {
  const [expected, actual] = [english, own].map(namesIn);
  const count = categoriesOf(tag);
  const fixed = formsByCategory(own).some(
    ([keys, form]) => /\b1\b/.test(form) && keys.every((key) => (count.get(key) ?? 0) > 1),
  );
  return [
    ...(actual?.isSubsetOf(expected ?? new Set()) ? [] : ["names a value that English does not"]),
    ...(expected?.isSubsetOf(actual ?? new Set()) ? [] : ["leaves out a value"]),
    ...(textsOf(own).some((text) => text.trim() === "") && english !== "" ? ["is empty"] : []),
    ...(hasCategories(own, tag) ? [] : ["has other plural forms than the language"]),
    ...(fixed ? ["writes 1 in a form of several numbers"] : []),
  ];
}

/** Returns the parameters, the `[[…]]` placeholders and the URLs of a message. */
function namesIn(message: Message): Set<string> {
  const texts = textsOf(message);
  const places = texts.flatMap((text) => placesOf(text).map(({ name }) => name));
  const fixed = texts.flatMap((text) => text.match(/\[\[\w+\]\]|https?:\S+\w/g) ?? []);
  return new Set([...places, ...fixed, ...choicesOf(message).keys()]);
}

/** Returns the texts of a message's forms, with the plural categories of each form. */
function formsByCategory(message: Message, outer: Path = []): [categories: Path, form: string][] {
  if (typeof message === "string") return outer.length === 0 ? [] : [[outer, message]];
  const { by: _, ...forms } = message;
  return Object.entries<Message>(forms).flatMap(([key, form]) => formsByCategory(form, [...outer, key]));
}

const counted = new Map<string, ReadonlyMap<string, number>>();

/**
 * Returns how many small integers belong to each plural category of a language. No text counts millions or fractions.
 */
function categoriesOf(tag: string): ReadonlyMap<string, number> {
  const known = counted.get(tag);
  if (known) return known;
  const rules = new Intl.PluralRules(tag);
  const counts = new Map<string, number>();
  for (let number = 0; number < 200; number++) {
    const category = rules.select(number);
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  counted.set(tag, counts);
  return counts;
}

/**
 * Whether the plural forms match the categories of the language. Categories that only apply to millions and fractions
 * may be absent.
 */
function hasCategories(message: Message, tag: string): boolean {
  if (typeof message === "string") return true;
  const { by: _, ...forms } = message;
  if (!Object.values<Message>(forms).every((form) => hasCategories(form, tag))) return false;
  const own = Object.keys(forms).filter((key) => !key.startsWith("=") && key !== "other");
  const known = new Set<string>(new Intl.PluralRules(tag).resolvedOptions().pluralCategories);
  const common = new Set(categoriesOf(tag).keys());
  return (
    own.length === 0 || (own.every((key) => known.has(key)) && common.difference(new Set([...own, "other"])).size === 0)
  );
}
