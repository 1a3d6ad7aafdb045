import { limits } from "../../limits/index.ts";
import { requireSeen, type Seen } from "../../platform/http/requests/seen.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { endSessions, listOpenSessionIds } from "../erasure/erasure.sql.ts";
import { findBot } from "./bots.sql.ts";
import { binBots } from "./deleted-bots.sql.ts";

/**
 * Deletes a bot: puts it into the bin, which frees its public id and custom domain at once, and ends its chats.
 * Deleting it again succeeds, and continues ending chats. For ADMIN and MEMBER.
 */
export async function deleteBot(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  seen: Seen,
): Promise<void> {
  await requireBot(deps, caller, botId, "manage", { evenDeleted: true });
  const count = await binBots(deps.sql, { botIds: [botId], deletedWith: null, seen });
  const current = count === 0 ? await findBot(deps.sql, botId) : undefined;
  if (current) requireSeen(seen, current.updatedAt);
  await endChats(deps, botId);
}

/** Ends a bot's chats, for as long as a request may take; a job ends the rest. */
export async function endChats(
  deps: ManagementDependencies,
  botId: string,
  deadline = performance.now() + limits.erasure.requestMs,
): Promise<void> {
  while (performance.now() <= deadline) {
    const sessionIds = await listOpenSessionIds(deps.sql, { botId, limit: limits.erasure.batch });
    if (sessionIds.length === 0) return;
    await endSessions(deps.sql, sessionIds);
  }
}
