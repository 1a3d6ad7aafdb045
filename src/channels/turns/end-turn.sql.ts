import { channelEvents } from "../../management/events/channel-events.sql.ts";
import { bulk, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { isHeldBy } from "../held-by.sql.ts";
import { isWaiting } from "../waiting-rows.sql.ts";
import { endedSession } from "./ended-session.sql.ts";
import { type ReceivedRow, receivedEvents, type TurnPlace } from "./received-events.sql.ts";

/** The rows to end, and the changes to their contact. */
export type TurnEnd = TurnPlace & {
  readonly rows: readonly ReceivedRow[];
  readonly state: "done" | "dropped";
  readonly reason: string | null;
  /**
   * Ends the rows only if no process has stored a decision for any of them in the meantime. With a decision, a step may
   * already have run.
   */
  readonly isUndecided?: boolean;
  /**
   * The process that must still hold the connection. Otherwise the rows do not end, because another process may run the
   * step.
   */
  readonly holder?: string;
  /** The step that answered the rows. */
  readonly step?: { readonly sessionId: string; readonly revision: number };
  /** The chat that the step started. If absent, the contact's chat and its time limit stay unchanged. */
  readonly chat?: { readonly resultId: string | null; readonly botId: string; readonly expiryHours: number };
  /** Whether the contact gets a message when the chat expires. */
  readonly tellsExpiry?: boolean;
  /** The id of a chat to end. */
  readonly ends?: string;
  readonly optedOut?: boolean;
  readonly toldNoBot?: boolean;
  readonly toldUnsupportedIn?: string;
  readonly toldFailedIn?: string;
  /** Messages from the connection itself, in the provider's format. */
  readonly notices: readonly Notice[];
};

export type Notice = { readonly id: string; readonly message: string };

const noticeRows = bulk<Notice>({ id: uuid(({ id }) => id), message: text(({ message }) => message) });

/**
 * Ends rows of the inbox and changes their contact, in one statement. Returns false without any change if the rows had
 * already ended, or if `isUndecided` or `holder` forbids the end.
 */
export async function endTurn(sql: Sql, end: TurnEnd): Promise<boolean> {
  const { connectionId, contactId, rows, step, chat, ends, optedOut, notices, holder, isUndecided = false } = end;
  const shard = shardOf(connectionId);
  const ids = rows.map(({ id }) => id);
  const ofStep = step ? sql`clock() + (expires_at - asked_at)` : sql`expires_at`;
  const expiresAt = chat ? sql`clock() + make_interval(secs => ${chat.expiryHours * 3_600})` : ofStep;
  const [row] = await sql<[{ ended: boolean }]>`
    with ${isUndecided && ids.length > 1 ? decidedPart(sql, { shard, ids }) : sql``}
    ended as (
      update channel_inbox
      set state = ${end.state},
        reason = ${end.reason},
        -- Without a step, the chat in which it was said: what was said is erased with it.
        session_id = coalesce(
          ${step?.sessionId ?? ends ?? null}::uuid,
          session_id,
          (select c.session_id from channel_contacts c where c.id = ${contactId})
        ),
        revision = coalesce(${step?.revision ?? null}::integer, revision)
      where shard = ${shard}
        and id = any(${ids}::uuid[])
        and ${isWaiting(sql)}
        and (decision is null or not ${isUndecided})
        ${isUndecided && ids.length > 1 ? sql`and not exists (select from decided where is_decided)` : sql``}
        ${holder === undefined ? sql`` : sql`and ${isHeldBy(sql, { connectionId, holder })}`}
      returning id
    )
    ${ends === undefined ? sql`` : endedSession(sql, ends)}
    ${optedOut === true ? droppedPart(sql, { shard, contactId, connectionId }) : sql``},
    changed as (
      update channel_contacts
      set session_id = coalesce(${step && chat ? step.sessionId : null}::uuid, ${ends === undefined ? sql`session_id` : sql`null`}),
        result_id = coalesce(${chat?.resultId ?? null}::uuid, result_id),
        bot_id = coalesce(${chat?.botId ?? null}::uuid, bot_id),
        asked_at = ${step ? sql`clock()` : sql`asked_at`},
        expires_at = ${expiresAt},
        expiry_due_at = ${step ? (end.tellsExpiry ? expiresAt : sql`null`) : sql`expiry_due_at`},
        opted_out_at = ${optedOut === undefined ? sql`opted_out_at` : optedOut ? sql`coalesce(opted_out_at, clock())` : sql`null`},
        no_bot_at = ${end.toldNoBot ? sql`clock()` : sql`no_bot_at`},
        unsupported_session_id = coalesce(${end.toldUnsupportedIn ?? null}::uuid, unsupported_session_id),
        failed_session_id = coalesce(${end.toldFailedIn ?? null}::uuid, failed_session_id),
        next_sequence = next_sequence + ${notices.length}
      where id = ${contactId}
        and exists (select from ended)
      returning next_sequence - ${notices.length} as first
    )
    ${notices.length === 0 ? sql`` : noticePart(sql, { shard, contactId, connectionId, notices })}
    ${receivedEvents(sql, end, { rows, ended: sql`ended`, state: end.state, sessionId: step?.sessionId ?? null, resultId: chat?.resultId ?? null })}
    ${step && chat ? startedEvents(sql, end, { step, chat }) : sql``}
    ${optedOut === true ? optedOutEvents(sql, end) : sql``}
    select exists (select from ended) as ended`;
  return row.ended;
}

/** Locks the current versions of the rows instead of the versions at the start of the statement. */
function decidedPart(sql: Sql, { shard, ids }: { readonly shard: number; readonly ids: readonly string[] }) {
  return sql`
    decided as materialized (
      select decision is not null as is_decided
      from channel_inbox
      where shard = ${shard}
        and id = any(${[...ids]}::uuid[])
        and ${isWaiting(sql)}
      order by id
      for update
    ),`;
}

function startedEvents(
  sql: Sql,
  place: TurnPlace,
  { step, chat }: { readonly step: NonNullable<TurnEnd["step"]>; readonly chat: NonNullable<TurnEnd["chat"]> },
) {
  return channelEvents(sql, {
    ...eventPlace(sql, place),
    type: "conversation.started",
    resultId: sql`${chat.resultId}::uuid`,
    content: {
      ...placeContent(sql, place),
      botId: sql`${chat.botId}::text`,
      sessionId: sql`${step.sessionId}::text`,
      resultId: sql`${chat.resultId}::text`,
    },
    part: sql`conversations`,
  });
}

function optedOutEvents(sql: Sql, place: TurnPlace) {
  return channelEvents(sql, {
    ...eventPlace(sql, place),
    type: "contact.opted_out",
    content: placeContent(sql, place),
    part: sql`opt_outs`,
  });
}

function eventPlace(sql: Sql, { workspaceId, contactId }: TurnPlace) {
  return {
    from: sql`(select where exists (select from ended)) as m`,
    workspaceId: sql`${workspaceId}::uuid`,
    orderKey: sql`${contactId}::uuid`,
  };
}

function placeContent(sql: Sql, { connectionId, channel, contactId }: TurnPlace) {
  return {
    connectionId: sql`${connectionId}::text`,
    channel: sql`${channel}::text`,
    contactId: sql`${contactId}::text`,
  };
}

type Place = { readonly shard: number; readonly contactId: string; readonly connectionId: string };

/** Drops the waiting messages of a contact who opts out, except notices. */
function droppedPart(sql: Sql, { shard, contactId, connectionId }: Place) {
  return sql`,
    dropped as (
      update channel_sendings
      set state = 'dropped', error_class = 'opted_out', settled_at = clock()
      where shard = ${shard}
        and connection_id = ${connectionId}
        and contact_id = ${contactId}
        and state = 'pending'
        and source <> 'notice'
    )`;
}

function noticePart(
  sql: Sql,
  { shard, contactId, connectionId, notices }: Place & { readonly notices: readonly Notice[] },
) {
  return sql`,
    said as (
      insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source, message, choices)
      select
        ${shard}::smallint, i.id, ${connectionId}::uuid, ${contactId}::uuid, changed.first + i.index - 1, 'notice',
        i.message::json, '{}'::json
      from ${noticeRows(sql, notices)} as i
      cross join changed
    )`;
}

/**
 * Stores that a contact who had opted out receives messages again. This must happen before any message is queued,
 * because the message would otherwise be dropped. Does nothing if another process has ended the row: the contact may
 * have opted out again since.
 */
export async function optIn(
  sql: Sql,
  { contactId, rowId }: { readonly contactId: string; readonly rowId: string },
): Promise<void> {
  await sql`
    update channel_contacts
    set opted_out_at = null
    where id = ${contactId}
      and exists (
        select
        from channel_inbox i
        where i.shard = ${shardOf(rowId)} and i.id = ${rowId} and ${isWaiting(sql, sql`i.state`)}
      )`;
}

/** Ends a chat of a contact before a new chat starts. */
export async function endChat(
  sql: Sql,
  { contactId, sessionId }: { readonly contactId: string; readonly sessionId: string },
): Promise<void> {
  await sql`
    with nothing as (
      select
    )
    ${endedSession(sql, sessionId)}
    select
    from channel_contacts
    where id = ${contactId}`;
}
