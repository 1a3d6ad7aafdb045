import { relative } from "node:path";
import { fileURLToPath } from "node:url";

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number };

/**
 * The engine's coverage report: the range of each function with its calls, and the inner ranges that ran less often.
 */
export type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
};

const root = `${import.meta.dir}/../..`;

/**
 * Returns for each file of `src` the length of the longest function that ran at least `times` times. Inner functions
 * are not counted.
 */
export function longestRuns({ result }: Coverage, times: number): Record<string, number> {
  const runs = result.flatMap(({ url, functions }) => {
    const path = url.startsWith("file:") ? relative(root, fileURLToPath(url)) : "";
    // The first entry is the module itself, which ran when it was loaded.
    const wholes = functions.slice(1).flatMap(({ ranges: [whole, ...parts] }) => (whole ? [{ whole, parts }] : []));
    const ran = wholes.filter(({ whole }) => whole.count >= times);
    if (!path.startsWith("src/") || ran.length === 0) return [];
    const inner = wholes.map(({ whole }) => whole);
    const lengths = ran.map(({ whole, parts }) => {
      const left = [...parts.filter(({ count }) => count === 0), ...inner.filter((one) => one !== whole)];
      return charactersOf(whole, left);
    });
    return [[path, Math.max(...lengths)] as const];
  });
  return Object.fromEntries(runs);
}

/** Returns the number of characters of a range outside all other ranges. */
function charactersOf({ startOffset, endOffset }: Range, others: readonly Range[]): number {
  const within = others.filter((other) => other.startOffset >= startOffset && other.endOffset <= endOffset);
  let characters = 0;
  for (let at = startOffset; at < endOffset; at++) {
    if (!within.some((other) => other.startOffset <= at && at < other.endOffset)) characters++;
  }
  return characters;
}
