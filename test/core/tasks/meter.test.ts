import { expect, test } from "bun:test";
import { StepTooLong } from "../../../src/core/interpreter/step-errors.ts";
import { createMeter } from "../../../src/core/tasks/meter.ts";

const quota = { blocks: 2, scriptTicks: 2, characters: 2, markdownCharacters: 2 };

test("a step stops when it exceeds a quota", () => {
  for (const what of ["blocks", "scriptTicks", "characters"] as const) {
    const meter = createMeter(quota);
    meter.spend(what, 1);
    meter.spend(what, 1);
    expect(() => meter.spend(what, 1)).toThrow(StepTooLong);
  }
  const meter = createMeter(quota);
  for (let value = 0; value < 3; value++) meter.spend("markdownCharacters", 2);
  meter.spend("comparisons", 1_000_000);
  expect(meter.scriptTicksLeft()).toBe(2);
  expect(() => meter.spend("markdownCharacters", 3)).toThrow(StepTooLong);
});

test("spending any quota except characters checks the clock", () => {
  let asked = 0;
  const meter = createMeter(quota, () => ++asked > 3);
  meter.spend("characters", 1);
  expect(asked).toBe(0);
  for (const what of ["blocks", "comparisons", "markdownCharacters"] as const) meter.spend(what, 1);
  expect(asked).toBe(3);

  meter.spend("characters", 1);
  expect(() => meter.spend("scriptTicks", 1)).toThrow(StepTooLong);
});
