import { describe } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { testModel } from "./campaign-tests.ts";
import { kept } from "./chats/kept.ts";
import { knownFaults } from "./chats/known-faults.ts";
import { modelOfChats } from "./chats/modelled.ts";
import { createWorld } from "./chats/world.ts";

const minutes = sizeOf({ short: 0, long: 60, variable: "PARLEY_MODEL_KILLED_MINUTES" });

describe.if(isLong || minutes > 0)("nodes that are processes, and die by SIGKILL", () =>
  testModel({
    of: "visitors, providers, authors and the machine",
    minutes,
    ...{ createWorld: () => createWorld({ isKilled: true }), modelOf: modelOfChats, kept, knownFaults },
    fixedSeeds: [1, 2, 3, 4],
    runsOfSeed: 8,
  }),
);
