import { call, useQuery } from "../api/index.ts";
import type { WordsOf } from "../words/language.ts";
import type { Comparison } from "./comparison.ts";
import { type BlockInsight, type Insight, isQuestion, type Passing, passingOf, silentOf } from "./rates.ts";
import { queryOf, type Window } from "./window.ts";

/** A version whose figures are compared with the shown figures. */
export type Beside = {
  readonly number: number;
  /** The figures for the same period; undefined while they are loading. */
  readonly insight: Insight | undefined;
};

/** Loads the figures of the compared versions for the shown period. */
export function useBeside(botId: string, window: Window, comparison: Comparison): readonly Beside[] {
  const [first, second] = comparison === "before" ? [] : comparison;
  return [useVersion(botId, window, first), useVersion(botId, window, second)].filter((one) => one !== undefined);
}

function useVersion(botId: string, window: Window, number: number | undefined): Beside | undefined {
  const query = queryOf({ ...window, version: number });
  const key = number === undefined ? undefined : `insight/${botId}/beside/${JSON.stringify(query)}`;
  const { value } = useQuery(key, async () => {
    return (await call("GET /api/v1/bots/:botId/insight", { path: { botId }, query })).insight;
  });
  return number === undefined ? undefined : { number, insight: value };
}

/** Whether the version is known to have neither chats nor page views, so that there is nothing to compare. */
export function isWithoutChats({ insight }: Beside): boolean {
  return insight?.views === 0 && insight.pageViews === 0;
}

/**
 * Returns the chat counts of a question in another version. Null if the version does not have the question, undefined
 * while the figures are loading.
 */
export function passingIn({ insight }: Beside, blockId: string): Passing | null | undefined {
  if (!insight) return undefined;
  const block = insight.blocks.find((one) => one.blockId === blockId);
  // A chat that moved to this version may have ended at a question that this version does not contain.
  if (!block || (block.groupId === null && block.reached === 0)) return null;
  return passingOf(block);
}

/**
 * Returns the chat counts at the opening of another version. Chats without an answer end there. Undefined while the
 * figures are loading.
 */
export function openingIn({ insight }: Beside): Passing | undefined {
  return insight && { reached: insight.views, answered: insight.starts, left: silentOf(insight) };
}

/** Returns the questions of the compared versions that the shown version does not have, with the version of each. */
export function questionsBeside(
  shown: ReadonlySet<string>,
  beside: readonly Beside[],
): readonly { readonly block: BlockInsight; readonly number: number }[] {
  const seen = new Set(shown);
  return beside.flatMap(({ insight, number }) =>
    (insight?.blocks ?? []).flatMap((block) => {
      if (seen.has(block.blockId) || !isQuestion(block)) return [];
      seen.add(block.blockId);
      return [{ block, number }];
    }),
  );
}

/** Returns a value of a version as text, for example "Version 1: 63 %". */
export function besideText(words: WordsOf<"insight">, number: number, value: string | undefined): string {
  return words.versionValue({ number, value: value ?? "…" });
}
