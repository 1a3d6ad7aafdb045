import { expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constantFrom, integer, nat, oneof, record } from "fast-check";
import { createFairShare, type Owners } from "../../../src/platform/concurrency/fair-share.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

type Kind = "session" | "bot";
type Bounds = { readonly total: number; readonly maxWaiting: number };

/** Creates a share whose units are released by the test. Records the outcome of each request in order. */
function openShare({ shares = { session: 1 / 4, bot: 2 / 3 }, ...bounds }: Bounds & { shares?: Record<Kind, number> }) {
  const clock = createVirtualClock();
  const share = createFairShare<Kind>({ ...bounds, shares, maxWaitMs: 50, clock, refuse: () => new Error("refused") });
  const held: { readonly owners: Owners<Kind>; readonly amount: number; release(): void }[] = [];
  const outcomes = new Map<number, string>();
  let count = 0;
  const askFor = async (owners: Owners<Kind>, wanted = 1, signal?: AbortSignal): Promise<string> => {
    const id = count++;
    outcomes.set(id, "waiting");
    share.acquire(owners, wanted, signal).then(
      (release) => {
        outcomes.set(id, "held");
        held.push({ owners, amount: Math.min(wanted, bounds.total), release });
      },
      (error: unknown) => outcomes.set(id, error instanceof Error ? error.message : "aborted"),
    );
    await clock.settle();
    return outcomes.get(id) ?? "";
  };
  return {
    ...{ clock, share, held, outcomes, askFor },
    ask: (bot: string, wanted?: number, signal?: AbortSignal) => askFor({ bot }, wanted, signal),
    async release(index: number): Promise<void> {
      for (const { release } of held.splice(index % Math.max(1, held.length), 1)) release();
      await clock.settle();
    },
    of: (bot: string) => held.filter(({ owners }) => owners.bot === bot).length,
    ended: (how: string) => [...outcomes.values()].filter((one) => one === how).length,
  };
}

const bounds = { total: 9, maxWaiting: 15 };
const asks = async (open: ReturnType<typeof openShare>, bot: string, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await open.ask(bot);
};

test("a single owner gets at most two thirds of the units", async () => {
  const open = openShare(bounds);
  await asks(open, "attacker", 30);

  expect([open.of("attacker"), open.share.usage()]).toEqual([6, { held: 6, waiting: 10, refused: 14 }]);
  expect(await open.ask("victim")).toBe("held");
});

test("a request that does not wait is refused if its share is used up", async () => {
  const open = openShare({ total: 3, maxWaiting: 9 });
  const mine = { session: "s", bot: "b" };
  const release = open.share.tryAcquire(mine, 1);

  expect([open.share.usage().held, open.share.tryAcquire(mine, 1)]).toEqual([1, undefined]);
  await open.ask("another", 3);
  release?.();
  release?.();
  expect(open.share.usage()).toMatchObject({ held: 3, waiting: 0 });
  await open.ask("third");
  await open.release(0);
  expect([open.of("third"), open.share.usage().held]).toEqual([1, 1]);
});

test("a request that does not wait leaves units to a waiting request", async () => {
  const open = openShare({ total: 3, maxWaiting: 9 });
  await open.ask("a");
  await open.ask("b", 3);

  expect([open.of("b"), open.share.tryAcquire({ bot: "c" }, 1)]).toEqual([0, undefined]);
  await open.release(0);
  expect(open.of("b")).toBe(1);
});

test("four attackers get equal shares, and leave units for other owners", async () => {
  const open = openShare({ total: 90, maxWaiting: 900 });
  const attackers = ["a", "b", "c", "d"];
  for (let turn = 0; turn < 90; turn++) for (const attacker of attackers) await open.ask(attacker);

  expect(attackers.map(open.of)).toEqual([20, 20, 20, 20]);
  for (const victim of ["x", "y"]) expect(await open.ask(victim)).toBe("held");
});

test("a session and a bot are limited to their shares of all units", async () => {
  const open = openShare({ total: 8, maxWaiting: 8, shares: { session: 1 / 4, bot: 1 / 2 } });
  for (let turn = 0; turn < 100; turn++) await open.askFor({ bot: "a", session: "a1" });
  expect([open.of("a"), open.share.usage()]).toEqual([2, { held: 2, waiting: 2, refused: 96 }]);

  for (let session = 2; session < 100; session++) await open.askFor({ bot: "a", session: `a${session}` });
  expect(open.of("a")).toBe(4);
  expect(await open.askFor({ bot: "b", session: "b1" })).toBe("held");
  expect(await open.askFor({ bot: "c", session: undefined })).toBe("held");
  // Callers that have waited too long are rejected. Callers that hold units are not affected.
  await open.clock.advance(50);
  expect(open.share.usage()).toMatchObject({ held: 6, waiting: 0 });
});

