import { limits } from "../../limits/index.ts";
import { type Batcher, createBatcher, type OnBatch } from "../../platform/concurrency/batcher.ts";
import type { StatementGate } from "../../platform/concurrency/statement-gate.ts";
import { maySucceedAlone } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findPublishedBots, type PublishedBotRow } from "./published-bots.sql.ts";
import type { DatabaseClock } from "./session-cache.ts";
import { findSessions, type Session, type SessionLookup } from "./sessions.sql.ts";

/** Sessions or bots read by one statement, and the number of such statements at the same time. */
const maxBatch = 32;
const inFlight = 2;

/** The reads of chats before a step. Reads that are requested at the same time share one statement; null: not found. */
export type Reads = {
  readonly sessions: Batcher<SessionLookup, Session | null>;
  /** By public id. */
  readonly publishedBots: Batcher<string, PublishedBotRow | null>;
};

export function createReads(sql: Sql, clock: DatabaseClock, gate: StatementGate, onBatch?: OnBatch): Reads {
  const syncClock = <Row extends { readonly now: Date }>(rows: (Row | null)[]): (Row | null)[] => {
    const now = rows.find((row) => row !== null)?.now;
    if (now) clock.sync(now);
    return rows;
  };
  const options = {
    // During an outage a separate read fails as well.
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
