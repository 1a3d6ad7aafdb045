import { expect, test } from "bun:test";
import { type ChaosOptions, runChaos } from "./chaos.ts";
import { faultPoints } from "./faults.ts";

const promise = "every conversation ends, and everything that was acknowledged is there exactly once";

test.each<[string, ChaosOptions, string[]]>([
  [
    "two nodes of one process",
    { conversations: 100, kills: 7, databaseDeaths: 1, seed: 7 },
    [...faultPoints, "at random"],
  ],
  [
    "four processes on one port, their supervisor included",
    { conversations: 40, kills: 8, databaseDeaths: 1, seed: 7, processes: 4 },
    [...faultPoints, "at random", "the supervisor"],
  ],
])(
  `whatever dies of %s, ${promise}`,
  async (_, options, deaths) => {
    const report = await runChaos(options);

    process.stdout.write(`chaos: ${JSON.stringify({ ...report, errors: undefined })}\n`);
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(report.deaths.toSorted()).toEqual(deaths.toSorted());
    expect(report.conversations).toBeGreaterThanOrEqual(options.conversations);
  },
  500_000,
);
