import { describe, expect, test } from "bun:test";
import { createBatches } from "../../src/threads/batches.ts";
import type { AdvanceTask, Thought } from "../../src/threads/messages.ts";
import { createRunaways } from "../../src/threads/runaways.ts";

/** Batches for one thread, which ends a visit when it is told to. */
function oneThread(options: { queue?: number; together?: number; waitMs?: number } = {}) {
  const visits: { botIds: string[]; end(): void }[] = [];
  const batches = createBatches({
    width: 1,
    queue: 10,
    together: 4,
    ...options,
    visit: (tasks) =>
      new Promise((resolve) => {
        const end = () => resolve(tasks.map((): Thought => ({ answer: { kind: "tooLong" }, busyMs: 0 })));
        visits.push({ botIds: tasks.map(({ program }) => program.botId), end });
      }),
    hasIdle: () => true,
    nextThread: () => Promise.resolve(),
  });
  const run = (botId: string) => batches.run(taskOf(botId));
  /** Ends the visit under way, and waits until the next one has begun. */
  const endVisit = async () => {
    visits.at(-1)?.end();
    await turns();
  };
  return { batches, run, visits, endVisit };
}

function taskOf(botId: string): AdvanceTask {
  return {
    program: { key: botId, botId },
    programs: [],
    context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
    input: { kind: "start", resultId: null, isStreamEnabled: false, isOnlyRegistering: true, reply: null, options: {} },
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("tasks that wait for a thread", () => {
  test("travel together, up to a bound, in the order they came", async () => {
    const { run, visits, endVisit } = oneThread({ together: 2 });
    const first = run("a");
    await turns();
    const rest = ["b", "c", "d"].map(run);
    await endVisit();
    await endVisit();
    await endVisit();

    expect(visits.map(({ botIds }) => botIds)).toEqual([["a"], ["b", "c"], ["d"]]);
    expect(await Promise.all([first, ...rest])).toHaveLength(4);
  });

  test("are refused when too many wait", async () => {
    const { run, endVisit } = oneThread({ queue: 1 });
    const first = run("a");
    await turns();
    const second = run("b");

    expect(() => run("c")).toThrow("Too much is going on here");

    await endVisit();
    await endVisit();
    await Promise.all([first, second]);
  });

  test("are refused when they have waited too long", async () => {
    const { run, endVisit } = oneThread({ waitMs: 0 });
    const first = run("a").catch((error: unknown) => error);
    await turns();
    await endVisit();

    expect(await first).toMatchObject({ code: "server.overloaded", data: { waitedMs: 0 } });
  });

  test("can be sent elsewhere", async () => {
    const { batches, run, visits, endVisit } = oneThread();
    const first = run("a");
    await turns();
    const [diverted, stays] = [run("b").catch((error: unknown) => error), run("c")];
    batches.divert(({ program }) => program.botId === "b");
    await endVisit();
    await endVisit();

    expect(await diverted).toMatchObject({ name: "Diverted" });
    expect(visits.map(({ botIds }) => botIds)).toEqual([["a"], ["c"]]);
    await Promise.all([first, stays]);
  });
});

describe("runaways", () => {
  test("are remembered, the last ones longest", () => {
    const runaways = createRunaways({ most: 2, ms: 60_000 });
    for (const botId of ["a", "b", "a", "c"]) runaways.add(botId);

    expect(["a", "b", "c", "d"].map((botId) => runaways.has(botId))).toEqual([true, false, true, false]);
  });

  test("are forgotten after a while", () => {
    const runaways = createRunaways({ most: 2, ms: 0 });
    runaways.add("a");

    expect(runaways.has("a")).toBe(false);
  });
});
