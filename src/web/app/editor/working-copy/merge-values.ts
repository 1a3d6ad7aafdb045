import type { Change } from "../../../../core/editing/changes/change.ts";
import { matchingWords, wordsOf } from "../../../../core/editing/text/words.ts";
import type { Clash, Held } from "./replica.ts";

/**
 * Returns the changes of a held set with merged values: texts are merged by words, and lists of paragraphs are
 * concatenated. Returns undefined if a value cannot be merged.
 */
export function mergeValues({ set, reason }: Held): readonly Change[] | undefined {
  if (reason.kind !== "conflict" || reason.clashes.length === 0) return undefined;
  const merged = new Map<string, unknown>();
  for (const clash of reason.clashes) {
    const value = mergeOf(clash);
    if (value === undefined) return undefined;
    merged.set(placeOf(clash), value);
  }
  return set.changes.map((change) => {
    if (change.op !== "set") return change;
    const value = merged.get(placeOf(change));
    return value === undefined ? change : { ...change, value };
  });
}

function mergeOf({ mine, theirs, before }: Clash): unknown {
  if (typeof mine === "string" && typeof theirs === "string")
    return mergeTexts(typeof before === "string" ? before : "", mine, theirs);
  if (Array.isArray(mine) && Array.isArray(theirs)) return [...theirs, ...mine];
  return undefined;
}

function placeOf({ of, id, in: within, path }: Pick<Clash, "of" | "id" | "in" | "path">): string {
  return JSON.stringify([of, id, within, path]);
}

/**
 * Merges two versions of a text by words. A part that one person changed is used. If both people changed a part, both
 * versions are kept, with the other person's version first.
 */
export function mergeTexts(before: string, mine: string, theirs: string): string {
  const [base, a, b] = [before, mine, theirs].map(wordsOf);
  if (!base || !a || !b) return mine;
  const [inMine, inTheirs] = [matchingWords(base, a), matchingWords(base, b)];
  const merged: string[] = [];
  let at = { base: 0, a: 0, b: 0 };
  // Words that all three texts have in the same order are the boundaries between the changed parts.
  for (let index = 0; index <= base.length; index++) {
    const [inA, inB] = index === base.length ? [a.length, b.length] : [inMine.get(index), inTheirs.get(index)];
    if (inA === undefined || inB === undefined) continue;
    merged.push(
      ...between(base.slice(at.base, index), a.slice(at.a, inA), b.slice(at.b, inB)),
      ...base.slice(index, index + 1),
    );
    at = { base: index + 1, a: inA + 1, b: inB + 1 };
  }
  return merged.join("");
}

function between(base: readonly string[], mine: readonly string[], theirs: readonly string[]): readonly string[] {
  const [was, own, other] = [base, mine, theirs].map((words) => words.join(""));
  if (own === other || other === was) return mine;
  if (own === was) return theirs;
  const isApart = /\s$/.test(other ?? "") || /^\s/.test(own ?? "") || theirs.length === 0;
  return [...theirs, ...(isApart ? [] : [" "]), ...mine];
}
