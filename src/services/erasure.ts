import type { Dependencies } from "../dependencies.ts";
import { isId } from "../ids.ts";
import { limits } from "../limits.ts";
import { archiveBot } from "../store/bots.ts";
import {
  endSessions,
  endSessionsOfResults,
  eraseResults,
  eraseSessions,
  findResultPlaces,
  listResultPlaces,
  listSessionIds,
  type ResultPlace,
} from "../store/erasure.ts";
import { type Caller, requireBot } from "./access.ts";
import { invalidInput } from "./invalid-input.ts";

/** What one request erased; asked again, it goes on with the rest. */
export type Erasure = { readonly deletedCount: number; readonly isComplete: boolean };

/**
 * Deletes results: they are archived, their chats end, and what visitors said in them is erased. The caller gives ids or asks
 * for all; ids of no result of the bot are ignored.
 */
export async function deleteResults(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  { resultIds, isAll }: { resultIds: readonly string[]; isAll: boolean },
): Promise<Erasure> {
  await requireBot(deps, caller, botId, "write");
  if (isAll && resultIds.length > 0)
    throw invalidInput([{ path: "resultIds", message: "must not be given beside all=true" }]);
  if (!isAll && resultIds.length === 0)
    throw invalidInput([{ path: "resultIds", message: "is required, or all=true" }]);
  if (resultIds.length > limits.erasure.resultIds) {
    throw invalidInput([{ path: "resultIds", message: `must have at most ${limits.erasure.resultIds} entries` }]);
  }
  return isAll ? eraseAllResults(deps, botId) : eraseNamedResults(deps, botId, resultIds.filter(isId));
}

/**
 * Deletes a bot: at once nobody sees it and its public id and custom domain are free; then its chats end and its results
 * are erased. Deleting it again succeeds, and goes on with an erasure that was broken off.
 */
export async function deleteBot(deps: Dependencies, caller: Caller, botId: string): Promise<{ isErased: boolean }> {
  await requireBot(deps, caller, botId, "write", { evenArchived: true });
  await archiveBot(deps.sql, botId);
  const deadline = performance.now() + limits.erasure.requestMs;
  const results = await eraseAllResults(deps, botId, deadline);
  return { isErased: results.isComplete && (await eraseAllSessions(deps, botId, deadline)) };
}

async function eraseNamedResults(deps: Dependencies, botId: string, resultIds: readonly string[]): Promise<Erasure> {
  const deadline = performance.now() + limits.erasure.requestMs;
  let deletedCount = 0;
  for (let index = 0; index < resultIds.length; index += limits.erasure.batch) {
    if (performance.now() > deadline) return { deletedCount, isComplete: false };
    const batch = resultIds.slice(index, index + limits.erasure.batch);
    deletedCount += await eraseBatch(deps, botId, await findResultPlaces(deps.sql, { botId, resultIds: batch }));
  }
  return { deletedCount, isComplete: true };
}

async function eraseAllResults(
  deps: Dependencies,
  botId: string,
  deadline = performance.now() + limits.erasure.requestMs,
): Promise<Erasure> {
  let deletedCount = 0;
  let last: ResultPlace | undefined;
  while (performance.now() <= deadline) {
    const places = await listResultPlaces(deps.sql, { botId, after: last, limit: limits.erasure.batch });
    deletedCount += await eraseBatch(deps, botId, places);
    last = places.at(-1);
    if (!last) return { deletedCount, isComplete: true };
  }
  return { deletedCount, isComplete: false };
}

async function eraseBatch(deps: Dependencies, botId: string, places: readonly ResultPlace[]): Promise<number> {
  if (places.length === 0) return 0;
  const resultIds = places.map((place) => place.id);
  await endSessionsOfResults(deps.sql, resultIds);
  return eraseResults(deps.sql, { botId, resultIds });
}

async function eraseAllSessions(deps: Dependencies, botId: string, deadline: number): Promise<boolean> {
  while (performance.now() <= deadline) {
    const sessionIds = await listSessionIds(deps.sql, { botId, limit: limits.erasure.batch });
    if (sessionIds.length === 0) return true;
    await endSessions(deps.sql, sessionIds);
    await eraseSessions(deps.sql, sessionIds);
  }
  return false;
}
