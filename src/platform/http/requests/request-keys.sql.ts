import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../database/sql.ts";

/** An idempotency key. Its owner is a token or a sign-in, or all callers without either. */
export type RequestKey = { readonly ownerId: string; readonly key: string };

/** The bot or workspace whose content a stored response contains, as far as it is known. */
export type ContentPlace = { readonly workspaceId: string | null; readonly botId: string | null };

export type RequestKeyRow = ContentPlace & {
  readonly requestHash: Uint8Array;
  /** Null until the request has been answered. */
  readonly answer: Uint8Array | null;
  /**
   * Whether the response contains content of bots or results. Null if this is unknown, or if the content was erased
   * while the request was running.
   */
  readonly shows: boolean | null;
  /** Whether the request is too old to be running, so that it must have been aborted before its response. */
  readonly isCutOff: boolean;
};

/**
 * Claims a key that is free or expired, and returns whether the key was claimed. Only one of several concurrent claims
 * succeeds. `place` is the bot or workspace whose content the response will contain.
 */
export async function claimRequestKey(
  sql: Sql,
  { ownerId, key, requestHash, place }: RequestKey & { requestHash: Uint8Array; place?: ContentPlace | undefined },
): Promise<boolean> {
  const rows = await sql`
    insert into request_keys (owner_id, key, request_hash, workspace_id, bot_id, shows)
    values (${ownerId}, ${key}, ${requestHash}, ${place?.workspaceId ?? null}, ${place?.botId ?? null}, ${place !== undefined})
    on conflict (owner_id, key) do update
    set request_hash = excluded.request_hash,
      created_at = clock(),
      answer = null,
      workspace_id = excluded.workspace_id,
      bot_id = excluded.bot_id,
      shows = excluded.shows
    where request_keys.created_at <= clock() - make_interval(hours => ${limits.idempotency.hours})
    returning key`;
  return rows.length > 0;
}

export async function findRequestKey(sql: Sql, { ownerId, key }: RequestKey): Promise<RequestKeyRow | undefined> {
  const [row] = await sql<RequestKeyRow[]>`
    select
      request_hash,
      answer,
      workspace_id,
      bot_id,
      shows,
      answer is null and created_at <= clock() - make_interval(secs => ${limits.idempotency.requestSeconds}) as is_cut_off
    from request_keys
    where owner_id = ${ownerId}
      and key = ${key}`;
  return row;
}

/**
 * Stores a response. `place` is the bot or workspace whose content the response contains. Returns false if content of
 * that bot or workspace was erased in the meantime, because the response may contain the erased content.
 */
export async function keepAnswer(
  sql: Sql,
  { ownerId, key }: RequestKey,
  { answer, place }: { answer: Uint8Array; place?: ContentPlace | undefined },
): Promise<boolean> {
  const { count } = await sql`
    update request_keys
    set answer = ${answer},
      workspace_id = ${place?.workspaceId ?? null},
      bot_id = ${place?.botId ?? null}
    where owner_id = ${ownerId}
      and key = ${key}
      and shows = ${place !== undefined}`;
  return count > 0;
}

/**
 * Returns the parts of a statement that delete stored responses with their keys, each followed by a comma. The part
 * named `using` selects the content by `bot_id` and `workspace_id`. Responses of running requests will not be stored
 * either, but their keys are kept.
 */
export function shownAnswersDeletedWith(sql: Sql, { using }: { using: string }) {
  return sql`
    shown_answers as (
      -- Locked: of one that is stored at this moment it is seen here that it is there.
      select request_keys.owner_id, request_keys.key, request_keys.answer is null as is_under_way
      from ${sql(using)} as erased
      join request_keys on request_keys.bot_id = erased.bot_id
        or (request_keys.bot_id is null and request_keys.workspace_id = erased.workspace_id)
      where request_keys.shows
      order by request_keys.owner_id, request_keys.key
      for update of request_keys
    ),
    shown_answers_gone as (
      delete from request_keys
      using shown_answers
      where request_keys.owner_id = shown_answers.owner_id
        and request_keys.key = shown_answers.key
        and not shown_answers.is_under_way
    ),
    shown_answers_lost as (
      update request_keys
      set shows = null
      from shown_answers
      where request_keys.owner_id = shown_answers.owner_id
        and request_keys.key = shown_answers.key
        and shown_answers.is_under_way
    ),`;
}

/** Records that the outcome of a request is unknown, so that no other request waits for its response. */
export async function giveUpRequestKey(sql: Sql, { ownerId, key }: RequestKey): Promise<void> {
  await sql`
    update request_keys
    set created_at = least(created_at, clock() - make_interval(secs => ${limits.idempotency.requestSeconds}))
    where owner_id = ${ownerId}
      and key = ${key}
      and answer is null`;
}

/** Releases the key of a request that had no effect. */
export async function releaseRequestKey(sql: Sql, { ownerId, key }: RequestKey): Promise<void> {
  await sql`
    delete from request_keys
    where owner_id = ${ownerId}
      and key = ${key}
      and answer is null`;
}

/** Deletes keys that are older than a day. Returns the number of deleted keys. */
export async function deleteOldRequestKeys(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    with old as (
      select owner_id, key
      from request_keys
      where created_at <= clock() - make_interval(hours => ${limits.idempotency.hours})
      order by created_at
      limit ${limit}
      for update skip locked
    )
    delete from request_keys
    using unnest((select array_agg(owner_id) from old), (select array_agg(key) from old)) as gone (owner_id, key)
    where request_keys.owner_id = gone.owner_id
      and request_keys.key = gone.key`;
  return count;
}
