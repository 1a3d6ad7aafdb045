import type { Answer } from "../api/index.ts";

export type Insight = Answer<"GET /api/v1/bots/:botId/insight">["insight"];
export type BlockInsight = Insight["blocks"][number];

/** The chat counts of a question. Chats without any answer are excluded. */
export type Passing = { readonly reached: number; readonly answered: number; readonly left: number };

export function passingOf({ reached, answered, left, silent }: Omit<BlockInsight, "values">): Passing {
  return { reached: reached - silent, answered, left: left - silent };
}

export function isQuestion({ type }: Pick<BlockInsight, "type">): boolean {
  return type !== null && (type.endsWith(" input") || type === "cards");
}

/** Returns the questions of the flow in walking order, and the removed questions at which chats answered or ended. */
export function questionsOf({ blocks }: Pick<Insight, "blocks">) {
  return {
    standing: blocks.filter(isQuestion),
    gone: blocks.filter(({ groupId, answered, left }) => groupId === null && answered + left > 0),
  };
}

/** A point at which chats end: a question, or the opening for chats without an answer. */
export type Drop = { readonly block: BlockInsight | undefined; readonly reached: number; readonly left: number };

export const shownDrops = 5;

type Totals = Pick<Insight, "blocks" | "views" | "starts" | "completions">;

/**
 * Returns the number of chats that were opened and never answered. Chats that an older release already counted at a
 * question are excluded, because a chat ends only once.
 */
export function silentOf({ blocks, views, starts, completions }: Totals): number {
  const leftAtQuestions = blocks.reduce((sum, { left, silent }) => sum + left - silent, 0);
  const twice = Math.max(0, leftAtQuestions - (starts - completions));
  return Math.max(0, views - starts - twice);
}

/** Returns the points at which most chats end, in descending order. Each chat ends at only one of them. */
export function dropsOf(insight: Totals): readonly Drop[] {
  const opening: Drop = { block: undefined, reached: insight.views, left: silentOf(insight) };
  const { standing, gone } = questionsOf(insight);
  const questions = [...standing, ...gone].map((block): Drop => ({ block, ...passingOf(block) }));
  return [opening, ...questions]
    .filter(({ left }) => left > 0)
    .toSorted((a, b) => b.left - a.left || shareOf(b.left, b.reached) - shareOf(a.left, a.reached))
    .slice(0, shownDrops);
}

/** Returns the share of a part in the whole, from 0 to 1. */
export function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}

/** Returns the share of completed chats among chats with an answer; undefined if there are no answers. */
export function completionOf({ starts, completions }: Pick<Insight, "starts" | "completions">): number | undefined {
  return starts === 0 ? undefined : completions / starts;
}

type Value = BlockInsight["values"][number];

/** Returns the answers in reading order: by size if all answers are whole numbers, otherwise in the service's order. */
export function valuesInOrder(values: readonly Value[]): readonly Value[] {
  const areNumbers = values.every(({ value }) => value !== null && /^\d+$/.test(value));
  return areNumbers ? values.toSorted((a, b) => Number(a.value) - Number(b.value)) : values;
}

/** Returns the mean of a rating's numeric answers; undefined for other inputs and without such answers. */
export function averageOf({ type, values }: Pick<BlockInsight, "type" | "values">): number | undefined {
  const numbers = values.filter(({ value }) => value !== null && /^\d+$/.test(value));
  const count = numbers.reduce((sum, { answers }) => sum + answers, 0);
  if (type !== "rating input" || count === 0) return undefined;
  return numbers.reduce((sum, { value, answers }) => sum + Number(value) * answers, 0) / count;
}
