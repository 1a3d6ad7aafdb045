import { expect, test } from "bun:test";
import { keyOf, rowsOf, thingOf } from "../../../../src/web/app/outline/rows.ts";

const asking = {
  ...{ id: "b", type: "choice input", items: [{ id: "i" }] },
  options: { timeout: { after: 60 }, failure: { outgoingEdgeId: "e" } },
};
const draft = { groups: [{ id: "g", title: "G", blocks: [asking] }], edges: [], variables: [], events: [] };

test("a failure and a time-out are rows below the items of their block", () => {
  const rows = rowsOf(draft, { beginnings: [], unreachable: ["g"] }, { closed: new Set(), beside: [] });

  expect(rows.map(({ key, position, size }) => [key, position, size])).toEqual([
    ["group:g", 1, 1],
    ["block:b", 1, 1],
    ["item:b:i", 1, 3],
    ["way:b:failure", 2, 3],
    ["way:b:timeout", 3, 3],
  ]);
  expect(rows.map((row) => keyOf(thingOf(row)))).toEqual(rows.map(({ key }) => key));
  // A line that exists only on cards belongs to its block in the outline.
  expect(keyOf({ kind: "block", id: "b", part: "otherwise" })).toBe("block:b");
});

test("a collapsed block hides its items and the rows of its failure and time-out", () => {
  const rows = rowsOf(draft, { beginnings: [], unreachable: ["g"] }, { closed: new Set(["block:b"]), beside: [] });

  expect(rows.map(({ key, isOpen }) => [key, isOpen])).toEqual([
    ["group:g", true],
    ["block:b", false],
  ]);
});
