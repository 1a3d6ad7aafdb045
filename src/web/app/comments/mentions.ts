import type { Person } from "./store.ts";

/** Replaces `<@id>` in a stored text with `@` and the person's name, as the author writes it. */
export function written(text: string, people: readonly Person[]): string {
  return partsOf(text, people)
    .map((part) => (typeof part === "string" ? part : `@${part.name}`))
    .join("");
}

/**
 * Replaces `@` and a name in a written text with `<@id>`. Longer names are replaced first, because a name may begin
 * with another name. The `@` must begin a word, and the name must end at the end of a word.
 */
export function stored(text: string, people: readonly Person[]): string {
  const ids = new Map(people.flatMap(({ userId, name }) => (name ? [[name, userId] as const] : [])));
  if (ids.size === 0) return text;
  const names = [...ids.keys()].toSorted((one, other) => other.length - one.length).map(asPattern);
  // All names are replaced in one pass, because an inserted id may contain a name.
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_.+-])@(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  return text.replaceAll(mention, (whole, name: string) => {
    const id = ids.get(name);
    return id === undefined ? whole : `<@${id}>`;
  });
}

function asPattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Lists each person once, and makes the names unique, for example "Ann (2)". */
export function apart(people: readonly Person[]): readonly Person[] {
  const taken = new Set<string>();
  const ids = new Set<string>();
  return people.flatMap((person) => {
    if (ids.has(person.userId)) return [];
    ids.add(person.userId);
    if (person.name === null) return [person];
    let name = person.name;
    for (let turn = 2; taken.has(name); turn++) name = `${person.name} (${turn})`;
    taken.add(name);
    return [{ ...person, name }];
  });
}

type Part = string | { readonly name: string };

/** Splits a stored text into texts and mentioned people. */
export function partsOf(text: string, people: readonly Person[]): readonly Part[] {
  return text.split(/(<@[0-9a-z]{26}>)/).flatMap((part): readonly Part[] => {
    const id = /^<@([0-9a-z]{26})>$/.exec(part)?.[1];
    if (id === undefined) return part === "" ? [] : [part];
    return [{ name: people.find(({ userId }) => userId === id)?.name ?? "?" }];
  });
}

/** Returns the unfinished name between an `@` and the caret; undefined if there is none. */
export function begunName(before: string): string | undefined {
  return /(?:^|\s)@([^\s@]{0,40})$/u.exec(before)?.[1];
}

/** Returns up to six people with a word in their name that begins with the typed text. */
export function matching(people: readonly Person[], begun: string): readonly Person[] {
  const wanted = begun.toLocaleLowerCase();
  const isMatch = ({ name }: Person) =>
    (name ?? "")
      .toLocaleLowerCase()
      .split(/\s+/)
      .some((word) => word.startsWith(wanted));
  return people
    .filter(({ name }) => name !== null && name !== "")
    .filter(isMatch)
    .slice(0, 6);
}
