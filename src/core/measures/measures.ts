import type { CountedValues } from "../interpreter/input-traits.ts";
import { bucketOf } from "./histogram.ts";
import { type PaidAmount, paidMeasures } from "./paid.ts";

/** The measures of results: each counts once for each result, block, edge, value of an answer, or duration. */
export const kinds = [
  "view",
  "start",
  "completion",
  "time",
  "reached",
  "answered",
  "left",
  "silent",
  "value",
  "edge",
  "failed",
  "failure",
  "good",
  "bad",
  "paid",
  "paidPart",
] as const;
export type Kind = (typeof kinds)[number];

/**
 * The subject of a count. `subject` is a block or an edge; `value` an answer's value, the reason why a block failed, or
 * the currency of payments (`paidMeasures`). `silent`: left at the block without any answer.
 */
export type Measure = { readonly kind: Kind; readonly subject: string; readonly value: string };

/** How often a result counts for the measure: a question in a loop is answered several times in one chat. */
export type Counted = Measure & { readonly times: number };

/** The facts of a result that determine its measures. */
export type ResultFacts = {
  readonly createdAt: Date;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
  /** The answers that were not undone. */
  readonly answers: readonly { readonly blockId: string; readonly content: string; readonly createdAt: Date }[];
  readonly edges: readonly { readonly edgeId: string; readonly times: number }[];
  /** The result's errors; `blockId` is empty if no block failed. */
  readonly failures: readonly { readonly blockId: string; readonly reason: string; readonly times: number }[];
  /** The visitor's ratings of models' answers. */
  readonly ratings: readonly { readonly blockId: string; readonly isGood: boolean }[];
  /** The result's payments that were made. */
  readonly payments: readonly PaidAmount[];
  /** Blocks that its steps showed or asked, if these steps are still stored. */
  readonly shownBlockIds: readonly string[];
  /** The question that its last chat waits at; undefined if it waits for none, null if its steps are no longer kept. */
  readonly waitingBlockId: string | undefined | null;
  /** The result's earlier measures: steps are stored for a day, but a reached block stays counted. */
  readonly before: readonly Measure[];
};

/** The measures of one result. */
export function measuresOf(
  facts: ResultFacts,
  countedValues: (blockId: string) => CountedValues | undefined,
): Counted[] {
  const counts = new Map<string, Counted>();
  const add = (kind: Kind, subject = "", value = "", times = 1) => {
    const key = JSON.stringify([kind, subject, value]);
    counts.set(key, { kind, subject, value, times: times + (counts.get(key)?.times ?? 0) });
  };
  const { answers, before } = facts;
  add("view");
  if (facts.hasStarted) add("start");
  if (facts.isCompleted) add("completion");
  const bucket = timeOf(facts);
  if (bucket !== undefined) add("time", "", bucket);

  const waiting = waitingAt(facts);
  if (waiting !== undefined) {
    add("left", waiting);
    if (!facts.hasStarted) add("silent", waiting);
  }
  const reached = new Set([
    ...before.flatMap(({ kind, subject }) => (kind === "reached" ? [subject] : [])),
    ...facts.shownBlockIds,
    ...answers.map(({ blockId }) => blockId),
  ]);
  for (const blockId of reached) add("reached", blockId);
  for (const { blockId, content } of answers) {
    add("answered", blockId);
    for (const value of countedValues(blockId)?.(content) ?? []) add("value", blockId, shortened(value));
  }
  for (const { edgeId, times } of facts.edges) add("edge", edgeId, "", times);
  for (const { blockId, reason, times } of facts.failures) {
    add("failed", "", "", times);
    add("failure", blockId, reason, times);
  }
  for (const { blockId, isGood } of facts.ratings) add(isGood ? "good" : "bad", blockId);
  for (const { kind, subject, value, times } of paidMeasures(facts.payments)) add(kind, subject, value, times);
  return [...counts.values()];
}

/**
 * The time from the beginning to the last answer when the end was first reached: a visitor who returns later does not
 * lengthen it.
 */
function timeOf({ isCompleted, answers, createdAt, before }: ResultFacts): string | undefined {
  if (!isCompleted) return undefined;
  const counted = before.find(({ kind }) => kind === "time");
  if (counted) return counted.value;
  const last = answers.reduce((latest, answer) => Math.max(latest, answer.createdAt.getTime()), 0);
  return last === 0 ? undefined : String(bucketOf(last - createdAt.getTime()));
}

function waitingAt({ isCompleted, waitingBlockId, before }: ResultFacts): string | undefined {
  if (isCompleted) return undefined;
  if (waitingBlockId !== null) return waitingBlockId;
  return before.find(({ kind }) => kind === "left")?.subject;
}

/** The part of a value that is counted, by characters. */
function shortened(value: string): string {
  return value.length <= valueCharacters ? value : Array.from(value).slice(0, valueCharacters).join("");
}

/** An entry of an index has 2,700 bytes at most. */
const valueCharacters = 200;