test("returned units go to the owner with the fewest units", async () => {
  const open = openShare({ ...bounds, total: 3 });
  for (const bot of ["a", "b", "c"]) await open.ask(bot);
  for (const bot of ["a", "d", "e", "a"]) await open.ask(bot);

  const order: (string | undefined)[] = [];
  for (const index of [0, 1, 0]) {
    await open.release(index);
    order.push(open.held.at(-1)?.owners.bot);
  }
  expect(order).toEqual(["d", "e", "a"]);
});

test("a caller who has waited too long, or finds the queue full, is refused", async () => {
  const open = openShare({ total: 1, maxWaiting: 2 });
  for (const bot of ["a", "a", "a", "b", "c"]) await open.ask(bot);
  expect([...open.outcomes.values()]).toEqual(["held", "waiting", "refused", "waiting", "refused"]);

  await open.clock.advance(50);
  expect([...open.outcomes.values()]).toEqual(["held", "refused", "refused", "refused", "refused"]);
  expect([open.share.usage(), open.clock.timers()]).toEqual([{ held: 1, waiting: 0, refused: 4 }, 0]);
});

test("a caller who cancels leaves the queue, and is not counted as refused", async () => {
  const open = openShare({ ...bounds, total: 1 });
  const controller = new AbortController();
  await open.ask("a");
  await open.ask("b", 1, controller.signal);
  controller.abort(new Error("timeout"));
  await open.clock.settle();

  expect([...open.outcomes.values()]).toEqual(["held", "timeout"]);
  expect(open.share.usage()).toEqual({ held: 1, waiting: 0, refused: 0 });
});

test("a small request does not overtake a larger request that waits", async () => {
  const open = openShare({ ...bounds, total: 9 });
  await open.ask("a", 5);
  expect(await open.ask("b", 9)).toBe("waiting");
  expect(await open.ask("c", 1)).toBe("waiting");
  await open.release(0);

  expect(open.held.map(({ owners }) => owners.bot)).toEqual(["b"]);
});

const moves = array(
  oneof(
    {
      weight: 3,
      arbitrary: record({
        bot: constantFrom("a", "b", "c", undefined),
        session: constantFrom("1", "2", undefined),
        amount: integer({ min: 1, max: 12 }),
      }),
    },
    { weight: 2, arbitrary: record({ release: nat(20) }) },
    { weight: 1, arbitrary: record({ ms: integer({ min: 1, max: 60 }) }) },
  ),
  { maxLength: 60 },
);
const anyBounds = record({ total: integer({ min: 1, max: 9 }), maxWaiting: nat(6) });

test("the limits of a fair share apply in any order of requests", () =>
  check(
    asyncProperty(anyBounds, moves, async (given, made) => {
      const open = openShare(given);
      for (const move of made) {
        if ("amount" in move) {
          const { bot, session, amount } = move;
          await open.askFor({ bot, session: session && `${bot} ${session}` }, amount);
        } else if ("ms" in move) await open.clock.advance(move.ms);
        else await open.release(move.release);
        const heldInAll = open.held.reduce((sum, { amount }) => sum + amount, 0);
        const waiting = open.ended("waiting");
        expect(open.share.usage()).toEqual({ held: heldInAll, waiting, refused: open.ended("refused") });
        expect(heldInAll).toBeLessThanOrEqual(given.total);
        expect(waiting).toBeLessThanOrEqual(given.maxWaiting);
        expect(open.clock.timers()).toBe(waiting);
        if (heldInAll === 0) expect(waiting).toBe(0);
      }
      await open.clock.advance(50);
      while (open.held.length > 0) await open.release(0);
      expect([open.share.usage(), open.clock.timers()]).toMatchObject([{ held: 0, waiting: 0 }, 0]);
      // All units have been released.
      for (let turn = 0; turn < given.total; turn++) await open.askFor({});
      expect(open.held.length).toBe(given.total);
    }),
  ));

test("no session or bot exceeds its share if each request takes one unit", () =>
  check(
    asyncProperty(
      array(record({ bot: constantFrom("a", "b", "c"), session: constantFrom("1", "2", "3"), ends: nat(20) }), {
        maxLength: 80,
      }),
      async (made) => {
        const open = openShare({ total: 8, maxWaiting: 8, shares: { session: 1 / 4, bot: 1 / 2 } });
        for (const { bot, session, ends } of made) {
          await open.askFor({ bot, session: `${bot}${session}` });
          if (ends > 10) await open.release(ends);
          for (const one of ["a", "b", "c"]) expect(open.of(one)).toBeLessThanOrEqual(4);
          const bySession = Map.groupBy(open.held, ({ owners }) => owners.session);
          for (const of of bySession.values()) expect(of.length).toBeLessThanOrEqual(2);
        }
      },
    ),
  ));
