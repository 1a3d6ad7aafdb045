import { LRUCache } from "lru-cache";
import { AppError } from "../../errors.ts";
import type { Session } from "./sessions.sql.ts";

/** The size of the cache, and the cost of a session besides its state. */
const cacheBytes = 32 * 1024 * 1024;
const sessionBytes = 1_500;

/**
 * A visitor who thinks longer costs a read. This is far below a session's lifetime, so a cached session has not
 * expired.
 */
const keptMs = 10 * 60_000;

/** For this long after a read, the database's time is computed from our clock. */
const clockMs = 60_000;

/**
 * Sessions as this process last saved them, so that their next step needs no read. They may be outdated: the save
 * checks the revision, and a step from an outdated session is not saved and begins again with a read. Two cases are
 * always read, because a save could not detect them: a request whose key the session may have seen, and a lapsed claim.
 */
export type SessionCache = {
  /** The session for a request with this key, or undefined when it has to be read. */
  find(id: string, key: string | null): Session | undefined;
  /** Caches a session after a step with this key saved it. */
  keep(session: Session, saved: SavedStep, key: string | null): void;
};

/** The fields of a session that each step changes. */
type SavedStep = Pick<Session, "revision" | "lastStepId" | "state" | "isEnded">;

/** The database's clock as of its last read, and the time that has passed since. */
export type DatabaseClock = {
  sync(now: Date): void;
  /** Never ahead of the database's clock; undefined when the clock was not read for long. */
  now(): Date | undefined;
};

type Entry = {
  readonly session: Session;
  /** Every key that the session has seen; null when this process cannot know. */
  readonly keys: Set<string> | null;
};

/**
 * A hit saves 8 (in batches of 32) to 60 µs (alone) of the database's time, as much of ours, and a round trip
 * (PostgreSQL 18.4).
 */
export function createSessionCache(clock: DatabaseClock): SessionCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: cacheBytes,
    sizeCalculation: ({ session, keys }) => sessionBytes + 2 * session.state.length + 300 * (keys?.size ?? 0),
    ttl: keptMs,
    ttlResolution: 1_000,
  });
  /**
   * A new session has seen no key, because the key of its start is not a step's. Null when another process stepped in
   * between, under unknown keys.
   */
  const keysOf = (id: string, revision: number, key: string | null): Set<string> | null => {
    if (revision === 1) return new Set();
    const before = entries.peek(id);
    if (before?.session.revision !== revision - 1) return null;
    if (key !== null) before.keys?.add(key);
    return before.keys;
  };
  return {
    find(id, key) {
      const entry = entries.get(id);
      const now = clock.now();
      if (!entry || !now) return undefined;
      if (key !== null && (entry.keys === null || entry.keys.has(key))) return undefined;
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

/** The session of this contact; null: a session of the web. Any other session counts as not found. */
export function requireContact(session: Pick<Session, "contactId">, contactId: string | null): void {
  if (session.contactId !== contactId) throw new AppError("session.not_found");
}

/** A session that is accessible by its id alone, unlike chats of messengers. */
export function requirePublic(session: Pick<Session, "contactId">): void {
  requireContact(session, null);
}
