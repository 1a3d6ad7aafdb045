import { expect, test } from "bun:test";
import { applyUndoably } from "../../../../src/core/editing/changes/apply.ts";
import type { Change } from "../../../../src/core/editing/changes/change.ts";
import { removalOf, restoreRemoved } from "../../../../src/web/app/editor/commands/bring-back.ts";
import { isRefused } from "../../../../src/web/app/editor/commands/command.ts";
import { asDraft } from "../../../../src/web/app/editor/working-copy/replica.ts";

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

/** A removal by Grace as it comes here, and the draft without it. */
function removed(...changes: readonly Change[]) {
  const { draft: left, inverse } = applyUndoably(draft, changes);
  return { left: asDraft(left), removals: [{ changes, inverse, by: grace, at }] };
}

test("a removed block is named with who removed it, and comes back where it was", () => {
  const { left, removals } = removed({ op: "remove", of: "block", id: "tea" });
  const removal = removalOf(removals, { of: "block", id: "tea" });
  expect(removal?.by).toEqual(grace);
  const made = restoreRemoved.make(left, { restore: removal?.restore ?? [] }, { newId: () => "new" });
  expect(isRefused(made) ? undefined : applyUndoably(left, made.changes).draft).toEqual(draft);
  expect(removalOf(removals, { of: "block", id: "coffee" })).toBeUndefined();
});

test("a block of a removed group comes back with its group, and once only", () => {
  const { left, removals } = removed({ op: "remove", of: "group", id: "one" });
  const restore = removalOf(removals, { of: "block", id: "tea" })?.restore ?? [];
  const made = restoreRemoved.make(left, { restore }, { newId: () => "new" });
  expect(isRefused(made) ? undefined : asDraft(applyUndoably(left, made.changes).draft).groups).toEqual(draft.groups);
  expect(restoreRemoved.make(draft, { restore }, { newId: () => "new" })).toEqual({ refused: "gone" });
});
