import { describe, expect, test } from "bun:test";
import { apply } from "../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument } from "../../../src/core/editing/changes/change.ts";
import type { Present, Step } from "../../../src/web/app/editor/index.ts";
import { betweenTexts, type Known, seenIn, track, unseen } from "../../../src/web/app/presence/text-places.ts";

const path = ["options", "labels", "placeholder"];
const item = (id: string, content: string) => ({ id, content });

function draftOf(placeholder: string): DraftDocument {
  const asks = { id: "asks", type: "text input", options: { labels: { placeholder } } };
  const picks = { id: "picks", type: "choice input", items: [item("one", "First"), item("two", "Second")] };
  const draft = { groups: [{ id: "g", title: "Group", blocks: [asks, picks] }], edges: [], variables: [] };
  return JSON.parse(JSON.stringify(draft));
}

function made(draft: DraftDocument, changes: readonly Change[]): DraftDocument {
  return JSON.parse(JSON.stringify(apply(draft, changes)));
}

const edit = (...ops: Extract<Change, { op: "edit" }>["ops"]): Change => ({
  ...{ op: "edit", of: "block", id: "asks", path },
  ...{ text: "plain", ops },
});

/** Returns a draft as it was opened, and the later changes with their authors. */
function knownOf(draft: DraftDocument, sets: readonly (readonly [string | undefined, readonly Change[]])[]): Known {
  const steps: Step[] = [];
  let base = draft;
  for (const [index, [userId, changes]] of sets.entries()) {
    const after = made(base, changes);
    steps.push({ revision: index + 1, before: base, after, changes, userId });
    base = after;
  }
  return { revision: steps.length, base, steps };
}

const grace = (at: number, { to = at, revision = 0, ...rest }: Partial<Place> = {}): Present => ({
  ...{ id: "tab", userId: "grace", name: "Grace", at: "asks" },
  text: { path, at, to, revision, ...rest },
});
type Place = { readonly to: number; readonly revision: number; readonly path: (string | number)[] };

const before = draftOf("Hello there");
const nowhere = new Map();
const placeOf = (tracked: ReturnType<typeof track>) => {
  const { at, to, place } = tracked.get("tab") ?? {};
  return place && { at, to };
};
const seen = (present: Present, known: Known) => placeOf(track(nowhere, [present], known));

describe("a person's position in a text", () => {
  test("a person's position moves with letters that others insert before it", () => {
    expect(seen(grace(6), knownOf(before, [["lin", [edit({ put: "Oh! " }, { keep: 11 })]]]))).toEqual({
      at: 10,
      to: 10,
    });
    expect(seen(grace(6), knownOf(before, [["lin", [edit({ keep: 6 }, { put: "you " }, { keep: 5 })]]]))).toEqual({
      at: 6,
      to: 6,
    });
    expect(seen(grace(6), knownOf(before, [["lin", [edit({ keep: 11 }, { put: "!" })]]]))).toEqual({ at: 6, to: 6 });
  });

  test("a person's position moves after the letters that the person inserts", () => {
    expect(seen(grace(6), knownOf(before, [["grace", [edit({ keep: 6 }, { put: "you " }, { keep: 5 })]]]))).toEqual({
      at: 10,
      to: 10,
    });
  });

  test("a person's position moves to the position of deleted letters", () => {
    expect(seen(grace(8, { to: 2 }), knownOf(before, [["lin", [edit({ drop: 6 }, { keep: 5 })]]]))).toEqual({
      at: 2,
      to: 0,
    });
  });

  test("a person's position is adjusted if the text is replaced as a whole", () => {
    const set: Change = { op: "set", of: "block", id: "asks", path, value: "Oh! Hello there" };
    expect(seen(grace(6), knownOf(before, [["lin", [set]]]))).toEqual({ at: 10, to: 10 });
    const labels: Change = { ...set, path: path.slice(0, 2), value: { placeholder: "Why, Hello there" } };
    expect(seen(grace(6), knownOf(before, [["lin", [labels]]]))).toEqual({ at: 11, to: 11 });
  });

  test("a person's position moves step by step as sets of changes arrive", () => {
    const sets = [
      ["lin", [edit({ put: "A" }, { keep: 11 })]],
      ["lin", [edit({ put: "B" }, { keep: 12 })]],
      [undefined, [edit({ put: "C" }, { keep: 13 })]],
    ] as const;
    const first = track(nowhere, [grace(6, { revision: 1 })], knownOf(before, sets.slice(0, 1)));
    expect(placeOf(first)).toEqual({ at: 6, to: 6 });
    const later = track(first, [grace(6, { revision: 1 })], knownOf(before, sets));
    expect(placeOf(later)).toEqual({ at: 8, to: 8 });
    expect(placeOf(track(nowhere, [grace(6, { revision: 1 })], knownOf(before, sets)))).toEqual({ at: 8, to: 8 });
  });

  test("a person's position moves only once its revision has arrived", () => {
    const known = knownOf(before, []);
    const first = track(nowhere, [grace(6)], known);
    const early = track(first, [grace(9, { revision: 1 })], known);
    expect(placeOf(early)).toEqual({ at: 6, to: 6 });
    const next = knownOf(before, [["grace", [edit({ keep: 6 }, { put: "you" }, { keep: 5 })]]]);
    expect(placeOf(track(early, [grace(9, { revision: 1 })], next))).toEqual({ at: 9, to: 9 });
  });

  test("a person's position moves with its item, at any position in its list", () => {
    const at = { ...grace(3, { path: ["items", 1, "content"] }), at: "picks" };
    const add: Change = { op: "add", of: "item", in: "picks", before: "one", value: item("zero", "None") };
    const put: Change = {
      op: "edit",
      of: "item",
      id: "two",
      in: "picks",
      path: ["content"],
      text: "plain",
      ops: [{ put: "A " }, { keep: 6 }],
    };
    expect(
      seen(
        at,
        knownOf(before, [
          ["lin", [add]],
          ["lin", [put]],
        ]),
      ),
    ).toEqual({ at: 5, to: 5 });
  });
});

