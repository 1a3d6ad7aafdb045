import { expect, test } from "bun:test";
import { array, asyncProperty, assert as check, constant, integer, nat, oneof, record } from "fast-check";
import type { Rule } from "../../../src/limits/rate-rules.ts";
import type { AddedDebt } from "../../../src/platform/rate-limits/rate-limits.sql.ts";
import { createRateLimits, type RateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { startSharing } from "../../../src/platform/rate-limits/sharing.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

/** Simulates the database on the test's clock, with a delay in each direction. */
function createLedger(clock: VirtualClock, wayMs: () => number) {
  const rows = new Map<string, { debtMs: number; at: number }>();
  const travel = () => new Promise<void>((resolve) => void clock.startTimer(wayMs(), resolve));
  let statements = 0;
  return {
    statements: () => statements,
    async addDebts(added: readonly AddedDebt[]): Promise<number[]> {
      statements++;
      await travel();
      const sums = added.map(({ key, addedMs, agoMs }) => {
        const since = clock.now() - agoMs;
        const row = rows.get(key) ?? { debtMs: 0, at: since };
        const debtMs = Math.max(0, row.debtMs - (since - row.at)) + addedMs;
        rows.set(key, { debtMs, at: since });
        return Math.max(0, debtMs - agoMs);
      });
      await travel();
      return sums;
    },
  };
}

function createProcesses(count: number, rule: Rule, wayMs: () => number = () => 0) {
  const clock = createVirtualClock();
  const ledger = createLedger(clock, wayMs);
  const failures: unknown[] = [];
  const processes = Array.from({ length: count }, () => {
    const limits = createRateLimits([rule], { clock });
    const { addDebts } = ledger;
    const onFailure = (error: unknown) => failures.push(error);
    return { limits, sharing: startSharing({ counted: limits.counted, addDebts, onFailure, clock }) };
  });
  return { clock, ledger, processes: processes.map(({ limits }) => limits), failures };
}

const ruleOf = (burst: number, intervalMs: number): Rule => ({
  ...{ scope: "bot", act: "starts", isChosen: false },
  ...{ burst, intervalMs },
});

function start(limits: RateLimits | undefined, bot = "b"): boolean {
  try {
    limits?.admission(() => ({ address: undefined, isThisMachine: false })).admit("starts", { bot });
    return true;
  } catch {
    return false;
  }
}

/** The maximum delay of the ledger in each direction, in ms. Both directions add to the second between two reports. */
const maxWayMs = 100;
const slackSeconds = 1 + (2 * maxWayMs) / 1000;

test("processes that share a rate limit never admit more requests than the bound", async () => {
  const flood = record({
    count: integer({ min: 1, max: 6 }),
    burst: integer({ min: 1, max: 60 }),
    intervalMs: oneof(constant(20), constant(100), constant(700)),
    seconds: integer({ min: 5, max: 60 }),
    // For each tenth of a second: the process that receives requests, and their number.
    turns: array(record({ process: nat(5), acts: oneof(nat(3), constant(40)) }), { minLength: 5, maxLength: 40 }),
    ways: array(nat(maxWayMs), { minLength: 1, maxLength: 7 }),
  });
  await check(
    asyncProperty(flood, async ({ count, burst, intervalMs, seconds, turns, ways }) => {
      let way = 0;
      const { clock, processes } = createProcesses(
        count,
        ruleOf(burst, intervalMs),
        () => ways[way++ % ways.length] ?? 0,
      );
      let admitted = 0;
      for (let tenth = 0; tenth < seconds * 10; tenth++) {
        const { process, acts } = turns[tenth % turns.length] ?? { process: 0, acts: 0 };
        for (let act = 0; act < acts; act++) if (start(processes[process % count])) admitted++;
        await clock.advance(100);
      }
      const rate = 1000 / intervalMs;
      const promised = count * (1.25 * burst + rate * slackSeconds + 1) + rate * (seconds + 1) * (1 + count / 64);
      expect(admitted).toBeLessThanOrEqual(promised);
    }),
    { numRuns: 60 },
  );
});

test("evenly distributed traffic is limited in total, not per process", async () => {
  const { clock, processes } = createProcesses(4, ruleOf(20, 100));
  let admitted = 0;
  // Each process receives requests at exactly the rate of the limit, and without bursts.
  for (let tenth = 0; tenth < 600; tenth++) {
    for (const limits of processes) if (start(limits)) admitted++;
    await clock.advance(100);
  }
  expect(admitted).toBeGreaterThan(600);
  expect(admitted).toBeLessThan(600 * (1 + 4 / 64) + 4 * (1.25 * 20 + 10));
});

test("clients that pause after every usage report cannot exceed the bound", async () => {
  const { clock, processes, ledger } = createProcesses(4, ruleOf(40, 100));
  let admitted = 0;
  let pausedUntil = 0;
  // Each process receives requests at the rate of the limit. After every statement, the requests pause for five
  // seconds, so that all debts are settled.
  for (let tenth = 0; tenth < 6_000; tenth++) {
    const before = ledger.statements();
    if (clock.now() >= pausedUntil) for (const limits of processes) if (start(limits)) admitted++;
    await clock.advance(100);
    if (ledger.statements() > before) pausedUntil = clock.now() + 5_000;
  }
  expect(admitted).toBeLessThanOrEqual(4 * (1.25 * 40 + 10) + 6_000 * (1 + 4 / 64));
});

test("a caller within the limit is never refused", async () => {
  const visits = record({
    count: integer({ min: 1, max: 6 }),
    burst: integer({ min: 1, max: 40 }),
    intervalMs: oneof(constant(1), constant(50), constant(100), constant(500)),
    pauses: array(record({ process: nat(5), ms: nat(3_000) }), { maxLength: 80 }),
    bursts: array(nat(20), { minLength: 1, maxLength: 5 }),
  });
  await check(
    asyncProperty(visits, async ({ count, burst, intervalMs, pauses, bursts }) => {
      const { clock, processes } = createProcesses(count, ruleOf(burst, intervalMs), () => maxWayMs);
      // Computes the limit's allowance exactly.
      let tat = 0;
      let turn = 0;
      for (const { process, ms } of pauses) {
        for (let act = bursts[turn++ % bursts.length] ?? 0; act >= 0; act--) {
          const arrival = Math.max(tat, clock.now()) + intervalMs;
          if (arrival - clock.now() > burst * intervalMs) break;
          tat = arrival;
          expect(start(processes[(process + act) % count])).toBe(true);
        }
        await clock.advance(ms);
      }
    }),
    { numRuns: 100 },
  );
});

test("the usage of rarely used keys is not sent to the database", async () => {
  const { clock, processes, ledger } = createProcesses(2, ruleOf(100, 100));
  for (let second = 0; second < 60; second++) {
    start(processes[second % 2], `b${second}`);
    await clock.advance(1_000);
  }
  expect(ledger.statements()).toBe(0);
});

test("the usage of a heavily used key is sent once a second", async () => {
  const { clock, processes, ledger } = createProcesses(1, ruleOf(100, 100));
  for (let act = 0; act < 60; act++) start(processes[0]);
  await clock.advance(1_000);
  expect(ledger.statements()).toBe(1);
  for (let second = 0; second < 10; second++) {
    start(processes[0]);
    await clock.advance(1_000);
  }
  expect(ledger.statements()).toBe(11);
  await clock.advance(600_000);
  expect(ledger.statements()).toBe(11);
});

test("each process limits requests on its own during a database outage", async () => {
  const clock = createVirtualClock();
  const ledger = createLedger(clock, () => 0);
  let isOut = true;
  const failures: unknown[] = [];
  const addDebts = (added: readonly AddedDebt[]) => (isOut ? Promise.reject(new Error("out")) : ledger.addDebts(added));
  const [one, other] = [0, 1].map(() => {
    const limits = createRateLimits([ruleOf(20, 10_000)], { clock });
    startSharing({ counted: limits.counted, addDebts, onFailure: (error) => failures.push(error), clock });
    return limits;
  });
  for (let act = 0; act < 30; act++) start(one);
  for (let act = 0; act < 10; act++) expect(start(other)).toBe(true);
  await clock.advance(5_000);
  expect(failures.length).toBeGreaterThan(0);

  isOut = false;
  await clock.advance(60_000);
  start(other);
  await clock.advance(2_000);
  expect(start(other)).toBe(false);
});
