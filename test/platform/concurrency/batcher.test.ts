import { describe, expect, test } from "bun:test";
import { array, asyncProperty, boolean, assert as check, constant, integer, nat, oneof, record } from "fast-check";
import { type BatcherOptions, createBatcher } from "../../../src/platform/concurrency/batcher.ts";
import { createStatementGate } from "../../../src/platform/concurrency/statement-gate.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

type Run = { readonly items: readonly number[]; end(answers: readonly string[]): void; fail(error: unknown): void };
type Bounds = Partial<Omit<BatcherOptions<number, string>, "run">>;

const gone = new Error("The connection is gone");
const patienceMs = 20;

/** Creates a batcher. The test ends each of its batches. */
function openBatcher({ clock = createVirtualClock(), ...bounds }: Bounds & { clock?: VirtualClock } = {}) {
  const runs: Run[] = [];
  const batcher = createBatcher<number, string>({
    maxBatch: 3,
    inFlight: 1,
    maxWaiting: 100,
    patienceMs,
    isTriedAlone: (error, failedAlone) => failedAlone === 0 && error !== gone,
    clock,
    ...bounds,
    run(items) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      runs.push({ items, end: resolve, fail: reject });
      return promise;
    },
  });
  return {
    clock,
    runs,
    add: (item: number) => batcher.add(item).catch((error: unknown) => error),
    ran: () => runs.map(({ items }) => items),
  };
}

const named = (items: readonly number[]) => items.map((item) => `answer ${item}`);

describe("batched items", () => {
  test("an item that arrives alone is sent immediately, and later items are batched", async () => {
    const { clock, runs, ran, add } = openBatcher();
    const first = add(1);
    await clock.settle();
    const others = [2, 3, 4, 5].map(add);
    await clock.settle();
    expect(ran()).toEqual([[1]]);

    for (const index of [0, 1, 2]) {
      runs[index]?.end(named(runs[index].items));
      await clock.settle();
    }

    expect(ran()).toEqual([[1], [2, 3, 4], [5]]);
    expect(await Promise.all<unknown>([first, ...others])).toEqual(named([1, 2, 3, 4, 5]));
  });

  test("the next batch is sent before the results of the last batch are returned", async () => {
    const { clock, runs, add } = openBatcher();
    const first = add(1).then(() => runs.length);
    await clock.settle();
    void add(2);
    runs[0]?.end(["one"]);

    expect(await first).toBe(2);
  });

  test("items that fill half a batch do not wait for the running batch", async () => {
    const { clock, ran, add } = openBatcher({ maxBatch: 4, inFlight: 3 });
    void add(1);
    await clock.settle();
    for (const item of [2, 3]) void add(item);
    await clock.settle();
    expect(ran()).toEqual([[1], [2, 3]]);

    void add(4);
    await clock.advance(patienceMs - 1);
    expect(ran()).toHaveLength(2);
    await clock.advance(1);
    expect(ran()).toEqual([[1], [2, 3], [4]]);
  });

  test("batched items without a result are sent first in the next batch, in order", async () => {
    const { clock, runs, ran, add } = openBatcher({ maxBatch: 4 });
    void add(1);
    await clock.settle();
    for (const item of [2, 3, 4, 5]) void add(item);
    runs[0]?.end(["one"]);
    await clock.settle();
    void add(6);
    runs[1]?.end(["two"]);
    await clock.settle();

    expect(ran()).toEqual([[1], [2, 3, 4, 5], [3, 4, 5, 6]]);
  });

  test("an item fails if its batch returns no results", async () => {
    const { clock, runs, add } = openBatcher({ isTriedAlone: () => false });
    const answer = add(1);
    await clock.settle();
    runs[0]?.end([]);

    expect(await answer).toMatchObject({ message: "A batch returned a result for none of its items" });
  });
});

