import { limits } from "../../limits/index.ts";
import type { Clock } from "../concurrency/clock.ts";
import { createFairShare, type FairShare } from "../concurrency/fair-share.ts";

/**
 * Places at the database for requests that may keep a connection busy: calls of the management API, and chats' larger
 * reads. `sharer` is the workspace that a request counts for; the user, if the request is not for one workspace; the
 * bot, if there is no workspace.
 */
export type DatabasePlaces = FairShare<"sharer">;

/**
 * The share of the connections that are not for steps; the rest is left to short statements: claims of chats, tokens,
 * rights.
 */
const partOfConnections = 2 / 3;
/** At least two requests run at once, even with few connections. */
const fewestPlaces = 2;
/** A sharer that is alone leaves a third to others, also of the queue. */
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
 * The place of one request. It is
 *
 *     (new) ─ its owner is known ────────────────────────→ waiting, then taken; or refused with `server.overloaded`
 *     taken ─ another is known, too ───────────────────→ taken: one place is enough
 *     any ─ it is answered, or continues as a chat ───→ over
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
