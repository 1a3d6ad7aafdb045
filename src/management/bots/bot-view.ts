import { type Dialect, settingsInDialect } from "../../core/flow/dialect.ts";
import { flowForGuest } from "../../core/flow/guest.ts";
import type { UserMode } from "../access/access.ts";
import type { BotRow } from "./bots.sql.ts";

/**
 * Returns a bot in the API's format, with the setting names of a dialect. A guest gets only a part of the bot's data.
 */
export function viewBot(row: BotRow, { dialect, mode }: { dialect: Dialect; mode: UserMode }) {
  const bot = mode === "guest" ? { ...flowForGuest(row), messengerCredentialsId: null, editor: null } : row;
  return { ...bot, settings: settingsInDialect(dialect, bot.settings) };
}

export type BotView = ReturnType<typeof viewBot>;