describe("refused items", () => {
  test("items above the maximum queue length are rejected on arrival", async () => {
    const { clock, runs, add } = openBatcher({ maxWaiting: 2 });
    const first = add(1);
    await clock.settle();
    const waiting = [add(2), add(3)];

    expect(await add(4)).toMatchObject({ code: "server.overloaded", data: { waiting: 2 } });
    for (const items of [[1], [2, 3]]) {
      runs.at(-1)?.end(named(items));
      await clock.settle();
    }
    expect(await Promise.all<unknown>([first, ...waiting])).toEqual(named([1, 2, 3]));
  });

  test("items that have waited too long are rejected, and take no place in a batch", async () => {
    const { clock, runs, ran, add } = openBatcher({ maxWaitMs: 1_000, maxBatch: 2 });
    void add(1);
    await clock.settle();
    const late = [2, 3].map(add);
    await clock.advance(1);
    void add(4);
    await clock.advance(999);
    runs[0]?.end(["one"]);
    await clock.settle();

    expect(await Promise.all(late)).toMatchObject(
      [1, 2].map(() => ({ code: "server.overloaded", data: { waitedMs: 1_000 } })),
    );
    expect(ran()).toEqual([[1], [4]]);
  });
});

describe("a failed batch", () => {
  test("each item of a failed batch is retried separately", async () => {
    const { clock, runs, ran, add } = openBatcher();
    const answers = [1, 2, 3].map(add);
    const wrong = new Error("Item 2 is wrong");
    await clock.settle();
    void add(4);
    runs[0]?.fail(wrong);
    await clock.settle();
    runs[1]?.end(["one"]);
    await clock.settle();
    runs[2]?.fail(wrong);
    await clock.settle();
    runs[3]?.end(["three"]);
    await clock.settle();

    expect(await Promise.all(answers)).toEqual(["one", wrong, "three"]);
    expect(ran()).toEqual([[1, 2, 3], [1], [2], [3], [4]]);
  });

  test("a batch that loses its connection fails all of its items", async () => {
    const { clock, runs, ran, add } = openBatcher();
    const answers = [1, 2].map(add);
    await clock.settle();
    runs[0]?.fail(gone);

    expect(await Promise.all(answers)).toEqual([gone, gone]);
    expect(ran()).toHaveLength(1);
  });

  test("a failed item is retried separately as often as the options allow", async () => {
    const { clock, runs, ran, add } = openBatcher({ isTriedAlone: (_, failedAlone) => failedAlone <= 1 });
    const answer = add(1);
    for (const index of [0, 1]) {
      await clock.settle();
      runs[index]?.fail(gone);
    }

    expect(await answer).toBe(gone);
    expect(ran()).toEqual([[1], [1]]);
  });
});

test("batchers that share a gate run one statement at a time", async () => {
  const gate = createStatementGate();
  const clock = createVirtualClock();
  const [starts, steps, reads] = [1, 2, 3].map(() => openBatcher({ maxBatch: 10, gate, clock }));
  if (!starts || !steps || !reads) throw new Error("There are three batchers");
  const ran = () => [starts, steps, reads].map((each) => each.ran());
  void starts.add(1);
  await clock.advance(1);
  void reads.add(2);
  await clock.advance(1);
  for (const item of [3, 4]) void steps.add(item);
  await clock.advance(1);
  expect(ran()).toEqual([[[1]], [], []]);

  starts.runs[0]?.end(["one"]);
  await clock.settle();
  expect(ran()).toEqual([[[1]], [], [[2]]]);
  reads.runs[0]?.fail(gone);
  await clock.settle();
  expect(ran()).toEqual([[[1]], [[3, 4]], [[2]]]);
});

test("a waiting item is sent once its maximum waiting time has passed", async () => {
  const { clock, runs, ran, add } = openBatcher({ maxBatch: 3, inFlight: 2 });
  void add(1);
  await clock.settle();
  void add(2);
  await clock.advance(1);
  runs[0]?.end(["one"]);
  await clock.settle();
  void add(3);
  await clock.advance(patienceMs);

  expect(ran()).toEqual([[1], [2], [3]]);
});

