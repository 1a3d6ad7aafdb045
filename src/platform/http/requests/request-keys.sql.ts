import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../database/sql.ts";

/** The key's owner: a token, or all callers without one. */
export type RequestKey = { readonly ownerId: string; readonly key: string };

export type RequestKeyRow = {
  readonly requestHash: Uint8Array;
  /** Null until the request has been answered. */
  readonly answer: Uint8Array | null;
  /** No request takes this long: it was cut off before its response. */
  readonly isCutOff: boolean;
};

/** Claims a key that is free, or was claimed longer than a day ago. Of several concurrent claims one succeeds. */
export async function claimRequestKey(
  sql: Sql,
  { ownerId, key, requestHash }: RequestKey & { requestHash: Uint8Array },
): Promise<boolean> {
  const rows = await sql`
    insert into request_keys (owner_id, key, request_hash)
    values (${ownerId}, ${key}, ${requestHash})
    on conflict (owner_id, key) do update
    set request_hash = excluded.request_hash,
      created_at = clock(),
      answer = null
    where request_keys.created_at <= clock() - make_interval(hours => ${limits.idempotency.hours})
    returning key`;
  return rows.length > 0;
}

export async function findRequestKey(sql: Sql, { ownerId, key }: RequestKey): Promise<RequestKeyRow | undefined> {
  const [row] = await sql<RequestKeyRow[]>`
    select
      request_hash,
      answer,
      answer is null and created_at <= clock() - make_interval(secs => ${limits.idempotency.requestSeconds}) as is_cut_off
    from request_keys
    where owner_id = ${ownerId}
      and key = ${key}`;
  return row;
}

export async function keepAnswer(sql: Sql, { ownerId, key }: RequestKey, answer: Uint8Array): Promise<void> {
  await sql`
    update request_keys
    set answer = ${answer}
    where owner_id = ${ownerId}
      and key = ${key}`;
}

/** Records that the outcome of a request is unknown, so that no other waits for it. */
export async function giveUpRequestKey(sql: Sql, { ownerId, key }: RequestKey): Promise<void> {
  await sql`
    update request_keys
    set created_at = least(created_at, clock() - make_interval(secs => ${limits.idempotency.requestSeconds}))
    where owner_id = ${ownerId}
      and key = ${key}
      and answer is null`;
}

/** Releases the key of a request that did nothing. */
export async function releaseRequestKey(sql: Sql, { ownerId, key }: RequestKey): Promise<void> {
  await sql`
    delete from request_keys
    where owner_id = ${ownerId}
      and key = ${key}
      and answer is null`;
}

/** Removes keys that are older than a day. Returns how many. */
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
