import { settingsInDialect } from "../compatibility/dialect.ts";
import { flowForGuest } from "../flow/guest.ts";
import type { BotRow } from "../store/bots.ts";
import type { Dialect } from "../threads/messages.ts";
import type { UserMode } from "./access.ts";

/** A bot as the API shows it, in the names of a dialect; a guest sees no credential ids and no `settings.security`. */
export function viewBot(row: BotRow, { dialect, mode }: { dialect: Dialect; mode: UserMode }) {
  const bot = mode === "guest" ? { ...flowForGuest(row), messengerCredentialsId: null } : row;
  return {
    version: bot.version,
    id: bot.id,
    name: bot.name,
    events: bot.events,
    groups: bot.groups,
    edges: bot.edges,
    variables: bot.variables,
    theme: bot.theme,
    selectedThemeTemplateId: bot.selectedThemeTemplateId,
    settings: settingsInDialect(dialect, bot.settings),
    createdAt: bot.createdAt.toISOString(),
    updatedAt: bot.updatedAt.toISOString(),
    icon: bot.icon,
    folderId: bot.folderId,
    publicId: bot.publicId,
    customDomain: bot.customDomain,
    workspaceId: bot.workspaceId,
    resultsTablePreferences: bot.resultsTablePreferences,
    isArchived: bot.isArchived,
    isClosed: bot.isClosed,
    messengerCredentialsId: bot.messengerCredentialsId,
    riskLevel: bot.riskLevel,
  };
}

export type BotView = ReturnType<typeof viewBot>;
