import { describe, expect, test } from "bun:test";
import { effect } from "@preact/signals";
import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import type { FlowThing } from "../../../../src/web/app/editor/commands/command.ts";
import {
  afterAct,
  type Beside,
  createSelected,
  remaining,
  type Selection,
  type SelectionAct,
  thingsOf,
} from "../../../../src/web/app/editor/selection.ts";
import { createStore } from "../../../../src/web/app/editor/store.ts";

const group = (id: string): FlowThing => ({ kind: "group", id });
const block = (id: string): FlowThing => ({ kind: "block", id });
const item = (id: string, blockId: string): FlowThing => ({ kind: "item", id, blockId });
const note = (id: string): Beside => ({ kind: "note", id });

const after = (...acts: readonly SelectionAct[]): Selection => acts.reduce(afterAct, { kind: "nothing" });
const words = (selection: Selection) =>
  selection.kind === "edge"
    ? `edge ${selection.id}`
    : thingsOf(selection)
        .map(({ id }) => id)
        .join(" ");

describe("a selection", () => {
  test("each selection replaces the previous selection", () => {
    expect(after({ kind: "select", thing: group("a") })).toEqual({ kind: "one", thing: group("a") });
    expect(after({ kind: "select", thing: group("a") }, { kind: "select" })).toEqual({ kind: "nothing" });
    expect(words(after({ kind: "select", thing: group("a") }, { kind: "selectEdge", id: "e" }))).toBe("edge e");
    const acts: readonly SelectionAct[] = [
      { kind: "select", thing: note("n") },
      { kind: "selectAll", things: [note("n"), group("a")] },
      { kind: "toggle", thing: group("n") },
      { kind: "extend", thing: block("n") },
      { kind: "focus", thing: group("n") },
    ];
    for (const act of acts) expect(after({ kind: "selectEdge", id: "e" }, act).kind).not.toBe("edge");
  });

  test("selecting everything selects the only element of a flow", () => {
    expect(after({ kind: "selectAll", things: [group("a")] })).toEqual({ kind: "one", thing: group("a") });
    expect(after({ kind: "selectAll", things: [] })).toEqual({ kind: "nothing" });
  });

  test("selecting everything can keep the focus on an element that it includes", () => {
    const first: SelectionAct = { kind: "select", thing: group("b") };
    const things = [group("a"), group("b"), group("c")];
    expect(words(after(first, { kind: "selectAll", things, keepsFocus: true }))).toBe("a c b");
    expect(words(after(first, { kind: "selectAll", things }))).toBe("a b c");
    expect(words(after(first, { kind: "selectAll", things: [group("a")], keepsFocus: true }))).toBe("a");
  });

  test("a selection is extended by an element of its kind, and replaced by another kind", () => {
    const cards = after({ kind: "select", thing: group("a") }, { kind: "toggle", thing: note("n") });
    expect(words(cards)).toBe("a n");
    expect(words(afterAct(cards, { kind: "toggle", thing: group("a") }))).toBe("n");
    expect(words(afterAct(cards, { kind: "toggle", thing: block("x") }))).toBe("x");
    const blocks = after({ kind: "select", thing: block("x") }, { kind: "toggle", thing: block("y") });
    expect(words(blocks)).toBe("x y");
    expect(words(afterAct(blocks, { kind: "toggle", thing: group("a") }))).toBe("a");
    expect(after({ kind: "select", thing: block("x") }, { kind: "toggle", thing: block("x") }).kind).toBe("nothing");
  });

  test("a selection moves from an item to its block if another block is added", () => {
    const both = after({ kind: "select", thing: item("i", "x") }, { kind: "toggle", thing: block("y") });
    expect(thingsOf(both)).toEqual([block("x"), block("y")]);
  });

  test("a selection grows step by step, and shrinks in reverse order", () => {
    const three = after(
      { kind: "select", thing: block("x") },
      { kind: "extend", thing: block("y") },
      { kind: "extend", thing: block("z") },
    );
    expect(words(three)).toBe("x y z");
    const back = afterAct(three, { kind: "extend", thing: block("y") });
    expect(words(back)).toBe("x y");
    expect(words(afterAct(back, { kind: "extend", thing: block("y") }))).toBe("x y");
  });

  test("a selection keeps several elements while the focus moves between them", () => {
    const both: SelectionAct = { kind: "selectAll", things: [group("a"), group("b")] };
    expect(words(after(both, { kind: "focus", thing: group("a") }))).toBe("b a");
    expect(words(after(both, { kind: "focus", thing: group("c") }))).toBe("c");
    const now = after(both);
    expect(afterAct(now, { kind: "focus", thing: group("b") })).toBe(now);
  });

  test("a selection distinguishes items with equal ids in two blocks", () => {
    const both = after({ kind: "selectAll", things: [item("i", "x"), item("i", "y")] });
    expect(thingsOf(afterAct(both, { kind: "focus", thing: item("i", "x") }))).toEqual([
      item("i", "y"),
      item("i", "x"),
    ]);
  });
});

