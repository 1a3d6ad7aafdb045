import { expect, test } from "bun:test";
import { rulesOf } from "../../../src/limits/rate-rules.ts";
import { createKeys } from "../../../src/platform/rate-limits/keys.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const maxKeys = { keys: 1_000, shared: 10 };

function limitsOf(text: string) {
  const limits = createRateLimits(rulesOf(text), { clock: createVirtualClock(), maxKeys });
  const start = (address: string): boolean => {
    try {
      limits.admission(() => ({ address, isThisMachine: false })).admit("starts", { address });
      return true;
    } catch {
      return false;
    }
  };
  const size = () => limits.counted.find(({ rule }) => rule.scope === "address")?.keys.size() ?? 0;
  return { start, size };
}

test("a flood of addresses uses at most 1,010 keys and resets no refused address", () => {
  const { start, size } = limitsOf("address.starts=10/1m:20");
  for (let turn = 0; turn < 20; turn++) expect(start("203.0.113.7")).toBe(true);
  expect(start("203.0.113.7")).toBe(false);

  for (let index = 0; index < 50_000; index++) expect(start(`198.51.${index >> 8}.${index & 255}`)).toBe(true);

  expect(size()).toBeLessThanOrEqual(maxKeys.keys + maxKeys.shared);
  expect(start("203.0.113.7")).toBe(false);
});

test("an address with occasional requests during a flood is still counted", () => {
  const { start } = limitsOf("address.starts=10/1m:20");
  let admitted = 0;
  for (let index = 0; index < 60_000; index++) {
    start(`198.51.${index >> 8}.${index & 255}`);
    if (index % 300 === 0 && start("203.0.113.7")) admitted++;
  }
  expect(admitted).toBe(20);
});

test("the counts of 5,000 heavy callers use at most 1,010 keys", () => {
  const { start, size } = limitsOf("address.starts=10/1m:4");
  for (let index = 0; index < 5_000; index++)
    for (let turn = 0; turn < 4; turn++) start(`198.51.${index >> 8}.${index & 255}`);
  expect(size()).toBeLessThanOrEqual(maxKeys.keys + maxKeys.shared);
});

test("an action with an amount is counted and refunded by that amount", () => {
  const [rule] = rulesOf("on").filter(({ act }) => act === "kilobytes");
  if (!rule) throw new Error("There is no such rule");
  const keys = createKeys(rule, maxKeys);
  const usage = keys.find("203.0.113.7");
  const amount = rule.burst / 2;
  const used = amount * rule.intervalMs;
  keys.count(usage, used, 0, amount);
  expect(usage).toMatchObject({ isShared: true, usedMs: used, unreportedMs: used });
  keys.count(usage, used + 3 * rule.intervalMs, 0, 3);
  expect(usage.unreportedMs).toBe(used + 3 * rule.intervalMs);
  keys.uncount(usage, 3);
  expect([usage.tat, usage.unreportedMs]).toEqual([used, used]);
});
