import type { Sql } from "../../../platform/database/sql.ts";
import { isId } from "../../../platform/ids.ts";

type BotPlace = { readonly workspaceId: string; readonly botId: string };

/**
 * Returns the given bots that belong to the workspace and are published and not archived, with the ids of their groups.
 */
export async function findLinkedGroups(
  sql: Sql,
  { workspaceId, botIds }: { workspaceId: string; botIds: readonly string[] },
): Promise<{ id: string; groupIds: string[] | null }[]> {
  const ids = botIds.filter(isId);
  if (ids.length === 0) return [];
  return sql<{ id: string; groupIds: string[] | null }[]>`
    select
      bots.id,
      (
        select array_agg(linked.content ->> 'id')
        from json_array_elements(flows.content -> 'groups') as linked (content)
      ) as group_ids
    from bots
    join publications on publications.bot_id = bots.id and publications.number = bots.publication_number
    join flows on flows.bot_id = bots.id and flows.hash = publications.flow_hash
    where bots.id in ${sql(ids)}
      and bots.workspace_id = ${workspaceId}
      and not bots.is_archived`;
}

/**
 * Returns the groups of a bot that other drafts of the workspace link to. `groupId` is null for a link to the bot's
 * start.
 */
export async function findLinksTo(sql: Sql, { workspaceId, botId }: BotPlace): Promise<{ groupId: string | null }[]> {
  return sql<{ groupId: string | null }[]>`
    select distinct block -> 'options' ->> 'groupId' as group_id
    from bots
    cross join json_array_elements(bots.groups) as linking (content)
    cross join json_array_elements(
      case json_typeof(linking.content -> 'blocks') when 'array' then linking.content -> 'blocks' end
    ) as blocks (block)
    where bots.workspace_id = ${workspaceId}
      and bots.id <> ${botId}
      and not bots.is_archived
      and strpos(bots.groups::text, ${botId}) > 0
      and block -> 'options' ->> 'typebotId' = ${botId}`;
}

/** Returns the ids and types of a workspace's credentials. */
export async function findCredentialTypes(sql: Sql, workspaceId: string): Promise<{ id: string; type: string }[]> {
  return sql<{ id: string; type: string }[]>`
    select id, type
    from credentials
    where workspace_id = ${workspaceId}`;
}

/** Whether a bot refers to a connection to a messenger that its workspace does not have. */
export async function namesUnknownConnection(sql: Sql, { workspaceId, botId }: BotPlace): Promise<boolean> {
  const [bot] = await sql<{ named: string }[]>`
    select messenger_credentials_id as named
    from bots
    where id = ${botId}
      and messenger_credentials_id is not null`;
  if (!bot) return false;
  if (!isId(bot.named)) return true;
  const [found] = await sql`
    select
    from channel_connections
    where id = ${bot.named}
      and workspace_id = ${workspaceId}
      and deleted_at is null`;
  return found === undefined;
}

/**
 * Returns the kinds of messengers whose connections use a bot: the connection lists the bot, or the bot refers to the
 * connection.
 */
export async function findAskingChannels(sql: Sql, { workspaceId, botId }: BotPlace): Promise<string[]> {
  const [bot] = await sql<{ named: string | null }[]>`
    select messenger_credentials_id as named
    from bots
    where id = ${botId}`;
  const named = bot?.named ?? null;
  const rows = await sql<{ channel: string }[]>`
    select distinct channel
    from channel_connections c
    where workspace_id = ${workspaceId}
      and deleted_at is null
      and (
        exists (
          select
          from json_array_elements(c.bots) as entry (content)
          where content ->> 'botId' = ${botId}
        )
        or c.id = ${named !== null && isId(named) ? named : null}::uuid
      )
    order by channel`;
  return rows.map(({ channel }) => channel);
}
