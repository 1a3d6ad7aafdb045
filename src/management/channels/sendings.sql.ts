import type { JsonObject } from "../../core/interpreter/flow.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { ContactPlace } from "./conversations.sql.ts";

export type SendingPlace = { readonly connectionId: string; readonly sendingId: string };

/** Queues a message for a contact, after all other messages. Returns undefined if the contact no longer exists. */
export async function insertTest(
  sql: Sql,
  { connectionId, contactId, id, message }: ContactPlace & { id: string; message: JsonObject },
): Promise<{ readonly id: string } | undefined> {
  return first(sql<{ id: string }[]>`
    with contact as (
      update channel_contacts
      set next_sequence = next_sequence + 1
      where id = ${contactId}
        and connection_id = ${connectionId}
      returning id, connection_id, next_sequence - 1 as sequence
    )
    insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source, message)
    select
      ${shardOf(connectionId)}::smallint,
      ${id}::uuid,
      contact.connection_id,
      contact.id,
      contact.sequence,
      'test',
      ${JSON.stringify(message)}::text::json
    from contact
    returning id`);
}

/** The reason why a failed message is not queued again. */
export type Refusal = "erased" | "opted_out" | "blocked" | "passed";

/**
 * Queues a failed message again in its previous position, or drops it. Returns undefined if there is no such failed
 * message. A message is not queued again if a later message was or is being sent, because the order would change. It is
 * also not queued again if its content is erased, or if its contact is blocked or has opted out. An opt-out does not
 * apply to notices.
 */
export async function settleFailed(
  sql: Sql,
  { connectionId, sendingId }: SendingPlace,
  act: "retry" | "drop",
): Promise<{ readonly refusal: Refusal | null } | undefined> {
  const isDrop = act === "drop";
  return first(sql<{ refusal: Refusal | null }[]>`
    with failed as (
      select
        s.shard,
        s.id,
        case
          when ${isDrop} then null
          when s.message is null then 'erased'
          when c.opted_out_at is not null and s.source <> 'notice' then 'opted_out'
          when c.blocked_at is not null then 'blocked'
          when exists (
            select
            from channel_sendings later
            where later.contact_id = s.contact_id
              and later.sequence > s.sequence
              and later.state in ('sending', 'accepted', 'sent', 'delivered', 'read')
          ) then 'passed'
        end as refusal
      from channel_sendings s
      join channel_contacts c on c.id = s.contact_id
      where s.shard = ${shardOf(connectionId)}
        and s.id = ${sendingId}
        and s.connection_id = ${connectionId}
        and s.state = 'failed'
      for update of s
    ),
    settled as (
      update channel_sendings s
      set state = ${isDrop ? "dropped" : "pending"},
        attempts = case when ${isDrop} then s.attempts else 0 end,
        not_before = null,
        error_class = case when ${isDrop} then s.error_class end,
        error_code = case when ${isDrop} then s.error_code end,
        error_detail = case when ${isDrop} then s.error_detail end,
        settled_at = case when ${isDrop} then clock() end
      from failed
      where s.shard = failed.shard
        and s.id = failed.id
        and failed.refusal is null
    )
    select refusal
    from failed`);
}
