import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StepTooLong } from "../../../src/core/interpreter/step-errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { withUnreachableGroups } from "../../support/flows-arbitrary.ts";
import { hold, talks } from "../../support/talks.ts";

/** Each run has a separate seed. A failure prints the seed, and the smallest flow that fails. */
const numRuns = sizeOf({ short: 80, long: 200 });
const timeoutMs = 180_000;

describe("a conversation with any stored flow", () => {
  test(
    "each step of a conversation with any flow stays within its budgets",
    () => {
      fc.assert(
        fc.property(talks(), (talk) => {
          for (const { cost, said } of hold(talk)) {
            expect(cost.blocks).toBeLessThanOrEqual(limits.step.blocks);
            expect(cost.ticks).toBeLessThanOrEqual(limits.step.allScriptsTicks);
            expect(cost.characters).toBeLessThanOrEqual(limits.step.characters);
            expect(said.length).toBeLessThanOrEqual(limits.step.characters);
            // At most one bubble for each block, and the retry message.
            expect(cost.messages).toBeLessThanOrEqual(cost.blocks + 1);
          }
        }),
        { numRuns },
      );
    },
    timeoutMs,
  );

  test(
    "a conversation gives the same results if its state is stored as JSON",
    () => {
      fc.assert(
        fc.property(talks(), (talk) => {
          expect(hold(talk, { throughJson: true })).toEqual(hold(talk));
        }),
        { numRuns },
      );
    },
    timeoutMs,
  );

  test(
    "additional unreachable groups do not change the steps of a conversation",
    () => {
      fc.assert(
        fc.property(talks(), (talk) => {
          const padded = { ...talk, flow: withUnreachableGroups(talk.flow, 200) };

          expect(hold(padded)).toEqual(hold(talk));
        }),
        { numRuns: numRuns / 2 },
      );
    },
    timeoutMs,
  );

  test(
    "small quotas do not change a conversation unless a step exceeds them",
    () => {
      let longSteps = 0;
      fc.assert(
        fc.property(talks(), fc.nat({ max: 12 }), fc.nat({ max: 40 }), (talk, blocks, markdownCharacters) => {
          try {
            expect(
              hold(talk, { quota: { blocks, scriptTicks: 5_000, characters: 2_000, markdownCharacters } }),
            ).toEqual(hold(talk));
          } catch (error) {
            if (!(error instanceof StepTooLong)) throw error;
            longSteps++;
          }
        }),
        { numRuns },
      );
      expect(longSteps).toBeGreaterThan(numRuns / 10);
      expect(longSteps).toBeLessThan(numRuns * 0.9);
    },
    timeoutMs,
  );

  test(
    "random conversations often run blocks and ask questions",
    () => {
      const told = fc.sample(talks(), numRuns).flatMap((talk) => hold(talk));
      const stepped = told.filter(({ outcome }) => outcome === "stepped");

      expect(stepped.filter(({ cost }) => cost.blocks > 0).length).toBeGreaterThan(numRuns / 2);
      expect(stepped.filter(({ said }) => said.includes('"input":')).length).toBeGreaterThan(numRuns / 2);
      expect(told.filter(({ said }) => said.includes("step.over_budget"))).not.toBeEmpty();
    },
    timeoutMs,
  );
});
