import type { Sql } from "../../platform/database/sql.ts";
import { listBotsWithUncountedSilence, type ResultPlace, recountSilence } from "../counts/silent-chats.sql.ts";
import { nobody } from "../counts/turns.sql.ts";

/**
 * Returns a function that searches all bots, some at a time, for chats that an earlier release did not count as silent,
 * and queues them for recounting. The search runs once in the lifetime of a process. Returns the number of queued
 * chats, 1 if there may be more, and 0 at the end.
 */
export function createSilenceSearch(sql: Sql): () => Promise<number> {
  let after: string | null = nobody;
  let waiting: readonly string[] = [];
  let before: ResultPlace | undefined;
  return async function searchSome() {
    const [botId, ...others] = waiting;
    if (botId !== undefined) {
      const { count, last } = await recountSilence(sql, { botId, before });
      before = last ?? undefined;
      if (!last) waiting = others;
      return Math.max(1, count);
    }
    if (after === null) return 0;
    const { botIds, last } = await listBotsWithUncountedSilence(sql, { after });
    waiting = botIds;
    after = last;
    return last === null ? 0 : 1;
  };
}
