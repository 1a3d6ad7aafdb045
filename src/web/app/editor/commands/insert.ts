import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { idOf } from "../../../../core/editing/changes/things.ts";
import {
  connect,
  eachOutlet,
  followBlocks,
  type Outlet,
  outletsOfBlock,
} from "../../../../core/editing/references/outlets.ts";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Point } from "./arrange.ts";
import { newBlock, type TypeFacts } from "./blocks.ts";
import {
  blocksIn,
  bounds,
  type Command,
  countBlocks,
  type FlowThing,
  findBlock,
  findGroup,
  groupsIn,
  type Refused,
} from "./command.ts";
import { nextTitle } from "./groups.ts";

/** Adds a block in a new group on the canvas. If `from` is given, this outlet leads to the group. */
export const addBlockAt: Command<{ readonly type: TypeFacts; readonly at: Point; readonly from?: Outlet }> = {
  name: (words, { type }) => words.acts.addBlock({ name: type.name }),
  make(draft, { type, at, from }, { newId }) {
    const full = isFull(draft);
    if (full) return full;
    const { block, variables } = newBlock(draft, type, newId);
    const group = newGroup(draft, { at, blocks: [block] }, newId);
    return {
      changes: [
        ...variables,
        { op: "add", of: "group", value: group },
        ...(from ? connect(draft, from, { to: { groupId: idOf(group) ?? "" }, newEdgeId: newId() }) : []),
      ],
      selects: firstBlock(group),
    };
  },
};

/**
 * Inserts a new block between an outlet and its target. The outlet leads to the new block, and the new block leads to
 * the previous target.
 */
export const insertBlock: Command<{ readonly type: TypeFacts; readonly into: Outlet; readonly at: Point }> = {
  name: (words, { type }) => words.acts.insertBlock({ name: type.name }),
  make(draft, { type, into, at }, { newId }) {
    const full = isFull(draft);
    if (full) return full;
    const { block, variables } = newBlock(draft, type, newId);
    const group = newGroup(draft, { at, blocks: [block] }, newId);
    const between = leadThrough(draft, { into, group }, newId);
    if (!between) return { refused: "gone" };
    return { changes: [...variables, ...between], selects: firstBlock(group) };
  },
};

/** Moves existing blocks into a new group, either on the background or between an outlet and its target. */
export const takeBlocksOut: Command<{
  readonly blockIds: readonly string[];
  readonly at: Point;
  readonly into?: Outlet;
}> = {
  name: (words, { blockIds }) => words.acts.takeOut({ count: blockIds.length }),
  make(draft, { blockIds, at, into }, { newId }) {
    if (groupsIn(draft).length >= bounds.groups) return { refused: "tooManyGroups" };
    const blocks = blockIds.flatMap((id): readonly JsonObject[] => {
      const found = findBlock(draft, id);
      return found ? [found.block] : [];
    });
    const last = blocks.at(-1);
    if (!last) return { refused: "gone" };
    const group = newGroup(draft, { at, blocks: [] }, newId);
    const groupId = idOf(group) ?? "";
    const ids = blocks.map((block) => idOf(block) ?? "");
    const moves = ids.map((id): Change => ({ op: "move", of: "block", id, in: groupId }));
    const follow = followBlocks(draft, ids, groupId);
    const selects = { kind: "block", id: ids[0] ?? "" } as const;
    if (!into) return { changes: [{ op: "add", of: "group", value: group }, ...moves, ...follow], selects };
    const own = ownOutlet(last);
    if (!own || own.edgeId !== undefined) return { refused: "leadsOn" };
    const between = leadBetween(draft, { into, groupId, own }, newId);
    if (!between) return { refused: "gone" };
    return { changes: [{ op: "add", of: "group", value: group }, ...moves, ...follow, ...between], selects };
  },
};

