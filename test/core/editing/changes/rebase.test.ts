import { describe, expect, test } from "bun:test";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { apply, applyUndoably } from "../../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument, Path, Target } from "../../../../src/core/editing/changes/change.ts";
import { rebase, rebaseRequest } from "../../../../src/core/editing/changes/rebase.ts";
import { contentOf } from "../../../../src/core/editing/text/edit.ts";
import type { TextOp } from "../../../../src/core/editing/text/ops.ts";
import { isJsonObject, type JsonObject } from "../../../../src/core/interpreter/flow.ts";
import { idOf as builderId } from "../../../support/builder-ids.ts";
import { asDraft, createDice, idOf, objects, randomChange, smallDraft } from "../commands.ts";

function clash(theirs: readonly Change[], mine: readonly Change[]) {
  const { draft, inverse } = applyUndoably(smallDraft(), theirs);
  return rebase(asDraft(draft), [{ changes: theirs, inverse }], [mine]);
}

describe("two authors", () => {
  test("two authors' changes of different elements or different paths are both kept", () => {
    const { conflicts, draft } = clash(
      [
        { op: "set", of: "block", id: "b1", path: ["content", "richText", 0, "text"], value: "theirs" },
        { op: "add", of: "block", in: "g3", value: { id: "new", type: "text" } },
      ],
      [
        { op: "set", of: "block", id: "b1", path: ["content", "richText", 1, "text"], value: "mine" },
        { op: "remove", of: "group", id: "g2" },
      ],
    );
    expect(conflicts).toEqual([]);
    const [one, three] = asDraft(draft).groups;
    expect(one?.blocks?.[0]?.content).toEqual({ richText: [{ text: "theirs" }, { text: "mine" }] });
    expect(three?.blocks).toEqual([{ id: "new", type: "text" }]);
  });

  test("two authors conflict if they set one value differently", () => {
    const value = (word: string): Change[] => [{ op: "set", of: "group", id: "g1", path: ["title"], value: word }];
    expect(clash(value("theirs"), value("mine")).conflicts).toEqual([
      { of: "group", id: "g1", path: ["title"], theirs: "theirs", mine: "mine", set: 0 },
    ]);
    expect(clash(value("same"), value("same"))).toMatchObject({ conflicts: [], sets: [{ changes: [], inverse: [] }] });
  });

  test("replacing a block's content conflicts with a change within it", () => {
    const whole: Change[] = [{ op: "set", of: "block", id: "b1", path: ["content"], value: { richText: [] } }];
    const word: Change[] = [
      { op: "set", of: "block", id: "b1", path: ["content", "richText", 0, "text"], value: "mine" },
    ];
    expect(clash(whole, word).conflicts).toEqual([
      { of: "block", id: "b1", path: ["content", "richText", 0, "text"], mine: "mine", set: 0 },
    ]);
    expect(clash(word, whole).conflicts).toMatchObject([{ path: ["content"], mine: { richText: [] } }]);
  });

  test("replacing a text and then typing into it causes only one conflict", () => {
    const label = { of: "block", id: "b1", path: ["options", "label"] } as const;
    const named = (value: string): Change => ({ op: "set", ...label, value });
    const writes: Change = { op: "edit", ...label, text: "plain", ops: [{ keep: 5 }, { put: "!" }] };
    const others: Change[] = [
      { op: "edit", of: "block", id: "b2", path: ["options", "label"], text: "plain", ops: [{ keep: 11 }] },
      { op: "edit", of: "block", id: "b1", path: ["options", "richText"], text: "rich", ops: [{ keep: 12 }] },
    ];
    const { conflicts, sets } = clash([named("Their words")], [named("Hello"), writes, ...others]);
    expect(conflicts).toMatchObject([{ ...label, theirs: "Their words", mine: "Hello" }]);
    expect(sets[0]?.changes).toEqual(others);
  });

  test("an edit conflicts if its block was restored with another text", () => {
    const label = { of: "block", id: "b1", path: ["options", "label"] } as const;
    const block = asDraft(smallDraft()).groups[0]?.blocks?.[0];
    const putBack = (options: unknown): Change[] => [
      { op: "remove", of: "block", id: "b1" },
      { op: "add", of: "block", in: "g1", value: { ...block, id: "b1", options } },
    ];
    const writes: Change = { op: "edit", ...label, text: "plain", ops: [{ keep: 11 }, { put: "!" }] };
    expect(clash(putBack({ label: "Short" }), [writes]).conflicts).toEqual([
      { ...label, theirs: "Short", mine: [{ keep: 11 }, { put: "!" }], set: 0 },
    ]);
    expect(clash(putBack({}), [writes]).conflicts).toMatchObject([{ ...label, set: 0 }]);
    expect(clash(putBack(block?.["options"]), [writes]).conflicts).toEqual([]);
  });

  test("changing an element conflicts with removing the element", () => {
    const removal: Change[] = [{ op: "remove", of: "group", id: "g1" }];
    const word: Change[] = [
      { op: "set", of: "block", id: "b1", path: ["content", "richText", 0, "text"], value: "mine" },
    ];
    expect(clash(removal, word).conflicts).toEqual([
      { of: "block", id: "b1", path: ["content", "richText", 0, "text"], mine: "mine", set: 0 },
    ]);
    const addition: Change[] = [
      { op: "add", of: "block", in: "g1", value: { id: "new", type: "text" } },
      { op: "set", of: "block", id: "new", path: ["type"], value: "image" },
    ];
    expect(clash(removal, addition).conflicts).toEqual([
      { of: "group", id: "g1", path: [], mine: { id: "new", type: "text" }, set: 0 },
    ]);
    for (const theirs of [word, addition, [{ op: "move", of: "block", id: "b3", in: "g1" }]] satisfies Change[][]) {
      expect(clash(theirs, removal).conflicts).toMatchObject([{ of: "group", id: "g1", path: [], set: 0 }]);
    }
  });

  test("two authors' changes of positions, colours and order do not conflict", () => {
    const theirs: Change[] = [
      { op: "remove", of: "block", id: "b2" },
      { op: "move", of: "block", id: "b1", in: "g2" },
      { op: "set", of: "group", id: "g3", path: ["graphCoordinates"], value: { x: 1, y: 1 } },
      { op: "set", of: "editor", path: ["colors", "g1"], value: "blue" },
      { op: "move", of: "variable", id: builderId("v1") },
    ];
    const mine: Change[] = [
      { op: "remove", of: "group", id: "g1" },
      { op: "set", of: "group", id: "g3", path: ["graphCoordinates"], value: { x: 2, y: 2 } },
      { op: "set", of: "editor", path: ["colors", "g1"], value: "green" },
      { op: "move", of: "variable", id: builderId("v2"), before: builderId("v1") },
    ];
    const { conflicts, draft } = clash(theirs, mine);
    expect(conflicts).toEqual([]);
    const now = asDraft(draft);
    expect(now.groups).toMatchObject([
      { id: "g2", blocks: [{ id: "b3" }, { id: "b4" }, { id: "b1" }] },
      { id: "g3", graphCoordinates: { x: 2, y: 2 } },
    ]);
    expect(now.editor).toMatchObject({ colors: { g1: "green" } });
  });

  test("replacing a list conflicts with changing one of its entries", () => {
    const list: Change[] = [{ op: "set", of: "block", id: "b4", path: ["items"], value: [{ id: "i1" }] }];
    const item: Change[] = [{ op: "set", of: "item", in: "b4", id: "i2", path: ["content"], value: "mine" }];
    expect(clash(list, item).conflicts).toMatchObject([{ of: "item", id: "i2", set: 0 }]);
    expect(clash(item, list).conflicts).toMatchObject([{ of: "block", id: "b4", path: ["items"] }]);
    const groups: Change[] = [{ op: "set", of: "bot", path: ["groups"], value: [] }];
    expect(clash(groups, [{ op: "remove", of: "block", id: "b1" }]).conflicts).toEqual([]);
    expect(clash([{ op: "set", of: "block", id: "b1", path: ["type"], value: "x" }], groups).conflicts).toHaveLength(1);
  });

  test("two authors who type into one text simultaneously lose no letters", () => {
    const typed = (text: string): Change[] => [
      { op: "edit", of: "group", id: "g1", path: ["title"], text: "plain", ops: [{ keep: 3 }, { put: text }] },
    ];
    expect(asDraft(clash(typed(" theirs"), typed(" mine")).draft).groups[0]?.title).toBe("One theirs mine");
    const whole: Change[] = [{ op: "set", of: "group", id: "g1", path: ["title"], value: "The One" }];
    expect(asDraft(clash(whole, typed(" mine")).draft).groups[0]?.title).toBe("The One mine");
    expect(clash(typed(" theirs"), whole).conflicts).toMatchObject([{ theirs: "One theirs", mine: "The One" }]);
    const options: Change[] = [{ op: "set", of: "block", id: "b1", path: ["options"], value: { label: 7 } }];
    const label: Change[] = [
      {
        op: "edit",
        of: "block",
        id: "b1",
        path: ["options", "label"],
        text: "plain",
        ops: [{ keep: 11 }, { put: "!" }],
      },
    ];
    expect(clash(options, label).conflicts).toMatchObject([{ path: ["options", "label"], theirs: 7, set: 0 }]);
    const removal: Change[] = [{ op: "remove", of: "group", id: "g1" }];
    expect(clash(removal, label).conflicts).toMatchObject([{ of: "block", id: "b1", set: 0 }]);
    expect(clash(label, removal).conflicts).toMatchObject([{ of: "group", id: "g1", set: 0 }]);
  });

  test("a repeated request applies only its sets of changes that are not yet stored", () => {
    const edit = (...ops: readonly TextOp[]): Change[] => [
      { op: "edit", of: "group", id: "g1", path: ["title"], text: "plain", ops },
    ];
    const theirs = { id: "theirs", changes: edit({ keep: 3 }, { put: "!" }), inverse: edit({ keep: 3 }, { drop: 1 }) };
    const written = { id: "one", changes: edit({ put: "A " }, { keep: 4 }), inverse: edit({ drop: 2 }, { keep: 4 }) };
    const request = [
      { id: "one", title: "Type", changes: edit({ put: "A " }, { keep: 3 }) },
      { id: "two", title: "Type", changes: edit({ keep: 5 }, { put: "?" }) },
    ];
    const now = asDraft(apply(smallDraft(), [...theirs.changes, ...written.changes]));
    const { draft, open, others } = rebaseRequest(now, [theirs, written], request);
    expect(asDraft(draft).groups[0]?.title).toBe("A One!?");
    expect([open.map(({ id }) => id), others.map(({ id }) => id)]).toEqual([["two"], ["theirs"]]);
  });

  test("letters typed after two authors set a text to the same value are not lost", () => {
    const title = { of: "group", id: "g1", path: ["title"] } as const;
    const named = (value: string): Change => ({ op: "set", ...title, value });
    const write = (...ops: readonly TextOp[]): Change => ({ op: "edit", ...title, text: "plain", ops });
    const theirs = [named("Good"), write({ keep: 4 }, { put: " day" })];
    const both = [named("Good day"), write({ keep: 8 }, { put: "!" })];
    expect(asDraft(clash(theirs, both).draft).groups[0]?.title).toBe("Good day!");
    const options = (value: object): Change => ({ op: "set", of: "block", id: "b1", path: ["options"], value });
    const label = (...ops: readonly TextOp[]): Change => {
      return { op: "edit", of: "block", id: "b1", path: ["options", "label"], text: "plain", ops };
    };
    const labelled = clash(
      [label({ keep: 11 }, { put: "s" })],
      [
        options({ label: "Hello worlds", richText: [{ type: "p", children: [{ text: "Hello world" }] }] }),
        label({ keep: 12 }, { put: "!" }),
      ],
    );
    expect(labelled.conflicts).toEqual([]);
    expect(asDraft(labelled.draft).groups[0]?.blocks?.[0]).toMatchObject({ options: { label: "Hello worlds!" } });

    const { draft, inverse } = applyUndoably(smallDraft(), theirs);
    const log = [{ id: "theirs", changes: theirs, inverse }];
    const [first = [], second = []] = both.map((change) => [change]);
    const request = [
      { id: "one", title: "Name", changes: first },
      { id: "two", title: "Type", changes: second },
    ];
    expect(asDraft(rebaseRequest(asDraft(draft), log, request).draft).groups[0]?.title).toBe("Good day!");
    const dropped = [...log, { id: "one", changes: [], inverse: [] }];
    expect(asDraft(rebaseRequest(asDraft(draft), dropped, request).draft).groups[0]?.title).toBe("Good day!");
  });

  test("two authors who remove the same edge get no conflict", () => {
    const removal: Change[] = [{ op: "remove", of: "edge", id: "e1" }];
    expect(clash(removal, removal)).toMatchObject({ conflicts: [], sets: [{ changes: [], inverse: [] }] });
  });
});

