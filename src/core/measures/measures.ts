import type { CountedValues } from "../interpreter/input-traits.ts";
import { bucketOf } from "./histogram.ts";
import { type PaidAmount, paidMeasures } from "./paid.ts";

/**
 * The kinds of counts. A kind is counted for results as a whole, or separately by the `subject` and `value` of a
 * `Measure`.
 */
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
 * The subject of a count. `subject` is the id of a block or an edge, or empty. `value` is the value of an answer, the
 * bucket of a time, the reason of a failure, or the currency of a payment as in `paidMeasures`. For all other kinds,
 * `value` is empty. The kind `silent` means that the visitor left at the block without giving any answer.
 */
export type Measure = { readonly kind: Kind; readonly subject: string; readonly value: string };

/**
 * A measure, and the number of times that a result counts for it. For example, a question in a loop is answered several
 * times in one chat.
 */
export type Counted = Measure & { readonly times: number };

/** The facts about a result from which the measures of the result are computed. */
export type ResultFacts = {
  readonly createdAt: Date;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
  /** The answers that were not undone. */
  readonly answers: readonly { readonly blockId: string; readonly content: string; readonly createdAt: Date }[];
  readonly edges: readonly { readonly edgeId: string; readonly times: number }[];
  /** The errors of the result. `blockId` is empty if no block failed. */
  readonly failures: readonly { readonly blockId: string; readonly reason: string; readonly times: number }[];
  /** The visitor's ratings of models' answers. */
  readonly ratings: readonly { readonly blockId: string; readonly isGood: boolean }[];
  /** The completed payments of the result. */
  readonly payments: readonly PaidAmount[];
  /** The blocks that the result's steps displayed, if these steps are still stored. */
  readonly shownBlockIds: readonly string[];
  /**
   * The input at which the result's last chat waits. Undefined if the chat does not wait, and null if this is unknown,
   * for example because the chat's steps are no longer stored.
   */
  readonly waitingBlockId: string | undefined | null;
  /** The earlier measures of the result. Steps are stored for a day, but a block that was reached remains counted. */
  readonly before: readonly Measure[];
};

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
 * Returns the bucket of the time from the beginning to the last answer before the end was first reached. A visitor who
 * returns later does not lengthen the time. Returns undefined if the end was not reached or nothing was answered.
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

/** Returns the part of a value that is counted, with at most `valueCharacters` characters. */
function shortened(value: string): string {
  return value.length <= valueCharacters ? value : Array.from(value).slice(0, valueCharacters).join("");
}

/** The maximum number of characters of a counted value. An index entry has at most 2,700 bytes. */
const valueCharacters = 200;
