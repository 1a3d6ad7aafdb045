import { limits } from "../../limits/index.ts";
import { within } from "../concurrency/within.ts";
import type { Log } from "../observing/log.ts";

/**
 * Waits until the housekeeping loops have ended, up to a time limit. A loop with a silent database connection would
 * otherwise keep the process running until the connection is closed.
 */
export async function endHousekeeping(log: Pick<Log, "warn">, stops: readonly Promise<unknown>[]): Promise<void> {
  await within<unknown>(limits.process.housekeepingEndMs, Promise.all(stops), () =>
    log.warn("The database has not responded to housekeeping: this process ends without it"),
  );
}
