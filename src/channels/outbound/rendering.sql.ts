import type { Settings } from "../../core/interpreter/schemas/settings.ts";
import { bulk, double, json, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { RenderedSending } from "./render-step.ts";

/** A saved step whose messages are not yet rendered. */
export type SaidStep = {
  readonly sessionId: string;
  readonly revision: number;
  readonly contactId: string;
  readonly botId: string | null;
  readonly resultId: string | null;
  /** The step's response, as JSON. Null if the step no longer exists. */
  readonly response: string | null;
  readonly isGroup: boolean;
  /** The language of the contact, as reported by the provider. */
  readonly language: string | null;
  /** The hash of the flow of the chat. Null if the chat no longer exists. */
  readonly flowHash: string | null;
};

/**
 * Lists the oldest unrendered steps of a connection. Within a chat, steps are ordered by number, because the clock may
 * have stepped back between them.
 */
export async function listSaidSteps(sql: Sql, connectionId: string, limit: number): Promise<SaidStep[]> {
  return sql<SaidStep[]>`
    select
      i.session_id, i.revision, i.contact_id, s.bot_id, s.result_id, t.response::text as response,
      coalesce(c.kind = 'group', false) as is_group, c.language, encode(s.flow_hash, 'hex') as flow_hash
    from (
      select *, min(created_at) over (partition by session_id) as first_at
      from channel_steps
      where connection_id = ${connectionId}
      order by first_at, session_id, revision
      limit ${limit}
    ) i
    left join sessions s on s.shard = i.shard and s.id = i.session_id
    left join steps t on t.shard = i.shard and t.session_id = i.session_id and t.revision = i.revision
    left join channel_contacts c on c.id = i.contact_id
    order by i.first_at, i.session_id, i.revision`;
}

/** The parts of a flow that determine how its messages are shown. */
export type ShownFlow = {
  readonly settings: Pick<Settings, "general" | "typingEmulation">;
  readonly language: string | null;
};

/** Finds how the messages of a flow are shown. Returns undefined if the flow no longer exists. */
export async function findShownFlow(
  sql: Sql,
  { botId, flowHash }: { readonly botId: string; readonly flowHash: string },
): Promise<ShownFlow | undefined> {
  const [row] = await sql<ShownFlow[]>`
    select
      json_strip_nulls(
        json_build_object(
          'general', json_build_object(
            'isTypingEmulationEnabled', content -> 'settings' -> 'general' -> 'isTypingEmulationEnabled'
          ),
          'typingEmulation', content -> 'settings' -> 'typingEmulation'
        )
      ) as settings,
      facts ->> 'language' as language
    from flows
    where bot_id = ${botId} and hash = decode(${flowHash}, 'hex')`;
  return row;
}

const sendingRows = bulk<RenderedSending>({
  id: uuid(({ id }) => id),
  message: json(({ message }) => JSON.stringify(message)),
  choices: json(({ choices }) => JSON.stringify(choices)),
  delay_ms: double(({ delayMs }) => delayMs),
});

/**
 * Queues the messages of a step behind the contact's other messages, and marks the step as rendered. A second call
 * finds the step already rendered and queues nothing.
 */
export async function queueSendings(
  sql: Sql,
  connectionId: string,
  { sessionId, revision }: Pick<SaidStep, "sessionId" | "revision">,
  sendings: readonly RenderedSending[],
): Promise<void> {
  await sql`
    with rendered as (
      delete from channel_steps
      where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision = ${revision}
      returning contact_id
    ),
    numbered as (
      update channel_contacts c
      set next_sequence = c.next_sequence + ${sendings.length}::bigint
      from rendered r
      where c.id = r.contact_id
      returning c.id, c.next_sequence - ${sendings.length}::bigint as first
    )
    insert into channel_sendings (
      shard, id, connection_id, contact_id, sequence, source, session_id, revision, position, message, choices, delay_ms
    )
    select
      ${shardOf(connectionId)}::smallint, i.id, ${connectionId}::uuid, n.id, n.first + i.index - 1, 'step',
      ${sessionId}::uuid, ${revision}::integer, (i.index - 1)::smallint, i.message::json, i.choices::json, i.delay_ms::integer
    from numbered n
    cross join ${sendingRows(sql, sendings)} as i
    on conflict (shard, session_id, revision, position) where session_id is not null do nothing`;
}
