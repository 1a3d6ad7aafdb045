import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { listBinnedResults } from "./deleted-results.sql.ts";
import {
  endSessions,
  endSessionsOfResults,
  eraseLateValues,
  eraseResults,
  eraseSessions,
  listResultPlaces,
  listSessionIds,
} from "./erasure.sql.ts";
import { purgeBot, purgeResults } from "./purge.sql.ts";

/**
 * Erases a part of a bot whose time in the bin has ended: first its results, then its sessions, and finally the bot
 * itself. Returns the number of erased rows; 0 if nothing of the bot remains.
 */
export async function eraseSomeOfBot(sql: Sql, botId: string): Promise<number> {
  const batch = { botId, after: undefined, limit: limits.erasure.batch };
  const results = await listResultPlaces(sql, batch);
  const all = results.length > 0 ? results : await listBinnedResults(sql, batch);
  if (all.length > 0) {
    await eraseNamedResults(sql, { botId, resultIds: all.map(({ id }) => id) });
    return all.length;
  }
  const sessionIds = await listSessionIds(sql, batch);
  if (sessionIds.length > 0) {
    await endSessions(sql, sessionIds);
    await eraseSessions(sql, sessionIds);
    return sessionIds.length;
  }
  const purged = await purgeResults(sql, { botId, limit: limits.cleanUp.batch });
  return purged > 0 ? purged : purgeBot(sql, botId);
}

/**
 * Ends the chats of these results and then erases the results' content. With `isBinned`, erases only results in the
 * bin. Returns the number of erased results.
 */
export async function eraseNamedResults(
  sql: Sql,
  which: { botId: string; resultIds: readonly string[]; isBinned?: boolean },
): Promise<number> {
  await endSessionsOfResults(sql, which.resultIds);
  const erased = await eraseResults(sql, which);
  await eraseLateValues(sql, which.resultIds);
  return erased;
}
