import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { entriesOf } from "../text/json.ts";
import { type DraftDocument, lists, type Path, type Target } from "./change.ts";

export { entriesOf, isSame } from "../text/json.ts";

/** Returns a key that is unique for an entry within its draft. */
export function keyOf({ of, id, in: within }: Target): string {
  return of === "item" ? JSON.stringify([of, id, within]) : JSON.stringify([of, id]);
}

/** Returns the fields that identify an entry. Absent fields are omitted. */
export function naming({ of, id, in: within }: Naming): Target {
  return { of, ...(id !== undefined && { id }), ...(within !== undefined && { in: within }) };
}

type Naming = { readonly [Key in keyof Target]: Target[Key] | undefined } & Pick<Target, "of">;

export function objectsIn(list: unknown): JsonObject[] {
  return entriesOf(list).filter(isJsonObject);
}

/** Yields every block of a draft together with its group. */
export function* eachBlock(draft: Pick<DraftDocument, "groups">): Generator<{ group: JsonObject; block: JsonObject }> {
  for (const group of objectsIn(draft.groups)) for (const block of objectsIn(group["blocks"])) yield { group, block };
}

/** Returns the entry and everything it contains as targets: the blocks of a group, and the items of each block. */
export function targetsIn(of: Target["of"], value: JsonObject, within?: string): Target[] {
  const id = idOf(value);
  if (id === undefined) return [];
  const own = naming({ of, id, in: of === "item" ? within : undefined });
  const inner = of === "group" ? "block" : of === "block" ? "item" : undefined;
  if (!inner) return [own];
  return [own, ...objectsIn(value[lists[inner].key]).flatMap((entry) => targetsIn(inner, entry, id))];
}

/** Returns the id of a stored entry, or undefined if the entry has no id. */
export function idOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id } = value;
  return typeof id === "string" ? id : undefined;
}

/** Returns the value at a path, or undefined. Inherited keys are ignored. */
export function valueAtPath(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === "number") found = found[step];
    else if (isJsonObject(found) && typeof step === "string" && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** Returns the editor's data without empty lists and objects, or undefined if no data remains. */
export function tidyEditor(editor: unknown): JsonObject | undefined {
  if (!isJsonObject(editor)) return undefined;
  const kept = Object.entries(editor).filter(([, value]) => !isEmpty(value));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
