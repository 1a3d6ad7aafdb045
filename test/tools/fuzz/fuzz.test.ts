import { afterAll, beforeAll, expect, test } from "bun:test";
import { operations as table } from "../../../src/service/operations.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { createFuzzer, type Fuzzer } from "./fuzz.ts";
import { type FuzzedService, startFuzzedService } from "./fuzzed-service.ts";

/** `npm run fuzz` uses other seeds. */
const seed = 11;
const requests = sizeOf({ short: 3_000, long: 100_000 });
/** The number of requests after which the caches are filled. */
const warmedUpBy = sizeOf({ short: 1_500, long: 3_000 });
/**
 * The maximum growth of the heap after thousands of further requests. A hundred thousand requests add 20 MB, and a
 * script's memory adds 32 MB.
 */
const maxGrowthMegabytes = 96;

/**
 * Operations that only succeed with a provider (such as ratings of models' answers), with a URL that a provider issued,
 * or while a preview waits for a timer.
 */
const provided =
  /\/(google\/(authorize|finish)|models|webhook|payments\/stripe\/\S+|callbacks\/\S+|blocks\/\S+\/options|passTime|rating|tryAgain)$/;

let service: FuzzedService;
let fuzzer: Fuzzer;

beforeAll(async () => {
  service = await startFuzzedService();
  fuzzer = await createFuzzer({ url: service.url, adminToken: service.adminToken, seed });
}, 60_000);
afterAll(() => service.close());

test("every operation is fuzzed, except event streams", () => {
  const lasting = table.filter(({ answerTypes }) => answerTypes.join() === "text/event-stream");
  expect(lasting.map(({ id }) => id)).toEqual(["watchDraft", "watchSession"]);
  expect(fuzzer.report().operations).toBe(table.length - lasting.length);
});

test(
  "thousands of generated requests each get a documented response",
  async () => {
    await fuzzer.send(warmedUpBy);
    const before = await service.heldMegabytes();
    await fuzzer.send(requests);
    const after = await service.heldMegabytes();

    const { faults, unmet, operations, ...report } = fuzzer.report();
    const megabytes = [before.heap, after.heap, before.resident, after.resident].map((held) => held.toFixed());
    process.stdout.write(`fuzz, seed ${seed}: ${JSON.stringify(report)}\n`);
    process.stdout.write(
      `held before and after: on the heap ${megabytes.slice(0, 2)} MB, in all ${megabytes.slice(2)} MB\n`,
    );
    expect(faults.join("\n\n")).toBe("");
    expect(service.log()).not.toContain("a request failed");
    // Many requests must be accepted. Otherwise, no request would reach the code behind the first checks.
    expect(report.outcomes["200"] ?? 0).toBeGreaterThan(requests / 5);
    // The chat origin has no sign-in, and there is no provider.
    const missed = unmet.filter((name) => !/\/sign-(in|out|ins)\b/.test(name) && !provided.test(name));
    expect(missed.length, missed.join("\n")).toBeLessThan(operations / sizeOf({ short: 5, long: 10 }));
    expect(after.heap - before.heap).toBeLessThan(maxGrowthMegabytes);
  },
  sizeOf({ short: 1_200_000, long: 3_600_000 }),
);