/** Inserts an existing group between an outlet and its target. */
export const insertGroup: Command<{ readonly groupId: string; readonly into: Outlet }> = {
  name: (words, { groupId }, draft) =>
    words.acts.insertGroup({ title: String(findGroup(draft, groupId)?.["title"] ?? "") }),
  make(draft, { groupId, into }, { newId }) {
    const group = findGroup(draft, groupId);
    const last = group && blocksIn(group).at(-1);
    if (!last) return { refused: "gone" };
    const own = ownOutlet(last);
    if (!own || own.edgeId !== undefined) return { refused: "leadsOn" };
    const between = leadBetween(draft, { into, groupId, own }, newId);
    return between ? { changes: between, selects: { kind: "group", id: groupId } } : { refused: "gone" };
  },
};

/** Moves the start of an edge to another outlet. */
export const reroute: Command<{ readonly from: Outlet; readonly to: Outlet }> = {
  name: (words) => words.acts.reroute,
  make(draft, { from, to }, { newId }) {
    const edge = draft.edges.find(({ id }) => id === from.edgeId);
    if (!edge?.to || typeof edge.to.groupId !== "string") return { refused: "gone" };
    if (isSamePlace(from, to)) return { changes: [] };
    const { groupId, blockId } = edge.to;
    const lead = connect(draft, to, {
      to: { groupId, ...(typeof blockId === "string" && { blockId }) },
      newEdgeId: newId(),
    });
    const { target, path } = from;
    const isAlone = [...eachOutlet(draft)].filter(({ edgeId }) => edgeId === from.edgeId).length < 2;
    return {
      changes: [
        ...lead,
        { op: "set", ...target, path },
        ...(isAlone ? [{ op: "remove", of: "edge", id: edge.id } as const] : []),
      ],
    };
  },
};

/** Returns the default outlet of a block, if the block has one. */
export function ownOutlet(block: JsonObject): Outlet | undefined {
  return outletsOfBlock(block).find(({ kind }) => kind === "own");
}

function isFull(draft: DraftDocument): Refused | undefined {
  if (groupsIn(draft).length >= bounds.groups) return { refused: "tooManyGroups" };
  return countBlocks(draft) >= bounds.blocks ? { refused: "tooManyBlocks" } : undefined;
}

function newGroup(
  draft: DraftDocument,
  { at, blocks }: { readonly at: Point; readonly blocks: readonly JsonObject[] },
  newId: () => string,
): JsonObject {
  const graphCoordinates = { x: Math.round(at.x), y: Math.round(at.y) };
  return { id: newId(), title: nextTitle(groupsIn(draft)), graphCoordinates, blocks };
}

function firstBlock(group: JsonObject): FlowThing {
  return { kind: "block", id: idOf(blocksIn(group)[0]) ?? "" };
}

function leadThrough(
  draft: DraftDocument,
  { into, group }: { readonly into: Outlet; readonly group: JsonObject },
  newId: () => string,
): readonly Change[] | undefined {
  const to = draft.edges.find(({ id }) => id === into.edgeId)?.to;
  const [block] = blocksIn(group);
  const blockId = idOf(block);
  if (!to || blockId === undefined) return undefined;
  const edgeId = newId();
  const leading = { ...group, blocks: [{ ...block, outgoingEdgeId: edgeId }] };
  return [
    { op: "add", of: "group", value: leading },
    { op: "add", of: "edge", value: { id: edgeId, from: { blockId }, to: { ...to } } },
    ...connect(draft, into, { to: { groupId: idOf(group) ?? "" }, newEdgeId: newId() }),
  ];
}

function leadBetween(
  draft: DraftDocument,
  { into, groupId, own }: { readonly into: Outlet; readonly groupId: string; readonly own: Outlet },
  newId: () => string,
): readonly Change[] | undefined {
  const to = draft.edges.find(({ id }) => id === into.edgeId)?.to;
  if (!to || to.groupId === groupId) return undefined;
  const edgeId = newId();
  return [
    { op: "add", of: "edge", value: { id: edgeId, from: own.from, to: { ...to } } },
    { op: "set", ...own.target, path: own.path, value: edgeId },
    ...connect(draft, into, { to: { groupId }, newEdgeId: newId() }),
  ];
}

function isSamePlace(one: Outlet, other: Outlet): boolean {
  return JSON.stringify([one.target, one.path]) === JSON.stringify([other.target, other.path]);
}
