import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { WantedValue } from "../results/result-search.sql.ts";
import { listIndexedResults, listUnreadResults } from "./person-erasures.sql.ts";

/** Results of one bot; none where a look at a batch found none. */
export type FoundBatch = { readonly botId: string; readonly resultIds: readonly string[] };

/**
 * The results of these bots that have the value now, each once: first those that the index knows, then those of the last moments. Where they stay
 * (`isCounting`) a result that is in both is given with the first.
 */
export async function* findPerson(
  sql: Sql,
  { botIds, wanted, isCounting }: { botIds: readonly string[]; wanted: WantedValue; isCounting: boolean },
): AsyncGenerator<FoundBatch> {
  const limit = limits.erasure.batch;
  for (const botId of botIds) {
    for (let after: Position | undefined, isOver = false; !isOver; ) {
      const found = await listIndexedResults(sql, { botId, wanted, after, limit });
      yield { botId, resultIds: found.filter(({ isMeant }) => isMeant).map(({ id }) => id) };
      after = found.at(-1);
      isOver = found.length < limit;
    }
  }
  for (let after: string | undefined, isOver = false; !isOver; ) {
    const found = await listUnreadResults(sql, { botIds, wanted, isNew: isCounting, after, limit });
    for (const [botId, results] of Map.groupBy(found, (result) => result.botId)) {
      yield { botId, resultIds: results.map(({ id }) => id) };
    }
    after = found.at(-1)?.id;
    isOver = found.length < limit;
  }
}
