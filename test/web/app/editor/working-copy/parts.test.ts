import { expect, test } from "bun:test";
import type { Change } from "../../../../../src/core/editing/changes/change.ts";
import { fitting, inParts } from "../../../../../src/web/app/editor/working-copy/parts.ts";

const rename: Change = { op: "set", of: "group", id: "g1", path: ["title"], value: "Other" };
const setOf = (id: string, bytes: number) => ({ id, title: "", changes: [{ ...rename, value: "x".repeat(bytes) }] });

test("an undo step of up to a thousand changes is sent as one set", () => {
  const lengths = (count: number) => inParts(new Array<Change>(count).fill(rename)).map((part) => part.length);

  expect([lengths(1_000), lengths(1_001)]).toEqual([[1_000], [1_000, 1]]);
});

test("a request contains as many sets as fit into a million bytes", () => {
  const idsOf = (...sizes: readonly number[]) =>
    fitting(sizes.map((bytes, index) => setOf(`${index}`, bytes))).map(({ id }) => id);

  expect(idsOf(400_000, 400_000, 400_000)).toEqual(["0", "1"]);
  expect(idsOf(1_200_000, 10)).toEqual(["0"]);
});
