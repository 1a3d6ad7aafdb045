import type { Change, DraftDocument, EditedNoun, Path } from "../../../core/editing/changes/change.ts";
import { diff } from "../../../core/editing/changes/diff.ts";
import { entriesOf, idOf, isSame, valueAtPath } from "../../../core/editing/changes/things.ts";
import { walkOf } from "../../../core/editing/references/walk.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import { leadsOf } from "./leads.ts";
import type { Became, EditorDataChange, LeadChange, ThingChange, ValueChange } from "./thing-change.ts";
import { besideOf, idsOf, keyOf, thingsOf } from "./things.ts";

/** Returns the path of the form field to which a path belongs. A whole text or list is one field. */
export type FieldAt = (thing: Fielded, path: Path) => Path;

/** An object with fields. For an item, `block` is its block. */
export type Fielded = { readonly of: EditedNoun; readonly value: JsonObject; readonly block?: JsonObject | undefined };

/** The rule without schemas: the path of the field ends before the first list index. */
export const plainField: FieldAt = (_, path) => {
  const index = path.findIndex((step) => typeof step === "number");
  return index <= 0 ? path : path.slice(0, index);
};

/**
 * Compares two flows and returns the differences in the author's terms. Each changed object appears once. Events come
 * before groups, and groups are in the order in which a visitor reaches them. A changed edge is listed at its outlet,
 * and a colour or lock at its group. An added or removed block is one entry without its items. Each change of `diff` is
 * part of exactly one entry.
 */
export function compareDrafts(
  before: DraftDocument,
  after: DraftDocument,
  fieldAt: FieldAt = plainField,
): readonly ThingChange[] {
  const nodes = createNodes(before, after);
  const leads = leadsOf(before, after);
  const isGroup = (id: string): boolean => nodes.old.has(keyOf("group", id)) || nodes.now.has(keyOf("group", id));
  for (const change of diff(before, after)) {
    const owned = leads.ownersOf(change);
    const beside = besideOf(change, { before: before.editor, after: after.editor, isGroup });
    if (owned) noteLeads(nodes, change, owned);
    else if (beside.length > 0) noteBeside(nodes, change, beside);
    else note(nodes, change, fieldAt);
  }
  return inOrder(nodes.top(), before, after).map((node) => finished(node, nodes));
}

type Node = {
  readonly key: string;
  readonly of: EditedNoun;
  readonly id?: string;
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  readonly groupId?: string;
  readonly fromGroupId?: string;
  readonly blockId?: string;
  readonly values: Map<string, Path>;
  readonly leads: Map<string, LeadChange>;
  readonly beside: EditorDataChange[];
  readonly inner: Node[];
  readonly changes: Change[];
  isMoved: boolean;
  isMovedOnCanvas: boolean;
  isNoticed: boolean;
};

type Nodes = ReturnType<typeof createNodes>;

function createNodes(before: DraftDocument, after: DraftDocument) {
  const [old, now] = [thingsOf(before), thingsOf(after)];
  const nodes = new Map<string, Node>();
  const top: Node[] = [];
  const nodeOf = (of: EditedNoun, id?: string, within?: string): Node => {
    const key = keyOf(of, id, within);
    const known = nodes.get(key);
    if (known) return known;
    const [was, is] = [old.get(key), now.get(key)];
    const groupId = (is ?? was)?.groupId;
    const node: Node = {
      ...{ key, of, isMoved: false, isMovedOnCanvas: false, isNoticed: false },
      ...{ values: new Map(), leads: new Map(), beside: [], inner: [], changes: [] },
      ...(id !== undefined && { id }),
      ...(was && { before: was.value }),
      ...(is && { after: is.value }),
      ...(groupId !== undefined && { groupId }),
      ...(of === "item" && within !== undefined && { blockId: within }),
      ...(was?.groupId !== undefined && is && was.groupId !== is.groupId && { fromGroupId: was.groupId }),
    };
    nodes.set(key, node);
    if (of === "item" && within !== undefined) nodeOf("block", within).inner.push(node);
    else if (of === "block" && groupId !== undefined) nodeOf("group", groupId).inner.push(node);
    else top.push(node);
    return node;
  };
  return { nodeOf, top: () => top, old, now };
}

