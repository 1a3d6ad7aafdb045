import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { type Caller, refuseBlocked, requireBot, requireWorkspace } from "../access/access.ts";
import {
  archiveBots,
  giveUpBot,
  type RestoredBot,
  restoreBots as restoreBotRows,
  unarchiveBot,
} from "../bots/deleted-bots.sql.ts";
import { endChats } from "../bots/deletion.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import {
  eraseFolder as eraseFolderRow,
  restoreFolder as restoreFolderRow,
} from "../bots/folders/deleted-folders.sql.ts";
import { inFolderTurn } from "../bots/folders/folder-turns.ts";
import { type FolderAddress, getFolder } from "../bots/folders/folders.ts";
import { findLinkingBots, type LinkingBot } from "../bots/linking-bots.sql.ts";
import { eraseSomeOfBot } from "../row-erasure/bin-erasure.ts";
import { listBinnedResults } from "../row-erasure/deleted-results.sql.ts";
import {
  giveUpWorkspace,
  listBinnedWorkspaces,
  listBin as listBinRows,
  restoreWorkspace as restoreWorkspaceRow,
} from "./deleted-workspaces.sql.ts";

/**
 * Returns the bots and folders in the bin of a workspace, in the order of deletion, newest first. Requires ADMIN or
 * MEMBER.
 */
export async function listBin(
  deps: BotDependencies,
  caller: Caller,
  { workspaceId, ...request }: { workspaceId: string } & PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("bin", request, [workspaceId]);
  const found = await listBinRows(deps.sql, { workspaceId, ...page.part });
  const { rows, ...rest } = cutPage({ rows: found.map(byDeletion), page });
  return { entries: rows.map(({ row }) => row), ...rest };
}

/** Returns the workspaces in the bin that the caller may restore, in the order of deletion, newest first. */
export async function listDeletedWorkspaces(deps: BotDependencies, caller: Caller, request: PageRequest) {
  const page = readPage("deleted-workspaces", request);
  const { userId, workspaceId } = caller;
  const list = { userId, workspaceId, ...page.part };
  const found = await listBinnedWorkspaces(deps.sql, list);
  const { rows, ...rest } = cutPage({ rows: found.map(byDeletion), page });
  return { workspaces: rows.map(({ row }) => row), ...rest };
}

/** Returns a bot's results in the bin, in the order of deletion, newest first. Requires the right to delete results. */
export async function listDeletedResults(deps: BotDependencies, caller: Caller, botId: string, request: PageRequest) {
  await requireBot(deps, caller, botId, "write", { evenArchived: true });
  const page = readPage("deleted-results", request, [botId]);
  const found = await listBinnedResults(deps.sql, { botId, ...page.part });
  const positions = found.map((row) => ({ row, id: row.id, createdAt: row.erasedAt }));
  const { rows, ...rest } = cutPage({ rows: positions, page });
  return { results: rows.map(({ row }) => row), ...rest };
}

/**
 * Hides a bot from new visitors. Running chats continue. Archiving an archived bot changes nothing. Returns the bots
 * that link to the bot.
 */
export async function archiveBot(deps: BotDependencies, caller: Caller, botId: string): Promise<LinkingBot[]> {
  const { workspaceId } = await requireBot(deps, caller, botId, "manage");
  await archiveBots(deps.sql, [botId]);
  return findLinkingBots(deps.sql, { userId: caller.userId, workspaceIds: [workspaceId], botIds: [botId] });
}

/**
 * Restores a bot from the archive or the bin, with all its content and with its former addresses that are still free.
 * Returns the addresses that the bot lost. A bot that is in neither does not change.
 */
export async function restoreBot(deps: BotDependencies, caller: Caller, botId: string): Promise<RestoredBot> {
  const access = await requireBot(deps, caller, botId, "manage", { evenDeleted: true });
  const { isDeleted, workspaceId } = access;
  refuseBlocked(access);
  if (!isDeleted) await unarchiveBot(deps.sql, botId);
  const [restored] = isDeleted ? await restoreBots(deps, workspaceId, { botId }) : [];
  // Throws `bot.not_found` if the bot is still in the bin because it is being erased.
  if (!restored) await requireBot(deps, caller, botId, "manage");
  return restored ?? { id: botId, lostPublicId: null, lostCustomDomain: null };
}

/** Present while chats are still open. Erasing begins only after the last chat has ended. */
type Erasing = { readonly isErasing?: true };

/**
 * Erases a bot in the bin permanently, before its time in the bin ends. If chats are still open or the bot has too many
 * results for one request, `isErased` is false, and a job erases the rest. Throws `bin.not_there` if the bot is not in
 * the bin.
 */
