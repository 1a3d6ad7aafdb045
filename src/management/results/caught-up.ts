import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import { findIndexedUntil, listUnread, queueUnqueued } from "../counts/count-state.sql.ts";
import { readResultValues } from "../counts/result-values.sql.ts";
import type { ResultList } from "./result-search.sql.ts";

/**
 * The pause between two checks of an index, as a multiple of the duration of the last read. This leaves most of the
 * database's capacity to chats.
 */
const restsPerRead = 3;
const leastRestMs = 100;

export type IndexTools = Pick<PlatformDependencies, "sql" | "clock"> & {
  readonly replica: Pick<PlatformDependencies["replica"], "read">;
  /** Ends the wait with an error when it is aborted. */
  readonly signal?: AbortSignal;
};

type Wanted = {
  readonly list: Pick<ResultList, "botId" | "filter">;
  /** The wait ends when the index contains the results that existed at this moment. */
  readonly at: Date;
};

/** Whether a list uses the index of variables' values. */
export function usesIndex({ filter }: Pick<ResultList, "filter">): boolean {
  return filter?.values !== undefined;
}

/**
 * Returns the time up to which the index is certain to contain all results of a list; null if the index is up to date
 * or not used.
 */
export async function indexedUntil({ replica }: IndexTools, { list, at }: Wanted): Promise<Date | null> {
  if (!usesIndex(list)) return null;
  return await replica.read((sql) => findIndexedUntil(sql, { botIds: [list.botId], at }));
}

/**
 * Waits until the index contains all results of a bot, if the list uses the index. During the wait, reads the results
 * that the index lacks, so that the caller need not wait for the job's next run. Throws `results.not_counted` if this
 * takes too long.
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
