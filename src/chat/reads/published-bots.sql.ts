import type { FlowFacts } from "../../core/flow/facts.ts";
import { hasEventEndpoints } from "../../management/events/save-events.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId, shardOf } from "../../platform/ids.ts";

/** A version of a bot on which a chat can start, with the database's clock. */
export type PublishedBotRow = {
  readonly botId: string;
  /** The public id as its author wrote it; empty if the bot has none. Lookups ignore case. */
  readonly publicId: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly isClosed: boolean;
  readonly isSuspended: boolean;
  /** Whether the bot's workspace has an enabled event endpoint (`management/events/save-events.sql.ts`). */
  readonly hasEventEndpoints: boolean;
  readonly publicationNumber: number;
  /**
   * The version on which a percentage of new chats starts. Both fields are null without a canary and in
   * `findVersionToStart`.
   */
  readonly canaryNumber: number | null;
  readonly canaryPercent: number | null;
  readonly flowHash: string;
  readonly publishedAt: Date;
  readonly facts: FlowFacts;
  readonly now: Date;
};

/**
 * Finds the published bots with these public ids, ignoring case, in the order of the ids. The result is null for a bot
 * that does not exist, is archived or is not published.
 */
export async function findPublishedBots(sql: Sql, publicIds: readonly string[]): Promise<(PublishedBotRow | null)[]> {
  const rows = await sql<(PublishedBotRow & { index: number })[]>`
    select
      i.index::integer as index,
      b.id as bot_id,
      b.public_id,
      b.canary_number,
      b.canary_percent,
      ${versionColumns(sql)}
    from unnest((select ${[...publicIds]}::text[])) with ordinality as i (public_id, index)
    join bots b on lower(b.public_id) = lower(i.public_id)
    join workspaces w on w.id = b.workspace_id
    join publications p on p.bot_id = b.id and p.number = b.publication_number
    join flows f on f.bot_id = b.id and f.hash = p.flow_hash
    where not b.is_archived`;
  const byIndex = new Map(rows.map(({ index, ...row }) => [index, row]));
  return publicIds.map((_, index) => byIndex.get(index + 1) ?? null);
}

/** Returns the columns of both queries, for the bot `b`, its workspace `w`, and its version `p` with the flow `f`. */
function versionColumns(sql: Sql) {
  return sql`
      b.name,
      b.workspace_id,
      b.is_closed,
      w.is_suspended,
      ${hasEventEndpoints(sql)} as has_event_endpoints,
      p.number as publication_number,
      encode(p.flow_hash, 'hex') as flow_hash,
      p.created_at as published_at,
      f.facts,
      clock() as now`;
}

/** Reads any version of a bot by its number. Returns undefined if the version does not exist or the bot is archived. */
export async function findVersionToStart(
  sql: Sql,
  { botId, number }: { botId: string; number: number },
): Promise<PublishedBotRow | undefined> {
  const [row] = await sql<PublishedBotRow[]>`
    select
      b.id as bot_id,
      coalesce(b.public_id, '') as public_id,
      null::integer as canary_number,
      null::integer as canary_percent,
      ${versionColumns(sql)}
    from bots b
    join workspaces w on w.id = b.workspace_id
    join publications p on p.bot_id = b.id
    join flows f on f.bot_id = b.id and f.hash = p.flow_hash
    where b.id = ${botId}
      and p.number = ${number}
      and not b.is_archived`;
  return row;
}

/**
 * Finds the version on which a result of the bot started. Returns null if the result does not exist or its version is
 * unknown.
 */
export async function findResultVersion(
  sql: Sql,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<number | null> {
  if (!isId(resultId)) return null;
  const [row] = await sql<{ number: number | null }[]>`
    select publication_number as number
    from results
    where shard = ${shardOf(resultId)}
      and id = ${resultId}
      and bot_id = ${botId}`;
  return row?.number ?? null;
}

export type RememberedResult = {
  readonly resultId: string;
  /**
   * The last of the result's sessions, even if only its answers are still stored. Null if the result has neither
   * sessions nor answers.
   */
  readonly lastSessionId: string | null;
  readonly variables: readonly { readonly name: string; readonly value: unknown }[];
  readonly answers: readonly {
    readonly blockId: string;
    readonly content: string;
    readonly attachedFileUrls: readonly string[] | null;
  }[];
};

/**
 * Finds the result of a returning visitor, with its answers in order. Returns undefined if the bot has no such result
 * or the result was deleted.
 */
export async function findRememberedResult(
  sql: Sql,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<RememberedResult | undefined> {
  if (!isId(resultId)) return undefined;
  const [row] = await sql<Omit<RememberedResult, "resultId">[]>`
    select
      r.variables,
      greatest(
        (
          select s.id
          from sessions s
          where s.shard = r.shard and s.result_id = r.id
          order by s.id desc
          limit 1
        ),
        (
          select a.session_id
          from answers a
          where a.shard = r.shard and a.result_id = r.id
          order by a.session_id desc
          limit 1
        )
      ) as last_session_id,
      coalesce(
        (
          select json_agg(
            json_build_object('blockId', a.block_id, 'content', a.content, 'attachedFileUrls', a.attached_file_urls)
            order by a.session_id, a.revision, a.position
          )
          from answers a
          where a.shard = r.shard and a.result_id = r.id and a.replaced_at is null
        ),
        '[]'
      ) as answers
    from results r
    where r.shard = ${shardOf(resultId)}
      and r.id = ${resultId}
      and r.bot_id = ${botId}
      and not r.is_archived`;
  return row && { resultId, ...row };
}
