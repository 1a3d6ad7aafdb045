import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { recountFailing } from "../counts/counted-results.sql.ts";
import { botEvents } from "../events/bot-events.sql.ts";

/** A bubble, by its chat, the revision of its step, and its block. */
export type RatedBubble = { readonly sessionId: string; readonly revision: number; readonly blockId: string };

/** A visitor's rating. `words` is null if the visitor wrote no text. */
export type Rating = { readonly isGood: boolean; readonly words: string | null };

export type RatingRow = RatedBubble & Rating & { readonly resultId: string; readonly ratedAt: Date };

/**
 * Stores a rating, and replaces an earlier rating of the same bubble. Null removes the earlier rating. A change is sent
 * as `answer.rated`, and the result is recounted. Returns false if the result is deleted.
 */
export async function saveRating(
  sql: Sql,
  { sessionId, revision, blockId }: RatedBubble,
  {
    resultId,
    linkedResultId = null,
    botId,
    rating,
  }: {
    resultId: string;
    /** The result of a linked bot that also shows the rating. */
    linkedResultId?: string | null;
    botId: string;
    rating: Rating | null;
  },
): Promise<boolean> {
  const change = rating
    ? sql`
      insert into answer_ratings as rated (shard, session_id, revision, block_id, result_id, linked_result_id, bot_id, is_good, words)
      select shard, ${sessionId}, ${revision}, ${blockId}, id, ${linkedResultId}::uuid, ${botId}, ${rating.isGood}, ${rating.words}
      from standing
      on conflict (shard, session_id, revision, block_id) do update
        set is_good = excluded.is_good, words = excluded.words, rated_at = clock()
        where (rated.is_good, rated.words) is distinct from (excluded.is_good, excluded.words)`
    : sql`
      delete from answer_ratings as rated
      using standing
      where rated.shard = standing.shard
        and rated.session_id = ${sessionId}
        and rated.revision = ${revision}
        and rated.block_id = ${blockId}`;
  const rows = await sql`
    with standing as (
      -- An erasure waits for this lock, and then removes the rating, too.
      select shard, id
      from results
      where shard = ${shardOf(resultId)}
        and id = ${resultId}
        and not is_archived
      for share
    ),
    failing as (
      ${change}
      returning rated.shard, rated.result_id
    ),
    ${recountFailing(sql)}
    ${botEvents(sql, {
      type: "answer.rated",
      from: sql`failing`,
      botId: sql`${botId}::uuid`,
      result: { id: sql`failing.result_id`, sessionId: sql`${sessionId}::uuid` },
      orderKey: sql`${sessionId}::uuid`,
      content: {
        blockId: sql`${blockId}::text`,
        revision: sql`${revision}::integer`,
        isGood: sql`${rating?.isGood ?? null}::boolean`,
        words: sql`${rating?.words ?? null}::text`,
      },
    })}
    select from standing`;
  return rows.length > 0;
}

/** Returns the ratings of a chat, in order. */
export async function listSessionRatings(
  sql: Sql,
  sessionId: string,
): Promise<(Omit<RatedBubble, "sessionId"> & Rating)[]> {
  return sql`
    select revision, block_id, is_good, words
    from answer_ratings
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}
    order by revision, block_id`;
}

/** Returns the ratings of these results, in order within each result, up to a limit. */
export async function listRatings(sql: Sql, resultIds: readonly string[]): Promise<RatingRow[]> {
  return sql<RatingRow[]>`
    select rated.*
    from ${shardedIds(sql, resultIds)} as wanted
    cross join lateral (
      select result_id, session_id, revision, block_id, is_good, words, rated_at
      from answer_ratings
      where answer_ratings.shard = wanted.shard
        and answer_ratings.result_id = wanted.id
      order by session_id, revision, block_id
      limit ${limits.ratings.perResult}
    ) as rated
    order by session_id, revision, block_id`;
}

/**
 * A rating that a linked bot's result shows, and that belongs to the result of the linking bot. The rating has no
 * session, because the session is a secret of the linking bot's result.
 */
export type LinkedRating = Omit<RatingRow, "sessionId"> & { readonly isLinked: true };

/** Returns the ratings that these results show because another bot links to their bot. */
export async function listLinkedRatings(sql: Sql, resultIds: readonly string[]): Promise<LinkedRating[]> {
  return sql<LinkedRating[]>`
    select rated.*
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    cross join lateral (
      select linked_result_id as result_id, revision, block_id, is_good, words, rated_at, true as is_linked
      from answer_ratings
      where answer_ratings.shard = results.shard
        and answer_ratings.session_id = results.writer_session_id
        and answer_ratings.linked_result_id = results.id
      order by revision, block_id
      limit ${limits.ratings.perResult}
    ) as rated
    order by revision, block_id`;
}
