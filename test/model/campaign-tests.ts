import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isLong } from "../support/campaigns.ts";
import { type Kept, type Modelled, processorSeconds, repeat, reportOf, search } from "./campaign.ts";
import { type KnownFault, Violation } from "./violation.ts";

/** With a seed, only this seed runs, and its findings are reported without shrinking. */
const given = process.env["PARLEY_MODEL_SEED"];

/** A search for a single seed measures processor time, and reports a finding without shrinking. */
const alone = { shrinkSeconds: 0, clock: processorSeconds };

type Parts<World, Run> = {
  readonly of: string;
  /**
   * The maximum duration of the random acts, in minutes. Except in the long run, the number of runs is limited as well.
   */
  readonly minutes: number;
  createWorld(): Promise<World>;
  modelOf(world: World, knownFaults: readonly KnownFault[]): Modelled<Run>;
  readonly kept: readonly Kept[];
  readonly knownFaults: readonly KnownFault[];
  /** Seeds of `npm test`. Each seed draws different acts. */
  readonly fixedSeeds: readonly number[];
  readonly runsOfSeed: number;
};

/** Defines the tests of a model: earlier counterexamples, known faults, and random acts. */
export function testModel<World extends { close(): Promise<void> }, Run extends object>(
  parts: Parts<World, Run>,
): void {
  const { minutes, createWorld, modelOf, kept, knownFaults, fixedSeeds, runsOfSeed } = parts;
  setDefaultTimeout((minutes + 10) * 60_000 * (given ? 10 : 1));

  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  describe("recorded acts that once broke a promise", () => {
    for (const { fault, acts } of kept) {
      test(`the recorded acts no longer cause the fault: ${fault}`, async () => {
        expect(await repeat(modelOf(world, knownFaults), { acts })).toBeUndefined();
      });
    }
  });

  describe("a known fault", () => {
    for (const { name, acts, isSeenIn } of knownFaults) {
      test(`the known fault is reproduced by its recorded acts: ${name}`, async () => {
        const violation = await repeat(modelOf(world, []), { acts });
        expect(violation).toBeInstanceOf(Violation);
        expect(violation instanceof Violation && isSeenIn(violation)).toBe(true);
      });
    }
  });

  test(`random acts of ${parts.of} break no promise`, async () => {
    const until = performance.now() + minutes * 60_000;
    const modelled = modelOf(world, knownFaults);
    const tally = { runs: 0, acts: 0 };
    for (const seed of given ? [Number(given)] : isLong ? newSeeds() : fixedSeeds) {
      const seconds = given ? 60 * minutes : (until - performance.now()) / 1_000;
      if (seconds <= 0) break;
      const runs = given ? Number.POSITIVE_INFINITY : isLong ? 200 : runsOfSeed;
      const found = await search(modelled, { seed, runs, seconds, ...(given && alone) }, tally);
      if (found || isLong) process.stderr.write(`${tally.runs} runs with ${tally.acts} acts broke no promise\n`);
      if (found) throw new Error(reportOf(found));
    }
  });
}

function* newSeeds(): Generator<number> {
  for (;;) yield Math.floor(Math.random() * 2 ** 31);
}