describe("a person without a position in a text", () => {
  test("a position is lost when its text is removed, even if it is restored later", () => {
    const blocks = before.groups[0]?.blocks ?? [];
    const remove: Change = { op: "remove", of: "block", id: "asks" };
    const gone = track(nowhere, [grace(6)], knownOf(before, [["lin", [remove]]]));
    expect(placeOf(gone)).toBeUndefined();
    const add: Change = { op: "add", of: "block", in: "g", value: { ...blocks[0] } };
    const back = knownOf(before, [
      ["lin", [remove]],
      ["lin", [add]],
    ]);
    expect(placeOf(track(gone, [grace(6)], back))).toBeUndefined();
    expect(placeOf(track(gone, [grace(6, { revision: 2 })], back))).toEqual({ at: 6, to: 6 });
  });

  test("a person has no position after leaving, or with an unknown revision", () => {
    const known = knownOf(before, []);
    const { text: _, ...left } = grace(6);
    expect(track(track(nowhere, [grace(6)], known), [left], known).size).toBe(0);
    expect(seen(grace(6), { ...known, revision: 99 })).toBeUndefined();
  });
});

describe("an unsaved edit", () => {
  const pending = (changes: readonly Change[]) => ({ before, changes, after: made(before, changes) });

  test("an unsaved edit moves the positions of other people", () => {
    const there = track(nowhere, [grace(6)], knownOf(before, [])).get("tab");
    if (!there) throw new Error("She is nowhere");
    expect(seenIn(there, pending([edit({ put: "Oh! " }, { keep: 11 })]))).toEqual({ at: 10, to: 10 });
    expect(seenIn(there, pending([{ op: "remove", of: "block", id: "asks" }]))).toBeUndefined();
  });

  test("a position sent to others does not count unsaved edits", () => {
    const place = { target: { of: "block", id: "asks" }, path } as const;
    const typed = pending([edit({ keep: 6 }, { put: "you " }, { keep: 5 }), edit({ drop: 2 }, { keep: 13 })]);
    expect(unseen({ at: 0, to: 8 }, place, typed)).toEqual({ at: 0, to: 6 });
    expect(unseen({ at: 13, to: 4 }, place, typed)).toEqual({ at: 11, to: 6 });
  });

  test("a position in the unsaved text of a field is mapped to the stored text", () => {
    expect(betweenTexts({ at: 9, to: 9 }, "Oh! Hello", "Hello", path)).toEqual({ at: 5, to: 5 });
    expect(betweenTexts({ at: 2, to: 3 }, 5, "Hello", path)).toBeUndefined();
  });
});