describe("a selection after a removal", () => {
  const left = (now: Selection, ...gone: readonly string[]) => remaining(now, ({ id }) => !gone.includes(id));

  test("a removal deselects an edge, a note or any of several selected blocks", () => {
    expect(left(after({ kind: "selectEdge", id: "e" }), "e").kind).toBe("nothing");
    expect(left(after({ kind: "select", thing: note("n") }), "n").kind).toBe("nothing");
    const several = after({ kind: "selectAll", things: [block("x"), block("y"), block("z")] });
    expect(words(left(several, "z"))).toBe("x y");
    expect(left(several, "y", "z")).toEqual({ kind: "one", thing: block("x") });
    expect(left(several, "x", "y", "z").kind).toBe("nothing");
  });

  test("a single selected element of the flow stays selected after its removal", () => {
    expect(words(left(after({ kind: "select", thing: group("a") }), "a"))).toBe("a");
  });

  test("a selection keeps its identity if all of its elements exist", () => {
    for (const act of [
      { kind: "selectEdge", id: "e" },
      { kind: "selectAll", things: [block("x"), block("y")] },
    ] as const) {
      const now = after(act);
      expect(left(now)).toBe(now);
    }
  });
});

describe("the store of a selection", () => {
  const draftOf = (blockIds: readonly string[], noteIds: readonly string[] = []): DraftDocument => ({
    groups: [{ id: "a", title: "A", blocks: blockIds.map((id) => ({ id, type: "text" })) }],
    events: [],
    edges: [{ id: "e", to: { groupId: "a" } }],
    variables: [],
    editor: { notes: noteIds.map((id) => ({ id })) },
  });
  const open = (blockIds: readonly string[], noteIds?: readonly string[]) => {
    const store = createStore(draftOf(blockIds, noteIds));
    return { store, selected: createSelected(store) };
  };

  test("the store of a selection reports focus, blocks and cards separately", () => {
    const { selected } = open(["x", "y"], ["n"]);
    selected.select(block("x"));
    expect([selected.focus.value?.id, selected.blocks.value, selected.cards.value.size]).toEqual(["x", [], 0]);
    selected.act({ kind: "toggle", thing: block("y") });
    expect([selected.focus.value?.id, selected.blocks.value]).toEqual(["y", ["x", "y"]]);
    selected.act({ kind: "selectAll", things: [group("a"), note("n")] });
    expect([...selected.cards.value]).toEqual(["a"]);
    expect(selected.beside.value).toEqual([note("n")]);
    expect(selected.focus.value?.id).toBe("a");
    expect(selected.edge.value).toBeUndefined();
    selected.act({ kind: "selectEdge", id: "e" });
    expect([selected.edge.value, selected.cards.value.size, selected.beside.value.length]).toEqual(["e", 0, 0]);
  });

  test("the store of a selection drops elements that leave the draft", () => {
    const { store, selected } = open(["x", "y", "z"], ["n"]);
    selected.act({ kind: "selectAll", things: [block("x"), block("y")] });
    store.show(draftOf(["z"], ["n"]));
    expect(selected.now.value.kind).toBe("nothing");
    store.show(draftOf(["x", "y", "z"], ["n"]));
    expect(selected.blocks.value).toEqual(["x", "y"]);
    selected.select(note("n"));
    store.show(draftOf(["x"]));
    expect(selected.beside.value).toEqual([]);
    selected.act({ kind: "selectEdge", id: "e" });
    store.show({ ...draftOf(["x"]), edges: [] });
    expect(selected.edge.value).toBeUndefined();
  });

  test("the store of a selection notifies listeners of repeated selections", () => {
    const { selected } = open(["x"]);
    let times = 0;
    const stop = effect(() => {
      if (selected.focus.value) times++;
    });
    selected.select(block("x"));
    selected.select(block("x"));
    selected.act({ kind: "focus", thing: block("x") });
    stop();
    expect(times).toBe(2);
  });
});