test("random changes conflict as in the reference implementation", () => {
  const counts = { clashes: 0, merges: 0 };
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = createDice(seed);
      for (let round = 0; round < 20; round++) {
        let count = 0;
        const base = smallDraft();
        const theirs = randomChange(base, dice, () => `theirs${count++}`);
        const mine = randomChange(base, dice, () => `mine${count++}`);
        if (!theirs || !mine) continue;
        const { draft, inverse } = applyUndoably(base, [theirs]);
        const rebased = rebase(asDraft(draft), [{ changes: [theirs], inverse }], [[mine]]);
        const isClash = mustClash(base, { theirs, mine });
        expect([theirs, mine, rebased.conflicts.length > 0]).toEqual([theirs, mine, isClash]);
        counts[isClash ? "clashes" : "merges"]++;
        const [set] = rebased.sets;
        if (isClash || !set) continue;
        expect(canonicalize(rebased.draft)).toBe(canonicalize(apply(asDraft(draft), set.changes)) ?? "");
        expect(canonicalize(apply(asDraft(rebased.draft), set.inverse))).toBe(canonicalize(draft) ?? "");
      }
    }),
    { numRuns: 300 },
  );
  expect(counts.clashes).toBeGreaterThan(30);
  expect(counts.merges).toBeGreaterThan(1_000);
});

