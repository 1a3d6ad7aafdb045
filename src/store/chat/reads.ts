import { type Batcher, createBatcher } from "../../concurrency/batcher.ts";
import type { StatementGate } from "../../concurrency/statement-gate.ts";
import { limits } from "../../limits.ts";
import { isOutage } from "../database/outage.ts";
import type { Sql } from "../database/sql.ts";
import { findPublishedBots, type PublishedBotRow } from "./published-bots.ts";
import type { DatabaseClock } from "./session-cache.ts";
import { findSessions, type Session, type SessionLookup } from "./sessions.ts";

/** Sessions, or bots, read in one statement, and such statements under way at once. */
const maxBatch = 32;
const inFlight = 2;

/** What chats read before a step. Reads that are asked for at the same time travel in one statement; null: not there. */
export type Reads = {
  readonly sessions: Batcher<SessionLookup, Session | null>;
  /** By public id. */
  readonly publishedBots: Batcher<string, PublishedBotRow | null>;
};

export function createReads(sql: Sql, clock: DatabaseClock, gate: StatementGate): Reads {
  const hearClock = <Row extends { readonly now: Date }>(rows: (Row | null)[]): (Row | null)[] => {
    const now = rows.find((row) => row !== null)?.now;
    if (now) clock.hear(now);
    return rows;
  };
  const options = {
    // When the database is lost a read alone fails as well.
    isTriedAlone: (error: unknown, failedAlone: number) => failedAlone === 0 && !isOutage(error),
    maxBatch,
    inFlight,
    maxWaiting: limits.database.readQueue,
    gate,
  };
  return {
    sessions: createBatcher({ ...options, run: (lookups) => findSessions(sql, lookups).then(hearClock) }),
    publishedBots: createBatcher({ ...options, run: (publicIds) => findPublishedBots(sql, publicIds).then(hearClock) }),
  };
}
