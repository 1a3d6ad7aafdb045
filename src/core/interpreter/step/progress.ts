import { type FlowBlock, isJsonObject, textAt } from "../flow.ts";
import type { Place, Program, Reach, Target } from "../program/program.ts";
import type { Hop } from "../program/state.ts";
import { wayOutNames } from "../schemas/own-keys.ts";
import { currentFrame, type Step } from "./step.ts";

/**
 * The maximum number of input ids in the cached reaches of a program. The cache takes at most 30 MB, which is enough
 * for a flow of 1,000 inputs.
 */
const maxEntries = 1_000_000;

/**
 * Returns the progress of the chat from 0 to 100, unrounded: `100 * answered / (answered + ahead)`. `answered` is the
 * number of answers plus 1. `ahead` is the number of distinct inputs on all branches ahead, including the waiting
 * input. The progress is 100 only if the chat has ended, and 0 if no end is reachable. If no value can be computed, the
 * last value is returned.
 */
export function progressOf(step: Step, { isEnded }: { isEnded: boolean }): number {
  if (isEnded) return 100;
  if (!step.record.input || step.blockId === undefined) return step.progress;
  const reach = reachInQueue(step, step.blockId);
  if (!reach || reach.isBroken) return step.progress;
  if (!reach.hasEnd) return 0;
  const answered = step.totalAnswers + 1;
  return (100 * answered) / (reach.inputs.size + answered);
}

/**
 * Returns the reach of a block in the running flow, or undefined if the reach is unknown. At the end of a linked flow,
 * the parent's reach is included.
 */
function reachInQueue(step: Step, blockId: string): Reach | undefined {
  let reach = reachFrom(currentFrame(step).program, blockId);
  for (const [index, frame] of step.frames.entries()) {
    if (!reach || reach.isBroken || !reach.hasEnd) return reach;
    // After a command has interrupted the flow, the number of following inputs is unknown.
    if (frame.resumeAt.length > 0) return undefined;
    const parent = step.frames[index + 1];
    if (!parent) return reach;
    const [hop] = frame.queuedHops;
    if (!hop) return { ...reach, hasEnd: false };
    const further = reachAfter(frame.program, parent.program, hop);
    if (!further) return reach;
    reach = { ...further, inputs: new Set([...reach.inputs, ...further.inputs]) };
  }
  return reach;
}

/**
 * Returns the reach of a hop that leaves a linked flow. A target block is looked up in the parent flow, but an entire
 * target group is looked up in the linked flow. Returns undefined if the target is not found.
 */
function reachAfter(child: Program, parent: Program, hop: Hop): Reach | undefined {
  const target = "edgeId" in hop ? parent.edges.get(hop.edgeId) : hop;
  if (!target) return undefined;
  if (target.blockId !== undefined) return reachFrom(parent, target.blockId);
  const first = child.groups.get(target.groupId)?.blocks[0];
  return first && reachFrom(child, first.id);
}

/**
 * Returns the reach of a block, which is cached per block and program. Returns undefined if the block does not exist.
 */
function reachFrom(program: Program, blockId: string): Reach | undefined {
  const start = program.places.get(blockId);
  if (!start) return undefined;
  const known = program.reach.get(blockId);
  if (known) return known;
  const reach = explore(program, start);
  const kept = program.reach.set(blockId, reach);
  if (kept.size * reach.inputs.size > maxEntries) kept.delete(kept.keys().next().value ?? "");
  return reach;
}

function explore(program: Program, start: Place): Reach {
  const inputs = new Set<string>();
  const seen = new Set<string>([start.block.id]);
  const open: Place[] = [start];
  let hasEnd = false;
  let isBroken = false;
  for (let place = open.pop(); place; place = open.pop()) {
    if (program.inputIds.has(place.block.id)) inputs.add(place.block.id);
    const edgeIds = edgesOf(place.block);
    const targets = edgeIds.map((edgeId) => program.edges.get(edgeId)).filter((target) => target !== undefined);
    const blocks = targets.map((target) => blockAt(program, target));
    const following = place.group.blocks[place.index + 1];
    if (edgeIds.length === 0 && !following) hasEnd = true;
    if (blocks.includes(undefined)) isBroken = true;
    for (const block of [...blocks, ...blocksByWaysOut(program, place.block), following]) {
      const found = block && program.places.get(block.id);
      if (!found || seen.has(found.block.id)) continue;
      seen.add(found.block.id);
      open.push(found);
    }
  }
  return { inputs, hasEnd, isBroken };
}

/**
 * Returns the blocks to which a block's outlets lead. A missing target does not mark the reach as broken, because chats
 * seldom follow outlets.
 */
function blocksByWaysOut(program: Program, { options }: FlowBlock): (FlowBlock | undefined)[] {
  return wayOutNames.map((name) => {
    const target = program.edges.get(textAt(options, name, "outgoingEdgeId") ?? "");
    return target && blockAt(program, target);
  });
}

function blockAt(program: Program, { groupId, blockId }: Target): FlowBlock | undefined {
  const blocks = program.groups.get(groupId)?.blocks ?? [];
  return blockId === undefined ? blocks[0] : blocks.find((block) => block.id === blockId);
}

/** Returns the edges of items followed by the block's own edge. Edges of card buttons are not included. */
function edgesOf(block: Place["block"]): string[] {
  const items = Array.isArray(block.items) ? block.items.filter(isJsonObject) : [];
  const edgeIds = items.map((item) => item["outgoingEdgeId"]);
  return [...edgeIds, block.outgoingEdgeId].filter((edgeId) => typeof edgeId === "string");
}
