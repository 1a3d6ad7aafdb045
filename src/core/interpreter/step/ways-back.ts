import { limits } from "../../../limits/index.ts";
import type { CoveredMarks, ReturnMark } from "../program/state.ts";
import { produce, type Step } from "./step.ts";

/**
 * Sets the mark of an event: of a command, a reply or an invalid reply. The present mark is covered until the `Return`
 * block that uses the new one. An event at a block that already has a mark replaces that mark, and removes the marks
 * set after it. So an event that never returns leaves one mark, even if it fires repeatedly at one question.
 */
export function coverReturnMark(step: Step, mark: ReturnMark): void {
  const { returnMark, covered } = step;
  step.returnMark = mark;
  if (!returnMark) return;
  const marks = [...(covered?.marks ?? []), returnMark];
  const same = marks.findIndex(({ blockId }) => blockId === mark.blockId);
  const below = same === -1 ? marks : marks.slice(0, same);
  const kept = below.slice(-limits.session.coveredReturnMarks);
  const isCut = covered?.isCut ?? false;
  const cutsNow = kept.length < below.length;
  if (cutsNow && !isCut) {
    const description = `More than ${limits.session.coveredReturnMarks} events are under way within each other: the first one cannot return`;
    produce(step, { logs: [{ context: "Events", description }] });
  }
  step.covered = coveredMarks(kept, isCut || cutsNow);
}

/** Sets the mark of a `Jump` block instead of the present mark and all marks that it covers. */
export function replaceReturnMark(step: Step, blockId: string): void {
  step.returnMark = { status: "pending", blockId };
  step.covered = coveredMarks([], step.covered?.isCut ?? false);
}

/** Removes the used mark, and restores the mark that it covered, if any. */
export function uncoverReturnMark(step: Step): void {
  const { covered } = step;
  step.returnMark = covered?.marks.at(-1);
  step.covered = covered && coveredMarks(covered.marks.slice(0, -1), covered.isCut ?? false);
}

function coveredMarks(marks: readonly ReturnMark[], isCut: boolean): CoveredMarks | undefined {
  if (marks.length === 0 && !isCut) return undefined;
  return { marks, ...(isCut && { isCut }) };
}
