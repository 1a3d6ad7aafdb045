import { type Comparison, type Version, versionBefore } from "../../insight/comparison.ts";
import type { Window } from "../../insight/window.ts";
import type { WordsOf } from "../../words/index.ts";

type Around = {
  readonly window: Window;
  readonly versions: readonly Version[];
  readonly comparison: Comparison;
  readonly words: WordsOf<"insight">;
  readonly onChange: (next: Window) => void;
};

const before = "before";

/**
 * The choice of a comparison: the window before, or another version. All versions are compared with two: a version and
 * the one before it.
 */
export function comparisonChoice({ window, versions, comparison, words, onChange }: Around) {
  const { version } = window;
  const value = comparison === before ? before : String(comparison[0]);
  const others = versions.flatMap(({ number }) => {
    if (version !== undefined)
      return number === version ? [] : [{ value: String(number), label: words.versionOf({ number }) }];
    const older = versionBefore(number, versions);
    return older === undefined ? [] : [{ value: String(number), label: words.versionPair({ newer: number, older }) }];
  });
  // An address may name one that is not listed.
  const named = others.some((one) => one.value === value) || comparison === before ? [] : [comparison[0] ?? 0];
  return {
    value,
    options: [
      { value: before, label: words.windowBefore },
      ...named.map((number) => ({ value: String(number), label: words.versionOf({ number }) })),
      ...others,
    ],
    onChange: (next: string) => onChange({ ...window, beside: next === before ? before : Number(next) }),
  };
}
