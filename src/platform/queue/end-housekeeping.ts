import { limits } from "../../limits/index.ts";
import { within } from "../concurrency/within.ts";
import type { Log } from "../observing/log.ts";

/**
 * Waits until loops of housekeeping have ended, within a time limit: a loop with a silent connection to the database
 * would hold the whole process until that connection is closed.
 */
export async function endHousekeeping(log: Pick<Log, "warn">, stops: readonly Promise<unknown>[]): Promise<void> {
  await within<unknown>(limits.process.housekeepingEndMs, Promise.all(stops), () =>
    log.warn("The database has not answered housekeeping: this process ends without it"),
  );
}
