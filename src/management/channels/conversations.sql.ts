import type { JsonObject } from "../../core/interpreter/flow.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A contact of a connection with the state of the conversation. */
export type ConversationRow = {
  readonly id: string;
  readonly connectionId: string;
  readonly kind: "person" | "group";
  readonly name: string | null;
  readonly username: string | null;
  readonly language: string | null;
  readonly addressKind: string;
  readonly address: string;
  readonly botId: string | null;
  readonly botName: string | null;
  readonly sessionId: string | null;
  readonly resultId: string | null;
  readonly isRunning: boolean;
  readonly optedOutAt: Date | null;
  readonly blockedAt: Date | null;
  readonly lastInboundAt: Date | null;
  readonly lastOutboundAt: Date | null;
  /** The number of unsent messages, at most `limits.channels.shownUnsent`. */
  readonly unsentCount: number;
  readonly failedCount: number;
  /**
   * The time of the contact's last message, or of the contact's creation if there is no message. The list is sorted by
   * this time.
   */
  readonly createdAt: Date;
};

export type ContactPlace = { readonly connectionId: string; readonly contactId: string };

export type ConversationFilter = {
  readonly botId?: string | undefined;
  readonly isRunning?: boolean | undefined;
  readonly isOptedOut?: boolean | undefined;
  /** A complete address in the messenger's format. */
  readonly address?: string | undefined;
};

type Reading = { readonly connectionId: string; readonly shown: number };

/**
 * Returns a page of the contacts of a connection that match the filter. Contacts who sent a message most recently come
 * first.
 */
