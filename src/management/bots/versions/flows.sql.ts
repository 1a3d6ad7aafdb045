import type { StoredFlow } from "../../../core/flow/document.ts";
import type { FlowFacts } from "../../../core/flow/facts.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";

export type { FlowFacts };

/**
 * Stores a flow under its hash for chats that run it without a publication (previews). Storing the same flow again
 * updates only its facts and `used_at`. `hash` is the result of `canonicalHash`.
 */
export async function keepFlow(
  sql: Sql,
  { botId, hash, flow, facts }: { botId: string; hash: Uint8Array; flow: StoredFlow; facts: FlowFacts },
): Promise<void> {
  await sql`
    insert into flows (bot_id, hash, content, facts)
    values (${botId}, ${hash}, ${JSON.stringify(flow)}::text::json, ${JSON.stringify(facts)}::text::json)
    on conflict (bot_id, hash) do update
    set facts = excluded.facts,
      used_at = clock()`;
}

/**
 * Returns the content of a flow version as JSON text, in the form that is sent to threads. Undefined if the flow is not
 * stored.
 */
export async function loadFlow(sql: Sql, botId: string, flowHash: string): Promise<string | undefined> {
  const [row] = await sql<{ content: string }[]>`
    select content::text as content
    from flows
    where bot_id = ${botId} and hash = decode(${flowHash}, 'hex')`;
  return row?.content;
}

/** Returns one block of a flow version without reading the rest of the flow; undefined if there is no such block. */
export async function findBlock(
  sql: Sql,
  { botId, flowHash, blockId }: { botId: string; flowHash: string; blockId: string },
): Promise<unknown> {
  const [row] = await sql<{ block: unknown }[]>`
    select block
    from flows
    cross join json_array_elements(flows.content -> 'groups') as groups (content)
    cross join json_array_elements(groups.content -> 'blocks') as blocks (block)
    where flows.bot_id = ${botId}
      and flows.hash = decode(${flowHash}, 'hex')
      and block ->> 'id' = ${blockId}
    limit 1`;
  return row?.block;
}

/**
 * Returns the hash of the published flow of another bot of the same workspace; undefined if there is no such bot, or if
 * it is archived or not published.
 */
export async function findSiblingPublication(
  sql: Sql,
  { fromBotId, botId }: { fromBotId: string; botId: string },
): Promise<string | undefined> {
  const [row] = await sql<{ hash: string }[]>`
    select encode(p.flow_hash, 'hex') as hash
    from bots b
    join bots origin on origin.workspace_id = b.workspace_id and origin.id = ${fromBotId}
    join publications p on p.bot_id = b.id and p.number = b.publication_number
    where b.id = ${botId} and not b.is_archived`;
  return row?.hash;
}

/**
 * Returns the draft of another bot of the same workspace; undefined if the bot is archived, or if the user has no right
 * to read it (according to `requireBot` in `management/access/access.ts`).
 */
export async function findSiblingDraft(
  sql: Sql,
  { fromBotId, botId, userId }: { fromBotId: string; botId: string; userId: string },
): Promise<StoredFlow | undefined> {
  return first(sql<StoredFlow[]>`
    select b.version, b.groups, b.events, b.edges, b.variables, b.theme, b.settings
    from bots b
    join bots origin on origin.workspace_id = b.workspace_id and origin.id = ${fromBotId}
    where b.id = ${botId}
      and not b.is_archived
      and (
        exists (select from members m where m.workspace_id = b.workspace_id and m.user_id = ${userId} and m.role in ('ADMIN', 'MEMBER'))
        or exists (select from collaborators c where c.bot_id = b.id and c.user_id = ${userId})
        or exists (select from users u where u.id = ${userId} and u.is_administrator)
      )`);
}
