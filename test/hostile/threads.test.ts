import { afterEach, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createThreads, type ThreadAnswer, type Threads } from "../../src/chat/threads/threads.ts";
import type { AdvanceTask } from "../../src/core/tasks/messages.ts";
import { limits } from "../../src/limits/index.ts";
import { temporaryFolder } from "../support/folder.ts";

let threads: Threads | undefined;
afterEach(async () => {
  await threads?.close();
  threads = undefined;
});

function start(options: { count: number; taskMs?: number; queue?: number }): Threads {
  threads = createThreads({ ...options, file: new URL("./obedient-worker.ts", import.meta.url).href });
  return threads;
}

function task(order: string, botId = "bot"): AdvanceTask {
  return {
    program: { key: order, botId },
    programs: [],
    context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
    input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
  };
}

function give(to: Threads, order: string, botId?: string): Promise<ThreadAnswer> {
  return to.advance(task(order, botId), { loadFlow: () => Promise.reject(new Error("Nothing is loaded here")) });
}

async function placeOf(answer: Promise<ThreadAnswer>): Promise<unknown> {
  const found = await answer;
  if (found.kind !== "refused") throw new Error(`Not what this worker answers: ${found.kind}`);
  return found.data["threadId"];
}

const overTime = { code: "step.over_budget", data: { limit: "time", maxMs: 300, blockIds: [] } };

describe("a step that never ends", () => {
  test("a step that never ends is killed with its thread", async () => {
    const one = start({ count: 1, taskMs: 300 });
    const before = await placeOf(give(one, "go"));

    await expect(give(one, "never end", "hostile")).rejects.toMatchObject(overTime);

    const after = await placeOf(give(one, "go"));
    expect(after).not.toBe(before);
  });

  test("a step that never ends does not fail the steps that wait behind it", async () => {
    const one = start({ count: 1, taskMs: 300 });
    await give(one, "go");
    const hostile = give(one, "never end", "hostile");
    const others = Array.from({ length: 40 }, () => give(one, "go"));

    await expect(hostile).rejects.toMatchObject(overTime);

    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(others.map(() => "refused"));
  });

  test("a step that never ends does not fail the steps of its batch", async () => {
    const one = start({ count: 1, taskMs: 300 });
    await give(one, "go");
    const first = give(one, "go");
    // These steps wait for the thread of the first step, so they are sent together.
    const batch = [give(one, "go"), give(one, "never end", "hostile"), give(one, "go"), give(one, "go")];
    const [before, hostile, ...after] = await Promise.allSettled(batch);

    expect(hostile).toMatchObject({ status: "rejected", reason: overTime });
    expect([before, ...after].map((settled) => settled?.status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    await first;
  });
});

describe("a thread that crashes", () => {
  test("a thread that crashes fails only the step that causes the crash", async () => {
    const two = start({ count: 2 });
    const steps = [give(two, "exit"), ...Array.from({ length: 20 }, () => give(two, "go"))];

    const [guilty, ...others] = await Promise.allSettled(steps);

    expect(guilty?.status).toBe("rejected");
    expect(others.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await give(two, "go")).toMatchObject({ kind: "refused" });
  });

  test("a thread that crashes at its start fails the waiting step", async () => {
    const { path, remove } = temporaryFolder();
    const noStart = join(path, "no-start");
    writeFileSync(noStart, "");
    process.env["PARLEY_TEST_NO_START"] = noStart;
    try {
      const two = start({ count: 2 });

      await expect(give(two, "go")).rejects.toThrow("The worker threads do not start");
      await expect(give(two, "go")).rejects.toThrow("The worker threads do not start");
      rmSync(noStart);

      expect(await give(two, "go")).toMatchObject({ kind: "refused" });
    } finally {
      delete process.env["PARLEY_TEST_NO_START"];
      remove();
    }
  });
});

describe("a bot with long steps", () => {
  test.each(["burn", "take long", "run long"])(
    "a bot runs on a separate thread after a step that exceeded a limit (order to the test worker: %s)",
    async (order) => {
      const two = start({ count: 2 });
      const shared = new Set<unknown>();
      for (let index = 0; index < 10; index++) shared.add(await placeOf(give(two, "go", "calm")));
      await give(two, order, "runaway");

      const apart = await placeOf(give(two, "go", "runaway"));

      expect(shared.has(apart)).toBe(false);
      expect(shared.has(await placeOf(give(two, "go", "calm")))).toBe(true);
    },
  );

  test("a bot with a long step moves to another thread", async () => {
    const one = start({ count: 1 });
    const shared = await placeOf(give(one, "go", "calm"));
    const steps = [give(one, "go", "calm"), ...[1, 2, 3].map(() => give(one, "run long", "runaway"))];

    const [calm, ...long] = await Promise.all(steps.map(placeOf));

    expect(calm).toBe(shared);
    expect(new Set(long).size).toBe(1);
    expect(long[0]).not.toBe(shared);
  });

  test("a bot whose step never ends does not occupy the threads of other bots", async () => {
    const one = start({ count: 1, taskMs: 3_000 });
    await give(one, "burn", "runaway");
    const runaway = [give(one, "never end", "runaway"), give(one, "never end", "runaway")];
    let isOver = false;
    const over = Promise.allSettled(runaway).then((settled) => {
      isOver = true;
      return settled;
    });

    for (let index = 0; index < 50; index++) await give(one, "go", "calm");

    expect(isOver).toBe(false);
    expect((await over).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("a bot whose steps take long has a limited queue", async () => {
    const one = start({ count: 1, taskMs: 300 });
    await give(one, "burn", "runaway");
    const steps = Array.from({ length: limits.threads.runawayQueue + 2 }, () => give(one, "go", "runaway"));

    const refused = (await Promise.allSettled(steps)).filter(({ status }) => status === "rejected");

    expect(refused).not.toBeEmpty();
    expect(refused[0]).toMatchObject({ reason: { code: "server.overloaded" } });
  });
});
