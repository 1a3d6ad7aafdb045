import { expect, test } from "bun:test";
import type { Card } from "../../../../src/web/app/canvas/contract.ts";
import { hasOverlaps } from "../../../../src/web/app/canvas-acts/afterwards.tsx";
import { farthest } from "../../../../src/web/app/editor/place-of-thing.ts";

const card = (x: number, y: number, kind: Card["kind"] = "group"): Card => ({
  ...{ id: `${x} ${y}`, kind, title: "", rows: [], ports: [] },
  box: { x, y, width: 272, height: 80 },
});

test("groups overlap if at most half of their positions are distinct", () => {
  expect(hasOverlaps([card(0, 0), card(0, 0)])).toBe(true);
  expect(hasOverlaps([card(0, 0), card(0, 0), card(400, 0), card(400, 0)])).toBe(true);
  expect(hasOverlaps([card(0, 0), card(0, 0), card(400, 0)])).toBe(false);
  expect(hasOverlaps([card(0, 0)])).toBe(false);
  expect(hasOverlaps([card(0, 0, "event"), card(0, 0)])).toBe(false);
  expect(hasOverlaps([card(-farthest, 0)])).toBe(true);
  expect(hasOverlaps([card(0, farthest - 1)])).toBe(false);
});
