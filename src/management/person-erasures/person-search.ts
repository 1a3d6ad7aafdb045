import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { hasUnreadAnswers } from "../counts/result-values.sql.ts";
import type { WantedValue } from "../results/result-search.sql.ts";
import { namesOf, personNamings, readHistories, withNamesOfResults } from "../results/variable-names.ts";
import { listAllResults, listIndexedResults, listUnreadResults } from "./person-erasures.sql.ts";

/** Results of one bot. The list is empty if a batch contains no match. */
export type FoundBatch = {
  readonly botId: string;
  readonly resultIds: readonly string[];
  /** The value, with the meaning of the variable's name in this bot. */
  readonly wanted: WantedValue;
};

/** A variable that a name refers to. */
export type MeantVariable = { readonly botId: string; readonly id: string; readonly names: string[] };

export type PersonSearch = {
  /** The variables that have or had the name. */
  readonly variables: MeantVariable[];
  /**
   * Finds the results of these bots that have the value. Set `isCounting` if the results are not erased: a result that
   * is in the index and waits to be read again is then returned only once.
   */
  find(botIds: readonly string[], options: { readonly isCounting: boolean }): AsyncGenerator<FoundBatch>;
};

/**
 * Searches these bots' results for a value of a variable. Finds the value under each id and name that the variable has
 * or had, and in answers for the variable, including withdrawn answers.
 */
export async function searchPerson(
  sql: Sql,
  { botIds, wanted: { name, ...wanted } }: { botIds: readonly string[]; wanted: WantedValue },
): Promise<PersonSearch> {
  const histories = await readHistories(sql, botIds);
  const namingIn = personNamings(histories, name);
  const wantedIn = async (botId: string): Promise<WantedValue & { readonly by: NonNullable<WantedValue["by"]> }> => {
    const by = await withNamesOfResults(sql, { botId, naming: namingIn(botId), history: histories.get(botId) });
    return { ...wanted, name, by, withFormer: true };
  };
  return {
    variables: [...histories].flatMap(([botId, { all }]) =>
      namingIn(botId).ids.flatMap((id) => {
        const names = namesOf(all, new Set([id]));
        return names.length === 0 ? [] : [{ botId, id, names }];
      }),
    ),
    async *find(of, { isCounting }) {
      const meant = new Map<string, Awaited<ReturnType<typeof wantedIn>>>();
      for (const botId of of) meant.set(botId, await wantedIn(botId));
      const isUnread = await hasUnreadAnswers(sql);
      for (const [botId, value] of meant) {
        if (isUnread) {
          for (const isBinned of [false, true]) {
            yield* batchesOf(botId, value, (part) => listAllResults(sql, { botId, wanted: value, isBinned, ...part }));
          }
        } else yield* batchesOf(botId, value, (part) => listIndexedResults(sql, { botId, wanted: value, ...part }));
      }
      if (isUnread) return;
      yield* unread(sql, meant, isCounting);
    },
  };
}

type Part = { readonly after: Position | undefined; readonly limit: number };

async function* batchesOf(
  botId: string,
  wanted: WantedValue,
  list: (part: Part) => Promise<(Position & { readonly isMeant: boolean })[]>,
): AsyncGenerator<FoundBatch> {
  const limit = limits.erasure.batch;
  for (let after: Position | undefined, isOver = false; !isOver; ) {
    const found = await list({ after, limit });
    yield { botId, resultIds: found.filter(({ isMeant }) => isMeant).map(({ id }) => id), wanted };
    after = found.at(-1);
    isOver = found.length < limit;
  }
}

/** Yields recent results that the index may lack. With `isCounting`, skips results that the index also contains. */
async function* unread(
  sql: Sql,
  meant: ReadonlyMap<string, WantedValue & { readonly by: NonNullable<WantedValue["by"]> }>,
  isCounting: boolean,
): AsyncGenerator<FoundBatch> {
  const [wanted] = meant.values();
  if (!wanted) return;
  const bots = [...meant].map(([botId, { by }]) => ({ botId, by }));
  const limit = limits.erasure.batch;
  for (let after: string | undefined, isOver = false; !isOver; ) {
    const found = await listUnreadResults(sql, { bots, wanted, isNew: isCounting, after, limit });
    for (const [botId, results] of Map.groupBy(found, (result) => result.botId)) {
      yield { botId, resultIds: results.map(({ id }) => id), wanted: meant.get(botId) ?? wanted };
    }
    after = found.at(-1)?.id;
    isOver = found.length < limit;
  }
}
