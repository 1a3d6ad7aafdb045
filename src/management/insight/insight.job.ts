import { readClock } from "../../platform/database/clock.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { noteFoundUntil } from "../counts/count-state.sql.ts";
import { noteCountedUntil } from "../counts/counts.sql.ts";
import { findResultsToRead } from "../counts/result-values.sql.ts";
import { createCounting } from "./count-results.ts";
import { createPaymentSearch } from "./counted-payments.ts";
import { createSilenceSearch } from "./silence.ts";

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
