import { expect, test } from "bun:test";
import { type CampaignOptions, runCampaign } from "./campaign/campaign.ts";
import { clockFaults } from "./campaign/faults/clock.ts";
import { summaryOf, tableOf } from "./campaign/report.ts";
import { allFaults } from "./campaign/schedule.ts";
import { openOnVolume, openRestarting, volumeIsMissing } from "./database.ts";
import { withEffects } from "./flow.ts";

const volume = volumeIsMissing();
if (volume !== undefined) process.stdout.write(`No disk will be full: ${volume}\n`);

/** Each has a request under way, or is about to, whenever something happens; twice as many took twice as much of the processor, and met no more. */
const visitors = 8;

const faultsNamed = (...names: readonly string[]) => allFaults.filter(({ name }) => names.includes(name));

test.each<[string, CampaignOptions]>([
  [
    "nodes that deliver events to a receiver that can hardly keep up are killed and asked to stop, and connections, backends and the database fail",
    {
      seed: 6,
      visitors,
      faults: faultsNamed(
        "kill -9 of the node that delivers events",
        "SIGTERM of the node that delivers events",
        "all backends terminated",
        "connections cut after a commit",
        "SQLSTATE 53100 to every statement",
        "SQLSTATE 53300 to every connection",
        "database restarted (fast)",
      ),
      scenario: withEffects,
      least: { seconds: 0, faults: 7, events: 300 },
      everyMs: { least: 1_000, most: 2_000 },
      // So that much waits when something happens: one that is quick has all that there is.
      taker: { delayMs: 50, maxConcurrency: 8 },
    },
  ],
  [
    "the clock steps back by minutes, an hour and a day, nodes restart one by one, and the disk is full",
    {
      seed: 7,
      visitors,
      faults: [
        ...clockFaults,
        ...faultsNamed("rolling restart behind a balancer"),
        ...(volume === undefined ? faultsNamed("the data volume is full") : []),
      ],
      scenario: withEffects,
      least: { seconds: 0, faults: volume === undefined ? 5 : 4, events: 0 },
      everyMs: { least: 1_000, most: 1_000 },
      lastsMs: { least: 2_000, most: 3_000 },
      openDatabase: volume === undefined ? openOnVolume : openRestarting,
    },
  ],
])(
  "while %s, every conversation ends, and every answer and event is there exactly once and in order",
  async (_, options) => {
    const report = await runCampaign(options);

    process.stdout.write(`${tableOf(report)}\n${summaryOf(report)}\n`);
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(new Set(report.struck.map(({ name }) => name)).size).toBe(options.faults.length);
    expect(report.arrivals.length).toBeGreaterThan(options.least.events);
  },
  500_000,
);
