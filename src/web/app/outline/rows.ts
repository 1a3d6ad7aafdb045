import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { outletsOfBlock } from "../../../core/editing/references/outlets.ts";
import { itemsById } from "../../../core/editing/references/references.ts";
import type { Walk } from "../../../core/editing/references/walk.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { isWayOut } from "../../../core/interpreter/schemas/own-keys.ts";
import type { Beside, Selectable } from "../editor/selection.ts";

/**
 * A row of the outline, without its texts. A row is rendered again when its object changes; the list is rendered again
 * when rows are added or removed.
 */
export type Row = {
  readonly key: string;
  /** Notes and frames are outside the flow and come last. */
  readonly kind: "event" | "group" | "block" | "item" | "way" | "note" | "frame";
  /** The id of the object, or the name of an exit. */
  readonly id: string;
  /** The group of a block, an item or an exit. */
  readonly groupId?: string;
  /** The block of an item or an exit. */
  readonly blockId?: string;
  readonly level: 1 | 2 | 3;
  /** The row's position among its siblings, from 1, and the number of siblings. */
  readonly position: number;
  readonly size: number;
  /** Absent if the row has no children. */
  readonly isOpen?: boolean;
  readonly isUnreachable?: boolean;
};

/** The keys of the collapsed rows. */
export type Closed = ReadonlySet<string>;

type Top = Beside | { readonly kind: "event" | "group"; readonly id: string; readonly isUnreachable?: boolean };

/** Returns the rows of a flow in walking order, without those in collapsed rows. */
export function rowsOf(
  draft: DraftDocument,
  walk: Walk,
  { closed, beside }: { readonly closed: Closed; readonly beside: readonly Beside[] },
): readonly Row[] {
  const groups = new Map(objectsIn(draft.groups).map((group) => [idOf(group) ?? "", group]));
  const tops: Top[] = [];
  for (const { eventId, groupIds } of walk.beginnings) {
    tops.push({ kind: "event", id: eventId });
    for (const id of groupIds) tops.push({ kind: "group", id });
  }
  for (const id of walk.unreachable) tops.push({ kind: "group", id, isUnreachable: true });
  tops.push(...beside);
  const rows: Row[] = [];
  for (const [index, top] of tops.entries()) {
    const { kind, id } = top;
    const isUnreachable = "isUnreachable" in top && top.isUnreachable;
    const key = `${kind}:${id}`;
    const blocks = kind === "group" ? objectsIn(groups.get(id)?.["blocks"]) : [];
    const isOpen = !closed.has(key);
    rows.push({
      ...{ key, kind, id, level: 1, position: index + 1, size: tops.length },
      ...(blocks.length > 0 && { isOpen }),
      ...(isUnreachable && { isUnreachable }),
    });
    if (isOpen)
      for (const [at, block] of blocks.entries())
        rows.push(...rowsOfBlock(block, { groupId: id, position: at + 1, size: blocks.length, closed }));
  }
  return rows;
}

type Inside = { readonly groupId: string; readonly position: number; readonly size: number; readonly closed: Closed };

function rowsOfBlock(block: JsonObject, { groupId, position, size, closed }: Inside): Row[] {
  const id = idOf(block) ?? "";
  const key = `block:${id}`;
  const items = itemsById(block) ?? [];
  const ways = outletsOfBlock(block).flatMap(({ kind }) => (isWayOut(kind) ? [kind] : []));
  const inside = items.length + ways.length;
  const isOpen = !closed.has(key);
  const own: Row = { key, kind: "block", id, groupId, level: 2, position, size, ...(inside > 0 && { isOpen }) };
  if (!isOpen) return [own];
  const inner = (kind: "item" | "way", thingId: string, index: number): Row => {
    const place = { level: 3, position: index + 1, size: inside } as const;
    return { key: `${kind}:${id}:${thingId}`, kind, id: thingId, groupId, blockId: id, ...place };
  };
  return [
    own,
    ...items.map((itemId, index) => inner("item", itemId, index)),
    ...ways.map((name, index) => inner("way", name, items.length + index)),
  ];
}

/** Returns the row keys of all groups. */
export function keysOfGroups(draft: DraftDocument): string[] {
  return objectsIn(draft.groups).map((group) => `group:${idOf(group)}`);
}

/** Returns the key of an object's row. */
export function keyOf(thing: Selectable): string {
  if (thing.kind === "item") return `item:${thing.blockId}:${thing.id}`;
  const way = thing.kind === "block" && isWayOut(thing.part ?? "") ? thing.part : undefined;
  return way === undefined ? `${thing.kind}:${thing.id}` : `way:${thing.id}:${way}`;
}

/** Returns the object that a row shows. */
export function thingOf({ kind, id, blockId }: Row): Selectable {
  if (kind === "way") return { kind: "block", id: blockId ?? "", part: id };
  return { kind, id, ...(blockId !== undefined && { blockId }) };
}

/** Returns the range of rows to render: the visible rows and some rows around them. */
export function windowOf(
  count: number,
  { top, height, rowHeight }: { readonly top: number; readonly height: number; readonly rowHeight: number },
) {
  const around = 8;
  const first = Math.max(0, Math.floor(top / rowHeight) - around);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + around);
  return { first: Math.min(first, Math.max(0, count - 1)), last };
}
