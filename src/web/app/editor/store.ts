import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { entriesOf, idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { outletsOfBlock } from "../../../core/editing/references/outlets.ts";
import { type FlowEdge, type FlowVariable, isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";

export type Placed = { readonly block: JsonObject; readonly groupId: string };

export type Store = ReturnType<typeof createStore>;

/**
 * Creates signals for the open draft, one for each shown object, so that a change notifies only the views of the
 * changed object. Unchanged objects stay the same, so that finding the changed ones costs one comparison per group.
 */
export function createStore(first: DraftDocument) {
  const draft = signal(first);
  /**
   * The draft when its structure last changed: when groups, blocks or items were added, removed or reordered, when the
   * type or the outlets of a block changed, or when an event or an edge changed.
   */
  const structure = signal(first);
  const variables = signal<readonly FlowVariable[]>(first.variables);
  const groups = shelf<JsonObject>();
  const blocks = shelf<Placed>();
  const events = shelf<JsonObject>();
  const edges = shelf<FlowEdge>();

  const takeGroup = (group: JsonObject): void => {
    const groupId = idOf(group) ?? "";
    groups.put(groupId, group);
    for (const block of objectsIn(group["blocks"])) {
      const id = idOf(block) ?? "";
      const known = blocks.get(id);
      if (known?.block !== block || known.groupId !== groupId) blocks.put(id, { block, groupId });
    }
  };
  for (const group of objectsIn(first.groups)) takeGroup(group);
  for (const event of objectsIn(first.events)) events.put(idOf(event) ?? "", event);
  for (const edge of first.edges) edges.put(edge.id, edge);

  const showGroups = (before: DraftDocument, next: DraftDocument): boolean => {
    if (before.groups === next.groups) return false;
    const single = onlyChanged(before.groups, next.groups);
    if (single) {
      takeGroup(single.now);
      const ids = new Set(objectsIn(single.now["blocks"]).map(idOf));
      for (const id of objectsIn(single.before["blocks"]).map(idOf))
        if (id !== undefined && !ids.has(id) && blocks.get(id)?.groupId === idOf(single.now)) blocks.drop(id);
      return shapeOf(single.before) !== shapeOf(single.now);
    }
    const [old, now] = [objectsIn(before.groups), objectsIn(next.groups)];
    let isOther = old.length !== now.length;
    const kept = new Set(now);
    const gone = old.filter((group) => !kept.has(group));
    const known = new Set(old);
    const come = now.filter((group) => !known.has(group));
    const shapes = new Map(gone.map((group) => [idOf(group), group]));
    for (const group of come) {
      const was = shapes.get(idOf(group));
      isOther ||= !was || shapeOf(was) !== shapeOf(group);
    }
    isOther ||= now.some((group, index) => idOf(group) !== idOf(old[index]));
    const groupIds = new Set(come.map(idOf));
    const blockIds = new Set(come.flatMap((group) => objectsIn(group["blocks"]).map(idOf)));
    for (const group of gone) {
      const id = idOf(group) ?? "";
      if (!groupIds.has(id)) groups.drop(id);
      for (const block of objectsIn(group["blocks"])) {
        const blockId = idOf(block) ?? "";
        if (!blockIds.has(blockId) && blocks.get(blockId)?.groupId === id) blocks.drop(blockId);
      }
    }
    for (const group of come) takeGroup(group);
    return isOther;
  };

  const shown: {
    readonly [Name in "draft" | "structure"]: ReadonlySignal<DraftDocument>;
  } & { readonly variables: ReadonlySignal<readonly FlowVariable[]> } = { draft, structure, variables };
  return {
    ...shown,
    group: groups.signal,
    block: blocks.signal,
    event: events.signal,
    edge: edges.signal,
    /** Returns current objects without a subscription. */
    find: { group: groups.get, block: blocks.get, event: events.get, edge: edges.get },
    show(next: DraftDocument): void {
      // Read without a subscription. A component or an effect may show a draft and must not run again for every later
      // draft.
      const before = draft.peek();
      if (next === before) return;
      batch(() => {
        let isOther = showGroups(before, next);
        if (next.events !== before.events) {
          replaceAll(events, objectsIn(next.events), (event) => idOf(event) ?? "");
          isOther = true;
        }
        if (next.edges !== before.edges) {
          replaceAll(edges, next.edges, ({ id }) => id);
          isOther = true;
        }
        if (next.variables !== before.variables) variables.value = next.variables;
        draft.value = next;
        if (isOther) structure.value = next;
      });
    },
  };
}

/** Returns the only changed group, if it kept its position and id; otherwise undefined. */
function onlyChanged(
  before: unknown,
  next: unknown,
): { readonly before: JsonObject; readonly now: JsonObject } | undefined {
  const [old, now] = [entriesOf(before), entriesOf(next)];
  if (old.length !== now.length) return undefined;
  let found: number | undefined;
  for (let index = 0; index < now.length; index++) {
    if (now[index] === old[index]) continue;
    if (found !== undefined) return undefined;
    found = index;
  }
  if (found === undefined) return undefined;
  const [was, is] = [old[found], now[found]];
  return isJsonObject(was) && isJsonObject(is) && idOf(was) === idOf(is) ? { before: was, now: is } : undefined;
}

type Shelf<Value> = ReturnType<typeof shelf<Value>>;

/** Values by id, with a signal for each value that is shown. */
function shelf<Value>() {
  const values = new Map<string, Value>();
  const signals = new Map<string, Signal<Value | undefined>>();
  const tell = (id: string, value: Value | undefined): void => {
    const known = signals.get(id);
    if (known) known.value = value;
  };
  return {
    get: (id: string) => values.get(id),
    put(id: string, value: Value): void {
      values.set(id, value);
      tell(id, value);
    },
    drop(id: string): void {
      values.delete(id);
      tell(id, undefined);
    },
    ids: () => values.keys(),
    size: () => values.size,
    signal(id: string): ReadonlySignal<Value | undefined> {
      const known = signals.get(id) ?? signal(values.get(id));
      signals.set(id, known);
      return known;
    },
  };
}

function replaceAll<Value>(things: Shelf<Value>, list: readonly Value[], idFor: (value: Value) => string): void {
  const ids = new Set(list.map(idFor));
  for (const id of [...things.ids()]) if (!ids.has(id)) things.drop(id);
  for (const value of list) if (things.get(idFor(value)) !== value) things.put(idFor(value), value);
}

/** Returns the structure of a group as a text: its blocks with their types, items and edges. */
function shapeOf(group: JsonObject): string {
  const blocks = objectsIn(group["blocks"]).map((block) => [
    block["id"],
    block["type"],
    objectsIn(block["items"]).map(idOf),
    outletsOfBlock(block).map(({ edgeId, pathId }) => [pathId, edgeId]),
  ]);
  return JSON.stringify(blocks);
}
