import { limits } from "../../limits/index.ts";
import { bulk, uuid } from "../../platform/database/bulk.ts";
import { lasts } from "../../platform/database/spans.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A waiting row of the inbox, as its holder reads it. */
export type WaitingRow = {
  readonly id: string;
  readonly contactId: string | null;
  readonly kind: string;
  /** The event, as JSON. */
  readonly content: string | null;
  readonly sequence: number;
  readonly decision: string | null;
  readonly attempts: number;
  /** The time of arrival by the database's clock, in milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Milliseconds since arrival, and milliseconds until the row may be processed. */
  readonly ageMs: number;
  readonly restMs: number;
  /** Milliseconds since the contact wrote the message, by the provider's clock; null if unknown. */
  readonly writtenMs: number | null;
};

/**
 * Lists the waiting rows of a connection in order, except those in `known`. Rows without a number from the provider
 * have the same sequence within a second, and are then ordered by their arrival. Ids only order the rows of a batch,
 * because they run ahead of the clock when a process stores many rows in a millisecond.
 */
export async function listWaiting(
  sql: Sql,
  connectionId: string,
  { known, limit }: { readonly known: readonly string[]; readonly limit: number },
): Promise<WaitingRow[]> {
  const rows = await sql<(Omit<WaitingRow, "sequence"> & { sequence: string })[]>`
    select
      i.id,
      i.contact_id,
      i.kind,
      i.content::text as content,
      i.sequence::text as sequence,
      i.decision::text as decision,
      i.attempts,
      extract(epoch from i.received_at)::double precision * 1000 as received_at_ms,
      extract(epoch from clock() - i.received_at)::double precision * 1000 as age_ms,
      case when ${lasts(sql, sql`i.not_before`, limits.channels.lastPauseSeconds)}
        then extract(epoch from i.not_before - clock())::double precision * 1000
        else 0
      end as rest_ms,
      extract(epoch from clock() - i.provider_time)::double precision * 1000 as written_ms
    from channel_inbox i
    where i.connection_id = ${connectionId}
      and i.state = 'waiting'
      and i.id <> all(${[...known]}::uuid[])
    order by i.sequence, i.received_at, i.id
    limit ${limit}`;
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}

type Assigned = { readonly id: string; readonly contactId: string };
const assignedRows = bulk<Assigned>({ id: uuid(({ id }) => id), contact_id: uuid(({ contactId }) => contactId) });

/** Stores the contact of each row, and the time at which these contacts last wrote. */
export async function assignContacts(sql: Sql, connectionId: string, rows: readonly Assigned[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    with given as (
      select * from ${assignedRows(sql, rows)} as i
    ),
    written as (
      update channel_contacts c
      set last_inbound_at = clock()
      where c.id in (select contact_id from given)
    )
    update channel_inbox i
    set contact_id = given.contact_id
    from given
    where i.shard = ${shardOf(connectionId)}
      and i.id = given.id`;
}
