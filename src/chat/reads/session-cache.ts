import { LRUCache } from "lru-cache";
import { AppError } from "../../errors.ts";
import type { Session } from "./sessions.sql.ts";

/** The size of the cache, and the size of a session without its state. */
const cacheBytes = 32 * 1024 * 1024;
const sessionBytes = 1_500;
/** The size of an entry in a set of numbers, with its part of the hash table. */
const keyBytes = 40;

/**
 * How long a session is cached. After a longer pause, the visitor's next step costs a read. The time is much shorter
 * than a session's lifetime, so a cached session has not expired.
 */
const keptMs = 10 * 60_000;

/** How long the database's time is extrapolated with this process's clock before it is read again. */
const clockMs = 60_000;

/**
 * Sessions as this process last saved them, so that their next step needs no read. Cached sessions may be outdated, so
 * the save checks the revision. A step from an outdated session is not saved but repeated with a read. Two cases always
 * need a read, because a save cannot detect them: a request whose key the session may have used, and an expired claim.
 */
export type SessionCache = {
  /** Returns the session for a request with this key, or undefined if the session must be read. */
  find(id: string, key: string | null): Session | undefined;
  /** Caches a session after a step with this key was saved. An ended session is removed from the cache. */
  keep(session: Session, saved: SavedStep, key: string | null): void;
};

/** The fields of a session that a step changes. */
type SavedStep = Pick<Session, "revision" | "lastStepId" | "state" | "isEnded">;

/** Computes the database's time from its last read and the time that has passed since then. */
export type DatabaseClock = {
  sync(now: Date): void;
  /** Never later than the database's clock. Undefined if the clock has not been read recently. */
  now(): Date | undefined;
};

type Entry = {
  readonly session: Session;
  /**
   * The checksums of all keys that the session has used. Null if this process cannot know them. Checksums keep the
   * cache small for long chats. Two keys with the same checksum cost a read.
   */
  readonly keys: Set<number> | null;
};

/**
 * Creates a session cache. A cache hit saves a round trip, 8 µs (in batches of 32) to 60 µs (single) of the database's
 * time, and about as much time of this process (PostgreSQL 18.4).
 */
export function createSessionCache(clock: DatabaseClock): SessionCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: cacheBytes,
    sizeCalculation: ({ session, keys }) => sessionBytes + 2 * session.state.length + keyBytes * (keys?.size ?? 0),
    ttl: keptMs,
    ttlResolution: 1_000,
  });
  /**
   * Returns the keys that a session has used. A new session has none, because the key of its start is not a step's key.
   * Null if the previous step is not cached, for example because another process ran it.
   */
  const keysOf = (id: string, revision: number, key: string | null): Set<number> | null => {
    if (revision === 1) return new Set();
    const before = entries.peek(id);
    if (before?.session.revision !== revision - 1) return null;
    if (key !== null) before.keys?.add(checksum(key));
    return before.keys;
  };
  return {
    find(id, key) {
      const entry = entries.get(id);
      const now = clock.now();
      if (!entry || !now) return undefined;
      if (key !== null && (entry.keys === null || entry.keys.has(checksum(key)))) return undefined;
      return { ...entry.session, now };
    },
    keep(session, saved, key) {
      const { id } = session;
      if (saved.isEnded) entries.delete(id);
      else {
        const keys = keysOf(id, saved.revision, key);
        entries.set(id, { session: { ...session, ...saved, claim: null, replay: null }, keys });
      }
    },
  };
}

const checksum = (key: string): number => Bun.hash.crc32(key);

export function createDatabaseClock(): DatabaseClock {
  let syncedTime = 0;
  let syncedAt = Number.NEGATIVE_INFINITY;
  return {
    sync(now) {
      syncedTime = now.getTime();
      syncedAt = performance.now();
    },
    now() {
      const since = performance.now() - syncedAt;
      return since > clockMs ? undefined : new Date(syncedTime + Math.floor(since));
    },
  };
}

/**
 * Requires that the session belongs to this contact. Null requires a session of the web. Any other session is reported
 * as not found.
 */
export function requireContact(session: Pick<Session, "contactId">, contactId: string | null): void {
  if (session.contactId !== contactId) throw new AppError("session.not_found");
}

/** Requires a session that can be accessed by its id only, unlike chats of messengers. */
export function requirePublic(session: Pick<Session, "contactId">): void {
  requireContact(session, null);
}
