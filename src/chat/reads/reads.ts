import { limits } from "../../limits/index.ts";
import { type Batcher, createBatcher, type OnBatch } from "../../platform/concurrency/batcher.ts";
import type { StatementGate } from "../../platform/concurrency/statement-gate.ts";
import { maySucceedAlone } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findPublishedBots, type PublishedBotRow } from "./published-bots.sql.ts";
import type { DatabaseClock } from "./session-cache.ts";
import { findSessions, type Session, type SessionLookup } from "./sessions.sql.ts";

/** The maximum number of sessions or bots that one statement reads, and the maximum number of concurrent statements. */
const maxBatch = 32;
const inFlight = 2;

/** The reads that precede a step. Concurrent reads share statements. A lookup returns null if nothing was found. */
export type Reads = {
  readonly sessions: Batcher<SessionLookup, Session | null>;
  /** Finds bots by their public id. */
  readonly publishedBots: Batcher<string, PublishedBotRow | null>;
};

export function createReads(sql: Sql, clock: DatabaseClock, gate: StatementGate, onBatch?: OnBatch): Reads {
  const syncClock = <Row extends { readonly now: Date }>(rows: (Row | null)[]): (Row | null)[] => {
    const now = rows.find((row) => row !== null)?.now;
    if (now) clock.sync(now);
    return rows;
  };
  const options = {
    // During an outage, a separate read would fail too.
    isTriedAlone: (error: unknown, failedAlone: number) => failedAlone === 0 && maySucceedAlone(error),
    maxBatch,
    inFlight,
    maxWaiting: limits.database.readQueue,
    gate,
    onBatch,
  };
  return {
    sessions: createBatcher({
      ...options,
      name: "session_reads",
      run: (lookups) => findSessions(sql, lookups).then(syncClock),
    }),
    publishedBots: createBatcher({
      ...options,
      name: "bot_reads",
      run: (publicIds) => findPublishedBots(sql, publicIds).then(syncClock),
    }),
  };
}
