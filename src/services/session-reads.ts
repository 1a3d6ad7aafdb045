import { limits } from "../limits.ts";
import { isOutage } from "../store/outage.ts";
import { findSessions, type SessionLookup, type SessionRow } from "../store/sessions.ts";
import type { Sql } from "../store/sql.ts";
import { createGroups, type Groups } from "./groups.ts";

/** Reads of sessions that are asked for at the same time travel in one statement; null for a session that does not exist. */
export type SessionReads = Groups<SessionLookup, SessionRow | null>;

export function createSessionReads(sql: Sql): SessionReads {
  return createGroups({
    run: (lookups) => findSessions(sql, lookups),
    isShared: isOutage,
    most: limits.readGroup,
    inFlight: limits.readsInFlight,
  });
}
