import type { CountedValues } from "../interpreter/program/block.ts";
import { bucketOf } from "./histogram.ts";

/** What is counted of results: each of these once a result, or for a block, an edge, an answer's value, a span of time. */
export const kinds = ["view", "start", "completion", "time", "reached", "answered", "left", "value", "edge"] as const;
export type Kind = (typeof kinds)[number];

/** One thing that is counted. `subject` is a block or an edge; `value` an answer's value. */
export type Measure = { readonly kind: Kind; readonly subject: string; readonly value: string };

/** That a result counts for it, and how often: a question that was asked in a loop is answered several times in one chat. */
export type Counted = Measure & { readonly times: number };

/** A result as it is now, as far as it is counted. */
export type ResultFacts = {
  readonly createdAt: Date;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
  /** Those that stand. */
  readonly answers: readonly { readonly blockId: string; readonly content: string; readonly createdAt: Date }[];
  readonly edges: readonly { readonly edgeId: string; readonly times: number }[];
  /** Blocks that its steps showed or asked, as far as they are kept. */
  readonly shownBlockIds: readonly string[];
  /** The question that its last chat waits at; undefined where that waits for nothing, null where no step of it is kept any more. */
  readonly waitingBlockId: string | undefined | null;
  /** What it was counted as before: steps are kept for a day, what was reached stays so. */
  readonly before: readonly Measure[];
};

/** What a result counts as. */
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
  if (waiting !== undefined) add("left", waiting);
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
  return [...counts.values()];
}

/** The time from the beginning to the last answer when the end was first seen: who comes back later does not lengthen it. */
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

/** What is counted of a value, by characters. */
function shortened(value: string): string {
  return value.length <= valueCharacters ? value : Array.from(value).slice(0, valueCharacters).join("");
}

/** An entry of an index has 2,700 bytes at most. */
const valueCharacters = 200;
