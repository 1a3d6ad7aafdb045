import { limits } from "../../../limits/index.ts";
import type { CoveredMarks, ReturnMark } from "../program/state.ts";
import { produce, type Step } from "./step.ts";

/**
 * Sets the mark of a command, reply or invalid-reply event. The previous mark is covered until a `Return` block uses
 * the new mark. Only the newest covered marks are stored, up to a limit. An event at a block that already has a mark
 * replaces the old mark and removes all marks set after it. An event that never returns therefore leaves only one mark,
 * even if the event fires repeatedly.
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
    const description = `More than ${limits.session.coveredReturnMarks} nested events are running, so the first event cannot return`;
    produce(step, { logs: [{ context: "Events", description }] });
  }
  step.covered = coveredMarks(kept, isCut || cutsNow);
}

/** Sets the mark of a `Jump` block. The current mark and all marks that it covers are removed. */
export function replaceReturnMark(step: Step, blockId: string): void {
  step.returnMark = { status: "pending", blockId };
  step.covered = coveredMarks([], step.covered?.isCut ?? false);
}

/** Removes the used mark and restores the mark that it covered, if any. */
export function uncoverReturnMark(step: Step): void {
  const { covered } = step;
  step.returnMark = covered?.marks.at(-1);
  step.covered = covered && coveredMarks(covered.marks.slice(0, -1), covered.isCut ?? false);
}

function coveredMarks(marks: readonly ReturnMark[], isCut: boolean): CoveredMarks | undefined {
  if (marks.length === 0 && !isCut) return undefined;
  return { marks, ...(isCut && { isCut }) };
}