export async function eraseBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
): Promise<{ isErased: boolean } & Erasing> {
  await requireBot(deps, caller, botId, "manage", { evenDeleted: true });
  if (!(await giveUpBot(deps.sql, botId))) throw new AppError("bin.not_there");
  if (!(await endChats(deps, { botIds: [botId] }))) return { isErased: false, isErasing: true };
  const deadline = performance.now() + limits.erasure.requestMs;
  while (performance.now() <= deadline) {
    if ((await eraseSomeOfBot(deps.sql, botId)) === 0) return { isErased: true };
  }
  return { isErased: false };
}

/**
 * Restores a folder with everything that was deleted with it. Moves the folder's former content back if it is still in
 * the parent folder. Returns the folder and the bots that lost an address.
 */
export async function restoreFolder(deps: BotDependencies, caller: Caller, address: FolderAddress) {
  // If the folder was already restored, a second request returns the folder unchanged.
  const { id, workspaceId } = (await findInBin(deps, caller, address)) ?? (await getFolder(deps, caller, address));
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  const restored = await inFolderTurn(deps.sql, [workspaceId], async (transaction) => {
    const isRestored = await restoreFolderRow(transaction, id);
    return isRestored ? restoreBotRows(transaction, { deletedWith: id }) : [];
  });
  return { folder: await getFolder(deps, caller, address), lost: restored.filter(hasLost) };
}

async function findInBin(deps: BotDependencies, caller: Caller, address: FolderAddress) {
  try {
    return await getFolder(deps, caller, address, { isDeleted: true });
  } catch (error) {
    if (error instanceof AppError && error.code === "folder.not_found") return undefined;
    throw error;
  }
}

/**
 * Erases a folder in the bin with everything that was deleted with it. The folder can no longer be restored, and a job
 * erases the content. Throws `bin.not_there` if the folder is not in the bin.
 */
export async function eraseFolder(deps: BotDependencies, caller: Caller, address: FolderAddress): Promise<Erasing> {
  const folder = await findInBin(deps, caller, address);
  if (!folder) {
    await getFolder(deps, caller, address);
    throw new AppError("bin.not_there");
  }
  const { id, workspaceId } = folder;
  await inFolderTurn(deps.sql, [workspaceId], (transaction) => eraseFolderRow(transaction, id));
  return (await endChats(deps, { workspaceId, deletedWith: id })) ? {} : { isErasing: true };
}

/**
 * Restores a workspace with the content that it had when it was deleted. Its domains must be verified again. Returns
 * the bots that lost an address. Requires ADMIN.
 */
export async function restoreWorkspace(deps: BotDependencies, caller: Caller, workspaceId: string) {
  await requireBinned(deps, caller, workspaceId);
  await restoreWorkspaceRow(deps.sql, workspaceId);
  const restored = await restoreBots(deps, workspaceId, { deletedWith: workspaceId });
  return restored.filter(hasLost);
}

/**
 * Marks a workspace in the bin so that it can no longer be restored. A job erases it later. Requires ADMIN. Throws
 * `bin.not_there` if the workspace is not in the bin.
 */
export async function eraseWorkspace(deps: BotDependencies, caller: Caller, workspaceId: string): Promise<Erasing> {
  const { isDeleted } = await requireBinned(deps, caller, workspaceId);
  if (!isDeleted || !(await giveUpWorkspace(deps.sql, workspaceId))) throw new AppError("bin.not_there");
  return (await endChats(deps, { workspaceId })) ? {} : { isErasing: true };
}

/** Requires that the caller is ADMIN of the workspace. Returns whether the workspace is in the bin. */
async function requireBinned(
  deps: BotDependencies,
  caller: Caller,
  workspaceId: string,
): Promise<{ isDeleted: boolean }> {
  try {
    await requireWorkspace(deps, caller, workspaceId, "administer", { isDeleted: true });
    return { isDeleted: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "workspace.not_found") throw error;
    await requireWorkspace(deps, caller, workspaceId, "administer");
    return { isDeleted: false };
  }
}

function restoreBots(
  deps: BotDependencies,
  workspaceId: string,
  which: Parameters<typeof restoreBotRows>[1],
): Promise<RestoredBot[]> {
  return inFolderTurn(deps.sql, [workspaceId], (transaction) => restoreBotRows(transaction, which));
}

function hasLost({ lostPublicId, lostCustomDomain }: RestoredBot): boolean {
  return lostPublicId !== null || lostCustomDomain !== null;
}

function byDeletion<Row extends { readonly id: string; readonly deletedAt: Date }>(row: Row) {
  return { row, id: row.id, createdAt: row.deletedAt };
}
