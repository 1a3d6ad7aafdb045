import { expect, test } from "bun:test";
import { neighbour } from "../../../../src/web/app/outline/actions.ts";
import type { Row } from "../../../../src/web/app/outline/rows.ts";

const group = (id: string): Row => ({ key: `group:${id}`, kind: "group", id, level: 1, position: 1, size: 2 });
const block = (id: string, groupId: string): Row => ({
  ...{ key: `block:${id}`, kind: "block", id, groupId, level: 2, position: 1, size: 2 },
});
const item = (id: string, blockId: string, groupId: string): Row => ({
  ...{ key: `item:${blockId}:${id}`, kind: "item", id, blockId, groupId, level: 3, position: 1, size: 2 },
});
const rows = [group("g1"), block("a", "g1"), block("b", "g1"), item("i", "b", "g1"), group("g2"), block("c", "g2")];

test("deleting rows focuses the next row, or otherwise the previous row", () => {
  const after = (...keys: readonly string[]) => {
    const thing = neighbour(
      rows,
      rows.filter(({ key }) => keys.includes(key)),
    );
    return thing && `${thing.kind} ${thing.id}`;
  };

  expect(after("block:a")).toBe("block b");
  // A block is removed with its items, and a group with all its contents.
  expect(after("block:b")).toBe("group g2");
  expect(after("group:g1")).toBe("group g2");
  expect(after("block:c")).toBe("group g2");
  expect(after("group:g2")).toBe("item i");
  expect(after("block:b", "group:g2")).toBe("block a");
  expect(after("group:g1", "group:g2")).toBeUndefined();
});
