import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId } from "../../platform/ids.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { eraseNamedResults } from "../row-erasure/bin-erasure.ts";
import {
  binResults,
  findBinnedResults,
  listBinnedResults,
  restoreResults,
} from "../row-erasure/deleted-results.sql.ts";
import { endSessionsOfResults, findResultPlaces, listResultPlaces } from "../row-erasure/erasure.sql.ts";
import { endExports } from "./exports/result-exports.sql.ts";

/**
 * The outcome of a request that processes many results. If it is not complete, a repeated request continues with the
 * remaining results.
 */
export type Erasure = { readonly deletedCount: number; readonly isComplete: boolean };

export type WhichResults = { readonly resultIds: readonly string[]; readonly isAll: boolean };

/**
 * Moves results to the bin, which hides them and ends their chats. The caller names ids or all results. Ids that do not
 * belong to the bot are ignored.
 */
export async function deleteResults(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  which: WhichResults,
): Promise<Erasure> {
  const named = await requireNamed(deps, caller, { botId, which });
  return inBatches({
    named,
    find: (resultIds) => findResultPlaces(deps.sql, { botId, resultIds }),
    list: (after) => listResultPlaces(deps.sql, { botId, after, limit: limits.erasure.batch }),
    async work(resultIds) {
      await endSessionsOfResults(deps.sql, resultIds);
      return binResults(deps.sql, { botId, resultIds });
    },
  });
}

/**
 * Deletes one result, like `deleteResults`. Throws `result.not_found` if the result does not exist or is already
 * deleted.
 */
export async function deleteResult(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  resultId: string,
): Promise<void> {
  const { deletedCount } = await deleteResults(deps, caller, botId, { resultIds: [resultId], isAll: false });
  if (deletedCount === 0) throw new AppError("result.not_found");
}

/** Restores results from the bin with all their content. The chats of these results remain ended. */
export async function restoreDeletedResults(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  which: WhichResults,
): Promise<{ restoredCount: number; isComplete: boolean }> {
  const named = await requireNamed(deps, caller, { botId, which });
  const { deletedCount: restoredCount, isComplete } = await inBatches({
    ...inBin(deps, botId, named),
    work: (resultIds) => restoreResults(deps.sql, { botId, resultIds }),
  });
  return { restoredCount, isComplete };
}

/**
 * Erases results of the bin permanently, before their time in the bin ends. Also ends all exports of the bot, because
 * they may contain erased values.
 */
export async function eraseDeletedResults(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  which: WhichResults,
): Promise<{ erasedCount: number; isComplete: boolean }> {
  const named = await requireNamed(deps, caller, { botId, which });
  await endExports(deps.sql, { botIds: [botId] });
  const { deletedCount: erasedCount, isComplete } = await inBatches({
    ...inBin(deps, botId, named),
    work: (resultIds) => eraseNamedResults(deps.sql, { botId, resultIds, isBinned: true }),
  });
  return { erasedCount, isComplete };
}

/** Checks the caller's right and the request. Returns the named ids, or undefined for all results. */
async function requireNamed(
  deps: ManagementDependencies,
  caller: Caller,
  { botId, which: { resultIds, isAll } }: { botId: string; which: WhichResults },
): Promise<readonly string[] | undefined> {
  await requireBot(deps, caller, botId, "write", { evenArchived: true });
  if (isAll && resultIds.length > 0)
    throw invalidInput([{ path: "resultIds", message: "must not be combined with all=true" }]);
  if (!isAll && resultIds.length === 0)
    throw invalidInput([{ path: "resultIds", message: "is required, unless all=true is sent" }]);
  if (resultIds.length > limits.erasure.resultIds) {
    throw invalidInput([{ path: "resultIds", message: `must have at most ${limits.erasure.resultIds} entries` }]);
  }
  return isAll ? undefined : resultIds.filter(isId);
}

type Place = { readonly id: string; readonly createdAt: Date };

type Batches = {
  readonly named: readonly string[] | undefined;
  /** Returns the given results that may be processed. */
  find(resultIds: readonly string[]): Promise<readonly Place[]>;
  /** Returns the next batch of all the bot's results that may be processed. */
  list(after: Place | undefined): Promise<readonly Place[]>;
  /** Processes the results, and returns the number of processed results. */
  work(resultIds: readonly string[]): Promise<number>;
};

/** Processes a bot's results in batches, within the time of one request. */
async function inBatches({ named, find, list, work }: Batches): Promise<Erasure> {
  const deadline = performance.now() + limits.erasure.requestMs;
  let deletedCount = 0;
  let last: Place | undefined;
  for (let index = 0; ; index += limits.erasure.batch) {
    if (named && index >= named.length) return { deletedCount, isComplete: true };
    if (performance.now() > deadline) return { deletedCount, isComplete: false };
    const places = named ? await find(named.slice(index, index + limits.erasure.batch)) : await list(last);
    last = places.at(-1);
    if (!last && !named) return { deletedCount, isComplete: true };
    if (places.length > 0) deletedCount += await work(places.map(({ id }) => id));
  }
}

function inBin(
  deps: ManagementDependencies,
  botId: string,
  named: readonly string[] | undefined,
): Omit<Batches, "work"> {
  const place = ({ id, erasedAt }: { id: string; erasedAt: Date }) => ({ id, createdAt: erasedAt });
  return {
    named,
    find: (resultIds) => findBinnedResults(deps.sql, { botId, resultIds }),
    list: async (after) =>
      (await listBinnedResults(deps.sql, { botId, after, limit: limits.erasure.batch })).map(place),
  };
}
