import { boolean, bulkOrOne, json, smallint, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { type HeldBy, isHeldBy } from "../held-by.sql.ts";
import { isWaiting } from "../waiting-rows.sql.ts";
import { type ReceivedRow, receivedEvents, type TurnPlace } from "./received-events.sql.ts";

/**
 * Ends waiting rows without a step. Rows for which a step may have run are skipped. Returns the number of ended rows.
 */
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
      and ${isWaiting(sql)}
      and decision is null`;
  return ended.count;
}

/**
 * Releases rows whose contact no longer exists. After a merge, the rows belong to the other contact; after an erasure,
 * their sender is looked up again. Rows that ended with the contact stay unchanged.
 */
export async function releaseRows(sql: Sql, ids: readonly string[], contactId: string): Promise<void> {
  await sql`
    update channel_inbox
    set contact_id = null
    where shard = ${shardOf(ids[0] ?? "")}
      and id = any(${[...ids]}::uuid[])
      and contact_id = ${contactId}
      and ${isWaiting(sql)}`;
}

/** Keeps a row for another attempt by the process that holds the row's connection. */
export async function postponeRow(
  sql: Sql,
  id: string,
  { seconds, ...by }: HeldBy & { readonly seconds: number },
): Promise<void> {
  await sql`
    update channel_inbox
    set attempts = attempts + 1, not_before = clock() + make_interval(secs => ${seconds})
    where shard = ${shardOf(id)}
      and id = ${id}
      and ${isWaiting(sql)}
      and ${isHeldBy(sql, by)}`;
}

/** A decision to store, and the rows that are merged into its row. */
export type DecisionOrder = {
  readonly decision: string;
  /** The chat of the rows, with which they are erased. Null if a new chat starts. */
  readonly sessionId: string | null;
  readonly merged: readonly ReceivedRow[];
  /** Whether this decision starts a new chat and replaces a decision to reply to a chat that is over. */
  readonly replaces: boolean;
  readonly place: TurnPlace;
  readonly holder: string;
};

/**
 * Stores the whole decision for a row before it is executed, and merges the gathered rows into this row. Returns the
 * decision that applies: an earlier decision wins, unless it is replaced. Rows that the winning decision does not
 * include continue to wait. Returns undefined and stores nothing if the row has ended, another process holds the
 * connection, or a gathered row has a decision.
 */
export async function writeDecision(
  sql: Sql,
  id: string,
  { decision, sessionId, merged, replaces, place, holder }: DecisionOrder,
): Promise<string | undefined> {
  const by = { connectionId: place.connectionId, holder };
  if (merged.length === 0) return (await writeDecisions(sql, [{ id, decision, replaces, by }]))[0];
  const shard = shardOf(id);
  const ids = merged.map((row) => row.id);
  const isOwn = isHeldBy(sql, by);
  const mergedParts = sql`
    -- Locked as they are now, and not as they were when the statement began.
    gathered as materialized (
      select id
      from channel_inbox
      where shard = ${shard}
        and id = any(${[id, ...ids]}::uuid[])
        and ${isWaiting(sql)}
        and decision is null
      order by id
      for update
    ),
    merged as (
      update channel_inbox
      set state = 'merged', reason = 'gathered', session_id = ${sessionId}::uuid
      where shard = ${shard}
        and id = any(${ids}::uuid[])
        and (select count(*) from gathered) = ${ids.length + 1}
        and ${isOwn}
      returning id
    )
    ${receivedEvents(sql, place, { rows: merged, ended: sql`merged`, state: "merged", sessionId: null })}`;
  const [row] = await sql<{ decision: string }[]>`
    with ${mergedParts}
    update channel_inbox
    set decision = case
      when decision is null or (${replaces} and decision ->> 'act' = 'continue') then ${decision}::text::json
      else decision
    end
    where shard = ${shard}
      and id = ${id}
      and ${isWaiting(sql)}
      and ${isOwn}
      and (decision is not null or (select count(*) from gathered) = ${ids.length + 1})
    returning decision::text as decision`;
  return row?.decision;
}

/** A decision for a row into which no other row is merged. */
export type PlainDecision = {
  readonly id: string;
  readonly decision: string;
  /** Whether this decision starts a new chat and replaces a decision to reply to a chat that is over. */
  readonly replaces: boolean;
  readonly by: HeldBy;
};

const decisionRows = bulkOrOne<PlainDecision>({
  shard: smallint(({ id }) => shardOf(id)),
  id: uuid(({ id }) => id),
  connection_id: uuid(({ by }) => by.connectionId),
  holder: uuid(({ by }) => by.holder),
  replaces: boolean(({ replaces }) => replaces),
  decision: json(({ decision }) => decision),
});

/**
 * Stores decisions for rows of several contacts. Returns the decision that applies to each row, as described at
 * `writeDecision`.
 */
export async function writeDecisions(
  sql: Sql,
  decisions: readonly PlainDecision[],
): Promise<readonly (string | undefined)[]> {
  const rows = await sql<{ id: string; decision: string }[]>`
    update channel_inbox r
    set decision = case
      when r.decision is null or (i.replaces and r.decision ->> 'act' = 'continue') then i.decision::json
      else r.decision
    end
    from ${decisionRows(sql, decisions)} as i
    where r.shard = i.shard
      and r.id = i.id
      and ${isWaiting(sql, sql`r.state`)}
      and exists (
        select
        from channel_leases l
        where l.connection_id = i.connection_id and l.holder = i.holder
      )
    returning r.id, r.decision::text as decision`;
  const written = new Map(rows.map(({ id, decision }) => [id, decision]));
  return decisions.map(({ id }) => written.get(id));
}

/**
 * Stores whether a contact has blocked the bot. Blocking drops the contact's waiting messages. Changes nothing if
 * another process now holds the connection.
 */
export async function setBlocked(
  sql: Sql,
  { connectionId, holder, contactId, isBlocked }: HeldBy & { readonly contactId: string; readonly isBlocked: boolean },
): Promise<void> {
  const isOwn = isHeldBy(sql, { connectionId, holder });
  await sql`
    with dropped as (
      update channel_sendings
      set state = 'dropped', error_class = 'blocked', settled_at = clock()
      where shard = ${shardOf(connectionId)}
        and connection_id = ${connectionId}
        and contact_id = ${contactId}
        and state = 'pending'
        and ${isBlocked}
        and ${isOwn}
    )
    update channel_contacts
    set blocked_at = case when ${isBlocked} then clock() end
    where id = ${contactId}
      and ${isOwn}`;
}
