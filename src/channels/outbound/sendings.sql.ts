import type { Address, FailureClass, ProviderMessage } from "../../core/channels/channel.ts";
import { limits } from "../../limits/index.ts";
import { channelEvents } from "../../management/events/channel-events.sql.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { isPaused, waits } from "../../platform/queue/free-connections.sql.ts";
import { type HeldBy, isHeldBy } from "../held-by.sql.ts";

export type Head = {
  readonly id: string;
  readonly contactId: string;
  readonly sequence: number;
  readonly source: string;
  readonly state: "pending" | "sending";
  readonly message: ProviderMessage | null;
  readonly hasChoices: boolean;
  /** The number of previous attempts. */
  readonly attempts: number;
  readonly errorClass: string | null;
  readonly sessionId: string | null;
  readonly revision: number | null;
  readonly botId: string | null;
  readonly resultId: string | null;
  readonly address: Address;
  readonly isGroup: boolean;
  /** The language of the contact, as reported by the provider. */
  readonly language: string | null;
  readonly isOptedOut: boolean;
  readonly isBlocked: boolean;
  /** Milliseconds until the message may be sent, by the database's clock. */
  readonly waitMs: number;
  /**
   * The pause before the message in milliseconds. It starts at the previous message, or at the step if the step is
   * later.
   */
  readonly delayMs: number;
  readonly ageMs: number;
  /** Milliseconds since the previous message; null without a previous message. */
  readonly sinceMs: number | null;
  /** Milliseconds until the connection may send again; 0 if it may send immediately. */
  readonly pausedMs: number;
};

type HeadRow = Omit<Head, "sequence" | "address"> & {
  readonly sequence: string;
  readonly addressKind: Address["kind"];
  readonly addressValue: string;
};

/**
 * Lists the next message of each contact of a connection, due messages first. Can be limited to one contact, or exclude
 * some contacts. A pause starts at the previous message, or at the step if the step is later.
 */
export async function listHeads(
  sql: Sql,
  connectionId: string,
  { only, except = [], limit }: { readonly only?: string; readonly except?: readonly string[]; readonly limit: number },
): Promise<Head[]> {
  const wanted = only === undefined ? sql`o.contact_id <> all(${[...except]}::uuid[])` : sql`o.contact_id = ${only}`;
  const rows = await sql<HeadRow[]>`
    select
      o.id, o.contact_id, o.sequence::text as sequence, o.source, o.state, o.message, o.attempts, o.error_class,
      o.choices is not null and o.choices::text <> '{}' as has_choices,
      o.session_id, o.revision, s.bot_id, s.result_id,
      c.address_kind, c.address_value, c.kind = 'group' as is_group, c.language,
      c.opted_out_at is not null as is_opted_out,
      c.blocked_at is not null as is_blocked,
      greatest(
        0,
        case when ${waits(sql)} then extract(epoch from o.not_before - clock()) * 1000 end,
        case when o.delay_ms > 0 and greatest(b.attempted_at, o.created_at) <= clock()
          then extract(epoch from greatest(b.attempted_at, o.created_at) - clock()) * 1000 + o.delay_ms
        end
      )::double precision as wait_ms,
      o.delay_ms,
      (extract(epoch from clock() - o.created_at) * 1000)::double precision as age_ms,
      (extract(epoch from clock() - b.attempted_at) * 1000)::double precision as since_ms,
      coalesce(
        (
          select (extract(epoch from l.paused_until - clock()) * 1000)::double precision
          from channel_leases l
          where l.connection_id = ${connectionId}
            and ${isPaused(sql)}
        ),
        0
      ) as paused_ms
    from (
      select distinct on (o.contact_id) o.id, o.contact_id, o.sequence
      from channel_sendings o
      where o.connection_id = ${connectionId}
        and o.state in ('pending', 'sending')
        and ${wanted}
      order by o.contact_id, o.sequence
    ) head
    join channel_sendings o on o.shard = ${shardOf(connectionId)} and o.id = head.id
    join channel_contacts c on c.id = o.contact_id
    left join sessions s
      on o.session_id is not null
      and s.shard = (('x' || right(o.session_id::text, 3))::bit(12)::integer & 1023)::smallint
      and s.id = o.session_id
    left join lateral (
      select p.attempted_at
      from channel_sendings p
      where p.contact_id = o.contact_id and p.sequence < o.sequence and p.attempted_at is not null
      order by p.sequence desc
      limit 1
    ) b on true
    order by wait_ms, o.created_at, o.id
    limit ${limit}`;
  return rows.map(({ sequence, addressKind: kind, addressValue: value, ...row }) => ({
    ...row,
    sequence: Number(sequence),
    address: { kind, value },
  }));
}

