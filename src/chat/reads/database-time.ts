import { readClock } from "../../platform/database/clock.sql.ts";
import { boundAnswers } from "../../platform/database/primary/answer-bound.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import type { DatabaseClock } from "./session-cache.ts";

type Reading = Pick<PlatformDependencies, "sql" | "outage"> & { readonly databaseClock: DatabaseClock };

/**
 * Returns the time by the database's clock, or a promise if this process has not read the clock recently. The promise
 * resolves to undefined during an outage, so that a step that has performed effects does not fail.
 */
export function readDatabaseTime(deps: Reading): Date | Promise<Date | undefined> {
  return deps.databaseClock.now() ?? askDatabase(deps);
}

async function askDatabase({ sql, databaseClock, outage }: Reading): Promise<Date | undefined> {
  try {
    const now = await boundAnswers()(readClock(sql));
    databaseClock.sync(now);
    return now;
  } catch (error) {
    if (!isOutage(error)) throw error;
    outage.failed(error);
    return undefined;
  }
}