const bounds = record({
  maxBatch: integer({ min: 1, max: 5 }),
  inFlight: integer({ min: 1, max: 3 }),
  maxWaiting: integer({ min: 1, max: 12 }),
});
const moves = array(
  oneof(
    { weight: 5, arbitrary: record({ kind: constant("add" as const), count: integer({ min: 1, max: 6 }) }) },
    {
      weight: 4,
      arbitrary: record({ kind: constant("end" as const), index: nat(10), answers: integer({ min: 1, max: 5 }) }),
    },
    { weight: 1, arbitrary: record({ kind: constant("fail" as const), index: nat(10), isShared: boolean() }) },
    {
      weight: 2,
      arbitrary: record({ kind: constant("advance" as const), ms: integer({ min: 1, max: 2 * patienceMs }) }),
    },
  ),
  { maxLength: 50 },
);

test("batched items are sent in order and get one outcome each", () =>
  check(
    asyncProperty(bounds, moves, async (given, made) => {
      const { clock, runs, add } = openBatcher(given);
      const outcomes: unknown[][] = [];
      /** Items that have not started, in their order. `alone` contains the items that need a separate batch. */
      let line: number[] = [];
      let begun = 0;
      const alone = new Set<number>();
      const underWay: Run[] = [];
      const look = async (): Promise<void> => {
        await clock.settle();
        for (; begun < runs.length; begun++) {
          const run = runs[begun];
          if (!run) break;
          expect(run.items).toEqual(line.slice(0, run.items.length));
          expect(run.items.length).toBeLessThanOrEqual(run.items.some((item) => alone.has(item)) ? 1 : given.maxBatch);
          line = line.slice(run.items.length);
          underWay.push(run);
        }
        expect(underWay.length).toBeLessThanOrEqual(given.inFlight);
        // No item waits while no batch is running, and less than half a batch waits while a slot is free.
        if (underWay.length === 0) expect(line).toEqual([]);
        if (underWay.length < given.inFlight) expect(line.length).toBeLessThan(given.maxBatch / 2);
      };
      const give = async (run: Run, move: { answers?: number; isShared?: boolean }): Promise<void> => {
        underWay.splice(underWay.indexOf(run), 1);
        if (move.answers !== undefined) {
          line = [...run.items.slice(move.answers), ...line];
          run.end(named(run.items.slice(0, move.answers)));
        } else {
          const isTriedAlone = !move.isShared && run.items.length > 1;
          if (isTriedAlone) line = [...run.items, ...line];
          if (isTriedAlone) for (const item of run.items) alone.add(item);
          run.fail(move.isShared ? gone : new Error("Wrong"));
        }
        await look();
      };
      for (const move of made) {
        if (move.kind === "add") {
          for (let index = 0; index < move.count; index++) {
            const item = outcomes.length;
            const own: unknown[] = [];
            outcomes.push(own);
            const isRefused = line.length >= given.maxWaiting;
            if (!isRefused) line.push(item);
            void add(item).then((outcome) => own.push(outcome));
            await Promise.resolve();
            await Promise.resolve();
            await Promise.resolve();
            expect(own).toHaveLength(isRefused ? 1 : 0);
          }
          await look();
        } else if (move.kind === "advance") {
          await clock.advance(move.ms);
          await look();
          if (move.ms >= patienceMs && underWay.length < given.inFlight) expect(line).toEqual([]);
        } else {
          const run = underWay[move.index % underWay.length];
          if (run) await give(run, move);
        }
      }
      for (let [run] = underWay; run; [run] = underWay) await give(run, { answers: run.items.length });
      expect(line).toEqual([]);
      expect(outcomes.filter((own) => own.length !== 1)).toEqual([]);
      for (const [item, [outcome]] of outcomes.entries()) {
        if (typeof outcome === "string") expect(outcome).toBe(`answer ${item}`);
      }
    }),
    { numRuns: 200 },
  ));
