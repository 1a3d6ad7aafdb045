import { expect, test } from "bun:test";
import { isLong } from "../support/campaigns.ts";
import { clusterIsMissing } from "../support/cluster.ts";
import { divideServers, tableOf } from "./old-primary.ts";

const missing = clusterIsMissing();
if (missing !== undefined) process.stdout.write(`The test of an old primary is skipped: ${missing}\n`);

test.skipIf(!isLong || missing !== undefined)(
  "every acknowledged answer exists in the promoted server in each phase after the old primary restarts as a writer",
  async () => {
    const phases = await divideServers({ answers: 20 });

    process.stdout.write(tableOf(phases));
    const lost = phases.filter(({ onlyInOld, inPromoted, acknowledged }) => {
      const all = Object.values(acknowledged).reduce((sum, count) => sum + count, 0);
      return onlyInOld > 0 || inPromoted < all;
    });
    expect(lost).toEqual([]);
    const older = "accepts writes on timeline 1, but the database has continued on timeline 2 on another server";
    expect(phases.find(({ event }) => event === "the promoted server is killed")?.ready).toEqual({
      A: `server 1 of DATABASE_URL ${older}`,
      B: `server 2 of DATABASE_URL ${older}`,
    });
  },
  300_000,
);
