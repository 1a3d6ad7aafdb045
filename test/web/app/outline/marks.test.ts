import { describe, expect, test } from "bun:test";
import { allRows, rowsTo } from "../../../../src/web/app/outline/marks.ts";
import type { Row } from "../../../../src/web/app/outline/rows.ts";

const row = (kind: Row["kind"], id: string, groupId?: string): Row => ({
  ...{ key: `${kind}:${id}`, kind, id, level: groupId === undefined ? 1 : 2, position: 1, size: 1 },
  ...(groupId !== undefined && { groupId }),
});
const rows = [
  row("event", "start"),
  row("group", "one"),
  row("block", "a", "one"),
  row("block", "b", "one"),
  row("group", "two"),
  row("block", "c", "two"),
] as const;
const [start, one, a, b, two, c] = rows;
const ids = (list: readonly Row[]) => list.map(({ id }) => id).join(" ");

describe("the rows of an extended selection", () => {
  test("an extended selection contains the rows between two rows", () => {
    expect(ids(rowsTo(rows, a, c))).toBe("a b c");
    expect(ids(rowsTo(rows, c, a))).toBe("b c a");
    expect(ids(rowsTo(rows, one, two))).toBe("one two");
  });

  test("extending a selection selects only the new row if the kinds differ", () => {
    expect(ids(rowsTo(rows, a, two))).toBe("two");
    expect(ids(rowsTo(rows, one, b))).toBe("b");
    expect(ids(rowsTo(rows, undefined, b))).toBe("b");
  });
});

describe("the selection of all rows", () => {
  test("selecting all rows first selects the blocks of a group, then all groups", () => {
    expect(ids(allRows(rows, a, 0))).toBe("b a");
    expect(ids(allRows(rows, a, 2))).toBe("two one");
    expect(ids(allRows(rows, c, 0))).toBe("one two");
    expect(ids(allRows(rows, start, 0))).toBe("one two");
  });
});
