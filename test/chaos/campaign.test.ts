import { expect, test } from "bun:test";
import { isLong } from "../support/campaigns.ts";
import { type CampaignOptions, runCampaign } from "./campaign/campaign.ts";
import { clockFaults } from "./campaign/faults/clock.ts";
import { summaryOf, tableOf } from "./campaign/report.ts";
import { allFaults } from "./campaign/schedule.ts";
import { openOnVolume, openRestarting, volumeIsMissing } from "./database.ts";
import { withEffects } from "./flow.ts";

const volume = volumeIsMissing();
if (volume !== undefined) process.stdout.write(`No disk will be full: ${volume}\n`);

/**
 * At every fault, each visitor has a request in progress or is about to send one. Sixteen visitors took twice the
 * processor time and found no further problems.
 */
const visitors = 8;

const faultsNamed = (...names: readonly string[]) => allFaults.filter(({ name }) => names.includes(name));
/**
 * The remaining faults have their own tests in this folder. Running all faults in this campaign takes another 15 s of
 * processor time.
 */
const inLongCampaigns = (...names: readonly string[]) => (isLong ? faultsNamed(...names) : []);

const deathsAndConnections = [
  ...faultsNamed(
    "kill -9 of the node that delivers events",
    "connections cut after a commit",
    "database restarted (fast)",
  ),
  ...inLongCampaigns(
    "SIGTERM of the node that delivers events",
    "all backends terminated",
    "SQLSTATE 53100 to every statement",
    "SQLSTATE 53300 to every connection",
  ),
];
const clockAndDisk = [
  ...(isLong ? clockFaults : clockFaults.slice(0, 1)),
  ...faultsNamed("rolling restart behind a balancer"),
  ...(volume === undefined ? inLongCampaigns("the data volume is full") : []),
];

const campaigns: [string, CampaignOptions][] = [
  [
    "nodes die, connections break and the database fails",
    {
      seed: 6,
      visitors,
      faults: deathsAndConnections,
      scenario: withEffects,
      least: { seconds: 0, faults: deathsAndConnections.length, events: isLong ? 300 : 100 },
      everyMs: { least: 1_000, most: 2_000 },
      // The receiver is slow, so that many events are waiting at every fault. A quick receiver would already have
      // received them all.
      taker: { delayMs: 50, maxConcurrency: 8 },
    },
  ],
  [
    "the clock steps back, nodes restart and, in a long campaign, the disk is full",
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

test.each(isLong ? campaigns : campaigns.slice(0, 1))(
  "every conversation ends, and every answer and event exists exactly once and in order, while %s",
  async (_, options) => {
    const report = await runCampaign(options);

    process.stdout.write(`${tableOf(report)}\n${summaryOf(report)}\n`);
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(new Set(report.struck.map(({ name }) => name)).size).toBe(options.faults.length);
    expect(report.arrivals.length).toBeGreaterThan(options.least.events);
  },
  500_000,
);
