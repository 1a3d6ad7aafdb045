import { expect, test } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { type CampaignOptions, runCampaign } from "./campaign/campaign.ts";
import { clockFaults } from "./campaign/faults/clock.ts";
import { summaryOf, tableOf } from "./campaign/report.ts";
import { allFaults } from "./campaign/schedule.ts";
import { openOnVolume, openRestarting, volumeIsMissing } from "./database.ts";
import { withEffects } from "./flow.ts";

const volume = isLong ? volumeIsMissing() : undefined;
if (volume !== undefined) process.stdout.write(`No disk will be full: ${volume}\n`);

/** Each has a request under way, or is about to, whenever something happens; more took more of the processor, and met no more. */
const visitors = sizeOf({ short: 5, long: 8 });

const faultsNamed = (...names: readonly string[]) => allFaults.filter(({ name }) => names.includes(name));

const deathsAndConnections = faultsNamed(
  "kill -9 of the node that delivers events",
  "connections cut after a commit",
  "database restarted (fast)",
);
/** They deliver to a receiver that can hardly keep up, so that much waits when something happens: one that is quick has all that there is. */
const busy = {
  visitors,
  scenario: withEffects,
  everyMs: { least: 1_000, most: 2_000 },
  taker: { delayMs: 50, maxConcurrency: 8 },
};
const short: [string, CampaignOptions] = [
  "nodes that deliver events to a receiver that can hardly keep up die, connections and the database fail, and the clock steps back",
  {
    ...busy,
    seed: 6,
    faults: [...deathsAndConnections, ...clockFaults.slice(0, 1)],
    least: { seconds: 0, faults: deathsAndConnections.length + 1, events: 60 },
    lastsMs: { least: 1_000, most: 2_000 },
  },
];

/** The others have tests of their own in this folder, and restarts one by one `test/rolling-restart.test.ts`. */
function longCampaigns(): [string, CampaignOptions][] {
  const deaths = [
    ...deathsAndConnections,
    ...faultsNamed(
      "SIGTERM of the node that delivers events",
      "all backends terminated",
      "SQLSTATE 53100 to every statement",
      "SQLSTATE 53300 to every connection",
    ),
  ];
  const clockAndDisk = [
    ...clockFaults,
    ...faultsNamed("rolling restart behind a balancer", ...(volume === undefined ? ["the data volume is full"] : [])),
  ];
  return [
    [
      "nodes that deliver events to a receiver that can hardly keep up die, and connections and the database fail",
      { ...busy, seed: 6, faults: deaths, least: { seconds: 0, faults: deaths.length, events: 300 } },
    ],
    [
      "the clock steps back, nodes restart one by one, and the disk is full",
      {
        seed: 7,
        visitors,
        faults: clockAndDisk,
        scenario: withEffects,
        least: { seconds: 0, faults: clockAndDisk.length, events: 0 },
        everyMs: { least: 1_000, most: 1_000 },
        lastsMs: { least: 2_000, most: 3_000 },
        openDatabase: volume === undefined ? openOnVolume : openRestarting,
      },
    ],
  ];
}

test.each<[string, CampaignOptions]>(isLong ? longCampaigns() : [short])(
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
