import { isJsonObject, type JsonObject, textAt, valueAt } from "../../interpreter/flow.ts";
import { type WayOutName, wayOutNames } from "../../interpreter/schemas/own-keys.ts";
import type { Change, DraftDocument, Path, Target } from "../changes/change.ts";
import { eachBlock, entriesOf, idOf, keyOf, naming, objectsIn } from "../changes/things.ts";
import { itemsById } from "./references.ts";

/** A point from which the flow may continue: the object that stores the edge's id, and the path within that object. */
export type Outlet = {
  readonly target: Target;
  readonly path: Path;
  /** The outlet in the format of an edge's `from`. */
  readonly from: JsonObject;
  readonly kind: "own" | "item" | "button" | "event" | WayOutName;
  readonly edgeId?: string;
  /** The item or card button that the outlet belongs to. */
  readonly itemId?: string;
  readonly pathId?: string;
};

/** Returns every outlet of a block: of the block itself, its items, the buttons of its cards, and `options.<name>`. */
export function outletsOfBlock(block: JsonObject): Outlet[] {
  const id = idOf(block);
  if (id === undefined) return [];
  const ids = itemsById(block);
  const outlets: Outlet[] = [];
  for (const [index, item] of entriesOf(block["items"]).entries()) {
    if (!isJsonObject(item)) continue;
    const itemId = ids?.[index];
    const place: Place =
      itemId === undefined
        ? {
            target: { of: "block", id },
            path: ["items", index],
            from: { blockId: id, ...(idOf(item) !== undefined && { itemId: idOf(item) }) },
          }
        : { target: { of: "item", id: itemId, in: id }, path: [], from: { blockId: id, itemId } };
    outlets.push(...outletsOfItem(item, place));
  }
  for (const name of wayOutNames) {
    const holder = valueAt(block, "options", name);
    if (!isJsonObject(holder)) continue;
    outlets.push(outlet(holder, name, { target: { of: "block", id }, path: ["options", name], from: { blockId: id } }));
  }
  outlets.push(outlet(block, "own", { target: { of: "block", id }, path: [], from: { blockId: id } }));
  return outlets;
}

export function outletOfEvent(event: JsonObject): Outlet | undefined {
  const id = idOf(event);
  return id === undefined
    ? undefined
    : outlet(event, "event", { target: { of: "event", id }, path: [], from: { eventId: id } });
}

type Place = Pick<Outlet, "target" | "path" | "from"> & { readonly itemId?: string; readonly pathId?: string };

/** Returns the outlets of an item. A card has one outlet per button. Any other item has a single outlet. */
function outletsOfItem(item: JsonObject, place: Place): Outlet[] {
  const itemId = idOf(item);
  const named = { ...place, ...(itemId !== undefined && { itemId }) };
  if (!Array.isArray(item["paths"])) return [outlet(item, "item", named)];
  return entriesOf(item["paths"]).flatMap((button, index) => {
    if (!isJsonObject(button)) return [];
    const pathId = idOf(button);
    const inner: Place = {
      ...named,
      path: [...place.path, "paths", index],
      from: { ...place.from, ...(pathId !== undefined && { pathId }) },
      ...(pathId !== undefined && { pathId }),
    };
    return [outlet(button, "button", inner)];
  });
}

function outlet(holder: unknown, kind: Outlet["kind"], { path, ...place }: Place): Outlet {
  const edgeId = textAt(holder, "outgoingEdgeId");
  return {
    ...place,
    kind,
    path: [...path, "outgoingEdgeId"],
    ...(edgeId !== undefined && edgeId !== "" && { edgeId }),
  };
}

export function* eachOutlet(draft: DraftDocument): Generator<Outlet> {
  for (const event of objectsIn(draft.events)) {
    const found = outletOfEvent(event);
    if (found) yield found;
  }
  for (const { block } of eachBlock(draft)) yield* outletsOfBlock(block);
}

export type EdgeTarget = { readonly groupId: string; readonly blockId?: string };

/**
 * Returns the changes that connect an outlet to a target. If no other outlet uses the outlet's current edge, the edge
 * is reused.
 */
export function connect(
  draft: DraftDocument,
  outlet: Outlet,
  { to, newEdgeId }: { to: EdgeTarget; newEdgeId: string },
): Change[] {
  const { edgeId, target, path, from } = outlet;
  const isKnown = edgeId !== undefined && draft.edges.some(({ id }) => id === edgeId);
  if (edgeId !== undefined && isKnown && !isShared(draft, edgeId))
    return [{ op: "set", of: "edge", id: edgeId, path: ["to"], value: to }];
  return [
    { op: "add", of: "edge", value: { id: newEdgeId, from, to } },
    { op: "set", ...target, path, value: newEdgeId },
  ];
}

