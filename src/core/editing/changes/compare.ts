import { type FlowDocument, type JsonObject, valueAt } from "../../interpreter/flow.ts";
import { byId, type Change, type EditedNoun, type Path, readGroups } from "./change.ts";
import { keyOf, naming, valueAtPath } from "./things.ts";

/**
 * A value at a path of an entry, before and after the change. `from` is absent if the value did not exist, and `to` if
 * it was removed.
 */
export type ChangedValue = { readonly path: Path; readonly from?: unknown; readonly to?: unknown };

/**
 * The difference in one entry. `changed`: `values` lists the changed values. `reordered`: the entry has a new position
 * in its list, or a new group. `movedOnCanvas`: the entry has a new position in the editor, which visitors never see.
 */
export type Difference = {
  readonly is: "added" | "removed" | "changed" | "reordered" | "movedOnCanvas";
  readonly of: EditedNoun;
  /** Absent for the theme, the settings, the editor's data and the flow as a whole. */
  readonly id?: string;
  /** The group of a block or the block of an item, after the change or before the removal. */
  readonly in?: string;
  /** The title of a group, the name of a variable, or the type of a block or event. */
  readonly name?: string;
  /**
   * Whether a chat may run differently. Positions on the canvas and the order of groups, edges and variables have no
   * effect on a chat.
   */
  readonly changesMeaning: boolean;
  readonly values?: readonly ChangedValue[];
};

/** Groups the changes from one flow to another (the result of `diff`) by entry. */
export function compare(before: FlowDocument, after: FlowDocument, changes: readonly Change[]): Difference[] {
  const [old, now] = [thingsOf(before), thingsOf(after)];
  const values = new Map<string, Valued[]>();
  const differences = changes.flatMap((change): Difference[] => {
    switch (change.op) {
      case "add":
        return [change.value, ...(change.of === "group" ? blocksIn(change.value) : [])].map((value, index) =>
          thing(index === 0 ? change.of : "block", String(value["id"]), { is: "added", things: now }),
        );
      case "remove": {
        const { of, id } = change;
        const gone = of === "group" ? blocksIn(old.get(keyOf({ of, id }))?.value) : [];
        return [
          thing(of, id, { is: "removed", things: old, ...(change.in !== undefined && { in: change.in }) }),
          ...gone.flatMap(({ id: blockId }) => {
            const isElsewhere = now.has(keyOf({ of: "block", id: String(blockId) }));
            return isElsewhere ? [] : [thing("block", String(blockId), { is: "removed", things: old })];
          }),
        ];
      }
      case "move": {
        const { of, id } = change;
        return [thing(of, id, { is: "reordered", things: now, ...(of === "item" && { in: change.in ?? "" }) })];
      }
      case "edit":
      case "set": {
        const key = `${keyOf(change)} ${isOnCanvas(change)}`;
        values.set(key, [...(values.get(key) ?? []), change]);
        return [];
      }
      default:
        return change satisfies never;
    }
  });
  return [...differences, ...[...values.values()].map((sets) => changed(sets, old, now))];
}

/** Values are reported as a whole, even if only a few characters of a text changed. */
type Valued = Extract<Change, { op: "set" | "edit" }>;

type Thing = { readonly value: JsonObject; readonly in?: string };
type Things = ReadonlyMap<string, Thing>;
function thingsOf(flow: FlowDocument): Things {
  const things = new Map<string, Thing>();
  const add = (of: EditedNoun, list: unknown, within?: string): void => {
    for (const [id, value] of byId(list) ?? []) {
      const target = naming({ of, id, in: within });
      things.set(keyOf(target), { value, ...(target.in !== undefined && { in: target.in }) });
    }
  };
  for (const [groupId, group] of readGroups(flow.groups)?.groups ?? []) {
    add("block", group["blocks"], groupId);
    for (const [blockId, block] of byId(group["blocks"]) ?? []) add("item", block["items"], blockId);
  }
  add("group", flow.groups);
  add("event", flow.events);
  add("edge", flow.edges);
  add("variable", flow.variables);
  things.set(keyOf({ of: "theme" }), { value: flow.theme ?? {} });
  things.set(keyOf({ of: "settings" }), { value: flow.settings ?? {} });
  things.set(keyOf({ of: "bot" }), { value: { ...flow } });
  return things;
}

function thing(
  of: EditedNoun,
  id: string,
  { is, things, in: given }: { is: Difference["is"]; things: Things; in?: string },
): Difference {
  const found = things.get(keyOf(naming({ of, id, in: given })));
  const changesMeaning = is !== "reordered" || of === "block" || of === "item" || of === "event";
  return { is, ...naming({ of, id, in: given ?? found?.in }), ...nameOf(of, found?.value), changesMeaning };
}

function changed(sets: readonly Valued[], old: Things, now: Things): Difference {
  const [first] = sets;
  if (!first) throw new TypeError("A group of changes is never empty");
  const { of, id } = first;
  const [before, after] = [old.get(keyOf(first))?.value, now.get(keyOf(first))?.value];
  const isMoved = isOnCanvas(first);
  return {
    is: isMoved ? "movedOnCanvas" : "changed",
    ...naming({ of, id, in: now.get(keyOf(first))?.in }),
    ...nameOf(of, after),
    changesMeaning: !isMoved,
    values: sets.map((set) => {
      const { path } = set;
      const from = valueAtPath(before, path);
      const to = (set.op === "set" ? set.value : undefined) ?? valueAtPath(after, path);
      return { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    }),
  };
}

function isOnCanvas({ of, path }: Valued): boolean {
  return (of === "group" || of === "event") && path[0] === "graphCoordinates";
}

function nameOf(of: EditedNoun, value: JsonObject | undefined): { name?: string } {
  const keys = { group: "title", variable: "name", block: "type", event: "type" };
  const name = valueAt(keys, of);
  const found = typeof name === "string" ? valueAt(value, name) : undefined;
  return typeof found === "string" ? { name: found } : {};
}

function blocksIn(group: JsonObject | undefined): JsonObject[] {
  return [...(byId(group?.["blocks"])?.values() ?? [])];
}
