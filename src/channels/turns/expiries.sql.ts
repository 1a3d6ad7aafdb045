import { limits } from "../../limits/index.ts";
import { bulk, double, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { type HeldBy, isHeldBy } from "../held-by.sql.ts";
import type { Notice } from "./end-turn.sql.ts";

/** A contact whose chat may have expired. */
export type DueExpiry = {
  readonly contactId: string;
  readonly sessionId: string | null;
  readonly name: string | null;
  readonly kind: "person" | "group";
  readonly isExpired: boolean;
  /** Seconds until the contact is checked again; null if it is not checked again. */
  readonly againSeconds: number | null;
};

/**
 * Lists the contacts whose chats the holder must check now, longest-waiting first. If a chat
 *
 *     has ended, or its contact opted out ───────→ it is not checked again
 *     waits for a call or a timer ───────────────→ it is checked again after its expiry time
 *     has had a step in the meantime ────────────→ it is checked again when it expires
 *     has a message that waits for its turn ─────→ it is checked again in a minute
 *     expired more than a day ago ───────────────→ it is not checked again, and its contact is not informed
 *     has expired ───────────────────────────────→ its contact is informed
 */
export async function listDueExpiries(sql: Sql, connectionId: string): Promise<DueExpiry[]> {
  return sql<DueExpiry[]>`
    select
      due.contact_id, due.session_id, due.name, due.kind,
      due.state = 'expired' as is_expired,
      case due.state
        when 'writes' then 60
        when 'waits' then due.expiry_seconds
        when 'later' then due.left_seconds
      end::double precision as again_seconds
    from (
      select
        c.id as contact_id, c.session_id, c.name, c.kind,
        extract(epoch from c.expires_at - c.asked_at) as expiry_seconds,
        extract(epoch from t.created_at + (c.expires_at - c.asked_at) - clock()) as left_seconds,
        case
          when c.opted_out_at is not null or c.blocked_at is not null or s.is_ended or s.expires_at <= clock() then 'over'
          when t.created_at + (c.expires_at - c.asked_at) is null then 'over'
          when exists (
            select from channel_inbox i where i.contact_id = c.id and i.state = 'waiting'
          ) then 'writes'
          when t.response -> 'input' is null then 'waits'
          when t.created_at + (c.expires_at - c.asked_at) > clock() then 'later'
          when t.created_at + (c.expires_at - c.asked_at) < clock() - make_interval(hours => ${limits.channels.retryHours})
            then 'over'
          else 'expired'
        end as state
      from channel_contacts c
      left join sessions s
        on s.shard = (('x' || right(c.session_id::text, 3))::bit(12)::integer & 1023)::smallint and s.id = c.session_id
      left join steps t on t.shard = s.shard and t.session_id = s.id and t.revision = s.revision
      where c.connection_id = ${connectionId}
        and c.expiry_due_at <= clock()
      order by c.expiry_due_at
      limit ${limits.channels.expiriesAtOnce}
    ) due`;
}

/** A checked contact, with the messages to send to the contact. */
export type SeenExpiry = Pick<DueExpiry, "contactId" | "sessionId" | "againSeconds"> & {
  readonly messages: readonly Notice[];
};

const seenRows = bulk<SeenExpiry>({
  contact_id: uuid(({ contactId }) => contactId),
  session_id: uuid(({ sessionId }) => sessionId),
  again_seconds: double(({ againSeconds }) => againSeconds),
});

const messageRows = bulk<Notice & Pick<SeenExpiry, "contactId">>({
  contact_id: uuid(({ contactId }) => contactId),
  id: uuid(({ id }) => id),
  message: text(({ message }) => message),
});

/**
 * Stores that contacts were checked, and queues their messages. Messages still waiting when the chat ends are dropped.
 * Contacts stay unchanged if their check is outdated, or if another process holds the connection. Returns the number of
 * checked contacts.
 */
export async function tellExpiries(
  sql: Sql,
  { connectionId, holder }: HeldBy,
  seen: readonly SeenExpiry[],
): Promise<number> {
  if (seen.length === 0) return 0;
  const messages = seen.flatMap(({ contactId, messages: own }) => own.map((notice) => ({ ...notice, contactId })));
  const [row] = await sql<[{ count: number }]>`
    with messages as materialized (
      select i.contact_id, i.id, i.message, row_number() over (partition by i.contact_id order by i.index) as place
      from ${messageRows(sql, messages)} as i
    ),
    looked as (
      update channel_contacts c
      set expiry_due_at = clock() + make_interval(secs => i.again_seconds),
        next_sequence = c.next_sequence + (select count(*) from messages m where m.contact_id = i.contact_id)
      from ${seenRows(sql, seen)} as i
      where c.id = i.contact_id
        and c.connection_id = ${connectionId}
        and c.session_id is not distinct from i.session_id
        and c.expiry_due_at <= clock()
        and not exists (
          select
          from channel_inbox w
          join messages m on m.contact_id = w.contact_id
          where w.contact_id = c.id and w.state = 'waiting'
        )
        and ${isHeldBy(sql, { connectionId, holder })}
      returning c.id, c.session_id, c.next_sequence
    ),
    said as (
      insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source, session_id, message, choices)
      select
        ${shardOf(connectionId)}::smallint, m.id, ${connectionId}::uuid, looked.id,
        looked.next_sequence - (select count(*) from messages n where n.contact_id = looked.id) + m.place - 1,
        'notice', looked.session_id, m.message::json, '{}'::json
      from looked
      join messages m on m.contact_id = looked.id
    )
    select count(*)::integer as count from looked`;
  return row.count;
}
