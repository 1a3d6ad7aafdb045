import type { Sql } from "../../platform/database/sql.ts";

/** Returns the email addresses of up to `limit` active ADMINs of a workspace. */
export async function listAdminAddresses(
  sql: Sql,
  { workspaceId, limit }: { workspaceId: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email
    from members m
    join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}
      and m.role = 'ADMIN'
      and u.email is not null
      and u.deactivated_at is null
    order by u.email
    limit ${limit}`;
  return rows.map(({ email }) => email);
}