// A slow reference implementation that compares single changes. A part counts as removed if the draft no longer
// contains it.

function mustClash(base: DraftDocument, { theirs, mine }: { theirs: Change; mine: Change }): boolean {
  const between = asDraft(apply(base, [theirs]));
  const [first, second] = [thingsOf(base), thingsOf(between)];
  const gone = [...first.keys()].filter((key) => !second.has(key));
  const needed = [...(mine.op === "add" ? [] : [nameOf(mine)]), ...containerOf(mine)];
  if (mine.op !== "remove" && needed.some((name) => gone.includes(name))) return true;
  if (mine.op === "remove") {
    if (!second.has(nameOf(mine))) return false;
    const third = thingsOf(asDraft(apply(between, [mine])));
    return touched(theirs, first).some((name) => second.has(name) && !third.has(name));
  }
  if (!writes(mine) || !writes(theirs) || nameOf(mine) !== nameOf(theirs)) return false;
  if (isPlace(mine) || isPlace(theirs)) return false;
  const length = Math.min(mine.path.length, theirs.path.length);
  if (mine.path.slice(0, length).join() !== theirs.path.slice(0, length).join()) return false;
  const now = at(second.get(nameOf(mine)), mine.path);
  if (mine.op === "set") return canonicalize(now) !== canonicalize(mine.value);
  // Text changes always merge with another author's text changes, regardless of the client.
  const isOneText = mine.path.join() === theirs.path.join() && contentOf(now, mine.text) !== undefined;
  return !isOneText;
}