/** Records a change that belongs neither to an outlet nor to the colour or lock of a group. */
function note({ nodeOf, old, now }: Nodes, change: Change, fieldAt: FieldAt): void {
  const { of } = change;
  if (change.op === "add" || change.op === "remove") {
    const id = change.op === "add" ? idOf(change.value) : change.id;
    const node = nodeOf(of, id, change.in);
    node.changes.push(change);
    node.isNoticed ||= meansSomething(of);
    const whole = change.op === "add" ? change.value : node.before;
    if (of !== "group") return;
    for (const block of entriesOf(whole?.["blocks"])) {
      const key = keyOf("block", idOf(block));
      // A block in both flows was moved, and its entry is in its new group.
      if (old.has(key) !== now.has(key)) nodeOf("block", idOf(block)).isNoticed = true;
    }
    return;
  }
  const node = nodeOf(of, change.id, change.in);
  node.changes.push(change);
  if (change.op === "move") {
    node.isMoved = true;
    node.isNoticed ||= of === "block" || of === "item" || of === "event";
    return;
  }
  if (change.path[0] === "graphCoordinates" && placed.has(of)) {
    node.isMovedOnCanvas = true;
    return;
  }
  const key = keyOf("block", change.in);
  const block = of === "item" ? (now.get(key) ?? old.get(key))?.value : undefined;
  const thing = { of, value: node.after ?? node.before ?? {}, block };
  for (const field of fieldsIn(thing, { path: fieldAt(thing, change.path), ...sidesOf(node) }, fieldAt))
    node.values.set(JSON.stringify(field), field);
  node.isNoticed ||= meansSomething(of);
}

/** The objects with a position on the canvas. */
const placed: ReadonlySet<EditedNoun> = new Set(["group", "event", "note", "frame"]);

function noteBeside({ nodeOf }: Nodes, change: Change, beside: ReturnType<typeof besideOf>): void {
  for (const [index, { groupId, ...changed }] of beside.entries()) {
    const node = nodeOf("group", groupId);
    if (index === 0) node.changes.push(change);
    // When a group is added or removed, its colour is not listed.
    if (node.before && node.after) node.beside.push(changed);
  }
}

function noteLeads({ nodeOf }: Nodes, change: Change, owned: ReturnType<ReturnType<typeof leadsOf>["ownersOf"]>): void {
  for (const [index, { key, lead }] of (owned ?? []).entries()) {
    const { target } = lead.outlet;
    const block = target.of === "item" ? nodeOf("block", target.in) : undefined;
    // If the whole block was added or removed, its items have no entries of their own.
    const isWhole = block !== undefined && (block.before === undefined || block.after === undefined);
    const node = block && isWhole ? block : nodeOf(target.of, target.id, target.in);
    if (index === 0) node.changes.push(change);
    if (isSame(lead.from, lead.to)) continue;
    node.leads.set(key, lead);
    node.isNoticed = true;
  }
}

type Sides = { readonly before: unknown; readonly after: unknown };

function sidesOf({ before, after }: Node): Sides {
  return { before, after };
}

/** Returns the changed form fields of a section, or only the path itself if the path is not a section. */
function fieldsIn(
  thing: Fielded,
  { path, before, after }: Sides & { readonly path: Path },
  fieldAt: FieldAt,
): readonly Path[] {
  const sides = [valueAtPath(before, path), valueAtPath(after, path)].filter((side) => side !== undefined);
  const keys = [...new Set(sides.filter(isJsonObject).flatMap((side) => Object.keys(side)))];
  const isSection =
    sides.every(isJsonObject) && keys.every((key) => fieldAt(thing, [...path, key]).length > path.length);
  if (!isSection || keys.length === 0) return [path];
  return keys
    .map((key): Path => [...path, key])
    .filter((inner) => !isSame(valueAtPath(before, inner), valueAtPath(after, inner)))
    .flatMap((inner) => fieldsIn(thing, { path: inner, before, after }, fieldAt));
}

