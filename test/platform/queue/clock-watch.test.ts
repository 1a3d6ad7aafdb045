import { expect, test } from "bun:test";
import fc from "fast-check";
import { createLog, type Log } from "../../../src/platform/observing/log.ts";
import { cleanUp } from "../../../src/platform/queue/clean-up.ts";
import { createClockWatch } from "../../../src/platform/queue/clock-watch.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

/** Creates a watch over a database whose clock the test sets. Records its messages and actions. */
function watched(putRight: () => Promise<void> = async () => {}) {
  const said: string[] = [];
  const log: Log = {
    ...createLog("silent"),
    warn: (message, facts) => void said.push(`${message}: ${facts?.["seconds"]} s`),
  };
  const clock = createVirtualClock();
  let timesPutRight = 0;
  const watch = createClockWatch({
    log,
    clock,
    async putRight() {
      timesPutRight++;
      await putRight();
    },
  });
  let offset = 1_800_000_000_000;
  return {
    ...{ said, clock, watch },
    timesPutRight: () => timesPutRight,
    step(ms: number) {
      offset += ms;
    },
    /** `there` is the time until the query arrives, and `back` the time until its response arrives. */
    async read(there = 0, back = 0) {
      const reading = watch.read(async () => {
        await clock.advance(there);
        const now = new Date(offset + clock.now());
        await clock.advance(back);
        return { now };
      });
      await reading;
      await watch.mend();
    },
  };
}

test("a clock change is reported once with its size and direction", async () => {
  const { said, clock, read, step, timesPutRight } = watched();
  await read();
  expect([said, timesPutRight()]).toEqual([[], 1]);

  step(-600_000);
  await read();
  await clock.advance(60_000);
  await read();
  expect([said, timesPutRight()]).toEqual([["The database's clock has stepped back: 600 s"], 2]);

  step(86_400_000);
  await read();
  await read();
  expect(said.slice(1)).toEqual(["The database's clock has stepped forward: 86400 s"]);
  expect(timesPutRight()).toBe(2);
});

test("a failed correction after a clock change is retried at the next reading", async () => {
  let fails = true;
  const { read, timesPutRight } = watched(async () => {
    if (fails) throw new Error("the connection is gone");
  });

  await expect(read()).rejects.toThrow("the connection is gone");
  fails = false;
  await read();
  await read();

  expect(timesPutRight()).toBe(2);
});

test("clock changes are distinguished from slow responses", async () => {
  const times = fc.record({
    passed: fc.nat({ max: 600_000 }),
    there: fc.nat({ max: 10_000 }),
    back: fc.nat({ max: 10_000 }),
    step: fc.oneof(fc.constant(0), fc.integer({ min: -100_000_000, max: 100_000_000 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(times, { minLength: 1, maxLength: 10 }), async (readings) => {
      const { said, clock, read, step } = watched();
      await read();
      let slack = 0;
      for (const reading of readings) {
        const before = said.length;
        step(reading.step);
        await clock.advance(reading.passed);
        await read(reading.there, reading.back);
        const travelled = reading.there + reading.back;
        const isNoticed = said.length > before;
        if (Math.abs(reading.step) > slack + travelled + 1_000) expect(isNoticed).toBe(true);
        if (Math.abs(reading.step) <= 1_000) expect(isNoticed).toBe(false);
        slack = travelled;
      }
    }),
    { numRuns: 200 },
  );
});

test("nothing is removed for an hour after the clock was set far forward", async () => {
  const { clock, read, step, watch } = watched();
  let removed = 0;
  const task = { name: "old", cron: "* * * * *", removeSome: async () => Number(++removed % 2 === 1) };
  const run = () => cleanUp([task], watch)({ id: "1", data: { task: "old" }, signal: new AbortController().signal });
  await read();
  step(30_000);
  await read();
  expect(await run()).toEqual({ kind: "done", message: "Removed 1" });

  step(86_400_000);
  await read();
  expect(await run()).toMatchObject({
    message: "Nothing is removed, because the database's clock has stepped forward",
  });
  expect(removed).toBe(2);

  await clock.advance(3_600_000);
  await read();
  expect(await run()).toEqual({ kind: "done", message: "Removed 1" });
});