/** The holder of a connection. All writes during sending require that this process is still the holder. */
export type Holder = HeldBy & {
  readonly workspaceId: string;
  readonly channel: string;
};

type Part = ReturnType<Fragment>;

function placeOf(sql: Sql, { workspaceId }: Holder, from: Part) {
  return { from, workspaceId: sql`${workspaceId}::uuid`, orderKey: sql`${from}.contact_id` };
}

type Told = { readonly id: string; readonly contactId: string };

/** Returns the content of an event about a message. */
function contentOf(sql: Sql, { connectionId, channel }: Holder, { id, contactId }: Told) {
  return {
    connectionId: sql`${connectionId}::text`,
    channel: sql`${channel}::text`,
    contactId: sql`${contactId}::text`,
    messageId: sql`${id}::text`,
  };
}

/** The reason why a message was not sent. */
export type SendError = {
  readonly class: FailureClass | "doubt" | "busy" | "moved" | "too_late";
  readonly code: string;
  readonly detail: string;
};

/**
 * Marks a message to wait for another attempt, and returns whether it was marked. `message` is its new form, if any.
 * With `isUncounted`, the last attempt is not counted.
 */
export async function markPending(
  sql: Sql,
  by: Holder,
  wait: {
    readonly id: string;
    readonly inMs: number;
    readonly error: SendError | null;
    readonly message?: ProviderMessage | undefined;
    readonly isUncounted?: boolean;
  },
): Promise<boolean> {
  const { id, inMs, error, message, isUncounted = false } = wait;
  const rows = await sql`
    update channel_sendings
    set state = 'pending',
      attempts = attempts - ${isUncounted ? 1 : 0}::integer,
      not_before = clock() + make_interval(secs => ${inMs / 1_000}),
      message = coalesce(${message === undefined ? null : JSON.stringify(message)}::text::json, message),
      error_class = ${error?.class ?? null},
      error_code = ${error?.code ?? null},
      error_detail = ${error?.detail ?? null}
    where shard = ${shardOf(by.connectionId)}
      and id = ${id}
      and state = 'sending'
      and ${isHeldBy(sql, by)}
    returning 1`;
  return rows.length === 1;
}

/**
 * Marks a message as failed, and returns whether it was marked. `dropsRest` also drops the contact's other waiting
 * messages.
 */
export async function markFailed(
  sql: Sql,
  by: Holder,
  failed: { readonly id: string; readonly contactId: string; readonly error: SendError; readonly dropsRest: boolean },
): Promise<boolean> {
  const { id, contactId, error, dropsRest } = failed;
  const shard = shardOf(by.connectionId);
  const rows = await sql`
    with failed as (
      update channel_sendings
      set state = 'failed', settled_at = clock(), error_class = ${error.class}, error_code = ${error.code},
        error_detail = ${error.detail}
      where shard = ${shard}
        and id = ${id}
        and state in ('pending', 'sending')
        and ${isHeldBy(sql, by)}
      returning contact_id
    ),
    rest as (
      update channel_sendings
      set state = 'dropped', settled_at = clock(), error_class = ${error.class}, error_code = ${error.code}
      where shard = ${shard}
        and connection_id = ${by.connectionId}
        and contact_id = ${contactId}
        and state = 'pending'
        and id <> ${id}
        and ${dropsRest}
        and exists (select from failed)
    )
    ${channelEvents(sql, {
      ...placeOf(sql, by, sql`failed`),
      type: "message.failed",
      content: {
        ...contentOf(sql, by, { id, contactId }),
        class: sql`${error.class}::text`,
        code: sql`${error.code}::text`,
      },
    })}
    select from failed`;
  return rows.length === 1;
}

/**
 * Drops the bot's messages to a contact who has opted out or has blocked the bot. `isAll` includes notices that do not
 * belong to a chat.
 */
