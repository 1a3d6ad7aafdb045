import type { ModelAct, Modelled } from "../campaign.ts";
import type { KnownFault } from "../violation.ts";
import { makeBot } from "./acts/authors.ts";
import { acts } from "./acts/index.ts";
import { pullBots } from "./acts/pipelines.ts";
import { lookAtAll, lookAtShown } from "./invariants.ts";
import { type Bot, newRun, type Run } from "./run.ts";
import { scenarios } from "./scenarios.ts";
import type { World } from "./world.ts";

/** Returns the model of publications and people for a service, with its acts and invariants. */
export function modelOfPublications(world: World, knownFaults: readonly KnownFault[]): Modelled<Run> {
  return {
    acts: acts.map(asAct),
    scenarios,
    knownFaults,
    async newRun() {
      const run = await newRun(world);
      // The team already has two bots and a checkout of them.
      await makeBot(run);
      await makeBot(run);
      await pullBots(run);
      return run;
    },
    end: lookAtAll,
  };
}

/** The names of acts that affect several bots. */
const ofMany = new Set(["deploy", "suspend", "resume"]);

function asAct({ name, often, when, run: act }: (typeof acts)[number]): ModelAct<Run> {
  return {
    ...{ name, often },
    when(run, on, pick) {
      const bot = botOf(run, on);
      return bot !== undefined && when(run, bot, pick);
    },
    async run(run, on, pick) {
      const bot = botOf(run, on);
      if (!bot) return;
      const before = new Map(run.bots.map((each) => [each, shownOf(each)]));
      await act(run, bot, pick);
      const isNamed = (each: Bot) =>
        ofMany.has(name) ? before.get(each) !== shownOf(each) || name !== "deploy" : each === bot || !before.has(each);
      await lookAtShown(run, isNamed);
    },
  };
}

function botOf({ bots }: Run, on: number): Bot | undefined {
  return bots[on % bots.length];
}

function shownOf({ live, canary }: Bot): string {
  return `${live} ${canary}`;
}
