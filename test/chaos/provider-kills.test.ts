import { expect, test } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { type KillOptions, runKills } from "./providers/campaign.ts";

const kills = sizeOf({ short: 0, long: 175, variable: "PARLEY_KILLS" });
const seed = Number(process.env["PARLEY_KILLS_SEED"] ?? 30);
const visitors = 8;

/** Nodes of several processes run only in long campaigns, because each start costs seconds of processor time. */
const campaigns: [string, KillOptions][] = [["two nodes", { nodes: 2, processes: 1, kills, visitors, seed }]];
if (isLong)
  campaigns.push(["two nodes of two processes each", { nodes: 2, processes: 2, kills, visitors, seed: seed + 1 }]);

test.skipIf(kills === 0).each<[string, KillOptions]>(campaigns)(
  "%s that are killed at random leave one payment, one row, one time-out outcome and one step per call",
  async (_, options) => {
    const { problems, errors, ...report } = await runKills(options);

    process.stdout.write(`kills: ${JSON.stringify({ ...options, ...report })}\n`);
    if (problems.length > 0) process.stdout.write(`${errors.slice(-10_000)}\n`);
    expect(problems.slice(0, 20)).toEqual([]);
    expect(report.chats).toBeGreaterThanOrEqual(options.visitors);
    expect(report.kills).toBe(options.kills);
  },
  3_600_000,
);
