import { expect, test } from "bun:test";
import { spendBlock } from "../../../../src/core/interpreter/step/budget.ts";
import { StepRefused } from "../../../../src/core/interpreter/step-errors.ts";

/** Returns the report of a step that has run the blocks of `trail` and may run no further block. */
function refusedAfter(trail: readonly string[], blockId: string): unknown {
  const record = { blocksLeft: 0, effectsLeft: 0, ticksLeft: 0, charactersLeft: 0 };
  try {
    spendBlock({ context: {}, record, frames: [], trail: [...trail] }, { id: blockId, type: "text" });
  } catch (error) {
    if (error instanceof StepRefused) return error.data;
    throw error;
  }
  return undefined;
}

test("a step that exceeds its budget reports the blocks of its loop", () => {
  expect(refusedAfter(["a", "b", "c", "b", "c", "d"], "c")).toEqual({ limit: "blocks", blockIds: ["c", "d"] });
});

test("a step that exceeds its budget without a loop reports its last 50 blocks", () => {
  const trail = Array.from({ length: 60 }, (_, index) => `block ${index}`);

  expect(refusedAfter(trail.slice(0, -1), "block 59")).toEqual({ limit: "blocks", blockIds: trail.slice(10) });
});
