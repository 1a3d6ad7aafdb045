import { limits } from "../../limits/index.ts";
import { textAt } from "../interpreter/flow.ts";
import { withoutAnswerMarks } from "../interpreter/step/answer-marks.ts";
import { isDue } from "../interpreter/step/reply.ts";
import type { ProgramName } from "../tasks/messages.ts";
import { isSame } from "../test-conversations/compare.ts";
import { describeResponse } from "../test-conversations/said.ts";
import type { HeldChat, HeldStep, HeldSteps, Unknown } from "./chat.ts";
import { type Retaken, type Run, replay } from "./replay.ts";
import { firstOtherWords, hasSameBubbles, isSameQuestion, seenIn } from "./seen.ts";

/**
 * - `words`: the same bubbles and input are shown, but the content of a bubble, the input or an action differs
 * - `bubbles`: other bubbles of the same groups are displayed, and the input is the same
 * - `call`: the same block makes a different call and receives the report of the original call
 * - `way`: other groups are visited, or a different input is shown
 * - `end`: the chat ends where it continued before, or continues where it ended
 * - `uncalled`: the step requires a call that was never made, so the rest is unknown
 * - `refused`: the step would be rejected
 *
 * For the last four kinds the chat takes another path. The comparison continues only while the same input is shown.
 */