export async function listConversations(
  sql: Sql,
  {
    connectionId,
    botId,
    isRunning,
    isOptedOut,
    address,
    after,
    limit,
    shown,
  }: Reading & ConversationFilter & { after: Position | undefined; limit: number },
): Promise<ConversationRow[]> {
  return sql<ConversationRow[]>`
    select ${columns(sql, shown)}
    from channel_contacts c
    where c.connection_id = ${connectionId}
      ${botId === undefined ? sql`` : sql`and c.bot_id = ${botId}`}
      ${isRunning === undefined ? sql`` : sql`and ${runs(sql)} = ${isRunning}`}
      ${isOptedOut === undefined ? sql`` : sql`and (c.opted_out_at is not null) = ${isOptedOut}`}
      ${
        address === undefined
          ? sql``
          : sql`
      and c.id in (select a.contact_id from channel_addresses a where a.connection_id = ${connectionId} and a.value = ${address})`
      }
      ${after ? sql`and (coalesce(c.last_inbound_at, c.created_at), c.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by coalesce(c.last_inbound_at, c.created_at) desc, c.id desc
    limit ${limit}`;
}

export async function findConversation(
  sql: Sql,
  { connectionId, contactId, shown }: Reading & ContactPlace,
): Promise<ConversationRow | undefined> {
  return first(sql<ConversationRow[]>`
    select ${columns(sql, shown)}
    from channel_contacts c
    where c.id = ${contactId}
      and c.connection_id = ${connectionId}`);
}

/** The workspace and the connection of a contact. */
export type ContactAddress = ContactPlace & { readonly workspaceId: string };

/**
 * Returns the workspace and the connection of a contact; undefined if the contact is erased or the connection is
 * deleted.
 */
export async function findContactAddress(sql: Sql, contactId: string): Promise<ContactAddress | undefined> {
  return first(sql<ContactAddress[]>`
    select k.workspace_id, k.id as connection_id, c.id as contact_id
    from channel_contacts c
    join channel_connections k on k.id = c.connection_id
    where c.id = ${contactId}
      and k.deleted_at is null`);
}

/** A message in either direction, as it is stored. */
export type MessageRow = {
  readonly id: string;
  readonly direction: "in" | "out";
  readonly kind: string;
  /**
   * A received message as the channel parsed it, or a sent message in the provider's format. Null once the content is
   * erased.
   */
  readonly content: JsonObject | null;
  readonly state: string;
  readonly reason: string | null;
  readonly sessionId: string | null;
  readonly createdAt: Date;
  /** The sequence number, which sorts messages with the same time. */
  readonly rank: string;
};

/**
 * The position at which a list of messages continues. `window` contains the direction and the rank of the last message.
 */
export type MessagePosition = Position & { readonly window?: string };

/** Returns the messages of a contact in both directions, newest first. */
export async function listMessages(
  sql: Sql,
  { contactId, after, limit }: { contactId: string; after: MessagePosition | undefined; limit: number },
): Promise<MessageRow[]> {
  const [direction = "in", rank = "0"] = after?.window?.split(" ") ?? [];
  const isAfter = (at: ReturnType<Sql>, name: ReturnType<Sql>, order: ReturnType<Sql>) =>
    after ? sql`and (${at}, ${name}, ${order}) < (${after.createdAt}, ${direction}::text, ${rank}::bigint)` : sql``;
  return sql<MessageRow[]>`
    select *
    from (
      (
        select
          i.id, 'in' as direction, i.kind, i.content, i.state, i.reason, i.session_id, i.received_at as created_at,
          i.sequence::text as rank
        from channel_inbox i
        where i.contact_id = ${contactId}
          ${isAfter(sql`i.received_at`, sql`'in'`, sql`i.sequence`)}
        order by i.received_at desc, i.sequence desc
        limit ${limit}
      )
      union all
      (
        select
          s.id, 'out' as direction, s.source as kind, s.message as content, s.state,
          coalesce(s.error_class, '') || coalesce(nullif(' ' || s.error_code, ' '), '') as reason,
          s.session_id, s.created_at, s.sequence::text as rank
        from channel_sendings s
        where s.contact_id = ${contactId}
          ${isAfter(sql`s.created_at`, sql`'out'`, sql`s.sequence`)}
        order by s.created_at desc, s.sequence desc
        limit ${limit}
      )
    ) as both_directions
    order by created_at desc, direction desc, rank::bigint desc
    limit ${limit}`;
}

/**
 * Detaches a contact from its chat, so that the next message starts a new chat. Returns the id of the chat; undefined
 * if the contact had none.
 */
export async function leaveSession(sql: Sql, { connectionId, contactId }: ContactPlace): Promise<string | undefined> {
  const row = await first(sql<{ sessionId: string }[]>`
    update channel_contacts c
    set session_id = null
    from channel_contacts before
    where c.id = ${contactId}
      and c.connection_id = ${connectionId}
      and before.id = c.id
      and before.session_id is not null
    returning before.session_id`);
  return row?.sessionId;
}

function runs(sql: Sql) {
  return sql`(c.session_id is not null and coalesce(c.expires_at > clock(), true))`;
}

function columns(sql: Sql, shown: number) {
  return sql`
    c.id,
    c.connection_id,
    c.kind,
    c.name,
    c.username,
    c.language,
    c.address_kind,
    c.address_value as address,
    c.bot_id,
    (
      -- One that has moved to another workspace is that one's.
      select bots.name
      from bots
      join channel_connections on channel_connections.workspace_id = bots.workspace_id
      where bots.id = c.bot_id
        and channel_connections.id = c.connection_id
    ) as bot_name,
    c.session_id,
    c.result_id,
    ${runs(sql)} as is_running,
    c.opted_out_at,
    c.blocked_at,
    c.last_inbound_at,
    (
      select s.settled_at
      from channel_sendings s
      where s.contact_id = c.id
        and s.state in ('accepted', 'sent', 'delivered', 'read')
      order by s.sequence desc
      limit 1
    ) as last_outbound_at,
    (
      select count(*)::integer
      from (
        select
        from channel_sendings s
        where s.connection_id = c.connection_id
          and s.contact_id = c.id
          and s.state in ('pending', 'sending')
        limit ${shown}
      ) first_ones
    ) as unsent_count,
    (
      select count(*)::integer
      from (
        select
        from channel_sendings s
        where s.contact_id = c.id
          and s.state = 'failed'
        limit ${shown}
      ) first_ones
    ) as failed_count,
    coalesce(c.last_inbound_at, c.created_at) as created_at`;
}
