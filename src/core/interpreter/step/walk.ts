import type { FlowBlock } from "../flow.ts";
import type { PreparedBlock } from "../program/block.ts";
import type { Effect } from "../program/effect.ts";
import { affordable, refusedCall, toldOnce } from "../program/model-budget.ts";
import { continueAfter, type Link, notOnMessengers, type Outcome } from "../program/outcome.ts";
import type { Place, Program, ProgramGroup, Target } from "../program/program.ts";
import type { Hop, Reply } from "../program/state.ts";
import { spendBlock } from "./budget.ts";
import { enterLinkedFlow, leaveLinkedFlow } from "./linked-flow.ts";
import { skippedEntry } from "./skipped-blocks.ts";
import { ask, currentFrame, keptOf, prepare, produce, type Step, virtualEdgeId, visitEdge } from "./step.ts";
import { viewOf } from "./step-view.ts";
import { startTimer } from "./timers.ts";
import { replaceReturnMark, uncoverReturnMark } from "./ways-back.ts";

/** The position at which a walk continues: the block at this index in the group. */
export type Position = { readonly group: ProgramGroup; readonly index: number };

/** The start of a walk: a position or a hop. Without a hop, the walk starts at an interrupted block or a queued hop. */
export type Start = Position | { readonly hop: Hop | undefined };

/** A walk that has stopped for an effect. If the effect determines the outcome of a reply, the reply is included. */
export type Performing = {
  readonly blockId: string;
  readonly effect: Effect;
  readonly memo: unknown;
  readonly answering?: Answering;
};

/** A reply that requires an effect. `isReplay`: whether the reply event has already run. */
export type Answering = { readonly reply: Reply | null; readonly isReplay: boolean };

/**
 * How a walk leaves a group: through a hop, or by stopping for an effect. `hop` is undefined if there is no edge, or if
 * the flow waits or ends.
 */
type GroupEnd =
  | { readonly kind: "left"; readonly hop: Hop | undefined }
  | { readonly kind: "performing"; readonly performing: Performing };

/**
 * Runs blocks until an input is shown, a block pauses, a block requires an effect, or the flow ends. Returns the
 * required effect, if any.
 */
export function walk(step: Step, start: Start): Performing | undefined {
  let position = "group" in start ? start : navigate(step, start.hop);
  while (position) {
    const end = runGroup(step, position);
    if (end.kind === "performing") return end.performing;
    if (end.hop === undefined && !unwinds(step)) return undefined;
    position = navigate(step, end.hop);
  }
  return undefined;
}

/**
 * Continues at a block that was reached before, with its outcome after an effect or a reply. Returns the next required
 * effect, if any.
 */
export function walkOn(step: Step, place: Place, block: PreparedBlock, outcome: Outcome): Performing | undefined {
  const end = applyOutcome(step, place, block, outcome);
  if (end?.kind === "performing") return end.performing;
  if (!end) return walk(step, { group: place.group, index: place.index + 1 });
  return end.hop === undefined && !unwinds(step) ? undefined : walk(step, { hop: end.hop });
}

/**
 * Returns the target of a hop, or undefined if its edge or group does not exist. If the group does not contain the
 * target block, returns the last block of the group.
 */
export function positionOf(program: Program, hop: Hop): Position | undefined {
  const target = "edgeId" in hop ? program.edges.get(hop.edgeId) : hop;
  const group = target && program.groups.get(target.groupId);
  if (!group) return undefined;
  if (target.blockId === undefined) return { group, index: 0 };
  const index = group.blocks.findIndex((block) => block.id === target.blockId);
  return { group, index: index < 0 ? Math.max(0, group.blocks.length - 1) : index };
}

/**
 * Returns the block after the given block: the target of its own edge, or the next block in the group if it has no
 * edge. Returns undefined if the group ends or the edge has no target.
 */
export function blockBehind(
  program: Program,
  { id, outgoingEdgeId }: { readonly id: string; readonly outgoingEdgeId?: string },
): FlowBlock | undefined {
  if (outgoingEdgeId !== undefined) {
    const position = positionOf(program, { edgeId: outgoingEdgeId });
    return position?.group.blocks[position.index];
  }
  const place = program.places.get(id);
  return place?.group.blocks[place.index + 1];
}

