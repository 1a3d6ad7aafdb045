import { AppError } from "../../../errors.ts";
import { publicIdIssues } from "../../access/public-addresses.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { findPublishedLook, type PublishedLookRow } from "./published-looks.sql.ts";

export type PublishedLook = PublishedLookRow;

/**
 * Returns the appearance of the bot with a public id, for a page on which no chat has started. Throws `route.not_found`
 * for an invalid public id, and `bot.not_found` if no published bot has this id.
 */
export async function publishedLook(deps: Pick<BotDependencies, "sql">, publicId: string): Promise<PublishedLook> {
  if (publicIdIssues(publicId, "publicId").length > 0) throw new AppError("route.not_found");
  const look = await findPublishedLook(deps.sql, publicId);
  if (!look) throw new AppError("bot.not_found");
  return look;
}
