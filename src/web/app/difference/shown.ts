import { byId, type DraftDocument, type Groups, readGroups } from "../../../core/editing/changes/change.ts";
import { idOf, valueAtPath } from "../../../core/editing/changes/things.ts";
import type { EdgeTarget, Outlet } from "../../../core/editing/references/outlets.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { asDraft } from "../editor/working-copy/replica.ts";
import { eachThing, type ThingChange } from "./thing-change.ts";

/**
 * Returns the later flow with the events, groups, blocks, items and their edges that only the earlier flow has. These
 * parts are shown as removed. Removed groups come first, so that new groups at the same position are drawn above them.
 */
export function withRemoved(before: DraftDocument, after: DraftDocument): DraftDocument {
  const [old, now] = [readGroups(before.groups), readGroups(after.groups)];
  const events = after.events ?? [];
  const eventIds = new Set(events.map(({ id }) => id));
  const edgeIds = new Set(after.edges.map(({ id }) => id));
  return {
    ...after,
    events: [...(before.events ?? []).filter(({ id }) => !eventIds.has(id)), ...events],
    groups: old && now ? groupsWithRemoved(old, now) : after.groups,
    edges: [...after.edges, ...before.edges.filter(({ id }) => !edgeIds.has(id))],
  };
}

function groupsWithRemoved(old: Groups, now: Groups): DraftDocument["groups"] {
  const isGone = (id: string) => !now.blocks.has(id);
  const shown = (id: string): readonly JsonObject[] => {
    const [was, is] = [old.blocks.get(id)?.block, now.blocks.get(id)?.block];
    if (!is) return was ? [was] : [];
    return [was ? withItems(was, is) : is];
  };
  const merged = [...now.groups].map(([id, group]) => {
    const is = now.blocksOf.get(id) ?? [];
    const ids = together({ was: old.blocksOf.get(id) ?? [], is, isGone });
    const blocks = ids.flatMap(shown);
    const isSame =
      blocks.length === is.length && blocks.every((block, at) => block === now.blocks.get(is[at] ?? "")?.block);
    return isSame ? group : { ...group, blocks };
  });
  const removed = [...old.groups]
    .filter(([id]) => !now.groups.has(id))
    .map(([id, group]) => ({ ...group, blocks: (old.blocksOf.get(id) ?? []).filter(isGone).flatMap(shown) }));
  return asDraft({ groups: [...removed, ...merged], edges: [], variables: [] }).groups;
}

/**
 * Returns a block together with its removed items. Returns the block itself if no item was removed, or if the items
 * have no ids.
 */
function withItems(was: JsonObject, is: JsonObject): JsonObject {
  if (was === is || was["items"] === undefined) return is;
  const [old, now] = [byId(was["items"]), byId(is["items"] ?? [])];
  if (!old || !now || old.size === 0) return is;
  const ids = together({ was: [...old.keys()], is: [...now.keys()], isGone: (id) => !now.has(id) });
  return ids.length === now.size ? is : { ...is, items: ids.flatMap((id) => now.get(id) ?? old.get(id) ?? []) };
}

type Lists = {
  readonly was: readonly string[];
  readonly is: readonly string[];
  readonly isGone: (id: string) => boolean;
};

/** Returns the current ids, with each removed id inserted after the id that preceded it. */
function together({ was, is, isGone }: Lists): readonly string[] {
  if (!was.some(isGone)) return is;
  const behind = new Map<string | undefined, string[]>();
  let last: string | undefined;
  const there = new Set(is);
  for (const id of was) {
    if (!isGone(id)) {
      if (there.has(id)) last = id;
      continue;
    }
    const list = behind.get(last);
    if (list) list.push(id);
    else behind.set(last, [id]);
  }
  return [...(behind.get(undefined) ?? []), ...is.flatMap((id) => [id, ...(behind.get(id) ?? [])])];
}

/** A removed edge, from an outlet that still exists to its previous target. */
export type EdgeGone = { readonly key: string; readonly outlet: Outlet; readonly to: EdgeTarget };

/**
 * Returns the edges to the previous targets of outlets that still exist. The edges of removed objects are drawn
 * together with these objects.
 */
export function edgesGone(changed: readonly ThingChange[]): readonly EdgeGone[] {
  return [...eachThing(changed)].flatMap(({ key, is, leads }) =>
    is === "removed"
      ? []
      : leads.flatMap(({ outlet, from }, index): EdgeGone[] =>
          from ? [{ key: `${key} ${index}`, outlet, to: from }] : [],
        ),
  );
}

/** A card that was moved, with its previous position. */
export type PlaceLeft = { readonly id: string; readonly x: number; readonly y: number };

export function placesLeft(changed: readonly ThingChange[]): readonly PlaceLeft[] {
  return [...eachThing(changed)].flatMap(({ isMovedOnCanvas, before, after }): PlaceLeft[] => {
    const id = idOf(after);
    const [x, y] = [valueAtPath(before, ["graphCoordinates", "x"]), valueAtPath(before, ["graphCoordinates", "y"])];
    const isPlaced = typeof x === "number" && typeof y === "number" && Number.isFinite(x + y);
    return isMovedOnCanvas && id !== undefined && isPlaced ? [{ id, x, y }] : [];
  });
}
