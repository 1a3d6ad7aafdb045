import type { Person } from "./store.ts";

/** A text with people by name, as it is written: `<@id>` is what is stored. */
export function written(text: string, people: readonly Person[]): string {
  return partsOf(text, people)
    .map((part) => (typeof part === "string" ? part : `@${part.name}`))
    .join("");
}

/** What is stored of a written text: the longest names first, since one may begin another. */
export function stored(text: string, people: readonly Person[]): string {
  const named = people
    .filter(({ name }) => name !== null && name !== "")
    .toSorted((one, other) => (other.name ?? "").length - (one.name ?? "").length);
  let result = text;
  for (const { userId, name } of named) result = result.replaceAll(`@${name}`, `<@${userId}>`);
  return result;
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

/** The name that is begun before the caret, behind an `@`; undefined if none is. */
export function begunName(before: string): string | undefined {
  return /(?:^|\s)@([^\s@]{0,40})$/u.exec(before)?.[1];
}

/** The people whose name has a word that begins so. */
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
