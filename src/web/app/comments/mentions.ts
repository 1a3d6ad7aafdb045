import type { Person } from "./store.ts";

/** A text with people by name, as it is written: the stored form is `<@id>`. */
export function written(text: string, people: readonly Person[]): string {
  return partsOf(text, people)
    .map((part) => (typeof part === "string" ? part : `@${part.name}`))
    .join("");
}

/**
 * The stored form of a written text: the longest names are replaced first, since a name may begin with another. A name
 * counts after an `@` that begins a word, and where the name ends a word.
 */
export function stored(text: string, people: readonly Person[]): string {
  const ids = new Map(people.flatMap(({ userId, name }) => (name ? [[name, userId] as const] : [])));
  if (ids.size === 0) return text;
  const names = [...ids.keys()].toSorted((one, other) => other.length - one.length).map(asPattern);
  // All names in one pass: a name may be part of an id.
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_.+-])@(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  return text.replaceAll(mention, (whole, name: string) => {
    const id = ids.get(name);
    return id === undefined ? whole : `<@${id}>`;
  });
}

function asPattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Gives each person a unique name: "Ann (2)". */
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

/** The parts of a stored text: words, and people. */
export function partsOf(text: string, people: readonly Person[]): readonly Part[] {
  return text.split(/(<@[0-9a-z]{26}>)/).flatMap((part): readonly Part[] => {
    const id = /^<@([0-9a-z]{26})>$/.exec(part)?.[1];
    if (id === undefined) return part === "" ? [] : [part];
    return [{ name: people.find(({ userId }) => userId === id)?.name ?? "?" }];
  });
}

/** The unfinished name before the caret, after an `@`; undefined if there is none. */
export function begunName(before: string): string | undefined {
  return /(?:^|\s)@([^\s@]{0,40})$/u.exec(before)?.[1];
}

/** The people whose name has a word with this beginning. */
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
