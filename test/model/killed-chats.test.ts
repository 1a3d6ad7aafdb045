import { test } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { testModel } from "./campaign-tests.ts";
import { kept } from "./chats/counterexamples.ts";
import { knownFaults } from "./chats/known-faults.ts";
import { modelOfChats } from "./chats/modelled.ts";
import { createWorld } from "./chats/world.ts";

// Runs the model of chats on nodes in separate processes, which die by SIGKILL.

/** The weight of a crash among the acts, which is higher than in the other tests of this model. */
const crashesOften = 15;

const minutes = sizeOf({ short: 0, long: 60, variable: "PARLEY_MODEL_KILLED_MINUTES" });

if (isLong || minutes > 0)
  testModel({
    of: "visitors, providers, authors and a machine that kills processes",
    minutes,
    ...{ createWorld: () => createWorld({ isKilled: true }), kept, knownFaults },
    modelOf(world, faults) {
      const model = modelOfChats(world, faults);
      return {
        ...model,
        acts: model.acts.map((act) => (act.name === "crash" ? { ...act, often: crashesOften } : act)),
      };
    },
    fixedSeeds: [1, 2, 3, 4],
    runsOfSeed: 8,
  });
else test.skip("chats of the model survive randomly killed nodes (npm run test:long -- killed-chats)", () => {});
