import type { CountedValues } from "../../core/interpreter/input-traits.ts";
import { countedTypes, countedValuesOf } from "../../core/measures/counted-values.ts";
import { type Counted, measuresOf } from "../../core/measures/measures.ts";
import type { Sql } from "../../platform/database/sql.ts";
import {
  type CountedFailure,
  listBlocksOfTypes,
  listCountedAnswers,
  listCountedBefore,
  listCountedEdges,
  listCountedFailures,
  listResultsToCount,
  listShownBlocks,
  listWaitingChats,
  type ResultToCount,
  type WaitingChat,
} from "../counts/counted-results.sql.ts";
import { type BotMeasure, findMeasureIds, type NewCount, postponeCounts, saveCounts } from "../counts/counts.sql.ts";
import { listPaidAmounts } from "../counts/paid-results.sql.ts";
import { type ProblemExample, saveProblemExamples } from "../counts/problems.sql.ts";
import { takeDue } from "../counts/turns.sql.ts";
import { listRatings } from "../ratings/ratings.sql.ts";

/** The number of versions whose choices are cached. */
const cachedVersions = 200;
/** The cache is cleared when it contains more measures than this. */
const cachedMeasures = 20_000;

type CountedBlocks = ReadonlyMap<string, CountedValues>;

/**
 * Returns a function that counts some due results and returns the number of examined results. It calculates each
 * result's count from the stored data and replaces the previous count (`saveCounts`). It can therefore run any number
 * of times, in several processes at the same time, and can be stopped at any point.
 */
