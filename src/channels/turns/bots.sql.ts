import type { Sql } from "../../platform/database/sql.ts";

/** A published bot that a connection may start. */
export type AskedBot = {
  readonly id: string;
  readonly publicId: string;
  readonly flowHash: string;
  /** Whether the bot's settings name the connection. */
  readonly isNaming: boolean;
  /** Whether a new chat continues the contact's last result. */
  readonly remembersUser: boolean;
};

/**
 * Lists the open published bots of a connection: the bots in its list, and the bots that name the connection, oldest
 * first.
 */
export async function listAskedBots(
  sql: Sql,
  {
    connectionId,
    workspaceId,
    listed,
  }: { readonly connectionId: string; readonly workspaceId: string; readonly listed: readonly string[] },
): Promise<AskedBot[]> {
  return sql<AskedBot[]>`
    select
      b.id,
      b.public_id,
      encode(p.flow_hash, 'hex') as flow_hash,
      b.messenger_credentials_id is not distinct from ${connectionId}::text as is_naming,
      coalesce((f.facts ->> 'remembersUser')::boolean, false) as remembers_user
    from bots b
    join publications p on p.bot_id = b.id and p.number = b.publication_number
    join flows f on f.bot_id = b.id and f.hash = p.flow_hash
    where b.workspace_id = ${workspaceId}
      and (b.id = any(${[...listed]}::uuid[]) or b.messenger_credentials_id = ${connectionId}::text)
      and b.public_id is not null
      and not b.is_archived
      and not b.is_closed
    order by b.created_at, b.id`;
}

/** Finds the messenger settings of a flow, in their stored form. */
export async function findMessengerSettings(
  sql: Sql,
  { botId, flowHash }: { readonly botId: string; readonly flowHash: string },
): Promise<unknown> {
  const [row] = await sql<{ settings: unknown }[]>`
    select content -> 'settings' -> 'whatsApp' as settings
    from flows
    where bot_id = ${botId} and hash = decode(${flowHash}, 'hex')`;
  return row?.settings ?? null;
}

/** Finds the contact's last result of a bot, which the next chat continues. Returns null if there is none. */
export async function findLastResult(
  sql: Sql,
  { botId, contactId }: { readonly botId: string; readonly contactId: string },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from results
    where bot_id = ${botId}
      and contact_id = ${contactId}
      and not is_archived
    order by created_at desc, id desc
    limit 1`;
  return row?.id ?? null;
}
