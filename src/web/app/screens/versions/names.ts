import type { Named } from "../../words/comparison.ts";
import { comparisonTitle } from "../../words/comparison.ts";
import type { WordsOf } from "../../words/language.ts";

/**
 * Parses the name of a compared flow in a URL: `draft`, the number of a version, or `r` followed by the revision of an
 * earlier draft. Returns undefined for other names.
 */
export function read(name: string): Named | undefined {
  if (name === "draft") return { kind: "draft" };
  if (/^r\d{1,9}$/.test(name)) return { kind: "moment", revision: Number(name.slice(1)) };
  return /^\d{1,9}$/.test(name) ? { kind: "version", number: Number(name) } : undefined;
}

export function titleOf(name: string, words: WordsOf<"version">): string {
  const named = read(name);
  if (named?.kind === "moment") return words.moment({ revision: named.revision });
  if (named === undefined) return `“${name}”`;
  return named.kind === "version" ? words.version({ number: named.number }) : words.draft;
}

export function compareTitle(from: string, to: string, words: WordsOf<"version">): string {
  const [one, other] = [read(from), read(to)];
  return one && other ? comparisonTitle(one, other) : words.compare;
}

/** Returns the number of a version; undefined for other names. */
export function numberOf(name: string): number | undefined {
  const named = read(name);
  return named?.kind === "version" ? named.number : undefined;
}