/** Whether a change can affect a chat. Notes, frames and other editor data cannot. */
function meansSomething(of: EditedNoun): boolean {
  return of !== "note" && of !== "frame" && of !== "editor";
}

function finished(node: Node, nodes: Nodes): ThingChange {
  const { values, leads, beside, inner, changes, isMoved, isMovedOnCanvas, isNoticed, before, after, ...rest } = node;
  const changed = inOrderOf(inner, node).map((one) => finished(one, nodes));
  return {
    ...rest,
    is: becameOf(node),
    isMoved,
    isMovedOnCanvas,
    ...(before && { before }),
    ...(after && { after }),
    values: [...values.values()].map((path) => valueChange(path, before, after)),
    leads: [...leads.values()],
    beside,
    inner: changed,
    changes,
    isNoticed: isNoticed || changed.some((one) => one.isNoticed),
  };
}

function becameOf({ before, after, changes, isMoved, isMovedOnCanvas, values, leads, beside }: Node): Became {
  if (changes.length + beside.length === 0 && before && after) return "same";
  if (!before && after) return "added";
  if (before && !after) return "removed";
  const isOnlyMoved = (isMoved || isMovedOnCanvas) && values.size + leads.size + beside.length === 0;
  return isOnlyMoved ? "moved" : "changed";
}

function valueChange(path: Path, before: unknown, after: unknown): ValueChange {
  const [from, to] = [valueAtPath(before, path), valueAtPath(after, path)];
  return { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

const nouns: readonly EditedNoun[] = [
  ...(["bot", "event", "group", "variable", "theme", "settings"] as const),
  ...(["edge", "note", "frame", "editor", "block", "item"] as const),
];

/** Sorts the entries by kind. Groups are in the order in which a visitor reaches them. */
function inOrder(top: readonly Node[], before: DraftDocument, after: DraftDocument): readonly Node[] {
  const { beginnings, unreachable } = walkOf(after);
  const walked = [...beginnings.flatMap(({ groupIds }) => groupIds), ...unreachable];
  const places = {
    event: placesIn(idsOf(before, "event"), idsOf(after, "event")),
    group: placesIn(idsOf(before, "group"), walked),
    variable: placesIn(idsOf(before, "variable"), idsOf(after, "variable")),
  };
  const placeOf = ({ of, id = "" }: Node) =>
    of === "event" || of === "group" || of === "variable" ? (places[of].get(id) ?? 0) : 0;
  return top.toSorted((a, b) => nouns.indexOf(a.of) - nouns.indexOf(b.of) || placeOf(a) - placeOf(b));
}

/** Sorts the contents of a group or a block in their order in the flow. */
function inOrderOf(inner: readonly Node[], { of, before, after }: Node): readonly Node[] {
  const list = of === "group" ? "blocks" : "items";
  const idsIn = (holder: JsonObject | undefined) => entriesOf(holder?.[list]).flatMap((entry) => idOf(entry) ?? []);
  const places = placesIn(idsIn(before), idsIn(after));
  return inner.toSorted((a, b) => (places.get(a.id ?? "") ?? 0) - (places.get(b.id ?? "") ?? 0));
}

/** Returns the position of each object. A removed object comes after the object that preceded it in the old flow. */
function placesIn(before: readonly string[], after: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map(after.map((id, index) => [id, index]));
  let last = -1;
  for (const [index, id] of before.entries()) {
    const place = places.get(id);
    if (place === undefined) places.set(id, last + (index + 1) / (before.length + 1));
    else if (Number.isInteger(place)) last = place;
  }
  return places;
}