export async function dropPending(
  sql: Sql,
  by: Holder,
  {
    contactId,
    reason,
    isAll,
  }: { readonly contactId: string; readonly reason: "opted_out" | "blocked"; readonly isAll: boolean },
): Promise<void> {
  await sql`
    update channel_sendings
    set state = 'dropped', settled_at = clock(), error_class = ${reason}
    where shard = ${shardOf(by.connectionId)}
      and connection_id = ${by.connectionId}
      and contact_id = ${contactId}
      and state in ('pending', 'sending')
      and (source <> 'notice' or session_id is not null or ${isAll})
      and ${isHeldBy(sql, by)}`;
}

/**
 * Pauses the sending of a connection. `refusedMs` is the first pause after the provider refused the connection. Each
 * further refusal doubles the pause, up to `mostMs`. Returns the duration, and whether the provider has repeatedly
 * refused all messages for a day.
 */
export async function pauseConnection(
  sql: Sql,
  by: Holder,
  pause: { readonly forMs: number } | { readonly refusedMs: number; readonly mostMs: number },
): Promise<{ readonly leftMs: number; readonly isRefusedForDay: boolean }> {
  const secs =
    "forMs" in pause
      ? sql`${pause.forMs / 1_000}::double precision`
      : sql`least(${pause.mostMs / 1_000}::double precision, ${pause.refusedMs / 1_000}::double precision * power(2, least(refusals, 10)))`;
  const isRefused = "refusedMs" in pause;
  const [row] = await sql<{ leftMs: number; isRefusedForDay: boolean }[]>`
    update channel_leases l
    set
      paused_until = greatest(
        case when ${isPaused(sql)} then l.paused_until end,
        clock() + make_interval(secs => ${secs})
      ),
      refusals = refusals + ${isRefused ? 1 : 0}::integer,
      failing_since = case when ${isRefused} then coalesce(failing_since, clock()) else failing_since end
    where connection_id = ${by.connectionId} and holder = ${by.holder}
    returning (extract(epoch from paused_until - clock()) * 1000)::double precision as left_ms,
      ${isRefused} and refusals >= ${limits.channels.refusals}
        and coalesce(failing_since <= clock() - make_interval(hours => ${limits.channels.refusedHours}), false)
        as is_refused_for_day`;
  return row ?? { leftMs: 0, isRefusedForDay: false };
}

/** Changes the address to which messages of a contact are sent. */
export async function moveContact(
  sql: Sql,
  { connectionId, contactId, to }: { readonly connectionId: string; readonly contactId: string; readonly to: Address },
): Promise<void> {
  await sql`
    with known as (
      insert into channel_addresses (connection_id, kind, value, contact_id)
      select ${connectionId}::uuid, ${to.kind}, ${to.value}, c.id
      from channel_contacts c
      where c.id = ${contactId}
      on conflict (connection_id, kind, value) do nothing
    )
    update channel_contacts
    set address_kind = ${to.kind}, address_value = ${to.value}
    where id = ${contactId}`;
}

/** Finds the address of a contact. Returns undefined if the contact does not exist. */
export async function findAddress(sql: Sql, contactId: string): Promise<Address | undefined> {
  const [row] = await sql<Address[]>`
    select address_kind as kind, address_value as value from channel_contacts where id = ${contactId}`;
  return row;
}

/**
 * Finds the address of a contact to whom a draft may be shown. Returns undefined if the contact receives no messages,
 * or if a message waits.
 */
export async function findDraftAddress(sql: Sql, contactId: string): Promise<Address | undefined> {
  const [row] = await sql<Address[]>`
    select c.address_kind as kind, c.address_value as value
    from channel_contacts c
    where c.id = ${contactId}
      and c.opted_out_at is null
      and c.blocked_at is null
      and not exists (
        select
        from channel_sendings o
        where o.connection_id = c.connection_id and o.contact_id = c.id and o.state in ('pending', 'sending')
      )
      and not exists (select from channel_steps s where s.connection_id = c.connection_id and s.contact_id = c.id)`;
  return row;
}

/** Finds the response of a step, as JSON. Returns undefined if the step no longer exists. */
export async function findResponse(
  sql: Sql,
  { sessionId, revision }: { readonly sessionId: string; readonly revision: number },
): Promise<string | undefined> {
  const [row] = await sql<{ response: string }[]>`
    select response::text as response
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision = ${revision}`;
  return row?.response;
}
