import type { PreparedBlock } from "./block.ts";
import { spendBlock } from "./budget.ts";
import type { Effect } from "./effect.ts";
import type { FlowBlock } from "./flow.ts";
import { enterLinkedFlow, leaveLinkedFlow } from "./linked-flow.ts";
import type { Link, Outcome } from "./outcome.ts";
import type { Place, Program, ProgramGroup, Target } from "./program.ts";
import type { Hop } from "./state.ts";
import { ask, head, prepare, produce, type Step, virtualEdgeId, visitEdge } from "./step.ts";
import { viewOf } from "./step-view.ts";

/** Where a walk begins: inside a group, or through a hop (none: wherever queued hops lead). */
export type Start = { readonly group: ProgramGroup; readonly index: number } | { readonly hop: Hop | undefined };

/** The walk stopped because a block wants something done in the world. */
export type Performing = { readonly blockId: string; readonly effect: Effect; readonly memo: unknown };

/** A group from one of its blocks on. */
export type Slice = { readonly group: ProgramGroup; readonly index: number };
type GroupEnd =
  | { readonly kind: "left"; readonly hop: Hop | undefined }
  | { readonly kind: "performing"; readonly performing: Performing };

/** Walks until an input asks, a block waits for the client, an effect is wanted, or there is nothing more. */
export function walk(step: Step, start: Start): Performing | undefined {
  let slice = "group" in start ? start : navigate(step, start.hop);
  while (slice) {
    const end = runGroup(step, slice);
    if (end.kind === "performing") return end.performing;
    if (end.hop === undefined && !unwinds(step)) return undefined;
    slice = navigate(step, end.hop);
  }
  return undefined;
}

/** Goes on after an effect, with what its block makes of the report. */
export function walkOn(step: Step, place: Place, block: PreparedBlock, outcome: Outcome): Performing | undefined {
  const end = carryOut(step, place, block, outcome);
  if (end?.kind === "performing") return end.performing;
  if (!end) return walk(step, { group: place.group, index: place.index + 1 });
  return end.hop === undefined && !unwinds(step) ? undefined : walk(step, { hop: end.hop });
}

/** The place that a hop leads to in a program; undefined where its group does not exist. */
export function placeOf(program: Program, hop: Hop): Slice | undefined {
  const target = "edgeId" in hop ? program.edges.get(hop.edgeId) : hop;
  const group = target && program.groups.get(target.groupId);
  if (!group) return undefined;
  if (target.blockId === undefined) return { group, index: 0 };
  const index = group.blocks.findIndex((block) => block.id === target.blockId);
  // An unknown block leaves only the group's last one.
  return { group, index: index < 0 ? Math.max(0, group.blocks.length - 1) : index };
}

function runGroup(step: Step, { group, index }: Slice): GroupEnd {
  for (let at = index; at < group.blocks.length; at++) {
    const block = group.blocks[at];
    if (!block) break;
    spendBlock(step, block);
    const { program } = head(step);
    const prepared = prepare(step, program, block);
    if (!prepared) {
      logUnknownBlock(step, block);
      if (typeof block.outgoingEdgeId === "string") return { kind: "left", hop: { edgeId: block.outgoingEdgeId } };
      continue;
    }
    const end = carryOut(step, { group, index: at, block }, prepared, prepared.run(viewOf(step)));
    if (end) return end;
  }
  const edgeId = group.blocks.at(-1)?.outgoingEdgeId;
  return { kind: "left", hop: typeof edgeId === "string" ? { edgeId } : undefined };
}

/** Carries an outcome out; undefined means: on to the next block of the group. */
function carryOut(step: Step, place: Place, block: PreparedBlock, outcome: Outcome): GroupEnd | undefined {
  produce(step, outcome);
  switch (outcome.kind) {
    case "next":
      return undefined;
    case "leave":
      if (outcome.edgeId !== block.base.outgoingEdgeId) visitEdge(step, outcome.edgeId);
      return { kind: "left", hop: { edgeId: outcome.edgeId } };
    case "stop":
      return { kind: "left", hop: undefined };
    case "ask":
      step.blockId = block.base.id;
      ask(step, outcome.input);
      return { kind: "left", hop: undefined };
    case "pause":
      step.blockId = block.base.id;
      step.record.isPaused = true;
      return { kind: "left", hop: undefined };
    case "perform":
      return { kind: "performing", performing: { blockId: block.base.id, effect: outcome.effect, memo: outcome.memo } };
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

function jump(step: Step, place: Place, target: Target): GroupEnd {
  const { program } = head(step);
  const after = place.group.blocks[place.index + 1]?.id ?? firstBlockThrough(program, place.block.outgoingEdgeId);
  if (after !== undefined) step.returnMark = { status: "pending", blockId: after };
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
  const place = head(step).program.places.get(mark.blockId);
  if (!place) {
    // The mark may be one of the flow that linked to this one: it is kept for a Return there.
    const description = "The block to return to does not exist";
    produce(step, { logs: [{ description, details: mark.blockId, context: "Return" }] });
    return undefined;
  }
  step.returnMark = mark.reply ? { ...mark, status: "called" } : undefined;
  return leaveTo(step, { groupId: place.group.id, blockId: mark.blockId });
}

function leaveTo(step: Step, target: Target): GroupEnd {
  visitEdge(step, virtualEdgeId(target));
  return { kind: "left", hop: target };
}

function firstBlockThrough(program: Program, edgeId: string | null | undefined): string | undefined {
  if (typeof edgeId !== "string") return undefined;
  const slice = placeOf(program, { edgeId });
  return slice?.group.blocks[slice.index]?.id;
}

/** Finds where a hop leads; one that leads nowhere takes what is queued and leaves linked flows. */
function navigate(step: Step, first: Hop | undefined): Slice | undefined {
  let hop = first;
  for (;;) {
    const frame = head(step);
    if (hop && leadsSomewhere(frame.program, hop)) return placeOf(frame.program, hop);
    const [interrupted, ...others] = frame.resumeAt;
    if (interrupted) {
      frame.resumeAt = others;
      hop = interrupted;
      continue;
    }
    const queued = frame.queuedHops.shift();
    if (step.frames.length > 1) leaveLinkedFlow(step);
    if (!queued && head(step).queuedHops.length === 0) return undefined;
    hop = queued;
  }
}

/** An edge that exists leads somewhere even when its group does not: the walk then stops without unwinding. */
function leadsSomewhere(program: Program, hop: Hop): boolean {
  return "edgeId" in hop ? program.edges.has(hop.edgeId) : true;
}

/**
 * Whether the end of a group goes on with what is queued, or in the flow that linked to this one. Behind a bubble
 * that holds the visitor it does not at once: the next call goes on.
 */
function unwinds(step: Step): boolean {
  const { record } = step;
  if (record.input || record.isPaused) return false;
  if (head(step).resumeAt.length === 0 && step.frames.length === 1) return false;
  const last = record.messages.at(-1);
  if (!last || !step.context.blocks.get(last.type)?.bubble?.holdsVisitor) return true;
  step.blockId = last.id;
  record.isPaused = true;
  return false;
}

function logUnknownBlock(step: Step, { id, type }: FlowBlock): void {
  const description = `Blocks of type "${type}" are not served here; it was passed over`;
  produce(step, { logs: [{ status: "info", description, details: id }] });
}
