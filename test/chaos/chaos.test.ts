import { expect, test } from "bun:test";
import { runChaos } from "./chaos.ts";
import { faultPoints } from "./faults.ts";

test("whatever dies, every conversation ends, and everything that was acknowledged is there exactly once", async () => {
  const report = await runChaos({ conversations: 200, kills: 7, databaseDeaths: 1, seed: 7 });

  process.stdout.write(`chaos: ${JSON.stringify({ ...report, errors: undefined })}\n`);
  expect(report.problems.slice(0, 20)).toEqual([]);
  expect(report.deaths.toSorted()).toEqual([...faultPoints, "at random"].toSorted());
  expect(report.conversations).toBeGreaterThanOrEqual(200);
}, 170_000);
