import { type Beside, openingIn, passingIn, questionsBeside } from "../../insight/beside.ts";
import {
  type BlockInsight,
  type Insight,
  type Passing,
  passingOf,
  questionsOf,
  silentOf,
} from "../../insight/rates.ts";
import type { WordsOf } from "../../words/index.ts";
import type { Names } from "./names.ts";

/** A question or the opening, with its chat counts in the shown version and in each compared version. */
export type FunnelQuestion = {
  readonly key: string;
  readonly name: string;
  readonly note: string | undefined;
  /** Absent if only a compared version has the question. */
  readonly passing: Passing | undefined;
  readonly versions: readonly VersionPassing[];
};

/** Null if the version does not have the question, undefined while the figures are loading. */
export type VersionPassing = { readonly number: number; readonly passing: Passing | null | undefined };

type Around = {
  readonly insight: Insight;
  readonly beside: readonly Beside[];
  readonly names: Names;
  readonly words: WordsOf<"insight">;
};

/**
 * Returns the opening and the questions in walking order, followed by the questions that are no longer in the flow or
 * only in a compared version.
 */
export function funnelQuestions({ insight, beside, names, words }: Around): readonly FunnelQuestion[] {
  const { views, starts } = insight;
  const { standing, gone } = questionsOf(insight);
  const shown = new Set(standing.map(({ blockId }) => blockId));
  const elsewhere = new Map(questionsBeside(shown, beside).map((one) => [one.block.blockId, one]));
  const rowOf = (block: BlockInsight, note: string | undefined, passing: Passing | undefined): FunnelQuestion => {
    const { blockId: key } = block;
    const versions = beside.map((one) => ({ number: one.number, passing: passingIn(one, key) }));
    return { key, name: names(block), note, passing, versions };
  };
  const lost = gone.map((block) => {
    const known = elsewhere.get(block.blockId);
    elsewhere.delete(block.blockId);
    const note = known ? words.onlyInVersion({ number: known.number }) : words.goneText;
    return rowOf(known?.block ?? block, note, passingOf(block));
  });
  return [
    {
      ...{ key: "", name: words.openingRow, note: undefined },
      passing: { reached: views, answered: starts, left: silentOf(insight) },
      versions: beside.map((one) => ({ number: one.number, passing: openingIn(one) })),
    },
    ...standing.map((block) => rowOf(block, undefined, passingOf(block))),
    ...lost,
    ...[...elsewhere.values()].map(({ block, number }) => rowOf(block, words.onlyInVersion({ number }), undefined)),
  ];
}
