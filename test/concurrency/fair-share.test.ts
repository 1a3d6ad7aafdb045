import { expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constantFrom, integer, nat, oneof, record } from "fast-check";
import { createFairShare } from "../../src/concurrency/fair-share.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

type Bounds = { readonly total: number; readonly maxWaiting: number; readonly maxWaitingInAll: number };

/** A share whose units come back when the test says so, and what became of each request, in order. */
function openShare(bounds: Bounds) {
  const clock = createVirtualClock();
  const share = createFairShare({ ...bounds, maxWaitMs: 50, clock, refuse: () => new Error("refused") });
  const held: { readonly key: string; readonly amount: number; release(): void }[] = [];
  const outcomes = new Map<number, string>();
  let count = 0;
  return {
    ...{ clock, share, held, outcomes },
    async ask(key: string, wanted = 1, signal?: AbortSignal): Promise<string> {
      const id = count++;
      outcomes.set(id, "waiting");
      share.acquire(key, wanted, signal).then(
        (release) => {
          outcomes.set(id, "held");
          held.push({ key, amount: Math.min(wanted, bounds.total), release });
        },
        (error: unknown) => outcomes.set(id, error instanceof Error ? error.message : "aborted"),
      );
      await clock.settle();
      return outcomes.get(id) ?? "";
    },
    async release(index: number): Promise<void> {
      for (const { release } of held.splice(index % Math.max(1, held.length), 1)) release();
      await clock.settle();
    },
    of: (key: string) => held.filter((one) => one.key === key).length,
  };
}

const bounds = { total: 9, maxWaiting: 10, maxWaitingInAll: 30 };
const asks = async (open: ReturnType<typeof openShare>, key: string, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await open.ask(key);
};

test("one alone gets two thirds, and whoever comes next some at once", async () => {
  const open = openShare(bounds);
  await asks(open, "attacker", 30);

  expect([open.of("attacker"), open.share.waiting()]).toEqual([6, 10]);
  expect(await open.ask("victim")).toBe("held");
});

test("what comes back goes to who holds least, and of equal ones to who was served longest ago", async () => {
  const open = openShare({ ...bounds, total: 3 });
  for (const key of ["a", "b", "c"]) await open.ask(key);
  for (const key of ["a", "d", "e", "a"]) await open.ask(key);

  const order: string[] = [];
  for (const index of [0, 1, 0]) {
    await open.release(index);
    order.push(open.held.at(-1)?.key ?? "");
  }
  expect(order).toEqual(["d", "e", "a"]);
});

test("who has waited too long is refused, and so is who finds the line full", async () => {
  const open = openShare({ total: 1, maxWaiting: 1, maxWaitingInAll: 2 });
  for (const key of ["a", "a", "a", "b", "c"]) await open.ask(key);
  expect([...open.outcomes.values()]).toEqual(["held", "waiting", "refused", "waiting", "refused"]);

  await open.clock.advance(50);
  expect([...open.outcomes.values()]).toEqual(["held", "refused", "refused", "refused", "refused"]);
  expect([open.share.waiting(), open.clock.timers()]).toEqual([0, 0]);
});

test("who gives up leaves the line", async () => {
  const open = openShare({ ...bounds, total: 1 });
  const controller = new AbortController();
  await open.ask("a");
  await open.ask("b", 1, controller.signal);
  controller.abort(new Error("timeout"));
  await open.clock.settle();

  expect([...open.outcomes.values()]).toEqual(["held", "timeout"]);
  expect(open.share.waiting()).toBe(0);
});

test("large requests are not passed by small ones for ever", async () => {
  const open = openShare({ ...bounds, total: 9 });
  await open.ask("a", 5);
  expect(await open.ask("b", 9)).toBe("waiting");
  expect(await open.ask("c", 1)).toBe("waiting");
  await open.release(0);

  expect(open.held.map(({ key }) => key)).toEqual(["b"]);
});

const moves = array(
  oneof(
    { weight: 3, arbitrary: record({ key: constantFrom("a", "b", "c"), amount: integer({ min: 1, max: 12 }) }) },
    { weight: 2, arbitrary: record({ release: nat(20) }) },
    { weight: 1, arbitrary: record({ ms: integer({ min: 1, max: 60 }) }) },
  ),
  { maxLength: 60 },
);
const anyBounds = record({
  total: integer({ min: 1, max: 9 }),
  maxWaiting: nat(4),
  maxWaitingInAll: nat(6),
});

test("whatever comes, passes and comes back: bounds hold, nobody waits for what it may have, and all ends", () =>
  check(
    asyncProperty(anyBounds, moves, async (given, made) => {
      const open = openShare(given);
      for (const move of made) {
        if ("key" in move) await open.ask(move.key, move.amount);
        else if ("ms" in move) await open.clock.advance(move.ms);
        else await open.release(move.release);
        const heldInAll = open.held.reduce((sum, { amount }) => sum + amount, 0);
        expect(open.share.held()).toBe(heldInAll);
        expect(heldInAll).toBeLessThanOrEqual(given.total);
        expect(open.share.waiting()).toBe([...open.outcomes.values()].filter((one) => one === "waiting").length);
        expect(open.share.waiting()).toBeLessThanOrEqual(given.maxWaitingInAll);
        expect(open.clock.timers()).toBe(open.share.waiting());
        if (heldInAll === 0) expect(open.share.waiting()).toBe(0);
      }
      await open.clock.advance(50);
      while (open.held.length > 0) await open.release(0);
      expect([open.share.held(), open.share.waiting(), open.clock.timers()]).toEqual([0, 0, 0]);
    }),
  ));
