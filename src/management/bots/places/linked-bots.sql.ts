import type { StoredFlow } from "../../../core/flow/document.ts";
import type { Sql } from "../../../platform/database/sql.ts";

export type LinkedBotRow = Pick<StoredFlow, "version" | "groups" | "variables"> & {
  readonly id: string;
  readonly name: string;
};

/** The reader, and the owner of the bots: the user's rights are those of `requireBot` in `management/access/access.ts`. */
type Reader = { readonly workspaceId: string; readonly userId: string };

/** Those of these bots of a workspace that a user may read, newest first. */
export async function findReadableBots(
  sql: Sql,
  { botIds, ...reader }: Reader & { botIds: readonly string[] },
): Promise<LinkedBotRow[]> {
  return sql<LinkedBotRow[]>`
    select id, name, version, groups, variables
    from bots
    where id = any(${[...botIds]}::uuid[])
      and ${mayRead(sql, reader)}
    order by created_at desc, id desc`;
}

/** The bots of a workspace that a user may read and whose drafts have this text somewhere. */
export async function findBotsThatMention(
  sql: Sql,
  { text, ...reader }: Reader & { text: string },
): Promise<LinkedBotRow[]> {
  return sql<LinkedBotRow[]>`
    select id, name, version, groups, variables
    from bots
    where strpos(groups::text, ${text}) > 0
      and ${mayRead(sql, reader)}
    order by created_at desc, id desc`;
}

/** Those of these ids that are credentials of a workspace. */
export async function findOwnCredentials(
  sql: Sql,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from credentials
    where workspace_id = ${workspaceId}
      and id = any(${[...ids]}::uuid[])`;
  return rows.map(({ id }) => id);
}

/** The bots of the workspace that a user may read. */
export function mayRead(sql: Sql, { workspaceId, userId }: Reader) {
  return sql`
      workspace_id = ${workspaceId}
      and deleted_at is null
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
