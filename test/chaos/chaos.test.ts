import { expect, test } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { type ChaosOptions, runChaos } from "./chaos.ts";
import { callProblems } from "./checks.ts";
import { faultPoints } from "./faults.ts";

const promise = "every conversation ends, and all acknowledged data exists exactly once";

const pointsOfOne = isLong
  ? ([...faultPoints, "at random"] as const)
  : (["before the save", "after the save", "at random"] as const);
/**
 * In a short run, one process is killed from outside, and the supervisor is killed once. In the long run, processes
 * also die at every point.
 */
const points = isLong
  ? ([...faultPoints, "at random", "the supervisor"] as const)
  : (["at random", "the supervisor"] as const);
const processes = sizeOf({ short: 2, long: 4 });

const campaigns: [string, ChaosOptions, readonly string[]][] = [
  [
    "two nodes with one process each",
    {
      conversations: sizeOf({ short: 15, long: 100 }),
      kills: pointsOfOne.length,
      points: pointsOfOne,
      databaseDeaths: 1,
      seed: 7,
    },
    pointsOfOne,
  ],
  [
    `${processes} processes on one port and their supervisor`,
    {
      conversations: sizeOf({ short: 10, long: 40 }),
      kills: points.length,
      points,
      databaseDeaths: 1,
      seed: 7,
      nodes: [processes],
    },
    points,
  ],
];

test.each(isLong ? campaigns : campaigns.slice(0, 1))(
  `if %s die, ${promise}`,
  async (_, options, deaths) => {
    const report = await runChaos(options);

    process.stdout.write(`chaos: ${JSON.stringify({ ...report, errors: undefined })}\n`);
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(report.deaths.toSorted()).toEqual(deaths.toSorted());
    expect(report.conversations).toBeGreaterThanOrEqual(options.conversations);
  },
  500_000,
);

test("the check of calls reports two different calls with the same key", () => {
  const call = (place: string, key: string) => ({
    ...{ method: "POST", path: "/", headers: { "idempotency-key": key } },
    body: JSON.stringify({ ticket: "T", place }),
  });
  const talked = [{ ticket: "T", sessionId: "s", responses: [] }];
  expect(callProblems([call("start", "a"), call("middle", "b"), call("middle", "b")], talked)).toEqual([]);
  expect(callProblems([call("start", "a"), call("middle", "a")], talked)).toEqual([
    "the calls of T at the start and of T at the middle had one key: a",
  ]);
});
