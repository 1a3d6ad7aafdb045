import { describe, expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constant, integer, nat, oneof, record } from "fast-check";
import { createKeyedLimiter, createLimiter, type LimiterOptions } from "../../../src/platform/concurrency/limiter.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

class Refused extends Error {
  readonly why: object;
  constructor(why: object) {
    super("refused");
    this.why = why;
  }
}

type Bounds = Pick<LimiterOptions, "width"> & { readonly maxWaiting: number; readonly maxWaitMs: number };

/** Creates a limiter whose tasks end when the test ends them. Records the outcome of each task in order. */
function openLimiter(bounds: Bounds) {
  const clock = createVirtualClock();
  const limiter = createLimiter({ ...bounds, clock, refuse: (why) => new Refused(why) });
  const events: string[] = [];
  const running: { readonly id: number; end(): void }[] = [];
  let count = 0;
  return {
    clock,
    events,
    running,
    arrive() {
      const id = count++;
      const task = () => {
        events.push(`${id} starts`);
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ id, end: resolve });
        return promise;
      };
      limiter.run(task).then(
        () => events.push(`${id} ends`),
        (error: unknown) =>
          events.push(`${id} ${error instanceof Refused ? JSON.stringify(error.why) : String(error)}`),
      );
    },
    end: (index: number) => running.splice(index % running.length, 1)[0]?.end(),
  };
}

/**
 * Creates a model of the schedule in a few lines without promises: the running tasks, and the waiting tasks with their
 * deadlines.
 */
function createModel({ width, maxWaiting, maxWaitMs }: Bounds) {
  const events: string[] = [];
  const running: number[] = [];
  let line: { readonly id: number; readonly until: number }[] = [];
  let now = 0;
  let count = 0;
  const start = (id: number): void => {
    running.push(id);
    events.push(`${id} starts`);
  };
  return {
    events,
    waiting: () => line.length,
    running,
    arrive() {
      const id = count++;
      if (running.length < width) start(id);
      else if (line.length < maxWaiting) line.push({ id, until: now + maxWaitMs });
      else events.push(`${id} {"waiting":${line.length}}`);
    },
    end(index: number) {
      const [id] = running.splice(index % running.length, 1);
      const next = line.shift();
      if (next) start(next.id);
      if (id !== undefined) events.push(`${id} ends`);
    },
    advance(ms: number) {
      now += ms;
      for (const { id, until } of line) if (until <= now) events.push(`${id} {"waitedMs":${maxWaitMs}}`);
      line = line.filter(({ until }) => until > now);
    },
  };
}

const bounds = record({
  width: integer({ min: 1, max: 3 }),
  maxWaiting: integer({ min: 0, max: 4 }),
  maxWaitMs: integer({ min: 1, max: 50 }),
});
const moves = array(
  oneof(
    constant({ kind: "arrive" as const }),
    record({ kind: constant("end" as const), index: nat(10) }),
    record({ kind: constant("advance" as const), ms: integer({ min: 1, max: 60 }) }),
  ),
  { maxLength: 60 },
);

test("tasks start in order, and tasks that waited too long are refused", () =>
  check(
    asyncProperty(bounds, moves, async (given, made) => {
      const [real, model] = [openLimiter(given), createModel(given)];
      for (const move of made) {
        if (move.kind === "arrive") {
          real.arrive();
          model.arrive();
        } else if (move.kind === "advance") {
          await real.clock.advance(move.ms);
          model.advance(move.ms);
        } else if (model.running.length > 0) {
          real.end(move.index);
          model.end(move.index);
        }
        await real.clock.settle();
        expect(real.running.map(({ id }) => id)).toEqual(model.running);
      }
      expect(real.events.toSorted()).toEqual(model.events.toSorted());
      expect(startsOf(real.events)).toEqual(startsOf(model.events));
      expect(real.clock.timers()).toBe(model.waiting());
    }),
  ));

function startsOf(events: readonly string[]): string[] {
  return events.filter((event) => event.endsWith("starts"));
}

describe("a limiter", () => {
  test("a limiter returns the task's value and throws the task's error", async () => {
    const limiter = createLimiter({ width: 1, refuse: (why) => new Refused(why) });

    expect(await limiter.run(async () => "done")).toBe("done");
    await expect(limiter.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    await expect(
      limiter.run(() => {
        throw new Error("broken at once");
      }),
    ).rejects.toThrow("broken at once");
  });

  test("a limiter has no queue by default", async () => {
    const limiter = createLimiter({ width: 1, refuse: (why) => new Refused(why) });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = limiter.run(() => promise);

    await expect(limiter.run(async () => {})).rejects.toMatchObject({ why: { waiting: 0 } });
    resolve();
    await first;
  });
});

describe("a keyed limiter", () => {
  test("a keyed limiter runs tasks of the same key one after another", async () => {
    const limiter = createKeyedLimiter({ width: 1, maxWaiting: 5, refuse: (why) => new Refused(why) });
    const events: string[] = [];
    const gate = Promise.withResolvers<void>();
    const task = (name: string) => async () => {
      events.push(`${name} starts`);
      await gate.promise;
      events.push(`${name} ends`);
    };
    const all = [limiter.run("a", task("a1")), limiter.run("a", task("a2")), limiter.run("b", task("b1"))];
    gate.resolve();
    await Promise.all(all);

    expect(events.slice(0, 2)).toEqual(["a1 starts", "b1 starts"]);
    expect(events.filter((event) => event.startsWith("a"))).toEqual(["a1 starts", "a1 ends", "a2 starts", "a2 ends"]);
  });

  test("a keyed limiter still runs one task per key at a time after a refusal", async () => {
    const limiter = createKeyedLimiter({ width: 1, refuse: (why) => new Refused(why) });
    let running = 0;
    let most = 0;
    const gates: PromiseWithResolvers<void>[] = [];
    const task = async () => {
      most = Math.max(most, ++running);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      running--;
    };
    const first = limiter.run("a", task);
    const refused = limiter.run("a", task).catch(() => "refused");
    gates[0]?.resolve();
    await first;
    const next = limiter.run("a", task);
    expect(await refused).toBe("refused");
    const late = limiter.run("a", task).catch(() => "refused");

    expect(await late).toBe("refused");
    gates[1]?.resolve();
    await next;
    expect(most).toBe(1);
  });
});
