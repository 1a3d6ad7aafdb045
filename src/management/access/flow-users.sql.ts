import type { Sql } from "../../platform/database/sql.ts";

/** A bot whose draft, published version or canary refers to an object of its workspace. */
export type FlowUser = {
  readonly id: string;
  readonly name: string;
  /** Whether the published version or the canary refers to the object, or would do so once the bot is restored. */
  readonly isPublished: boolean;
  /** Whether the bot is in the bin. */
  readonly isDeleted: boolean;
};

/**
 * Returns up to `limit` bots of the workspace, including bots in the bin, whose published version, canary or draft
 * contains this text. In drafts, only groups and settings are searched. Bots whose published version or canary contains
 * the text come first. Both parts of the list are sorted by name.
 */
export async function findFlowUsers(
  sql: Sql,
  { workspaceId, text, limit }: { workspaceId: string; text: string; limit: number },
): Promise<FlowUser[]> {
  return sql<FlowUser[]>`
    select found.id, found.name, found.is_published, found.is_deleted
    from (
      select
        bots.id,
        bots.name,
        bots.deleted_at is not null as is_deleted,
        strpos(bots.groups::text, ${text}) > 0 or strpos(bots.settings::text, ${text}) > 0 as is_in_draft,
        exists (
          select
          from publications
          join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
          where publications.bot_id = bots.id
            and publications.number in (bots.publication_number, bots.canary_number)
            and strpos(flows.content::text, ${text}) > 0
        ) as is_published
      from bots
      where bots.workspace_id = ${workspaceId}
    ) as found
    where found.is_in_draft or found.is_published
    order by found.is_published desc, found.name, found.id
    limit ${limit}`;
}
