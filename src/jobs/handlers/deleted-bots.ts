import { limits } from "../../limits.ts";
import type { Sql } from "../../store/database/sql.ts";
import {
  endSessions,
  endSessionsOfResults,
  eraseResults,
  eraseSessions,
  listResultPlaces,
  listSessionIds,
} from "../../store/erasure.ts";
import { findBotToErase, findBotToPurge, purgeBot, purgeResults, purgeWorkspaces } from "../../store/jobs/purge.ts";
import type { CleanUp } from "./clean-up.ts";

/** Continues interrupted erasures of deleted bots: what visitors said is erased at once, not after the grace period. */
export function brokenOffErasures(sql: Sql): CleanUp {
  return {
    name: "broken-off-erasures",
    cron: "40 * * * *",
    async removeSome() {
      const botId = await findBotToErase(sql);
      return botId === undefined ? 0 : eraseSome(sql, botId);
    },
  };
}

/** Removes bots and workspaces that were deleted longer ago than the grace period, with everything in them. */
export function deletedBots(sql: Sql): CleanUp {
  const days = limits.erasure.graceDays;
  return {
    name: "deleted-bots",
    cron: "50 * * * *",
    async removeSome() {
      const botId = await findBotToPurge(sql, days);
      if (botId === undefined) return purgeWorkspaces(sql, { days, limit: limits.erasure.batch });
      const erased = await eraseSome(sql, botId);
      if (erased > 0) return erased;
      const purged = await purgeResults(sql, { botId, limit: limits.cleanUp.batch });
      if (purged > 0) return purged;
      await purgeBot(sql, botId);
      return 1;
    },
  };
}

/** Erases some of a deleted bot's results, or else of its sessions, and returns how many. */
async function eraseSome(sql: Sql, botId: string): Promise<number> {
  const results = await listResultPlaces(sql, { botId, after: undefined, limit: limits.erasure.batch });
  if (results.length > 0) {
    const resultIds = results.map(({ id }) => id);
    await endSessionsOfResults(sql, resultIds);
    return eraseResults(sql, { botId, resultIds });
  }
  const sessionIds = await listSessionIds(sql, { botId, limit: limits.erasure.batch });
  if (sessionIds.length === 0) return 0;
  await endSessions(sql, sessionIds);
  await eraseSessions(sql, sessionIds);
  return sessionIds.length;
}
