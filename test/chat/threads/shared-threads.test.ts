import { expect, test } from "bun:test";
import type { Pool } from "../../../src/chat/threads/pool.ts";
import { createSharedThreads, startAfterMs } from "../../../src/chat/threads/shared-threads.ts";
import type { AdvanceTask, TaskResult } from "../../../src/core/tasks/messages.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const task: AdvanceTask = {
  program: { key: "", botId: "" },
  programs: [],
  context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
  input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
};

/** Simulates threads that answer when the test ends their work. The first, empty batch of each thread is its start. */
function world({ count, starts = async () => [] }: { count: number; starts?: () => Promise<[]> }) {
  const clock = createVirtualClock();
  const ended = Promise.withResolvers<readonly TaskResult[]>();
  const counts = { started: 0, closed: 0, notices: 0 };
  const first: { state: ReturnType<Pool["state"]> } = { state: "running" };
  const start = (): Pool => {
    const isFirst = counts.started++ === 0;
    return {
      runBatch: async (tasks) => {
        return await (tasks.length > 0 ? ended.promise : starts());
      },
      runAside: async () => "",
      state: () => (isFirst ? first.state : "running"),
      async close() {
        counts.closed++;
      },
    };
  };
  const threads = createSharedThreads({ start, count, clock });
  const wait = (work: () => Promise<unknown>) => threads.whileWaiting(task, work, () => void counts.notices++);
  return { clock, counts, ended, first, threads, wait };
}

test("a running step does not start another thread while no other step waits", async () => {
  const { clock, counts, ended, threads, wait } = world({ count: 3 });
  const step = wait(() => threads.run([task]));
  await clock.advance(10 * startAfterMs);
  expect(counts).toEqual({ started: 1, closed: 0, notices: 0 });
  ended.resolve([]);
  await step;
  expect(clock.timers()).toBe(0);
});

test("a step that has to wait too long starts another thread", async () => {
  const { clock, counts, threads, wait } = world({ count: 2 });
  const never = new Promise(() => {});
  void wait(() => never);
  void wait(() => never);
  await clock.advance(startAfterMs - 1);
  expect(threads.size()).toBe(1);
  await clock.advance(1);
  expect(threads.size()).toBe(2);
  expect(counts).toEqual({ started: 2, closed: 0, notices: 1 });
  void wait(() => never);
  await clock.advance(10 * startAfterMs);
  expect(counts.started).toBe(2);
});

test("a step that waits for the first thread starts no other thread", async () => {
  const { clock, counts, first, threads, wait } = world({ count: 2 });
  first.state = "starting";
  void wait(() => new Promise(() => {}));
  await clock.advance(10 * startAfterMs);
  expect({ state: threads.state(), started: counts.started }).toEqual({ state: "starting", started: 1 });
  first.state = "running";
  await clock.advance(startAfterMs);
  expect(counts.started).toBe(2);
});

test("steps that wait together start one thread at a time", async () => {
  const never = new Promise<never>(() => {});
  const { clock, counts, wait } = world({ count: 3, starts: () => never });
  void wait(() => never);
  void wait(() => never);
  await clock.advance(startAfterMs);
  expect(counts).toMatchObject({ started: 2, notices: 0 });
});

test("a thread that does not start is closed", async () => {
  const { clock, counts, threads, wait } = world({
    count: 2,
    starts: () => Promise.reject(new Error("It does not start")),
  });
  const never = new Promise(() => {});
  void wait(() => never);
  await clock.advance(startAfterMs);
  expect(threads.size()).toBe(1);
  expect(counts).toEqual({ started: 2, closed: 1, notices: 0 });
  void wait(() => never);
  await clock.advance(startAfterMs);
  expect(counts).toEqual({ started: 3, closed: 2, notices: 0 });
});
