import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import type { Log } from "../../platform/observing/log.ts";
import { removeOldArrivals } from "../../platform/storage/arrival.ts";
import type { Storage } from "../../platform/storage/storage.ts";

const everyMs = 10 * 60_000;

/**
 * Removes files that a process left on the disk when it died before storing them. This is not a task of the queue,
 * because each node must remove its own files: they are on its own disk even if the storage is S3-compatible.
 */
export function startArrivalSweep({
  storage,
  log,
  clock,
}: {
  storage: Pick<Storage, "arrivals">;
  log: Log;
  clock?: Clock;
}): PollLoop {
  return startPollLoop({
    everyMs,
    ...(clock && { clock }),
    onFailure: (error) => log.warn("Files that never arrived could not be removed", { error }),
    async run() {
      await removeOldArrivals(storage.arrivals, {
        olderThanMs: limits.uploads.unfinishedMs,
        limit: limits.uploads.removedAtOnce,
      });
    },
  });
}
