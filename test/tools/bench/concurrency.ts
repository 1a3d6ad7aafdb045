import { createBatcher } from "../../../src/platform/concurrency/batcher.ts";
import { createFairShare } from "../../../src/platform/concurrency/fair-share.ts";
import { createKeyedLimiter } from "../../../src/platform/concurrency/limiter.ts";
import { createStatementGate } from "../../../src/platform/concurrency/statement-gate.ts";
import { print } from "./print.ts";

// Measures the cost of batching and queueing per step, without the work itself: `bun test/tools/bench/concurrency.ts`.

const rounds = 5;
const count = 20_000;
const concurrent = 32;

const gate = createStatementGate();
const batchers = [1, 2, 3].map(() =>
  createBatcher<number, boolean>({
    run: async (items) => items.map(() => true),
    isTriedAlone: () => false,
    maxBatch: 32,
    inFlight: 4,
    maxWaiting: 2_000,
    patienceMs: 20,
    gate,
  }),
);
const limiter = createKeyedLimiter({ width: 1, maxWaiting: 8, maxWaitMs: 30_000, refuse: () => new Error("Busy") });
const fairShare = createFairShare({
  ...{ total: 1_000, maxWaiting: 8, maxWaitMs: 30_000, refuse: () => new Error("Busy") },
  shares: { workspace: 2 / 3 },
});
let keys = 0;

await measure("an item of a batch", async () => void (await batchers[0]?.add(1)));
await measure("a unit of a share", () => fairShare.run({ workspace: String(keys++ % 8) }, async () => {}));
await measure("a turn of its own", () => limiter.run(String(keys++), async () => {}));

/** Prints the median processor time of the rounds, which excludes other programs. */
async function measure(name: string, run: () => Promise<void>): Promise<void> {
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const runAll = async () => {
      for (let index = 0; index < count; index++) await run();
    };
    await Promise.all(Array.from({ length: concurrent }, runAll));
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / (count * concurrent));
  }
  const middle = costs.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  print(`${name}: ${middle.toFixed(2)} µs of processor time`);
}