export function createCounting(sql: Sql): (limit: number) => Promise<number> {
  // The version 0 is the published version, whose choices can change. The choices of other versions are cached without
  // expiry.
  const cache = new Map<string, CountedBlocks>();

  async function blocksOf({ botId, version }: { botId: string; version: number }): Promise<CountedBlocks> {
    const key = `${botId} ${version}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const blocks = countedValuesOf(await listBlocksOfTypes(sql, { botId, version, types: countedTypes }));
    if (version > 0) {
      const [oldest] = cache.keys();
      if (cache.size >= cachedVersions && oldest !== undefined) cache.delete(oldest);
      cache.set(key, blocks);
    }
    return blocks;
  }

  async function measure(results: readonly Present[]): Promise<Map<string, readonly Counted[]>> {
    const ids = results.map(({ resultId }) => resultId);
    const answers = Map.groupBy(await listCountedAnswers(sql, ids), ({ resultId }) => resultId);
    const edges = Map.groupBy(await listCountedEdges(sql, ids), ({ resultId }) => resultId);
    const allFailures = await listCountedFailures(sql, ids);
    const failures = Map.groupBy(allFailures, ({ resultId }) => resultId);
    const ratings = Map.groupBy(await listRatings(sql, ids), ({ resultId }) => resultId);
    const payments = Map.groupBy(await listPaidAmounts(sql, ids), ({ resultId }) => resultId);
    const shown = Map.groupBy(await listShownBlocks(sql, ids), ({ resultId }) => resultId);
    const before = Map.groupBy(await listCountedBefore(sql, ids), ({ resultId }) => resultId);
    const waiting = new Map((await listWaitingChats(sql, ids)).map((chat) => [chat.resultId, chat]));
    const counted = new Map<string, readonly Counted[]>();
    for (const result of results) {
      const { resultId } = result;
      const blocks = await blocksOf(result);
      const chat = waiting.get(resultId);
      const waitingBlockId = waitingIn(chat, resultId);
      const shownBlockIds = (shown.get(resultId) ?? []).map(({ blockId }) => blockId);
      // The steps of a linked bot are stored with another result.
      if (chat?.isLinked && waitingBlockId) shownBlockIds.push(waitingBlockId);
      const facts = {
        ...result,
        answers: answers.get(resultId) ?? [],
        edges: edges.get(resultId) ?? [],
        failures: failures.get(resultId) ?? [],
        ratings: ratings.get(resultId) ?? [],
        payments: payments.get(resultId) ?? [],
        shownBlockIds,
        waitingBlockId,
        before: before.get(resultId) ?? [],
      };
      counted.set(
        resultId,
        measuresOf(facts, (blockId) => blocks.get(blockId)),
      );
    }
    if (allFailures.length > 0) await noteExamples(results, allFailures);
    return counted;
  }

  /** Stores the last of these results for each problem. */
  async function noteExamples(results: readonly Present[], failures: readonly CountedFailure[]): Promise<void> {
    const botOf = new Map(results.map(({ resultId, botId }) => [resultId, botId]));
    const last = new Map<string, ProblemExample>();
    for (const { lastAt: seenAt, ...failure } of failures) {
      const botId = botOf.get(failure.resultId);
      if (botId === undefined) continue;
      const key = JSON.stringify([botId, failure.blockId, failure.reason]);
      const before = last.get(key);
      if (!before || before.seenAt < seenAt) last.set(key, { ...failure, botId, seenAt });
    }
    await saveProblemExamples(sql, [...last.values()]);
  }

  const measureIds = createMeasureIds(sql);

  async function newCounts(results: readonly ResultToCount[]): Promise<NewCount[]> {
    const counted = await measure(results.filter(isThere));
    const places = results.flatMap(({ resultId, botId }) =>
      botId === null ? [] : (counted.get(resultId) ?? []).map((one) => ({ resultId, botId, ...one })),
    );
    const idOf = await measureIds(new Map(places.map((place) => [keyOf(place), place])));
    const ofResult = Map.groupBy(places, ({ resultId }) => resultId);
    return results.map((result) => {
      if (result.isGone) return { ...result, kept: null };
      const measures = (ofResult.get(result.resultId) ?? []).flatMap((place) => {
        const id = idOf.get(keyOf(place));
        return id === undefined ? [] : [{ id, times: place.times }];
      });
      return { ...result, kept: { ...result, measures } };
    });
  }

  return async function countSome(limit) {
    const taken = await takeDue(sql, "insight_results", limit);
    if (taken.length === 0) return 0;
    const due = await listResultsToCount(sql, taken);
    const unchanged = due.filter(({ isChanged, isGone }) => !isChanged && !isGone);
    if (unchanged.length > 0) await postponeCounts(sql, unchanged);
    const changed = due.filter(({ isChanged, isGone }) => isChanged || isGone);
    if (changed.length > 0) await saveCounts(sql, await newCounts(changed));
    return due.length;
  };
}

/**
 * Returns the question that the visitor of this result has not answered yet; undefined if there is no open question,
 * null if it is unknown.
 */
function waitingIn(chat: WaitingChat | undefined, resultId: string): string | undefined | null {
  if (!chat) return null;
  const { isLinked, runningResultId, blockId } = chat;
  if (isLinked && runningResultId === null) return null;
  return isLinked && runningResultId !== resultId ? undefined : (blockId ?? undefined);
}

type Present = ResultToCount & {
  readonly botId: string;
  readonly createdAt: Date;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
};

function isThere(result: ResultToCount): result is Present {
  return result.botId !== null && !result.isGone;
}

/** Returns a function that finds the ids of measures. Most ids are cached, because they never change. */
function createMeasureIds(
  sql: Sql,
): (measures: ReadonlyMap<string, BotMeasure>) => Promise<ReadonlyMap<string, number>> {
  const cache = new Map<string, number>();
  return async (measures) => {
    // Tries twice: an id that another process is creating at the moment is found once it exists. Measures of a deleted
    // bot have no ids.
    for (let attempt = 0; attempt < 2; attempt++) {
      const missing = [...measures].filter(([key]) => !cache.has(key));
      if (missing.length === 0) break;
      if (cache.size > cachedMeasures) cache.clear();
      const wanted = missing.map(([, measure]) => measure);
      const ids = await findMeasureIds(sql, wanted);
      for (const [index, [key]] of missing.entries()) {
        const id = ids[index];
        if (id !== undefined) cache.set(key, id);
      }
    }
    return cache;
  };
}

function keyOf({ botId, kind, subject, value }: BotMeasure): string {
  return JSON.stringify([botId, kind, subject, value]);
}
