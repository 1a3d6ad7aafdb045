import { type FlowDocument, isJsonObject, type JsonObject } from "../interpreter/flow.ts";
import type { Change, ListedNoun, Path } from "./change.ts";

/** A change names something that the flow does not have, or adds what it has already. */
export class ChangeMisses extends Error {
  readonly change: Change;

  constructor(change: Change) {
    super(`There is nothing that this change could be made to: ${JSON.stringify({ ...change, value: undefined })}`);
    this.name = "ChangeMisses";
    this.change = change;
  }
}

/**
 * A flow with changes made to it, one after the other. It is what was written: whether it may be stored is for `readFlowParts` to
 * say. The given flow stays as it is. Throws `ChangeMisses`.
 */
export function apply(flow: FlowDocument, changes: readonly Change[]): JsonObject {
  const draft = copy(flow);
  if (!isOpen(draft)) throw new TypeError("A flow is an object");
  for (const change of changes) if (!isMade(draft, change)) throw new ChangeMisses(change);
  return draft;
}

type Open = { [key: string]: unknown };

const lists = { group: "groups", event: "events", edge: "edges", variable: "variables" } as const;

/** False where what the change names is not there. */
function isMade(draft: Open, change: Change): boolean {
  switch (change.op) {
    case "add":
      return isAdded(draft, change);
    case "remove":
      return take(draft, change) !== undefined;
    case "move": {
      const list = change.of === "block" ? listOf(draft, change) : undefined;
      if (change.of === "block" && !list) return false;
      const value = take(draft, change);
      return value !== undefined && isPlaced(list ?? listOf(draft, change), value, change.before);
    }
    case "set":
      return isSet(draft, change);
    default:
      return change satisfies never;
  }
}

function isAdded(draft: Open, { of, value, before, ...within }: Extract<Change, { op: "add" }>): boolean {
  const { id } = value;
  if (typeof id !== "string" || find(draft, { of, id, ...within })) return false;
  return isPlaced(listOf(draft, { of, ...within }), copy(value), before);
}

function isPlaced(list: unknown[] | undefined, value: unknown, before: string | undefined): boolean {
  const position = before === undefined ? list?.length : list && positionOf(list, before);
  if (!list || position === undefined) return false;
  list.splice(position, 0, value);
  return true;
}

function isSet(draft: Open, { of, id, in: within, path, value }: Extract<Change, { op: "set" }>): boolean {
  const [first, ...rest] = of === "theme" || of === "settings" ? [of, ...path] : path;
  const target = id === undefined ? draft : find(draft, { of, id, ...(within !== undefined && { in: within }) })?.value;
  return first !== undefined && target !== undefined && isWritten(target, [first, ...rest], value);
}

function isWritten(target: unknown, [key, ...rest]: Path, value: unknown): boolean {
  if (key === undefined) return false;
  if (Array.isArray(target) && typeof key === "number" && key < target.length) {
    if (rest.length > 0) return isWritten(target[key], rest, value);
    target[key] = copy(value);
    return value !== undefined;
  }
  if (!isOpen(target) || typeof key !== "string") return false;
  if (rest.length > 0) return isWritten(Object.hasOwn(target, key) ? target[key] : undefined, rest, value);
  if (value === undefined) delete target[key];
  // Not an assignment: `__proto__` is a key like any other.
  else Object.defineProperty(target, key, { value: copy(value), enumerable: true, configurable: true, writable: true });
  return true;
}

type Named = { readonly of: string; readonly id: string; readonly in?: string };

function take(draft: Open, named: Named): unknown {
  const found = find(draft, named);
  return found?.list.splice(found.position, 1)[0];
}

function find(draft: Open, { of, id, in: within }: Named) {
  const places =
    of === "block"
      ? listIn(draft, "groups").map((group) => listIn(group, "blocks"))
      : [listOf(draft, { of, ...(within !== undefined && { in: within }) }) ?? []];
  for (const list of places) {
    const position = positionOf(list, id);
    if (position !== undefined) return { list, position, value: list[position] };
  }
  return undefined;
}

/** The list that holds such a thing: of blocks that of a group, of items that of a block. */
function listOf(draft: Open, { of, in: within }: { readonly of: string; readonly in?: string }): unknown[] | undefined {
  if (isOfFlow(of)) return listAt(draft, lists[of]);
  if (within === undefined) return undefined;
  return of === "block"
    ? listAt(find(draft, { of: "group", id: within })?.value, "blocks")
    : listAt(find(draft, { of: "block", id: within })?.value, "items");
}

function isOfFlow(of: string): of is Exclude<ListedNoun, "block" | "item"> {
  return Object.hasOwn(lists, of);
}

function positionOf(list: readonly unknown[], id: string): number | undefined {
  const position = list.findIndex((entry) => isJsonObject(entry) && entry["id"] === id);
  return position < 0 ? undefined : position;
}

function listIn(value: unknown, key: string): unknown[] {
  return listAt(value, key) ?? [];
}

function listAt(value: unknown, key: string): unknown[] | undefined {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : undefined;
}

function isOpen(value: unknown): value is Open {
  return isJsonObject(value);
}

/** The copies are written into; what was given is not. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
}
