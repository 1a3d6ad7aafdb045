import type { Dialect } from "../../../core/flow/dialect.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { inTurn } from "../../../platform/database/turns.sql.ts";
import { newId } from "../../../platform/ids.ts";
import { type Caller, refuseBlocked, requireBot } from "../../access/access.ts";
import { type BotView, viewBot } from "../bot-view.ts";
import { findBot } from "../bots.sql.ts";
import { requireFolderIn } from "../bots.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { copyBot, copyResults, countResults } from "./bot-copies.sql.ts";

export type Duplication = {
  /** If absent, the copy gets the bot's name with a suffix. */
  readonly name?: string;
  /** If absent, the copy is in the bot's own folder. */
  readonly folderId?: string | null;
  readonly isWithResults: boolean;
  readonly dialect: Dialect;
};

/**
 * Creates a bot from another bot's draft in the same workspace, with or without its results. Copies either everything
 * or nothing. The new bot is not published and has no public id. Throws `bot.too_many_results` if the bot has more
 * results than one request copies.
 */
export async function duplicateBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { name, folderId, isWithResults, dialect }: Duplication,
): Promise<{ bot: BotView; copiedResults: number }> {
  const access = await requireBot(deps, caller, botId, "manage");
  refuseBlocked(access);
  const { workspaceId } = access;
  await requireFolderIn(deps, workspaceId, folderId);
  const most = limits.duplication.results;
  if (isWithResults && (await countResults(deps.sql, { botId, most: most + 1 })) > most) {
    throw new AppError("bot.too_many_results", { data: { most } });
  }
  const id = newId();
  const copiedResults = await inTurn(deps.sql, async (transaction) => {
    const isMade = await copyBot(transaction, { fromBotId: botId, id, name: name ?? null, folderId });
    if (!isMade) throw new AppError(typeof folderId === "string" ? "folder.not_found" : "bot.not_found");
    if (!isWithResults) return 0;
    const copy = { fromBotId: botId, toBotId: id, salt: crypto.randomUUID() };
    let copied = 0;
    let after: string | null = null;
    do {
      const batch: { count: number; last: string | null } = await copyResults(transaction, copy, {
        after,
        limit: limits.duplication.batch,
      });
      copied += batch.count;
      after = batch.last;
    } while (after !== null);
    return copied;
  });
  const bot = await findBot(deps.sql, id);
  if (!bot) throw new AppError("bot.not_found");
  return { bot: viewBot(bot, { dialect, mode: "write" }), copiedResults };
}
