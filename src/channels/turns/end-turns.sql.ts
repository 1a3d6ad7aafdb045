import { channelEvents } from "../../management/events/channel-events.sql.ts";
import { boolean, bulkOrOne, double, integer, smallint, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { isWaiting } from "../waiting-rows.sql.ts";
import type { TurnEnd } from "./end-turn.sql.ts";
import type { ReceivedRow } from "./received-events.sql.ts";

/** The end of a single row. It changes only the active chat of the contact. */
export type PlainEnd = Omit<TurnEnd, "rows"> & { readonly row: ReceivedRow };

/**
 * Returns the end of a turn that ends exactly one row. Returns undefined if the turn also ends a chat, sends a notice,
 * or changes more of the contact than its active chat.
 */
export function plainEndOf({ rows, ...end }: TurnEnd): PlainEnd | undefined {
  const [row] = rows;
  const { ends, optedOut, toldNoBot, toldUnsupportedIn, toldFailedIn, notices } = end;
  const isPlain =
    rows.length === 1 &&
    notices.length === 0 &&
    toldNoBot !== true &&
    [ends, optedOut, toldUnsupportedIn, toldFailedIn].every((change) => change === undefined);
  return row && isPlain ? { ...end, row } : undefined;
}

const endRows = bulkOrOne<PlainEnd>({
  shard: smallint(({ connectionId }) => shardOf(connectionId)),
  id: uuid(({ row }) => row.id),
  contact_id: uuid(({ contactId }) => contactId),
  connection_id: uuid(({ connectionId }) => connectionId),
  workspace_id: uuid(({ workspaceId }) => workspaceId),
  holder: uuid(({ holder }) => holder ?? null),
  is_undecided: boolean(({ isUndecided = false }) => isUndecided),
  state: text(({ state }) => state),
  reason: text(({ reason }) => reason),
  session_id: uuid(({ step }) => step?.sessionId ?? null),
  revision: integer(({ step }) => step?.revision ?? null),
  result_id: uuid(({ chat }) => chat?.resultId ?? null),
  bot_id: uuid(({ chat }) => chat?.botId ?? null),
  expiry_seconds: double(({ chat }) => (chat ? chat.expiryHours * 3_600 : null)),
  tells_expiry: boolean(({ tellsExpiry = false }) => tellsExpiry),
  // Events contain ids as texts.
  connection: text(({ connectionId }) => connectionId),
  channel: text(({ channel }) => channel),
  contact: text(({ contactId }) => contactId),
  message: text(({ row }) => row.id),
  kind: text(({ row }) => row.kind),
  message_text: text(({ row }) => row.text),
  bot: text(({ chat }) => chat?.botId ?? null),
  session: text(({ step }) => step?.sessionId ?? null),
  result: text(({ chat }) => chat?.resultId ?? null),
});

/**
 * Ends one inbox row for each of several contacts, and changes their active chats, in one statement. Returns for each
 * end whether it was stored. An end that was not stored changes nothing.
 */
export async function endTurns(sql: Sql, ends: readonly PlainEnd[]): Promise<readonly boolean[]> {
  const place = { workspaceId: sql`m.workspace_id`, orderKey: sql`m.contact_id`, from: sql`ended as m` };
  const expiresAt = sql`clock() + coalesce(make_interval(secs => ended.expiry_seconds), c.expires_at - c.asked_at)`;
  const content = {
    ...{ connectionId: sql`m.connection`, channel: sql`m.channel`, contactId: sql`m.contact` },
    sessionId: sql`m.session`,
  };
  const rows = await sql<{ id: string }[]>`
    with given as (
      select * from ${endRows(sql, ends)} as i
    ),
    ended as (
      update channel_inbox r
      set state = given.state,
        reason = given.reason,
        -- Without a step: the chat in which the contact wrote, so that the row is erased with that chat.
        session_id = coalesce(
          given.session_id,
          r.session_id,
          (select c.session_id from channel_contacts c where c.id = given.contact_id)
        ),
        revision = coalesce(given.revision, r.revision)
      from given
      where r.shard = given.shard
        and r.id = given.id
        and ${isWaiting(sql, sql`r.state`)}
        and (r.decision is null or not given.is_undecided)
        and (
          given.holder is null
          or exists (
            select
            from channel_leases l
            where l.connection_id = given.connection_id and l.holder = given.holder
          )
        )
      returning given.*
    ),
    changed as (
      update channel_contacts c
      set session_id = case when ended.bot_id is null then c.session_id else ended.session_id end,
        result_id = coalesce(ended.result_id, c.result_id),
        bot_id = coalesce(ended.bot_id, c.bot_id),
        asked_at = clock(),
        expires_at = ${expiresAt},
        expiry_due_at = case when ended.tells_expiry then ${expiresAt} end
      from ended
      where c.id = ended.contact_id
        and ended.session_id is not null
    )
    ${channelEvents(sql, {
      ...place,
      type: "message.received",
      resultId: sql`coalesce(m.result_id, (select c.result_id from channel_contacts c where c.id = m.contact_id))`,
      content: {
        ...content,
        messageId: sql`m.message`,
        kind: sql`m.kind`,
        text: sql`m.message_text`,
        state: sql`m.state`,
      },
      part: sql`received`,
    })}
    ${channelEvents(sql, {
      ...place,
      from: sql`(select * from ended where bot_id is not null) as m`,
      type: "conversation.started",
      resultId: sql`m.result_id`,
      content: { ...content, botId: sql`m.bot`, resultId: sql`m.result` },
      part: sql`conversations`,
    })}
    select id from ended`;
  const ended = new Set(rows.map(({ id }) => id));
  return ends.map(({ row }) => ended.has(row.id));
}
