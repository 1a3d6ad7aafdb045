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
 * Returns the properties of the field that selects the comparison: the previous period or another version. If all
 * versions are shown, each option is a version paired with the version before it.
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
  // The URL may contain a version that is not in the list.
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
