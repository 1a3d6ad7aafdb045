import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import { requireSeen, type Seen } from "../../platform/http/requests/seen.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type DeletedBots, endSomeChats } from "../row-erasure/ended-chats.sql.ts";
import { findBot } from "./bots.sql.ts";
import { binBots } from "./deleted-bots.sql.ts";
import { findLinkingBots, type LinkingBot } from "./linking-bots.sql.ts";

/**
 * Deletes a bot: moves it to the bin, which immediately frees its public id and custom domain, and ends its chats.
 * Deleting a deleted bot succeeds and continues to end its chats. Returns the bots that link to the bot. Requires ADMIN
 * or MEMBER.
 */
export async function deleteBot(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  seen: Seen,
): Promise<LinkingBot[]> {
  const { workspaceId } = await requireBot(deps, caller, botId, "manage", { evenDeleted: true });
  const count = await binBots(deps.sql, { botIds: [botId], deletedWith: null, seen });
  const current = count === 0 ? await findBot(deps.sql, botId) : undefined;
  if (current) requireSeen(seen, current.updatedAt);
  await endChats(deps, { botIds: [botId] });
  return findLinkingBots(deps.sql, { userId: caller.userId, workspaceIds: [workspaceId], botIds: [botId] });
}

/** The shortest and the longest pause before a retry for chats that were being saved. */
const [pauseMs, maxPauseMs] = [20, 1_000];

/**
 * Ends the chats of bots in the bin for as long as a request may take. A job ends the remaining chats. Returns whether
 * all chats have ended. Afterwards no step of these chats is saved, except for starts that were already running.
 */
export async function endChats({ sql, clock }: ManagementDependencies, which: DeletedBots): Promise<boolean> {
  const deadline = clock.now() + limits.erasure.endingMs;
  for (let waitMs = pauseMs; clock.now() < deadline; ) {
    const { open, ended } = await endSomeChats(sql, which, { limit: limits.erasure.endedChats });
    if (open === 0) return true;
    if (ended > 0) continue;
    await pause(clock, waitMs);
    waitMs = Math.min(2 * waitMs, maxPauseMs);
  }
  return false;
}
