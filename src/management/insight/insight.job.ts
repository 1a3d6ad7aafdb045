import { readClock } from "../../platform/database/clock.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { noteFoundUntil } from "../counts/count-state.sql.ts";
import { noteCountedUntil } from "../counts/counts.sql.ts";
import { findResultsToRead } from "../counts/result-values.sql.ts";
import { listBotsWithUncountedSilence, type ResultPlace, recountSilence } from "../counts/silent-chats.sql.ts";
import { nobody } from "../counts/turns.sql.ts";
import { createCounting } from "./count-results.ts";
import { createPaymentSearch } from "./counted-payments.ts";

/**
 * The number of results that one statement counts. Results of the same bot and quarter of an hour change the same rows
 * of counts.
 */
const batch = 250;
/**
 * The maximum delay of the counts. A change is recorded within ten seconds (`management/insight/insight-notes.ts`), and
 * counted within a minute after that.
 */
const unseenMs = 75_000;

/** Creates the task that updates the counts of results. Results of earlier releases are treated like new results. */
export function insight(sql: Sql): CleanUp {
  const countSome = createCounting(sql);
  const payments = createPaymentSearch(sql);
  const searchSilence = createSilenceSearch(sql);
  return {
    name: "insight",
    cron: "* * * * *",
    did: "Counted",
    isPatient: true,
    async removeSome() {
      const begun = await readClock(sql);
      await payments.begin();
      const counted = await countSome(batch);
      if (counted > 0) return counted;
      const found = (await findResultsToRead(sql, "results")) + (await findResultsToRead(sql, "sessions"));
      if (found > 0) return found;
      await noteCountedUntil(sql, new Date(begun.getTime() - unseenMs));
      await noteFoundUntil(sql, begun);
      return (await payments.searchSome(begun)) || (await searchSilence());
    },
  };
}

/**
 * Returns a function that searches all bots, some at a time, for chats that an earlier release did not count as silent,
 * and queues them for recounting. The search runs once in the lifetime of a process. The function returns the number of
 * queued chats, 1 if there may be more, and 0 at the end.
 */
function createSilenceSearch(sql: Sql): () => Promise<number> {
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
