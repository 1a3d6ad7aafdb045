import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import { findIndexedUntil, listUnread, queueUnqueued } from "../counts/count-state.sql.ts";
import { readResultValues } from "../counts/result-values.sql.ts";
import type { ResultList } from "./result-search.sql.ts";

/**
 * Between two checks of an index that a caller waits for, a rest is this much longer than the last read, so that most
 * of the database's capacity is left to chats.
 */
const restsPerRead = 3;
const leastRestMs = 100;

/** The dependencies of a wait for the index. */
export type IndexTools = Pick<PlatformDependencies, "sql" | "clock"> & {
  readonly replica: Pick<PlatformDependencies["replica"], "read">;
  /** Ends a wait with an error. */
  readonly signal?: AbortSignal;
};

type Wanted = {
  readonly list: Pick<ResultList, "botId" | "filter">;
  /** The wait is for the results that existed at this moment. */
  readonly at: Date;
};

/** Whether a list is looked up in the index of variables' values. */
export function usesIndex({ filter }: Pick<ResultList, "filter">): boolean {
  return filter?.values !== undefined;
}

/** The time up to which the index surely has all results of a list; null if it has caught up, or is not used. */
export async function indexedUntil({ replica }: IndexTools, { list, at }: Wanted): Promise<Date | null> {
  if (!usesIndex(list)) return null;
  return await replica.read((sql) => findIndexedUntil(sql, { botIds: [list.botId], at }));
}

/**
 * Waits until the index has caught up with a bot's results, if the list is looked up in it. Meanwhile it reads those of
 * the bot's results that the index lacks, so that the caller waits only for these and not for the job's next run.
 * Throws `results.not_counted` if this takes too long.
 */
export async function waitForIndex(tools: IndexTools, wanted: Wanted): Promise<void> {
  const { sql, clock } = tools;
  const { at, list } = wanted;
  const end = clock.now() + limits.resultValues.waitMs;
  for (;;) {
    tools.signal?.throwIfAborted();
    const asOf = await indexedUntil(tools, wanted);
    if (!asOf) return;
    if (clock.now() >= end) throw new AppError("results.not_counted", { data: { asOf: asOf.toISOString() } });
    const begun = clock.now();
    await queueUnqueued(sql, { botId: list.botId, at });
    const unread = await listUnread(sql, { botId: list.botId, at, limit: limits.resultValues.perRead });
    if (unread.length > 0) await readResultValues(sql, unread);
    await pause(clock, Math.max(leastRestMs, restsPerRead * (clock.now() - begun)));
  }
}