function runGroup(step: Step, { group, index }: Position): GroupEnd {
  for (let at = index; at < group.blocks.length; at++) {
    const block = group.blocks[at];
    if (!block) break;
    spendBlock(step, block);
    const { passedOver, streamedBubbleId } = step;
    step.passedOver = undefined;
    step.streamedBubbleId = undefined;
    const end = passedOver === block.id ? undefined : runBlock(step, { group, index: at, block });
    if (end) return end;
    if (streamedBubbleId === block.id) return pauseAt(step, block.id);
  }
  const edgeId = group.blocks.at(-1)?.outgoingEdgeId;
  return { kind: "left", hop: typeof edgeId === "string" ? { edgeId } : undefined };
}

function runBlock(step: Step, place: Place): GroupEnd | undefined {
  const { block } = place;
  const prepared = prepare(step, currentFrame(step).program, block);
  if (prepared) {
    const isSameVisit = step.record.sameVisit === block.id;
    return applyOutcome(step, place, prepared, prepared.run(viewOf(step), keptOf(step, block.id), isSameVisit));
  }
  logUnknownBlock(step, block);
  return typeof block.outgoingEdgeId === "string" ? { kind: "left", hop: { edgeId: block.outgoingEdgeId } } : undefined;
}

/** Applies an outcome. Returns undefined if the walk continues with the next block of the group. */
function applyOutcome(step: Step, place: Place, block: PreparedBlock, outcome: Outcome): GroupEnd | undefined {
  produce(step, outcome);
  switch (outcome.kind) {
    case "next":
      return undefined;
    case "leave":
      if (outcome.edgeId !== block.base.outgoingEdgeId) visitEdge(step, outcome.edgeId);
      return { kind: "left", hop: { edgeId: outcome.edgeId } };
    case "stop":
      return { kind: "left", hop: undefined };
    case "end":
      endAllFlows(step);
      return { kind: "left", hop: undefined };
    case "ask":
      step.blockId = block.base.id;
      if (step.timer || block.timer) startTimer(step, block);
      ask(step, outcome);
      return { kind: "left", hop: undefined };
    case "pause":
      if (step.contact && needsBrowser(block)) return passOver(step, place, block);
      if (step.timer || block.timer) startTimer(step, block);
      return pauseAt(step, block.base.id);
    case "perform": {
      const { memo } = outcome;
      const effect = affordable(step, outcome.effect);
      const refused = refusedCall(step, effect);
      if (!refused) return { kind: "performing", performing: { blockId: block.base.id, effect, memo } };
      return applyOutcome(step, place, block, toldOnce(step, refused, block.report(viewOf(step), refused, memo)));
    }
    case "jump":
      return jump(step, place, outcome);
    case "link":
      return link(step, place, outcome);
    case "return":
      return returnToMark(step);
    default:
      return outcome satisfies never;
  }
}

/**
 * Whether a paused block needs a browser. Logic blocks pause for calls and times, which also work on messengers. All
 * other blocks wait for a browser's report, and a contact has no browser.
 */
function needsBrowser({ definition }: PreparedBlock): boolean {
  return definition.family !== "logic";
}

/** Skips a block that waits for a browser, as if the browser had sent an empty report. */
function passOver(step: Step, place: Place, block: PreparedBlock): GroupEnd | undefined {
  produce(step, { logs: [notOnMessengers(block.base)] });
  const outcome = block.resume(viewOf(step), null);
  return applyOutcome(step, place, block, outcome.kind === "pause" ? continueAfter(block.base) : outcome);
}

/** Pauses the chat at a block. The next request continues from this block. */
function pauseAt(step: Step, blockId: string): GroupEnd {
  step.blockId = blockId;
  step.record.isPaused = true;
  return { kind: "left", hop: undefined };
}

