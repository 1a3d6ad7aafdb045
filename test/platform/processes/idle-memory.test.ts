import { expect, test } from "bun:test";
import {
  everyMs,
  heldBytes,
  idleLooks,
  idleMs,
  startGivingBack,
  workMs,
} from "../../../src/platform/processes/idle-memory.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

/**
 * Simulates a process with `resident` bytes of memory, and counts how often it releases memory after intervals of work.
 */
function world({ resident = heldBytes }: { resident?: number } = {}) {
  const clock = createVirtualClock();
  const state = { usedMs: 0, given: 0, resident };
  startGivingBack({
    clock,
    processorMs: () => state.usedMs,
    residentBytes: () => state.resident,
    giveBack: () => void state.given++,
  });
  return {
    state,
    async after(...intervals: number[]): Promise<number> {
      for (const ms of intervals) {
        state.usedMs += ms;
        await clock.advance(everyMs);
      }
      return state.given;
    },
  };
}

const idle = (looks: number): number[] => Array<number>(looks).fill(idleMs - 1);

test("an idle process releases memory only once per idle period", async () => {
  const { after } = world();
  expect(await after(workMs, ...idle(idleLooks - 1))).toBe(0);
  expect(await after(...idle(1))).toBe(1);
  expect(await after(...idle(idleLooks))).toBe(1);
  expect(await after(workMs, ...idle(idleLooks))).toBe(2);
});

test("work during the idle time delays the release of memory", async () => {
  const { after } = world();
  expect(await after(...idle(idleLooks - 1), idleMs, ...idle(idleLooks - 1))).toBe(0);
  expect(await after(...idle(1))).toBe(1);
});

test("a process that uses little memory releases no memory until it uses more", async () => {
  const { after, state } = world({ resident: heldBytes - 1 });
  expect(await after(...idle(2 * idleLooks))).toBe(0);
  state.resident = heldBytes;
  expect(await after(...idle(1))).toBe(1);
});
