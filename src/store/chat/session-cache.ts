import { LRUCache } from "lru-cache";
import type { Session } from "./sessions.ts";

/** All kept sessions, and what each takes besides its state. */
const cacheBytes = 32 * 1024 * 1024;
const sessionBytes = 1_500;

/** A visitor who thinks longer costs a read. Far below the lifetime of a session: what is kept has not expired. */
const keptMs = 10 * 60_000;

/** How long the database's clock is trusted to run as ours does. */
const clockMs = 60_000;

/**
 * Sessions as this process saved them last, so that their next step needs no read. Nothing depends on them being true:
 * the save names the revision, and a step that began from something outdated is not saved and begins again with a read. What a
 * save cannot notice is always read: a request under a key that the session may have seen, and what a claim left behind.
 */
export type SessionCache = {
  /** The session for a request with this key, or undefined when it has to be read. */
  find(id: string, key: string | null): Session | undefined;
  /** Keeps a session as a step with this key saved it. */
  keep(session: Session, key: string | null): void;
};

/** The database's clock as last heard of, and what has gone by since. */
export type DatabaseClock = {
  hear(now: Date): void;
  /** Never ahead of the database's; undefined when it was not heard of for long. */
  now(): Date | undefined;
};

type Entry = {
  readonly session: Session;
  /** Every key that the session has seen; null when this process cannot know. */
  readonly keys: Set<string> | null;
};

/** What a read would cost: 8 (in groups of 32) to 60 µs (alone) of the database's time, as much of ours, and a round trip (PostgreSQL 18.4). */
export function createSessionCache(clock: DatabaseClock): SessionCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: cacheBytes,
    sizeCalculation: ({ session, keys }) => sessionBytes + 2 * session.state.length + 300 * (keys?.size ?? 0),
    ttl: keptMs,
    ttlResolution: 1_000,
  });
  /** A new session has seen no key yet: a start's is not its own. Where another process stepped meanwhile it saw keys that this one did not. */
  const keysOf = (session: Session, key: string | null): Set<string> | null => {
    if (session.revision === 1) return new Set();
    const before = entries.peek(session.id);
    if (before?.session.revision !== session.revision - 1) return null;
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
    keep(session, key) {
      if (session.isEnded) entries.delete(session.id);
      else entries.set(session.id, { session: { ...session, claim: null, replay: null }, keys: keysOf(session, key) });
    },
  };
}

export function createDatabaseClock(): DatabaseClock {
  let heard = 0;
  let heardAt = Number.NEGATIVE_INFINITY;
  return {
    hear(now) {
      heard = now.getTime();
      heardAt = performance.now();
    },
    now() {
      const since = performance.now() - heardAt;
      return since > clockMs ? undefined : new Date(heard + Math.floor(since));
    },
  };
}
