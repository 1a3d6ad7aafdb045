import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** A bot whose draft, published version or canary links to another bot. */
export type LinkingBot = {
  readonly id: string;
  readonly name: string;
  /** Whether the published version or the canary links to the other bot. */
  readonly isPublished: boolean;
};

/**
 * Returns up to `limits.credentials.users` other bots that link to one of the given bots. They belong to these
 * workspaces, and the user may read them. Bots whose published version or canary has the link come first. Both parts of
 * the list are sorted by name.
 */
export async function findLinkingBots(
  sql: Sql,
  { botIds, workspaceIds, userId }: { workspaceIds: readonly string[]; userId: string; botIds: readonly string[] },
): Promise<LinkingBot[]> {
  // The text search for the block's type avoids parsing flows without links.
  const links = (groups: ReturnType<Sql>) => sql`
    strpos(${groups}::text, 'Typebot link') > 0
    and exists (
      select
      from json_array_elements(${groups}) as linking (content)
      cross join json_array_elements(
        case json_typeof(linking.content -> 'blocks') when 'array' then linking.content -> 'blocks' end
      ) as blocks (block)
      where block ->> 'type' = 'Typebot link'
        and block -> 'options' ->> 'typebotId' = any(${[...botIds]})
    )`;
  return sql<LinkingBot[]>`
    select found.id, found.name, found.is_published
    from (
      select
        bots.id,
        bots.name,
        ${links(sql`bots.groups`)} as is_in_draft,
        exists (
          select
          from publications
          join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
          where publications.bot_id = bots.id
            and publications.number in (bots.publication_number, bots.canary_number)
            and ${links(sql`(flows.content -> 'groups')`)}
        ) as is_published
      from bots
      where bots.workspace_id = any(${[...workspaceIds]}::uuid[])
        and ${mayRead(sql, { userId })}
        and not id = any(${[...botIds]}::uuid[])
    ) as found
    where found.is_in_draft or found.is_published
    order by found.is_published desc, found.name, found.id
    limit ${limits.credentials.users}`;
}

/**
 * Returns the SQL condition that a bot is not in the bin and that the user may read it (`requireBot` in
 * `management/access/access.ts`). Does not check whether the workspace is suspended.
 */
export function mayRead(sql: Sql, { userId }: { readonly userId: string }) {
  return sql`
      deleted_at is null
      and (
        exists (
          select
          from members
          where members.workspace_id = bots.workspace_id and members.user_id = ${userId} and members.role in ('ADMIN', 'MEMBER')
        )
        or exists (select from collaborators where collaborators.bot_id = bots.id and collaborators.user_id = ${userId})
        or exists (select from users where users.id = ${userId} and users.is_administrator)
      )`;
}
