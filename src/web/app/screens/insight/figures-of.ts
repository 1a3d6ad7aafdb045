import type { Beside } from "../../insight/beside.ts";
import type { Figure } from "../../insight/figures.tsx";
import { completionOf, type Insight } from "../../insight/rates.ts";
import { shortLengthText } from "../../insight/texts.ts";
import type { WordsOf } from "../../words/index.ts";

type Around = {
  readonly insight: Insight;
  /** Whether the figures are compared with the previous period instead of a version. */
  readonly isBefore: boolean;
  readonly beside: readonly Beside[];
  readonly words: WordsOf<"insight">;
};

type Totals = Pick<Insight, "views" | "starts" | "completions" | "medianSeconds">;

/** Returns the totals of a period, each with the total of the previous period or of the compared versions. */
export function figuresOf({ insight, isBefore, beside, words }: Around): readonly Figure[] {
  const before = isBefore ? (insight.before ?? undefined) : undefined;
  const valuesOf = (read: (totals: Totals) => number | null | undefined) => ({
    value: read(insight),
    before: before && read(before),
    versions: beside.map(({ number, insight: other }) => ({ number, value: other && (read(other) ?? null) })),
  });
  return [
    { name: words.opened, help: words.openedHelp, ...valuesOf(({ views }) => views) },
    { name: words.answered, help: words.answeredHelp, ...valuesOf(({ starts }) => starts) },
    { name: words.completed, help: words.completedHelp, ...valuesOf(({ completions }) => completions) },
    {
      ...{ name: words.completion, note: words.ofAnswered, help: words.completionHelp, how: "share" },
      ...valuesOf(completionOf),
    },
    {
      ...{ name: words.median, help: words.medianHelp, how: shortLengthText },
      ...valuesOf(({ medianSeconds }) => medianSeconds),
    },
  ];
}
