import { expect, test } from "bun:test";
import { dropBlocks } from "../../../../src/web/app/canvas-acts/gestures/drop.ts";

const rowsOf = (...blockIds: readonly string[]) => blockIds.map((blockId) => ({ kind: "block", blockId }));
const cards = [
  { id: "g1", box: { x: 0, y: 0, width: 272, height: 200 }, rows: rowsOf("a", "b", "c") },
  { id: "g2", box: { x: 400, y: 0, width: 272, height: 200 }, rows: rowsOf("d") },
];

/** Returns the moves when blocks are dropped in a group: before the block `before`, or after the last block. */
function letGo(blockIds: readonly string[], groupId: string, before?: string): unknown[] {
  const moves: unknown[] = [];
  const acts = { moveBlocks: (...args: unknown[]) => void moves.push(args) };
  const rowOf = (id: string) => ({ card: cards.find(({ rows }) => rows.some(({ blockId }) => blockId === id)) });
  const view = { scene: { value: { rowOf } } };
  const drop = { kind: "group", groupId, ...(before !== undefined && { before }), line: { x: 0, y: 0 } } as const;
  dropBlocks(Object.assign(Object.create(null), acts), Object.assign(Object.create(null), view), blockIds, drop);
  return moves;
}

test("a block that is dropped at its own position does not move", () => {
  expect([letGo(["a"], "g1", "a"), letGo(["a"], "g1", "b"), letGo(["c"], "g1")]).toEqual([[], [], []]);
  expect([letGo(["a", "b"], "g1", "c"), letGo(["b", "c"], "g1", "c"), letGo(["d"], "g2")]).toEqual([[], [], []]);
});

test("a dropped block moves to another position or group", () => {
  expect(letGo(["a"], "g1", "c")).toEqual([[["a"], "g1", "c"]]);
  expect(letGo(["a"], "g1")).toEqual([[["a"], "g1", undefined]]);
  expect(letGo(["a"], "g2", "d")).toEqual([[["a"], "g2", "d"]]);
  expect(letGo(["a", "c"], "g1", "b")).toEqual([[["a", "c"], "g1", "b"]]);
  expect(letGo(["c", "d"], "g1")).toEqual([[["c", "d"], "g1", undefined]]);
});
