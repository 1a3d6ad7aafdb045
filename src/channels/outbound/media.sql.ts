import { first, type Sql } from "../../platform/database/sql.ts";

/** A file in a request to a provider, identified by its URL and by the form in which it is shown. */
export type MediaKey = { readonly connectionId: string; readonly hash: string; readonly type: string };

/** Finds the id that the provider assigned to a file. Returns undefined if no id is stored or the id has expired. */
export async function findMediaId(sql: Sql, { connectionId, hash, type }: MediaKey): Promise<string | undefined> {
  const row = await first(sql<{ mediaId: string }[]>`
    select media_id
    from channel_media
    where connection_id = ${connectionId}
      and source_hash = decode(${hash}, 'hex')
      and type = ${type}
      and expires_at > clock()`);
  return row?.mediaId;
}

/** Stores the provider's id of a file, and deletes the connection's expired ids. */
export async function rememberMedia(
  sql: Sql,
  { connectionId, hash, type }: MediaKey,
  { mediaId, seconds }: { readonly mediaId: string; readonly seconds: number },
): Promise<void> {
  await sql`
    with over as (
      delete from channel_media
      where connection_id = ${connectionId}
        and expires_at <= clock()
        and (source_hash, type) <> (decode(${hash}, 'hex'), ${type})
    )
    insert into channel_media (connection_id, source_hash, type, media_id, expires_at)
    values (
      ${connectionId}, decode(${hash}, 'hex'), ${type}, ${mediaId}, clock() + make_interval(secs => ${seconds}::integer)
    )
    on conflict (connection_id, source_hash, type) do update
    set media_id = excluded.media_id,
      expires_at = excluded.expires_at`;
}

/** Deletes an id that the provider no longer recognises. */
export async function forgetMedia(sql: Sql, { connectionId, hash, type }: MediaKey): Promise<void> {
  await sql`
    delete from channel_media
    where connection_id = ${connectionId}
      and source_hash = decode(${hash}, 'hex')
      and type = ${type}`;
}
