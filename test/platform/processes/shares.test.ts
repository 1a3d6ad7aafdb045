import { expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../../src/limits/index.ts";
import { planProcesses } from "../../../src/platform/processes/shares.ts";

const gigabyte = 1024 ** 3;
const machine = (cores: number, gigabytes = 4 * cores) => ({
  cores,
  memoryBytes: gigabytes * gigabyte,
  sharesPorts: true,
});

test.each([
  [1, 1],
  [2, 1],
  [4, 2],
  [8, 4],
  [16, 8],
  [32, 16],
  [64, 16],
])("the default number of processes for the core count %d is %d", (cores, processes) => {
  expect(planProcesses({}, machine(cores)).processes).toBe(processes);
});

test("the number of processes is limited by the memory", () => {
  expect(planProcesses({}, machine(8, 2)).processes).toBe(2);
  expect(planProcesses({}, machine(8, 0.5)).processes).toBe(1);
});

test("one process serves if processes cannot share a port", () => {
  const other = { ...machine(8), sharesPorts: false };

  expect(planProcesses({}, other)).toMatchObject({
    processes: 1,
    note: "Only one process serves, because processes cannot share a port on this system",
  });
  expect(planProcesses({ PROCESSES: 1 }, other).note).toBeUndefined();
  expect(planProcesses({ PROCESSES: 1 }, other)).toEqual(planProcesses({ PROCESSES: 1 }, machine(8)));
});

test("a single process gets the whole capacity of the node", () => {
  expect(planProcesses({}, machine(2))).toEqual({
    processes: 1,
    connections: 16,
    jobs: { connections: 16, outgoingCalls: limits.outgoing.calls },
    share: {
      connections: 16,
      threads: 2,
      outgoingCalls: limits.outgoing.calls,
      uploadsAtOnce: limits.uploads.atOnce,
      formsWithFilesAtOnce: limits.uploads.formsAtOnce,
    },
  });
});

test.each([
  [1, 16],
  [4, 20],
  [16, 68],
])("connections and threads are divided among the processes on 16 cores: PROCESSES=%d", (PROCESSES, connections) => {
  const plan = planProcesses({ PROCESSES }, machine(16));

  expect(plan.connections).toBe(connections);
  expect(plan.share.threads * PROCESSES).toBe(16);
});

test("the shares of the processes stay within the node's limits", () => {
  const settings = fc.record({
    PROCESSES: fc.integer({ min: 1, max: 64 }),
    DATABASE_POOL: fc.integer({ min: 2, max: 500 }),
    WORKER_THREADS: fc.integer({ min: 1, max: 256 }),
  });
  fc.assert(
    fc.property(settings, (given) => {
      const { processes, share, jobs, connections } = planProcesses(given, machine(16));
      const fits = (each: number, whole: number) => each === 1 || each * processes <= whole;

      expect(Object.values(share).every((part) => Number.isInteger(part) && part >= 1)).toBe(true);
      expect(fits(share.threads, given.WORKER_THREADS)).toBe(true);
      expect(fits(share.uploadsAtOnce, limits.uploads.atOnce)).toBe(true);
      expect(fits(share.formsWithFilesAtOnce, limits.uploads.formsAtOnce)).toBe(true);
      if (processes > 1) {
        expect(share.outgoingCalls * processes + jobs.outgoingCalls).toBeLessThanOrEqual(limits.outgoing.calls);
        expect(connections).toBe(share.connections * processes + jobs.connections);
        expect(share.connections === 1 || connections <= given.DATABASE_POOL).toBe(true);
      } else expect(connections).toBe(given.DATABASE_POOL);
    }),
  );
});