/** Ends all flows that could continue, including parent flows and the flow of a block that a command interrupted. */
function endAllFlows(step: Step): void {
  while (step.frames.length > 1) leaveLinkedFlow(step);
  Object.assign(currentFrame(step), { queuedHops: [], resumeAt: [] });
}

function jump(step: Step, place: Place, target: Target): GroupEnd {
  const { program } = currentFrame(step);
  const after = place.group.blocks[place.index + 1]?.id ?? firstBlockThrough(program, place.block.outgoingEdgeId);
  if (after !== undefined) replaceReturnMark(step, after);
  return leaveTo(step, target);
}

function link(step: Step, place: Place, wanted: Link): GroupEnd | undefined {
  const hop = enterLinkedFlow(step, place, wanted);
  if (hop) return leaveTo(step, hop);
  return typeof place.block.outgoingEdgeId === "string"
    ? { kind: "left", hop: { edgeId: place.block.outgoingEdgeId } }
    : undefined;
}

function returnToMark(step: Step): GroupEnd | undefined {
  const mark = step.returnMark;
  if (!mark) return undefined;
  const place = currentFrame(step).program.places.get(mark.blockId);
  if (!place) {
    // The mark may belong to the parent flow, so it is kept for a `Return` block in that flow.
    const description = "The block to return to does not exist";
    produce(step, { logs: [{ description, details: mark.blockId, context: "Return" }] });
    return undefined;
  }
  step.record.sameVisit = mark.blockId;
  if (mark.reply) step.returnMark = { ...mark, status: "called" };
  else uncoverReturnMark(step);
  return leaveTo(step, { groupId: place.group.id, blockId: mark.blockId });
}

function leaveTo(step: Step, target: Target): GroupEnd {
  visitEdge(step, virtualEdgeId(target));
  return { kind: "left", hop: target };
}

function firstBlockThrough(program: Program, edgeId: string | null | undefined): string | undefined {
  if (typeof edgeId !== "string") return undefined;
  const position = positionOf(program, { edgeId });
  return position?.group.blocks[position.index]?.id;
}

/**
 * Returns the position that a hop leads to. Without a target, the walk continues at an interrupted block, or with the
 * queued hops of this flow and its parents. Returns undefined if the walk ends.
 */
function navigate(step: Step, first: Hop | undefined): Position | undefined {
  let hop = first;
  for (;;) {
    const frame = currentFrame(step);
    if (hop && "edgeId" in hop) step.context.watch?.edge(hop.edgeId);
    if (hop && leadsSomewhere(frame.program, hop)) return positionOf(frame.program, hop);
    const [interrupted, ...others] = frame.resumeAt;
    if (interrupted) {
      frame.resumeAt = others;
      step.record.sameVisit = interrupted.blockId;
      hop = interrupted;
      continue;
    }
    const [queued, ...later] = frame.queuedHops;
    frame.queuedHops = later;
    if (step.frames.length > 1) leaveLinkedFlow(step);
    if (!queued && currentFrame(step).queuedHops.length === 0) return undefined;
    hop = queued;
  }
}

/**
 * Whether a hop has a target. Every existing edge counts, even if the group of its target does not exist. The walk then
 * stops and does not return to parent flows.
 */
function leadsSomewhere(program: Program, hop: Hop): boolean {
  return "edgeId" in hop ? program.edges.has(hop.edgeId) : true;
}

/**
 * Whether a walk without a hop continues at an interrupted block or in the parent flow. The walk does not continue if
 * an input or a block is waiting. After a bubble that pauses the chat, the walk pauses until the next request, except
 * on messengers.
 */
function unwinds(step: Step): boolean {
  const { record } = step;
  if (record.input || record.isPaused) return false;
  if (currentFrame(step).resumeAt.length === 0 && step.frames.length === 1) return false;
  const last = record.messages.at(-1);
  if (!last || step.contact || !step.context.blocks.get(last.type)?.bubble?.holdsVisitor) return true;
  step.blockId = last.id;
  record.isPaused = true;
  return false;
}

function logUnknownBlock(step: Step, { id, type }: FlowBlock): void {
  produce(step, { logs: [{ status: "info", description: skippedEntry(type), details: id }] });
}
