import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { eraseFolder, findFolderToErase } from "../bots/folders/deleted-folders.sql.ts";
import { inFolderTurn } from "../bots/folders/folder-turns.ts";
import { keepFilesNamedElsewhere } from "../files/copied-files.ts";
import { eraseNamedResults, eraseSomeOfBot } from "../row-erasure/bin-erasure.ts";
import { findResultsToErase } from "../row-erasure/deleted-results.sql.ts";
import { chatsOfDeletedBotsTask, endSomeChats } from "../row-erasure/ended-chats.sql.ts";
import {
  findBotToPurge,
  findBotWithChats,
  findWorkspacesToPurge,
  noteChatsEnded,
  purgeWorkspaces,
} from "../row-erasure/purge.sql.ts";

/**
 * Creates the job that ends the open chats of deleted bots. The request that deletes a bot may leave chats open. Each
 * deletion also queues this job (`endingJob`).
 */
export function chatsOfDeletedBots(sql: Sql): CleanUp {
  return {
    name: chatsOfDeletedBotsTask,
    cron: "* * * * *",
    did: "Ended",
    async removeSome() {
      const botId = await findBotWithChats(sql);
      if (botId === undefined) await noteChatsEnded(sql);
      return botId === undefined ? 0 : (await endSomeOf(sql, botId)).ended;
    },
  };
}

/**
 * Ends up to `limits.erasure.endedChats` of a bot's open chats. Chats that are being saved at the moment are left for
 * the next run.
 */
function endSomeOf(sql: Sql, botId: string) {
  return endSomeChats(sql, { botIds: [botId] }, { limit: limits.erasure.endedChats });
}

/** Erases results, bots, folders and workspaces, with everything in them, after their time in the bin. */
export function emptyBin(sql: Sql): CleanUp {
  return {
    name: "bin",
    cron: "50 * * * *",
    did: "Erased",
    removeSome: async () =>
      (await eraseDueResults(sql)) ||
      (await eraseDueBots(sql)) ||
      (await eraseDueFolder(sql)) ||
      eraseDueWorkspaces(sql),
  };
}

async function eraseDueResults(sql: Sql): Promise<number> {
  const due = await findResultsToErase(sql, limits.erasure.batch);
  return due ? eraseNamedResults(sql, due) : 0;
}

async function eraseDueBots(sql: Sql): Promise<number> {
  const botId = await findBotToPurge(sql);
  if (botId === undefined) return 0;
  // Results are erased only after the last chat has ended.
  const { open, ended } = await endSomeOf(sql, botId);
  return open > 0 ? ended : eraseSomeOfBot(sql, botId);
}

async function eraseDueFolder(sql: Sql): Promise<number> {
  const folder = await findFolderToErase(sql);
  if (!folder) return 0;
  await inFolderTurn(sql, [folder.workspaceId], (transaction) => eraseFolder(transaction, folder.id));
  return 1;
}

/** Erases workspaces, but retains files that bots of other workspaces use. Returns the number of erased workspaces. */
async function eraseDueWorkspaces(sql: Sql): Promise<number> {
  const ids = await findWorkspacesToPurge(sql, { limit: limits.erasure.batch });
  if (ids.length === 0) return 0;
  await keepFilesNamedElsewhere(sql, ids);
  return purgeWorkspaces(sql, ids);
}
