import type { StoredFlow } from "../../../core/flow/document.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { mayRead } from "../linking-bots.sql.ts";

export type LinkedBotRow = Pick<StoredFlow, "version" | "groups" | "variables"> & {
  readonly id: string;
  readonly name: string;
};

/** Returns the given bots of a workspace that a user may read, newest first. */
export async function findReadableBots(
  sql: Sql,
  { botIds, workspaceId, userId }: { workspaceId: string; userId: string; botIds: readonly string[] },
): Promise<LinkedBotRow[]> {
  return sql<LinkedBotRow[]>`
    select id, name, version, groups, variables
    from bots
    where id = any(${[...botIds]}::uuid[])
      and workspace_id = ${workspaceId}
      and ${mayRead(sql, { userId })}
    order by created_at desc, id desc`;
}

/** Returns the given ids that belong to credentials of the workspace. */
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
