import { createGroups, type Groups } from "../../concurrency/batcher.ts";
import type { Road } from "../../concurrency/statement-gate.ts";
import { limits } from "../../limits.ts";
import { isOutage } from "../database/outage.ts";
import type { Sql } from "../database/sql.ts";
import { findPublishedBots, type PublishedBotRow } from "./published-bots.ts";
import type { DatabaseClock } from "./session-cache.ts";
import { findSessions, type SessionLookup, type SessionRow } from "./sessions.ts";

/** Sessions, or bots, read in one statement, and such statements under way at once. */
const maxRows = 32;
const maxInFlight = 2;

/** What chats read before they think. Reads that are asked for at the same time travel in one statement; null: not there. */
export type Reads = {
  readonly sessions: Groups<SessionLookup, SessionRow | null>;
  /** By public id. */
  readonly publishedBots: Groups<string, PublishedBotRow | null>;
};

export function createReads(sql: Sql, clock: DatabaseClock, road: Road): Reads {
  const heard = <Row extends { readonly now: Date }>(rows: (Row | null)[]): (Row | null)[] => {
    const now = rows.find((row) => row !== null)?.now;
    if (now) clock.hear(now);
    return rows;
  };
  const bounds = {
    isShared: isOutage,
    most: maxRows,
    inFlight: maxInFlight,
    queue: limits.database.readQueue,
    road,
  };
  return {
    sessions: createGroups({ ...bounds, run: (lookups) => findSessions(sql, lookups).then(heard) }),
    publishedBots: createGroups({ ...bounds, run: (publicIds) => findPublishedBots(sql, publicIds).then(heard) }),
  };
}
