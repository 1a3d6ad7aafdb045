import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { FlowDocument } from "../../../src/core/interpreter/flow.ts";

const folder = join(import.meta.dir, "../../flows");

/** The flows of `test/flows`, as JSON text. */
const realFlows = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

/** Generates a real flow, and the same flow after edits as authors make them, with occasional invalid edits. */
export function editedFlows(): fc.Arbitrary<{ before: FlowDocument; after: FlowDocument }> {
  return fc
    .record({ text: fc.constantFrom(...realFlows), edits: fc.array(edit, { minLength: 1, maxLength: 12 }) })
    .map(({ text, edits }) => {
      const after = JSON.parse(text);
      for (const make of edits) make(after);
      return { before: JSON.parse(text), after };
    });
}

type Entries = { id?: unknown; [key: string]: unknown }[];
type Edit = (flow: { [key: string]: unknown }) => void;

const place = fc.nat({ max: 1_000 });
const listNames = ["groups", "edges", "variables", "events"] as const;
const value = fc.oneof(
  fc.constantFrom<unknown[]>(null, "", "Hello {{Name}}", 7, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Adds, removes, copies and moves entries in the lists of the flow, of groups and of blocks. */
const inLists: fc.Arbitrary<Edit> = fc
  .record({ which: place, from: place, to: place, how: fc.constantFrom("remove", "copy", "add", "move", "elsewhere") })
  .map(({ which, from, to, how }) => (flow) => {
    const lists = listsOf(flow);
    const list = at(lists, which);
    const entry = list && at(list, from);
    if (!list || !entry) return;
    const position = list.indexOf(entry);
    if (how !== "copy" && how !== "add") list.splice(position, 1);
    const siblings = how === "elsewhere" ? lists.filter((other) => other.kind === list.kind) : [list];
    if (how === "copy") list.splice(to % (list.length + 1), 0, { ...JSON.parse(JSON.stringify(entry)), id: `n${to}` });
    if (how === "add") list.splice(to % (list.length + 1), 0, { id: `m${to}`, type: "text", name: "New", blocks: [] });
    if (how === "move" || how === "elsewhere") {
      const target = at(siblings, to) ?? list;
      target.splice(to % (target.length + 1), 0, entry);
    }
  });

/** Replaces or removes a value in an entry of the flow. */
const inValues: fc.Arbitrary<Edit> = fc
  .record({ steps: fc.array(place, { minLength: 1, maxLength: 9 }), value: fc.option(value, { nil: undefined }) })
  .map(({ steps, value }) => (flow) => {
    let holder: unknown = flow;
    for (const [depth, step] of steps.entries()) {
      const keys = Object.keys(Object(holder));
      const key = keys[step % Math.max(1, keys.length)];
      if (key === undefined || typeof holder !== "object" || holder === null) return;
      const inner: unknown = Reflect.get(holder, key);
      // Lists and sections of the flow keep their type, and most ids remain.
      const mayChange = depth > 1 && (key !== "id" || step % 10 === 0);
      if (mayChange && (depth === steps.length - 1 || typeof inner !== "object")) {
        if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
        else Reflect.set(holder, key, value ?? null);
        return;
      }
      holder = inner;
    }
  });

/** Edits that only a program would make: duplicate ids, values that are not lists, or a name with another meaning. */
const odd: fc.Arbitrary<Edit> = fc.record({ which: place, how: fc.nat({ max: 5 }) }).map(({ which, how }) => (flow) => {
  const group = at(objectsOf(flow["groups"]), which);
  const block = group && at(objectsOf(group["blocks"]), which);
  if (how === 0 && group) group["blocks"] = null;
  if (how === 1 && group) delete group["blocks"];
  if (how === 2 && block) block["items"] = [{ id: "twice" }, { id: "twice", content: which }];
  if (how === 3) flow["events"] = which % 2 === 0 ? null : [];
  if (how === 4) flow["version"] = which % 2 === 0 ? "6.1" : "6";
  if (how === 5) flow["theme"] = JSON.parse(`{"__proto__": {"${which}": [1]}, "constructor": ${which}}`);
});

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: inLists },
  { weight: 5, arbitrary: inValues },
  { weight: 1, arbitrary: odd },
);

type NamedList = Entries & { kind?: string };

function listsOf(flow: { [key: string]: unknown }): NamedList[] {
  const blocks = objectsOf(flow["groups"]).map((group) => entriesOf(group["blocks"]));
  return [
    ...listNames.map((name) => kindOf(entriesOf(flow[name]), name)),
    ...blocks.map((list) => kindOf(list, "blocks")),
    ...blocks.flatMap(objectsOf).map((block) => kindOf(entriesOf(block["items"]), "items")),
  ].filter((list) => list.length > 0);
}

/** Stores a list's kind in a property that is not enumerable, so that JSON omits it. */
function kindOf(list: Entries, kind: string): NamedList {
  return Object.defineProperty<NamedList>(list, "kind", { value: kind, enumerable: false, configurable: true });
}

function entriesOf(list: unknown): Entries {
  return Array.isArray(list) ? list : [];
}

/** Returns the objects of a list. An edit may have replaced other entries with any value. */
function objectsOf(list: unknown): Entries {
  return entriesOf(list).filter((entry: unknown) => typeof entry === "object" && entry !== null);
}

function at<Entry>(list: readonly Entry[], place: number): Entry | undefined {
  return list[place % Math.max(1, list.length)];
}
