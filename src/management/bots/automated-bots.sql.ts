import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";

export type AutomatedBotRow = { readonly id: string; readonly name: string; readonly publishedBotId: string | null };

/**
 * Returns the newest bots of the workspaces in which a user is ADMIN or MEMBER, or only of `workspaceId` if it is
 * given. Archived bots are left out.
 */
export async function listAutomatedBots(
  sql: Sql,
  { userId, workspaceId }: { userId: string; workspaceId: string | undefined },
): Promise<AutomatedBotRow[]> {
  return sql<AutomatedBotRow[]>`
    select bots.id, bots.name, publications.id as published_bot_id
    from members
    join workspaces on workspaces.id = members.workspace_id and workspaces.deleted_at is null
    join bots on bots.workspace_id = members.workspace_id and not bots.is_archived
    left join publications on publications.bot_id = bots.id and publications.number = bots.publication_number
    where members.user_id = ${userId}
      and members.role in ('ADMIN', 'MEMBER')
      ${workspaceId === undefined ? sql`` : sql`and members.workspace_id = ${workspaceId}`}
    order by bots.created_at desc, bots.id desc
    limit ${limits.lists.compatibleSize}`;
}
