import type { ProviderMessage } from "../../core/channels/channel.ts";
import { channelEvents } from "../../management/events/channel-events.sql.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { bulk, integer, json, smallint, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { sharedStatements } from "../shared-statements.ts";
import type { Head, Holder } from "./sendings.sql.ts";

/** Stores the progress of messages. Messages of all connections share a statement if they progress at the same time. */
export type Marks = {
  /**
   * Marks a message as being sent, before the call, and stores its new form if `message` is set. Returns false if the
   * connection is no longer held, or if the message is no longer pending.
   */
  sending(mark: SendingMark): Promise<boolean>;
  /**
   * Marks a message as accepted. Returns false if this process no longer holds the connection, or if the message is no
   * longer being sent.
   */
  accepted(mark: AcceptedMark): Promise<boolean>;
};

export type SendingMark = {
  readonly by: Holder;
  readonly head: Pick<Head, "id" | "attempts">;
  readonly message: ProviderMessage | undefined;
};

export type AcceptedMark = {
  readonly by: Holder;
  readonly id: string;
  readonly contactId: string;
  readonly providerId: string;
};

export function createMarks({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): Marks {
  const sending = sharedStatements<SendingMark, boolean>(clock, (all) => markSending(sql, all));
  const accepted = sharedStatements<AcceptedMark, boolean>(clock, (all) => markAccepted(sql, all));
  return { sending: (mark) => sending.add(mark), accepted: (mark) => accepted.add(mark) };
}

const sendingRows = bulk<SendingMark>({
  shard: smallint(({ by }) => shardOf(by.connectionId)),
  id: uuid(({ head }) => head.id),
  connection_id: uuid(({ by }) => by.connectionId),
  holder: uuid(({ by }) => by.holder),
  attempts: integer(({ head }) => head.attempts),
  message: json(({ message }) => message && JSON.stringify(message)),
});

async function markSending(sql: Sql, marks: readonly SendingMark[]): Promise<readonly boolean[]> {
  const rows = await sql<{ id: string }[]>`
    update channel_sendings o
    set state = 'sending', attempts = o.attempts + 1, attempted_at = clock(),
      message = coalesce(i.message::json, o.message)
    from ${sendingRows(sql, marks)} as i
    where o.shard = i.shard
      and o.id = i.id
      and o.state = 'pending'
      and o.attempts = i.attempts
      -- A call may only begin while the lease is valid.
      and exists (
        select
        from channel_leases l
        where l.connection_id = i.connection_id and l.holder = i.holder and l.held_until > clock()
      )
    returning o.id`;
  const marked = new Set(rows.map(({ id }) => id));
  return marks.map(({ head }) => marked.has(head.id));
}

const acceptedRows = bulk<AcceptedMark>({
  shard: smallint(({ by }) => shardOf(by.connectionId)),
  id: uuid(({ id }) => id),
  contact_id: uuid(({ contactId }) => contactId),
  connection_id: uuid(({ by }) => by.connectionId),
  workspace_id: uuid(({ by }) => by.workspaceId),
  holder: uuid(({ by }) => by.holder),
  provider_id: text(({ providerId }) => (providerId === "" ? null : providerId)),
  // Events contain ids as texts.
  message: text(({ id }) => id),
  contact: text(({ contactId }) => contactId),
  connection: text(({ by }) => by.connectionId),
  channel: text(({ by }) => by.channel),
});

async function markAccepted(sql: Sql, marks: readonly AcceptedMark[]): Promise<readonly boolean[]> {
  const rows = await sql<{ id: string }[]>`
    with given as (
      select * from ${acceptedRows(sql, marks)} as i
    ),
    noted as (
      update channel_leases l
      set last_outbound_at = clock(), refusals = 0, failing_since = null
      from (select distinct connection_id, holder from given) i
      where l.connection_id = i.connection_id
        and l.holder = i.holder
        and (l.refusals > 0 or l.last_outbound_at is null or l.last_outbound_at < clock() - interval '10 seconds')
    ),
    accepted as (
      update channel_sendings o
      set state = 'accepted', provider_id = given.provider_id, settled_at = clock(), error_class = null,
        error_code = null, error_detail = null
      from given
      where o.shard = given.shard
        and o.id = given.id
        and o.state = 'sending'
        and exists (
          select
          from channel_leases l
          where l.connection_id = given.connection_id and l.holder = given.holder
        )
      returning given.*, o.contact_id as owner_id
    )
    ${channelEvents(sql, {
      type: "message.sent",
      from: sql`accepted`,
      workspaceId: sql`accepted.workspace_id`,
      orderKey: sql`accepted.owner_id`,
      content: {
        connectionId: sql`accepted.connection`,
        channel: sql`accepted.channel`,
        contactId: sql`accepted.contact`,
        messageId: sql`accepted.message`,
        providerId: sql`accepted.provider_id`,
      },
    })}
    select id from accepted`;
  const accepted = new Set(rows.map(({ id }) => id));
  return marks.map(({ id }) => accepted.has(id));
}
