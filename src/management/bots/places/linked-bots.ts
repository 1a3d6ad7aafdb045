import type { Dialect } from "../../../core/flow/dialect.ts";
import type { StoredFlow } from "../../../core/flow/document.ts";
import { valueAt } from "../../../core/interpreter/flow.ts";
import { type External, externalsOf, secretsOf } from "../../../core/lint/externals.ts";
import { AppError } from "../../../errors.ts";
import { isId } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { findSecretNames } from "../../credentials/secrets.sql.ts";
import { findMissingAddresses } from "../../files/named-files.ts";
import { findBot } from "../bots.sql.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { findLinkingBots } from "../linking-bots.sql.ts";
import { findOwnCredentials, findReadableBots } from "./linked-bots.sql.ts";

/** External objects that a flow refers to and that its workspace does not have. */
export type Missing = {
  readonly missingCredentials: External[];
  readonly missingBots: External[];
  readonly missingSecrets: string[];
  readonly missingFiles: string[];
};

/**
 * Returns the bots that a bot's draft links to, the missing bots that it refers to, and the bots that link to it. A
 * linked bot that the caller may not read counts as missing, and a linking bot that the caller may not read is left
 * out. For existing clients, links of the draft that do not merge their answers are ignored.
 */
export async function listLinkedBots(deps: BotDependencies, caller: Caller, botId: string, dialect: Dialect) {
  const { workspaceId } = await requireBot(deps, caller, botId, "read");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  const reader = { workspaceId, userId: caller.userId };
  const links = externalsOf(dialect === "typebot" ? mergingOnly(bot) : bot).bots.filter(({ id }) => id !== botId);
  const bots = await findReadableBots(deps.sql, { ...reader, botIds: idsOf(links) });
  const found = new Set(bots.map(({ id }) => id));
  return {
    bots,
    missingBots: links.filter(({ id }) => !found.has(id)),
    linkedFrom: await findLinkingBots(deps.sql, {
      userId: caller.userId,
      workspaceIds: [workspaceId],
      botIds: [botId],
    }),
  };
}

/**
 * Returns the external objects of a flow that a workspace does not have. A linked bot that the caller may not read
 * counts as missing. `botId` is the flow's own bot, which never counts as missing.
 */
export async function findMissing(
  deps: BotDependencies,
  { userId }: Pick<Caller, "userId">,
  {
    workspaceId,
    flow,
    botId,
  }: { workspaceId: string; flow: Omit<StoredFlow, "version" | "events" | "edges">; botId?: string },
): Promise<Missing> {
  const { credentials, bots } = externalsOf(flow);
  const known = new Set([
    ...(await findOwnCredentials(deps.sql, { workspaceId, ids: idsOf(credentials) })),
    ...(await findReadableBots(deps.sql, { workspaceId, userId, botIds: idsOf(bots) })).map(({ id }) => id),
    ...(botId === undefined ? [] : [botId]),
  ]);
  return {
    missingCredentials: credentials.filter(({ id }) => !known.has(id)),
    missingBots: bots.filter(({ id }) => !known.has(id)),
    missingSecrets: await findMissingSecrets(deps, workspaceId, flow),
    missingFiles: await findMissingAddresses(deps, flow),
  };
}

/** Returns the secrets that a flow refers to and that its workspace does not have. */
async function findMissingSecrets(
  { sql }: Pick<BotDependencies, "sql">,
  workspaceId: string,
  flow: Pick<StoredFlow, "groups" | "variables">,
): Promise<string[]> {
  const names = secretsOf(flow);
  const own = names.length === 0 ? [] : await findSecretNames(sql, workspaceId);
  return names.filter((name) => !own.includes(name));
}

/**
 * Returns the ids in Parley's format. Ids in another format come from other services and refer to nothing in Parley.
 */
function idsOf(externals: readonly External[]): string[] {
  return [...new Set(externals.map(({ id }) => id))].filter(isId);
}

function mergingOnly(flow: Pick<StoredFlow, "groups">): Pick<StoredFlow, "groups"> {
  return {
    groups: flow.groups.map((group) => ({
      ...group,
      blocks: (group.blocks ?? []).filter((block) => valueAt(block, "options", "mergeResults") !== false),
    })),
  };
}
