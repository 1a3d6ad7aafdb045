import { sizeOf } from "../support/campaigns.ts";
import { testModel } from "./campaign-tests.ts";
import { kept } from "./publications/counterexamples.ts";
import { knownFaults } from "./publications/known-faults.ts";
import { modelOfPublications } from "./publications/modelled.ts";
import { createWorld } from "./publications/world.ts";

testModel({
  of: "people and pipelines",
  minutes: sizeOf({ short: 5, long: 60, variable: "PARLEY_MODEL_MINUTES" }),
  ...{ createWorld, modelOf: modelOfPublications, kept, knownFaults },
  fixedSeeds: [1],
  runsOfSeed: 4,
});
