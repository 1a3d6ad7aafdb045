import type { Sql } from "../../platform/database/sql.ts";
import { listBotsWithUncountedSilence, type ResultPlace, recountSilence } from "../counts/silent-chats.sql.ts";
import { nobody } from "../counts/turns.sql.ts";

/**
 * Searches all bots, once in the life of a process and some at a time, for chats that an earlier release counted, so
 * that they are counted as silent. Returns the number queued, or 1 if there may be more; 0 at the end.
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
