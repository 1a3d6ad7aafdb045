import { bulkOrOne, smallint, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** A contact and its chat, as read for a turn. */
export type TurnFacts = {
  readonly id: string;
  readonly kind: "person" | "group";
  readonly name: string | null;
  readonly username: string | null;
  readonly language: string | null;
  readonly phone: string | null;
  readonly isOptedOut: boolean;
  readonly isBlocked: boolean;
  /** Whether the contact was informed within the last day that no bot answers. */
  readonly knowsOfNoBot: boolean;
  readonly unsupportedSessionId: string | null;
  readonly failedSessionId: string | null;
  /** Messages that still wait to be sent to the contact. */
  readonly pending: number;
  readonly botId: string | null;
  readonly resultId: string | null;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly nowMs: number;
  readonly session: ChatFacts | null;
};

export type ChatFacts = {
  readonly id: string;
  readonly revision: number;
  /** Whether the chat can no longer be continued. */
  readonly isOver: boolean;
  /** The response of the last step, as JSON. */
  readonly response: string;
  /** Milliseconds since the last step, whatever caused it. */
  readonly sinceStepMs: number;
  /** Milliseconds without a message after which the chat expires; null if unknown. */
  readonly expiryMs: number | null;
  /**
   * Milliseconds since the last message of the last step was sent, failed or was dropped. For a step without messages,
   * the milliseconds since the step. Null while messages of the step wait to be sent, or steps of the chat wait to be
   * rendered.
   */
  readonly sinceAskedMs: number | null;
};

type Row = Omit<TurnFacts, "session"> & {
  readonly sessionId: string | null;
  readonly isOver: boolean | null;
  readonly revision: number | null;
  readonly response: string | null;
  readonly sinceStepMs: number | null;
  readonly expiryMs: number | null;
  readonly sinceAskedMs: number | null;
  readonly isUnsaid: boolean;
};

/** A contact to read, and the shard of its connection. */
export type FactsOrder = { readonly contactId: string; readonly shard: number };

const orderRows = bulkOrOne<FactsOrder>({
  contact_id: uuid(({ contactId }) => contactId),
  shard: smallint(({ shard }) => shard),
});

/** Reads contacts with their active chats, in the order of `orders`. The result for an erased contact is undefined. */
export async function findTurnFacts(
  sql: Sql,
  orders: readonly FactsOrder[],
): Promise<readonly (TurnFacts | undefined)[]> {
  const rows = await sql<Row[]>`
    select
      c.id, c.kind, c.name, c.username, c.language, c.bot_id, c.result_id,
      extract(epoch from clock())::double precision * 1000 as now_ms,
      c.opted_out_at is not null as is_opted_out,
      c.blocked_at is not null as is_blocked,
      coalesce(c.no_bot_at > clock() - interval '1 day', false) as knows_of_no_bot,
      c.unsupported_session_id, c.failed_session_id,
      (select a.value from channel_addresses a where a.contact_id = c.id and a.kind = 'phone' limit 1) as phone,
      (
        select count(*)::integer
        from channel_sendings o
        where o.connection_id = c.connection_id and o.contact_id = c.id and o.state in ('pending', 'sending')
      ) as pending,
      s.id as session_id,
      s.is_ended or s.expires_at <= clock() as is_over,
      s.revision,
      t.response::text as response,
      extract(epoch from clock() - t.created_at)::double precision * 1000 as since_step_ms,
      extract(epoch from c.expires_at - c.asked_at)::double precision * 1000 as expiry_ms,
      extract(epoch from clock() - said.at)::double precision * 1000 as since_asked_ms,
      coalesce(said.is_unsaid, false)
        or exists (select from channel_steps n where n.shard = s.shard and n.session_id = s.id) as is_unsaid
    from ${orderRows(sql, orders)} as i
    join channel_contacts c on c.id = i.contact_id
    left join sessions s on s.shard = ${shardOfSession(sql)} and s.id = c.session_id
    left join steps t on t.shard = s.shard and t.session_id = s.id and t.revision = s.revision
    left join lateral (
      select max(o.settled_at) as at, bool_or(o.state in ('pending', 'sending')) as is_unsaid
      from channel_sendings o
      where o.shard = i.shard and o.session_id = s.id and o.revision = s.revision
    ) said on true`;
  const found = new Map(rows.map((row) => [row.id, factsOf(row)]));
  return orders.map(({ contactId }) => found.get(contactId));
}

function factsOf(row: Row): TurnFacts {
  const { sessionId, isOver, revision, response, sinceStepMs, expiryMs, sinceAskedMs, isUnsaid, ...contact } = row;
  const isThere = sessionId !== null && revision !== null && response !== null;
  return {
    ...contact,
    session: isThere
      ? {
          ...{ id: sessionId, revision, response, expiryMs },
          isOver: isOver !== false,
          sinceStepMs: sinceStepMs ?? 0,
          sinceAskedMs: isUnsaid ? null : (sinceAskedMs ?? sinceStepMs ?? 0),
        }
      : null,
  };
}

/** Returns the shard of the contact's session, which is in the last ten bits of the session's id. */
function shardOfSession(sql: Sql) {
  return sql`((('x' || right(c.session_id::text, 3))::bit(12)::integer & 1023)::smallint)`;
}

/** Lists the commands to which the flow of a session responds. */
export async function listCommands(
  sql: Sql,
  { shard, id }: { readonly shard: number; readonly id: string },
): Promise<string[]> {
  const rows = await sql<{ command: string | null }[]>`
    select event -> 'options' ->> 'command' as command
    from sessions s
    join flows f on f.bot_id = s.bot_id and f.hash = s.flow_hash
    cross join json_array_elements(f.content -> 'events') as event
    where s.shard = ${shard}
      and s.id = ${id}
      and event ->> 'type' = 'command'`;
  return rows.flatMap(({ command }) => (command === null || command === "" ? [] : [command]));
}
