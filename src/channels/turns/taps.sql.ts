import type { JsonObject } from "../../core/interpreter/flow.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A message with buttons that was sent to a contact. */
export type PressedSending = {
  readonly id: string;
  readonly sessionId: string;
  readonly revision: number;
  readonly position: number | null;
  readonly choices: JsonObject | null;
  readonly providerId: string | null;
  /** Whether the message is being sent. The provider may already show the message, but has not returned its id. */
  readonly isUnderWay: boolean;
  /** The response of the message's step, as JSON; null if the response is no longer stored. */
  readonly response: string | null;
};

/** Finds a message of a step that was sent to this contact. Returns undefined if the contact has no such message. */
export function findPressed(
  sql: Sql,
  {
    connectionId,
    contactId,
    sendingId,
  }: { readonly connectionId: string; readonly contactId: string; readonly sendingId: string },
): Promise<PressedSending | undefined> {
  return first(sql<PressedSending[]>`
    select o.id, o.session_id, o.revision, o.position, o.choices, o.provider_id, o.state = 'sending' as is_under_way,
      t.response::text as response
    from channel_sendings o
    left join steps t
      on t.shard = (('x' || right(o.session_id::text, 3))::bit(12)::integer & 1023)::smallint
      and t.session_id = o.session_id
      and t.revision = o.revision
    where o.shard = ${shardOf(connectionId)}
      and o.id = ${sendingId}
      and o.connection_id = ${connectionId}
      and o.contact_id = ${contactId}
      and o.session_id is not null`);
}

/**
 * Stores the choices that the contact has made so far in a question, and the current actions of its buttons. Also ends
 * the row of the press. Returns false without any change if the row has ended or has a decision.
 */
export async function saveChoiceState(
  sql: Sql,
  {
    sending,
    rowId,
    choices,
  }: { readonly sending: PressedSending; readonly rowId: string; readonly choices: JsonObject },
): Promise<boolean> {
  const rows = await sql`
    with ended as (
      update channel_inbox
      set state = 'done', reason = 'shown', session_id = ${sending.sessionId}, revision = ${sending.revision}
      where shard = ${shardOf(rowId)} and id = ${rowId} and state = 'waiting' and decision is null
      returning shard
    )
    update channel_sendings o
    set choices = ${JSON.stringify(choices)}::text::json
    from ended
    where o.shard = ended.shard and o.id = ${sending.id}
    returning o.id`;
  return rows.length === 1;
}
