import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { eraseFolder, findFolderToErase } from "../bots/folders/deleted-folders.sql.ts";
import { inFolderTurn } from "../bots/folders/folder-turns.ts";
import { eraseNamedResults, eraseSomeOfBot } from "../erasure/bin-erasure.ts";
import { findResultsToErase } from "../erasure/deleted-results.sql.ts";
import { endSessions, listOpenSessionIds } from "../erasure/erasure.sql.ts";
import { findBotToPurge, findBotWithChats, noteChatsEnded, purgeWorkspaces } from "../erasure/purge.sql.ts";

/** Ends the chats of deleted bots, as far as the request that deleted them did not. */
export function chatsOfDeletedBots(sql: Sql): CleanUp {
  return {
    name: "chats-of-deleted-bots",
    cron: "*/10 * * * *",
    did: "Ended",
    async removeSome() {
      const botId = await findBotWithChats(sql);
      if (botId === undefined) return 0;
      const sessionIds = await listOpenSessionIds(sql, { botId, limit: limits.erasure.batch });
      await endSessions(sql, sessionIds);
      if (sessionIds.length < limits.erasure.batch) await noteChatsEnded(sql, botId);
      return Math.max(1, sessionIds.length);
    },
  };
}

/** Erases what has been in the bin for long enough: results, bots, folders and workspaces, with everything in them. */
export function emptyBin(sql: Sql): CleanUp {
  return {
    name: "bin",
    cron: "50 * * * *",
    did: "Erased",
    removeSome: async () =>
      (await eraseDueResults(sql)) ||
      (await eraseDueBots(sql)) ||
      (await eraseDueFolder(sql)) ||
      purgeWorkspaces(sql, { limit: limits.erasure.batch }),
  };
}

async function eraseDueResults(sql: Sql): Promise<number> {
  const due = await findResultsToErase(sql, limits.erasure.batch);
  return due ? eraseNamedResults(sql, due) : 0;
}

async function eraseDueBots(sql: Sql): Promise<number> {
  const botId = await findBotToPurge(sql);
  return botId === undefined ? 0 : eraseSomeOfBot(sql, botId);
}

async function eraseDueFolder(sql: Sql): Promise<number> {
  const folder = await findFolderToErase(sql);
  if (!folder) return 0;
  await inFolderTurn(sql, [folder.workspaceId], (transaction) => eraseFolder(transaction, folder.id));
  return 1;
}
