import { describe, expect, test } from "bun:test";
import { apply, applyUndoably } from "../../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument, Target } from "../../../../src/core/editing/changes/change.ts";
import { type Parts, removeParts } from "../../../../src/core/editing/references/outlets.ts";
import { removalOf, restoreRemoved } from "../../../../src/web/app/editor/commands/bring-back.ts";
import { isRefused } from "../../../../src/web/app/editor/commands/command.ts";
import { asDraft, type Others } from "../../../../src/web/app/editor/working-copy/replica.ts";

const draft = asDraft({
  ...{ variables: [], theme: {}, settings: {}, edges: [] },
  events: [{ id: "start", type: "start" }],
  groups: [
    { id: "one", title: "One", blocks: [{ id: "tea", type: "text" }] },
    { id: "two", title: "Two", blocks: [] },
  ],
});
const grace = { userId: "grace", name: "Grace" };
const at = "2026-01-01T00:00:00.000Z";

/** Returns a removal by Grace as the editor receives it, and the draft without the removed part. */
function removed(...changes: readonly Change[]) {
  const { draft: left, inverse } = applyUndoably(draft, changes);
  return { left: asDraft(left), removals: [{ changes, inverse, by: grace, at }] };
}

test("a removed block returns to its position", () => {
  const { left, removals } = removed({ op: "remove", of: "block", id: "tea" });
  const removal = removalOf(removals, { of: "block", id: "tea" });
  expect(removal?.by).toEqual(grace);
  const made = restoreRemoved.make(left, { restore: removal?.restore ?? [] }, { newId: () => "new" });
  expect(isRefused(made) ? undefined : applyUndoably(left, made.changes).draft).toEqual(draft);
  expect(removalOf(removals, { of: "block", id: "coffee" })).toBeUndefined();
});

test("a block of a removed group returns with its group, and only once", () => {
  const { left, removals } = removed({ op: "remove", of: "group", id: "one" });
  const restore = removalOf(removals, { of: "block", id: "tea" })?.restore ?? [];
  const made = restoreRemoved.make(left, { restore }, { newId: () => "new" });
  expect(isRefused(made) ? undefined : asDraft(applyUndoably(left, made.changes).draft).groups).toEqual(draft.groups);
  expect(restoreRemoved.make(draft, { restore }, { newId: () => "new" })).toEqual({ refused: "gone" });
});

describe("the edges to removed elements", () => {
  const led = asDraft({
    ...draft,
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    edges: [
      { id: "first", from: { eventId: "start" }, to: { groupId: "one" } },
      { id: "second", from: { blockId: "tea" }, to: { groupId: "two" } },
    ],
    groups: [
      { id: "one", title: "One", blocks: [{ id: "tea", type: "text", outgoingEdgeId: "second" }] },
      { id: "two", title: "Two", blocks: [{ id: "milk", type: "text" }] },
    ],
  });
  const removal = (parts: Parts) => {
    const changes = removeParts(led, parts);
    const { draft: left, inverse } = applyUndoably(led, changes);
    return { left: asDraft(left), removals: [{ changes, inverse, by: grace, at }] };
  };
  const bring = (left: DraftDocument, removals: readonly Others[], target: Target) => {
    const restore = removalOf(removals, target)?.restore ?? [];
    const made = restoreRemoved.make(left, { restore }, { newId: () => "new" });
    return isRefused(made) ? undefined : asDraft(applyUndoably(left, made.changes).draft);
  };

  test.each([
    [{ groupIds: ["one"] }, { of: "group", id: "one" }],
    [{ groupIds: ["two"] }, { of: "group", id: "two" }],
    [{ groupIds: ["one", "two"] }, { of: "block", id: "tea" }],
  ] as const)(
    "the edges of removed groups return with their group or block after the removal of %j",
    (parts, target) => {
      const { left, removals } = removal(parts);
      const back = bring(left, removals, target);
      expect(back?.events).toEqual(led.events);
      expect(back?.edges).toEqual(led.edges);
    },
  );

  test("the edges to a removed block return with the block", () => {
    const straight = { ...led, edges: [{ ...led.edges[0], to: { groupId: "one", blockId: "tea" } }] };
    const changes = removeParts(asDraft(straight), { blockIds: ["tea"] });
    const { draft: left, inverse } = applyUndoably(asDraft(straight), changes);
    expect(asDraft(left).edges).toEqual([]);
    const back = bring(asDraft(left), [{ changes, inverse, by: grace, at }], { of: "block", id: "tea" });
    expect(back?.edges).toEqual(asDraft(straight).edges);
    expect(back?.events).toEqual(led.events);
  });

  test("edges to a removed group stay removed if their source is removed", () => {
    const { left, removals } = removal({ groupIds: ["two"] });
    const withoutTea = asDraft(apply(left, removeParts(left, { blockIds: ["tea"] })));
    expect(bring(withoutTea, removals, { of: "group", id: "two" })?.edges).toEqual(led.edges.slice(0, 1));
    const third = { id: "third", from: { blockId: "tea" }, to: { groupId: "one" } };
    const elsewhere = asDraft(
      apply(left, [
        { op: "add", of: "edge", value: third },
        { op: "set", of: "block", id: "tea", path: ["outgoingEdgeId"], value: "third" },
      ]),
    );
    const back = bring(elsewhere, removals, { of: "group", id: "two" });
    expect(back?.groups.map(({ id }) => id)).toEqual(["one", "two"]);
    expect(back?.edges).toEqual([...led.edges.slice(0, 1), third]);
    expect(JSON.stringify(back?.groups)).toContain('"outgoingEdgeId":"third"');
  });
});