/** Returns the changes that remove the edge of an outlet. An edge that other outlets also use is kept. */
export function disconnect(draft: DraftDocument, { edgeId, target, path }: Outlet): Change[] {
  if (edgeId === undefined) return [];
  const goes = draft.edges.some(({ id }) => id === edgeId) && !isShared(draft, edgeId);
  return [{ op: "set", ...target, path }, ...(goes ? [{ op: "remove", of: "edge", id: edgeId } as const] : [])];
}

/**
 * Returns the changes that update the edges to blocks when the blocks are moved to another group, because an edge
 * stores both the block and its group.
 */
export function followBlocks(draft: DraftDocument, blockIds: readonly string[], groupId: string): Change[] {
  const moved = new Set(blockIds);
  return draft.edges.flatMap(({ id, to }): Change[] =>
    typeof to?.blockId === "string" && moved.has(to.blockId) && to.groupId !== groupId
      ? [{ op: "set", of: "edge", id, path: ["to"], value: { ...to, groupId } }]
      : [],
  );
}

function isShared(draft: DraftDocument, edgeId: string): boolean {
  let count = 0;
  for (const outlet of eachOutlet(draft)) if (outlet.edgeId === edgeId) count++;
  return count > 1;
}

/** The parts to remove: groups, blocks, events, and items together with the id of their block. */
export type Parts = {
  readonly groupIds?: readonly string[];
  readonly blockIds?: readonly string[];
  readonly eventIds?: readonly string[];
  readonly items?: readonly { readonly blockId: string; readonly itemId: string }[];
};

/** Returns the changes that remove parts of a flow and the edges that would lose their source or target. */
export function removeParts(draft: DraftDocument, parts: Parts): Change[] {
  const gone = goneWith(draft, parts);
  const isGone = ({ target }: Outlet) =>
    gone.things.has(keyOf(target)) ||
    (target.of === "item" && gone.things.has(keyOf(naming({ of: "block", id: target.in }))));
  const outlets = [...eachOutlet(draft)];
  const kept = outlets.filter((outlet) => !isGone(outlet));
  const keptEdges = new Set(kept.flatMap(({ edgeId }) => (edgeId === undefined ? [] : [edgeId])));
  const lost = new Set<string>();
  for (const outlet of outlets) {
    if (outlet.edgeId !== undefined && isGone(outlet) && !keptEdges.has(outlet.edgeId)) lost.add(outlet.edgeId);
  }
  for (const { id, to } of draft.edges) {
    const { groupId, blockId } = to ?? {};
    if (
      (typeof groupId === "string" && gone.groups.has(groupId)) ||
      (typeof blockId === "string" && gone.blocks.has(blockId))
    )
      lost.add(id);
  }
  const edges = draft.edges.filter(({ id }) => lost.has(id));
  return [
    ...kept.flatMap(({ edgeId, target, path }): Change[] =>
      edgeId !== undefined && lost.has(edgeId) ? [{ op: "set", ...target, path }] : [],
    ),
    ...edges.map(({ id }): Change => ({ op: "remove", of: "edge", id })),
    ...gone.removals,
  ];
}

function goneWith(draft: DraftDocument, { groupIds = [], blockIds = [], eventIds = [], items = [] }: Parts) {
  const things = new Set<string>();
  const groups = new Set(groupIds);
  const blocks = new Set<string>();
  const removals: Change[] = [];
  const wanted = new Set(blockIds);
  for (const { id } of objectsIn(draft.groups)) {
    if (typeof id === "string" && groups.has(id)) removals.push({ op: "remove", of: "group", id });
  }
  for (const { group, block } of eachBlock(draft)) {
    const id = idOf(block);
    const isWhole = groups.has(idOf(group) ?? "");
    if (id === undefined || !(isWhole || wanted.has(id))) continue;
    blocks.add(id);
    things.add(keyOf({ of: "block", id }));
    if (!isWhole) removals.push({ op: "remove", of: "block", id });
  }
  for (const id of eventIds) {
    things.add(keyOf({ of: "event", id }));
    removals.push({ op: "remove", of: "event", id });
  }
  for (const { blockId, itemId } of items) {
    if (blocks.has(blockId)) continue;
    const item = { of: "item", id: itemId, in: blockId } as const;
    things.add(keyOf(item));
    removals.push({ op: "remove", ...item });
  }
  return { things, groups, blocks, removals };
}
