import type { Dialect } from "../../../core/flow/dialect.ts";
import { AppError } from "../../../errors.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { isId } from "../../../platform/ids.ts";
import { type Caller, requireBot, requireWorkspace } from "../../access/access.ts";
import { copyNamedFiles } from "../../files/copied-files.ts";
import type { FileDependencies } from "../../files/dependencies.ts";
import { viewBot } from "../bot-view.ts";
import { findBot } from "../bots.sql.ts";
import { requireFolderIn } from "../bots.ts";
import { archiveBots, binBots } from "../deleted-bots.sql.ts";
import { endChats } from "../deletion.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { inFolderTurn } from "../folders/folder-turns.ts";
import { findLinkingBots, type LinkingBot } from "../linking-bots.sql.ts";
import { lockBots, type MovedBotRow, moveBots as moveBotRows } from "./bot-moves.sql.ts";
import { findMissing } from "./linked-bots.ts";

type MoveDependencies = BotDependencies & FileDependencies;

/**
 * The destination of a move. If `workspaceId` is absent, the bot stays in its workspace. If `folderId` is null, the bot
 * is in no folder.
 */
export type BotDestination = { readonly workspaceId?: string | undefined; readonly folderId: string | null };

/**
 * Moves a bot to a folder, or to another workspace of which the caller is ADMIN or MEMBER. The bot retains its results,
 * publications and public id. In another workspace, it loses its custom domain, its invitations, and the collaborators
 * who are not members there. Objects that the new workspace does not have, such as credentials and linked bots, are
 * reported, and their ids remain in the flow.
 */
export async function moveBot(
  deps: MoveDependencies,
  caller: Caller,
  botId: string,
  { destination, dialect }: { destination: BotDestination; dialect: Dialect },
) {
  const { moved: rows, copiedFiles, linkedFrom } = await moveAll(deps, caller, [botId], destination);
  const [moved] = rows;
  const bot = await findBot(deps.sql, botId);
  if (!bot || !moved) throw new AppError("bot.not_found");
  return {
    bot: viewBot(bot, { dialect, mode: "write" }),
    lostCustomDomain: moved.lostCustomDomain,
    copiedFiles,
    linkedFrom,
    ...(await findMissing(deps, caller, { workspaceId: bot.workspaceId, flow: bot, botId })),
  };
}

export const bulkActions = ["archive", "move", "delete"] as const;
export type BulkAction = (typeof bulkActions)[number];

/**
 * Archives, moves or deletes bots: all of them, or none if one is rejected. Returns the number of these bots, and the
 * bots whose links to them are now broken.
 */
export async function changeBots(
  deps: MoveDependencies,
  caller: Caller,
  {
    botIds,
    action,
    destination,
  }: { botIds: readonly string[]; action: BulkAction; destination: BotDestination | undefined },
): Promise<{ count: number; linkedFrom: LinkingBot[] }> {
  const { userId } = caller;
  const distinct = [...new Set(botIds)];
  if (action === "move") {
    if (!destination)
      throw invalidInput([{ path: "folderId", message: "is required for a move; send null for no folder" }]);
    const { moved, linkedFrom } = await moveAll(deps, caller, distinct, destination);
    return { count: moved.length, linkedFrom };
  }
  const places = { botIds: distinct, workspaceIds: await requireAll(deps, caller, distinct) };
  await whileThere<unknown>(deps, places, (transaction) =>
    action === "archive"
      ? archiveBots(transaction, distinct)
      : binBots(transaction, { botIds: distinct, deletedWith: null }),
  );
  if (action === "delete") await endChats(deps, { botIds: distinct });
  return { count: distinct.length, linkedFrom: await findLinkingBots(deps.sql, { ...places, userId }) };
}

async function moveAll(
  deps: MoveDependencies,
  caller: Caller,
  botIds: readonly string[],
  { workspaceId: named, folderId }: BotDestination,
): Promise<{ moved: MovedBotRow[]; copiedFiles: number; linkedFrom: LinkingBot[] }> {
  const { userId } = caller;
  const workspaceIds = await requireAll(deps, caller, botIds);
  const [workspaceId = "", ...others] = named === undefined ? workspaceIds : [named];
  if (others.length > 0) {
    throw invalidInput([{ path: "workspaceId", message: "is required, because these bots are in several workspaces" }]);
  }
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  await requireFolderIn(deps, workspaceId, folderId);
  const copies = await copyNamedFiles(deps, { botIds, workspaceId, userId });
  const places = { botIds, workspaceIds: [...workspaceIds, workspaceId] };
  const moved = await whileThere(deps, places, async (transaction, found) => {
    // Between the check and the lock, another request may have moved the bots to a workspace where the caller has no
    // rights.
    if (found.some((bot) => !workspaceIds.includes(bot.workspaceId))) throw new AppError("bot.not_found");
    const moved = await moveBotRows(transaction, { botIds, workspaceId, folderId });
    if (moved.length < botIds.length) throw new AppError("folder.not_found");
    return moved;
  }).catch(async (error) => {
    await copies.undo();
    throw error;
  });
  // Moves within a workspace break no links, because a link finds a bot in any folder.
  const left = workspaceIds.filter((id) => id !== workspaceId);
  return {
    moved,
    copiedFiles: copies.count,
    linkedFrom: await findLinkingBots(deps.sql, { userId, workspaceIds: left, botIds }),
  };
}

/**
 * Returns the workspaces of these bots. Requires the right to manage each bot. If there are several bots, the error
 * names the first rejected bot.
 */
async function requireAll(deps: BotDependencies, caller: Caller, botIds: readonly string[]): Promise<string[]> {
  const workspaceIds = new Set<string>();
  for (const botId of botIds) {
    const { workspaceId } = await requireBot(deps, caller, botId, "manage").catch((error) => {
      if (!(error instanceof AppError) || botIds.length === 1) throw error;
      throw new AppError(error.code, { data: { botId }, message: `${error.message} (${botId})`, cause: error });
    });
    workspaceIds.add(workspaceId);
  }
  return [...workspaceIds];
}

type Transaction = Parameters<typeof lockBots>[0];

/**
 * Locks the bots and runs the work. Throws `bot.not_found`, and changes nothing, if one of the bots was deleted since
 * the check.
 */
async function whileThere<Value>(
  deps: BotDependencies,
  { botIds, workspaceIds }: { botIds: readonly string[]; workspaceIds: readonly string[] },
  work: (transaction: Transaction, found: Awaited<ReturnType<typeof lockBots>>) => Promise<Value>,
): Promise<Value> {
  return inFolderTurn(deps.sql, workspaceIds, async (transaction) => {
    const found = await lockBots(transaction, botIds.filter(isId));
    if (found.length < botIds.length) throw new AppError("bot.not_found");
    return work(transaction, found);
  });
}
