import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { type ReceivedRow, receivedEvents, type TurnPlace } from "./received-events.sql.ts";

/** Ends rows that wait, without a step. Returns how many it ended. */
export async function endRows(
  sql: Sql,
  ids: readonly string[],
  { state, reason }: { readonly state: "done" | "merged" | "dropped"; readonly reason: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  const ended = await sql`
    update channel_inbox
    set state = ${state}, reason = ${reason}
    where shard = ${shardOf(ids[0] ?? "")}
      and id = any(${[...ids]}::uuid[])
      and state = 'waiting'`;
  return ended.count;
}

/**
 * Lets rows go whose contact is not there: it was made one with another, which has them now, or was erased, and their
 * sender is found once more. Those that ended with it stay as they are.
 */
export async function releaseRows(sql: Sql, ids: readonly string[], contactId: string): Promise<void> {
  await sql`
    update channel_inbox
    set contact_id = null
    where shard = ${shardOf(ids[0] ?? "")}
      and id = any(${[...ids]}::uuid[])
      and contact_id = ${contactId}
      and state = 'waiting'`;
}

/** Keeps a row for another attempt. */
export async function postponeRow(sql: Sql, id: string, { seconds }: { readonly seconds: number }): Promise<void> {
  await sql`
    update channel_inbox
    set attempts = attempts + 1, not_before = clock() + make_interval(secs => ${seconds})
    where shard = ${shardOf(id)} and id = ${id} and state = 'waiting'`;
}

/**
 * Writes down what is done with a row, whole, before it is done; the rows that it gathers are merged into it. Returns
 * the decision that counts: an earlier one wins, unless it is replaced. Rows that this one has not gathered wait on.
 */
export async function writeDecision(
  sql: Sql,
  id: string,
  {
    decision,
    sessionId,
    merged,
    replaces,
    place,
  }: {
    readonly decision: string;
    /** The chat that the rows are said in, with which they are erased; null: another one starts. */
    readonly sessionId: string | null;
    readonly merged: readonly ReceivedRow[];
    readonly replaces: boolean;
    readonly place: TurnPlace;
  },
): Promise<string | undefined> {
  const [row] = await sql<{ decision: string }[]>`
    with merged as (
      update channel_inbox
      set state = 'merged', reason = 'gathered', session_id = ${sessionId}::uuid
      where shard = ${shardOf(id)}
        and id = any(${merged.map((row) => row.id)}::uuid[])
        and state = 'waiting'
        and exists (
          select
          from channel_inbox own
          where own.shard = ${shardOf(id)} and own.id = ${id} and own.state = 'waiting' and own.decision is null
        )
      returning id
    )
    ${merged.length === 0 ? sql`` : receivedEvents(sql, place, { rows: merged, ended: sql`merged`, state: "merged", sessionId: null })}
    update channel_inbox
    set decision = case when decision is null or ${replaces} then ${decision}::text::json else decision end
    where shard = ${shardOf(id)} and id = ${id} and state = 'waiting'
    returning decision::text as decision`;
  return row?.decision;
}

/** Whether a contact has blocked the bot: what it is owed is dropped then. */
export async function setBlocked(
  sql: Sql,
  {
    connectionId,
    contactId,
    isBlocked,
  }: { readonly connectionId: string; readonly contactId: string; readonly isBlocked: boolean },
): Promise<void> {
  await sql`
    with dropped as (
      update channel_sendings
      set state = 'dropped', error_class = 'blocked', settled_at = clock()
      where shard = ${shardOf(connectionId)}
        and connection_id = ${connectionId}
        and contact_id = ${contactId}
        and state = 'pending'
        and ${isBlocked}
    )
    update channel_contacts
    set blocked_at = case when ${isBlocked} then clock() end
    where id = ${contactId}`;
}
