import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { repeat, reportOf, search } from "./campaign.ts";
import { kept } from "./chats/kept.ts";
import { knownFaults } from "./chats/known-faults.ts";
import { modelOfChats } from "./chats/modelled.ts";
import { createWorld, type World } from "./chats/world.ts";
import { Violation } from "./violation.ts";

/** In minutes: the long run draws new seeds for so long, and the short one has runs enough. */
const minutes = sizeOf({ short: 5, long: 60, variable: "PARLEY_MODEL_MINUTES" });
/** Those of `npm test`. Each draws other acts. */
const fixedSeeds = [1, 2, 3, 4];
const runsOfSeed = 8;

setDefaultTimeout((minutes + 10) * 60_000);

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe("acts that once broke a promise", () => {
  for (const { fault, acts } of kept) {
    test(`${fault}: not any more`, async () => {
      expect(await repeat(modelOfChats(world, knownFaults), { acts })).toBeUndefined();
    });
  }
});

describe("a known fault", () => {
  for (const { name, acts, isSeenIn } of knownFaults) {
    test(`${name} is found by its acts; once it is mended, its entry goes and its acts are kept`, async () => {
      const violation = await repeat(modelOfChats(world, []), { acts });
      expect(violation).toBeInstanceOf(Violation);
      expect(violation instanceof Violation && isSeenIn(violation)).toBe(true);
    });
  }
});

test("random acts of visitors, providers, authors and the machine break no promise", async () => {
  const until = performance.now() + minutes * 60_000;
  const modelled = modelOfChats(world, knownFaults);
  for (const seed of seeds()) {
    const seconds = (until - performance.now()) / 1_000;
    if (seconds <= 0) break;
    const found = await search(modelled, { seed, runs: isLong ? 200 : runsOfSeed, seconds });
    if (found) throw new Error(reportOf(found));
  }
});

/** New ones without end in the long run. */
function* seeds(): Generator<number> {
  if (!isLong) return yield* fixedSeeds;
  for (;;) yield Math.floor(Math.random() * 2 ** 31);
}
