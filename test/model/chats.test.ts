import { sizeOf } from "../support/campaigns.ts";
import { testModel } from "./campaign-tests.ts";
import { kept } from "./chats/counterexamples.ts";
import { knownFaults } from "./chats/known-faults.ts";
import { modelOfChats } from "./chats/modelled.ts";
import { createWorld } from "./chats/world.ts";

testModel({
  of: "visitors, providers, authors and the machine",
  minutes: sizeOf({ short: 5, long: 60, variable: "PARLEY_MODEL_MINUTES" }),
  ...{ createWorld, modelOf: modelOfChats, kept, knownFaults },
  fixedSeeds: [1],
  runsOfSeed: 8,
});
