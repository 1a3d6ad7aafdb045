import { limits } from "../../limits/index.ts";
import type { Clock } from "../concurrency/clock.ts";
import { createFairShare, type FairShare } from "../concurrency/fair-share.ts";

/**
 * Limits the concurrent requests that may keep a database connection busy: requests of the management API, and the
 * larger reads of chats. `sharer` is the workspace of the request. For a request without a single workspace, `sharer`
 * is the user or the bot.
 */
export type DatabasePlaces = FairShare<"sharer">;

/**
 * The fraction of the connections outside the step pool that these requests may use. The remaining connections serve
 * short statements that read claims of chats, tokens and rights.
 */
const partOfConnections = 2 / 3;
/** At least two requests can run concurrently, even with few connections. */
const fewestPlaces = 2;
/** The maximum share of one sharer, both of the slots and of the queue. */
const shareOfOne = 2 / 3;

export function createDatabasePlaces({ connections, clock }: { connections: number; clock: Clock }): DatabasePlaces {
  return createFairShare({
    total: Math.max(fewestPlaces, Math.floor(partOfConnections * connections)),
    shares: { sharer: shareOfOne },
    maxWaiting: limits.database.placeQueue,
    maxWaitMs: limits.database.placeWaitMs,
    clock,
  });
}

/**
 * The database slot of one request. The slot changes its state as follows:
 *
 *     (new) ─ the sharer is known ──────────────────→ waiting, then taken; or rejected with `server.overloaded`
 *     taken ─ another sharer is known as well ──────→ taken, because one slot is sufficient
 *     any ─ the request is answered or becomes a chat → released
 */
export type DatabasePlace = {
  take(sharer: string): Promise<void>;
  end(): void;
};

export function openPlace(places: DatabasePlaces): DatabasePlace {
  let isNew = true;
  let release = (): void => {};
  return {
    async take(sharer) {
      if (!isNew) return;
      isNew = false;
      release = await places.acquire({ sharer }, 1);
    },
    end() {
      isNew = false;
      release();
    },
  };
}