export const differenceKinds = ["words", "bubbles", "call", "way", "end", "uncalled", "refused"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** A point at which a replayed chat differs from the past chat. */
export type Difference = {
  readonly kind: DifferenceKind;
  /** The number of the step. The start is step 1. */
  readonly step: number;
  /**
   * The block whose content or call differs, or the last block that ran before the paths diverge. Null if there is no
   * such block.
   */
  readonly blockId: string | null;
  /**
   * For `bubbles`, `way` and `end`: the first block of each path after the last common block. Null if there is no such
   * block.
   */
  readonly wasNext: string | null;
  readonly next: string | null;
  readonly reply: string | null;
  readonly was: StepSummary;
  /** The summary of the replayed step, or null if the step was rejected or did not finish. */
  readonly wouldBe: StepSummary | null;
  /** The reason why the step would be rejected. */
  readonly code?: string;
};

export type StepSummary = {
  readonly shows: unknown[];
  readonly asks: string | null;
  readonly choices: unknown[];
};

export type Judgement =
  | { readonly kind: "same" }
  /** The path is the same, but bubbles, texts or calls differ. */
  | { readonly kind: "changed"; readonly differences: readonly Difference[] }
  /** The chat takes another path at one or more of these differences. */
  | { readonly kind: "diverging"; readonly differences: readonly Difference[] }
  | { readonly kind: "unknown"; readonly reason: Unknown };

/** The flow with which to replay a chat, and the chat's own flow at each step. */
export type Versions = {
  readonly target: ProgramName;
  ownAt(index: number): ProgramName;
  /**
   * Returns the group of a block. Returns undefined if the flow does not contain the block, for example because the
   * block belongs to a linked flow.
   */
  groupIdOf(program: ProgramName, blockId: string): string | undefined;
};

/**
 * Replays a chat with another flow and reports the differences. A difference is reported only if the chat's own version
 * reproduces the stored responses up to that step. Otherwise the result is unknown, so that differences between
 * releases are not reported as differences between flows.
 */
export function judge(run: Run, chat: HeldChat, { steps, missing }: HeldSteps, versions: Versions): Judgement {
  const { target, ownAt, groupIdOf } = versions;
  const retaken = replay(run, chat, { steps, programAt: () => target });
  const confirm = confirming(run, chat, { steps, programAt: ownAt });
  const differences: Difference[] = [];
  for (const [index, held] of steps.entries()) {
    const { value: next } = retaken.next();
    if (!next) break;
    if (next.kind === "unknown") return next;
    const isLast = index + 1 === steps.length && missing === undefined && !chat.isCut;
    const found = findDifferences(next, { held, after: steps[index + 1], isLast, wasEnded: chat.isEnded });
    if (found.length === 0) continue;
    const confirmed = confirm(index);
    if (confirmed.kind === "unknown") return confirmed;
    // The chat may have ended after it was listed.
    if (next.kind === "stepped" && found[0]?.kind === "end" && next.step.isEnded === confirmed.isEnded) continue;
    const waiting = textAt(JSON.parse(steps[index - 1]?.response ?? "null"), "input", "id") ?? null;
    const walks = { was: confirmed.walked, wouldBe: next.walked, waiting };
    const isOtherWay = !isSame(
      groupsOf(confirmed.walked, (id) => groupIdOf(ownAt(index), id)),
      groupsOf(next.walked, (id) => groupIdOf(target, id)),
    );
    const isParting = found.some((each) => each.isParting);
    // The difference at which the paths diverge is always reported.
    if (isParting || differences.length < limits.replay.differencesOfChat) {
      const settled = found.map((each) =>
        each.kind === "bubbles" && isOtherWay ? { ...each, kind: "way" as const } : each,
      );
      differences.push(...settled.map((each) => placed(each, { held, next, walks })));
    }
    if (isParting) return { kind: "diverging", differences };
  }
  if (missing !== undefined) return { kind: "unknown", reason: missing };
  if (differences.length === 0) return { kind: "same" };
  return { kind: differences.some(({ kind }) => otherWays.has(kind)) ? "diverging" : "changed", differences };
}

const otherWays: ReadonlySet<DifferenceKind> = new Set(["way", "end", "uncalled", "refused"]);

/**
 * Returns the groups of a walk in order, without consecutive repetitions. The group of an unknown block is undefined.
 */
function groupsOf(
  walked: readonly string[],
  groupIdOf: (blockId: string) => string | undefined,
): (string | undefined)[] {
  return walked.map(groupIdOf).filter((id, index, ids) => index === 0 || id !== ids[index - 1]);
}

/**
 * Returns a function that replays the chat with its own versions up to a step, and checks that responses and calls are
 * the same.
 */
function confirming(run: Run, chat: HeldChat, own: Parameters<typeof replay>[2]) {
  const retaken = replay(run, chat, own);
  let done = 0;
  let last: Extract<Retaken, { kind: "stepped" }> | undefined;
  return (index: number): Confirmed => {
    for (; done <= index; done++) {
      const { value: again } = retaken.next();
      if (again?.kind === "unknown") return again;
      const isSame = again?.kind === "stepped" && isSameResponse(again.step.response, own.steps[done]?.response ?? "");
      // Calls are also compared. Otherwise calls that this release makes differently, even with the chat's own version,
      // would be reported as differences of the flow.
      if (!isSame || again.otherCalls.length > 0) return { kind: "unknown", reason: "not_reproducible" };
      last = again;
    }
    return { kind: "confirmed", walked: last?.walked ?? [], isEnded: last?.step.isEnded ?? false };
  };
}

/**
 * Whether two responses are the same, ignoring the marks of answers. Earlier releases did not mark answers, and older
 * clients still receive no marks.
 */
function isSameResponse(one: string, other: string): boolean {
  return one === other || withoutAnswerMarks(one) === withoutAnswerMarks(other);
}

type Confirmed =
  | { readonly kind: "confirmed"; readonly walked: readonly string[]; readonly isEnded: boolean }
  | Extract<Judgement, { kind: "unknown" }>;

/** `isParting`: whether a comparison is impossible after this difference. */
type Found = { readonly kind: DifferenceKind; readonly blockId?: string | null; readonly isParting?: true };

type Held = {
  readonly held: HeldStep;
  readonly after: HeldStep | undefined;
  readonly isLast: boolean;
  readonly wasEnded: boolean;
};

function findDifferences(
  next: Exclude<Retaken, { kind: "unknown" }>,
  { held, after, isLast, wasEnded }: Held,
): readonly Found[] {
  if (next.kind === "uncalled") return [{ kind: "uncalled", blockId: next.blockId, isParting: true }];
  if (next.kind === "refused") return [{ kind: "refused", isParting: true }];
  const { response, isEnded } = next.step;
  const calls = next.otherCalls.map((blockId): Found => ({ kind: "call", blockId }));
  // A step back may follow the end of a chat.
  const isOtherEnd = isLast ? isEnded !== wasEnded : isEnded && after !== undefined && after.wentBackTo === null;
  if (response === held.response) return isOtherEnd ? [{ kind: "end", isParting: true }] : calls;
  const [was, wouldBe] = [seenIn(JSON.parse(held.response)), seenIn(JSON.parse(response))];
  if (!isSameQuestion(was, wouldBe)) return [{ kind: "way", isParting: true }];
  if (isOtherEnd) return [{ kind: "end", isParting: true }];
  if (!hasSameBubbles(was, wouldBe)) return [{ kind: "bubbles" }, ...calls];
  const words = firstOtherWords(was, wouldBe);
  return words ? [{ kind: "words", blockId: words.blockId }, ...calls] : calls;
}

type Walks = { readonly was: readonly string[]; readonly wouldBe: readonly string[]; readonly waiting: string | null };

function placed(
  { kind, blockId }: Found,
  { held, next, walks }: { held: HeldStep; next: Retaken; walks: Walks },
): Difference {
  const { was, wouldBe, waiting } = walks;
  const parts = was.findIndex((id, index) => id !== wouldBe[index]);
  const common = parts < 0 ? was.length : parts;
  const hasWays = kind === "way" || kind === "end" || kind === "bubbles";
  return {
    kind,
    step: held.revision,
    blockId: blockId === undefined ? (was[common - 1] ?? waiting) : blockId,
    wasNext: hasWays ? (was[common] ?? null) : null,
    next: hasWays ? (wouldBe[common] ?? null) : null,
    reply: replyText(held),
    was: summaryOf(held.response),
    wouldBe: next.kind === "stepped" ? summaryOf(next.step.response) : null,
    ...(next.kind === "refused" && { code: next.code }),
  };
}

function replyText({ reply }: HeldStep): string | null {
  if (reply === null || isDue(reply) || reply.type === "payment") return null;
  const text = reply.type === "text" ? reply.text : reply.type === "audio" ? reply.url : reply.command;
  return cut(text);
}

function summaryOf(response: string): StepSummary {
  const { shows, asks, choices } = describeResponse(JSON.parse(response));
  return { shows: shorten(shows), asks, choices: shorten(choices) };
}

function shorten(values: readonly unknown[]): unknown[] {
  return values.slice(0, limits.replay.shownParts).map((value) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.length <= limits.replay.shownCharacters ? value : cut(text);
  });
}

function cut(text: string): string {
  const most = limits.replay.shownCharacters;
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