function writes(change: Change): change is Extract<Change, { op: "set" | "edit" }> {
  return change.op === "set" || change.op === "edit";
}

/**
 * Returns the names of the parts that a change affects: the part whose value it sets, the part that it creates, and the
 * position of a new part.
 */
function touched(change: Change, before: ReadonlyMap<string, JsonObject>): string[] {
  switch (change.op) {
    case "edit":
    case "set":
      return isPlace(change) ? [] : [nameOf(change)];
    case "add":
      return [nameOf(change), ...containerOf(change)];
    case "move": {
      const home = [...before].find(
        ([name, group]) =>
          name.startsWith("group ") && objects(group["blocks"]).some((block) => idOf(block) === change.id),
      );
      return change.of === "block" && home?.[0] !== `group ${change.in}` ? containerOf(change) : [];
    }
    default:
      return [];
  }
}

function isPlace({ of, path }: Extract<Change, { op: "set" | "edit" }>): boolean {
  return path[0] === "graphCoordinates" || (of === "editor" && path[0] === "colors");
}

function nameOf(change: Change): string {
  const id = change.op === "add" ? idOf(change.value) : change.id;
  return `${change.of} ${change.of === "item" ? `${change.in} ` : ""}${id ?? ""}`;
}

function containerOf({ of, op, in: within }: Change): string[] {
  if (of === "item") return [`block ${within}`];
  return of === "block" && (op === "add" || op === "move") ? [`group ${within}`] : [];
}

function thingsOf(draft: DraftDocument): Map<string, JsonObject> {
  const things = new Map<string, JsonObject>();
  const add = (of: Target["of"], list: unknown, within = "") => {
    for (const entry of objects(list)) things.set(`${of} ${within}${idOf(entry)}`, entry);
  };
  add("group", draft.groups);
  for (const group of objects(draft.groups)) add("block", group["blocks"]);
  for (const group of objects(draft.groups)) {
    for (const block of objects(group["blocks"])) add("item", block["items"], `${idOf(block)} `);
  }
  add("variable", draft.variables);
  add("note", draft.editor?.["notes"]);
  for (const section of ["theme", "settings", "editor"] as const) things.set(`${section} `, { ...draft[section] });
  return things;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, step) => {
    if (Array.isArray(found) && typeof step === "number") return found[step];
    return isJsonObject(found) && typeof step === "string" ? found[step] : undefined;
  }, value);
}
