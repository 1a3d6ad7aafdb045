import { call, useQuery } from "../api/index.ts";
import type { WordsOf } from "../words/language.ts";
import type { Comparison } from "./comparison.ts";
import { type BlockInsight, type Insight, isQuestion, type Passing, passingOf, silentOf } from "./rates.ts";
import { queryOf, type Window } from "./window.ts";

/** A version whose figures are shown beside the chosen ones. */
export type Beside = {
  readonly number: number;
  /** The figures of the same window; undefined while they are loading. */
  readonly insight: Insight | undefined;
};

/** The figures of the compared versions, in the window that is shown. */
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

/** Whether it is known that a version had no chat: it has nothing to compare. */
export function isWithoutChats({ insight }: Beside): boolean {
  return insight?.views === 0 && insight.pageViews === 0;
}

/** The chats of a question in another version: null if that has no such question, undefined while it is not known. */
export function passingIn({ insight }: Beside, blockId: string): Passing | null | undefined {
  if (!insight) return undefined;
  const block = insight.blocks.find((one) => one.blockId === blockId);
  // Chats that moved from another version may have left at a question that this one lacks.
  if (!block || (block.groupId === null && block.reached === 0)) return null;
  return passingOf(block);
}

/** The chats that were opened in another version, and never answered. */
export function openingIn({ insight }: Beside): Passing | undefined {
  return insight && { reached: insight.views, answered: insight.starts, left: silentOf(insight) };
}

/** The questions of the compared versions that the shown figures lack, with the version that has each. */
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

/** A value of a version in words: "Version 1: 63 %". */
export function besideText(words: WordsOf<"insight">, number: number, value: string | undefined): string {
  return words.versionValue({ number, value: value ?? "…" });
}
