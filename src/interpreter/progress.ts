import { isInputType, isJsonObject } from "./flow.ts";
import type { Place, Program, Reach } from "./program.ts";
import { head, type Step } from "./step.ts";
import { placeOf } from "./walk.ts";

/**
 * How far the chat is, 0 to 100, unrounded: answers given against answers given plus the distinct inputs still reachable
 * (all branches summed). 100 only when nothing more is awaited; where there is no value, the one sent last.
 */
export function progressOf(step: Step, { isEnded }: { isEnded: boolean }): number {
  if (isEnded) return 100;
  if (!step.record.input || step.blockId === undefined) return step.progress;
  const reach = reachInQueue(step, step.blockId);
  if (!reach) return step.progress;
  if (!reach.hasEnd) return 0;
  const answered = step.totalAnswers + 1;
  return (100 * answered) / (reach.inputs.size + answered);
}

/** Reach from a block of the running flow; where a linked flow ends, on in the flow that linked to it. */
function reachInQueue(step: Step, blockId: string): Reach | undefined {
  const own = reachFrom(head(step).program, blockId);
  if (!own?.hasEnd || step.frames.length === 1) return own;
  const inputs = new Set(own.inputs);
  for (const [index, frame] of step.frames.entries()) {
    const hop = frame.queuedHops[0];
    const parent = step.frames[index + 1];
    if (!hop || !parent) return { inputs, hasEnd: parent === undefined };
    const target = "edgeId" in hop ? parent.program.edges.get(hop.edgeId) : hop;
    const reach = target?.blockId !== undefined ? reachFrom(parent.program, target.blockId) : undefined;
    if (!reach) return { inputs, hasEnd: true };
    for (const id of reach.inputs) inputs.add(id);
    if (!reach.hasEnd) return { inputs, hasEnd: false };
  }
  return { inputs, hasEnd: true };
}

/** Computed once per block and program: a later step on the same input only looks it up. */
function reachFrom(program: Program, blockId: string): Reach | undefined {
  const start = program.places.get(blockId);
  if (!start) return undefined;
  const kept = program.memo.reach.get(blockId);
  if (kept) return kept;
  const reach = explore(program, start);
  program.memo.reach.set(blockId, reach);
  return reach;
}

function explore(program: Program, start: Place): Reach {
  const inputs = new Set<string>();
  const seen = new Set<string>([start.block.id]);
  const open: Place[] = [start];
  let hasEnd = false;
  for (let place = open.pop(); place; place = open.pop()) {
    if (isInputType(place.block.type)) inputs.add(place.block.id);
    const edgeIds = edgesOf(place.block);
    const following = place.group.blocks.slice(place.index + 1, place.index + 2);
    if (edgeIds.length === 0 && following.length === 0) hasEnd = true;
    const next = [
      ...edgeIds.map((edgeId) => firstPlace(program, edgeId)),
      ...following.map((block) => program.places.get(block.id)),
    ];
    for (const found of next) {
      if (!found || seen.has(found.block.id)) continue;
      seen.add(found.block.id);
      open.push(found);
    }
  }
  return { inputs, hasEnd };
}

/** Item edges first, then the block's own; card paths are not followed. */
function edgesOf(block: Place["block"]): string[] {
  const items = Array.isArray(block.items) ? block.items.filter(isJsonObject) : [];
  const edgeIds = items.map((item) => item["outgoingEdgeId"]);
  return [...edgeIds, block.outgoingEdgeId].filter((edgeId) => typeof edgeId === "string");
}

function firstPlace(program: Program, edgeId: string): Place | undefined {
  const slice = placeOf(program, { edgeId });
  const block = slice?.group.blocks[slice.index];
  return slice && block && { group: slice.group, index: slice.index, block };
}
