import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";

/**
 * Suspends a workspace, or changes the reason of a suspension. From the next statement on, no chat of the workspace
 * starts or continues, and none of its events is delivered. Returns false if there is no such workspace.
 */
export async function suspendWorkspace(
  sql: Sql,
  { workspaceId, reason }: { workspaceId: string; reason: string },
): Promise<boolean> {
  const rows = await sql`
    update workspaces
    set is_suspended = true,
      suspended_at = coalesce(suspended_at, clock()),
      suspended_reason = ${reason},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${workspaceId}
      and deleted_at is null
    returning id`;
  return rows.length > 0;
}

/** Ends a suspension, if there is one. */
export async function resumeWorkspace(sql: Sql, workspaceId: string): Promise<void> {
  await sql`
    update workspaces
    set is_suspended = false,
      suspended_at = null,
      suspended_reason = null,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${workspaceId}
      and is_suspended
      and deleted_at is null`;
}

export type SuspendedRow = {
  readonly id: string;
  readonly name: string;
  readonly suspendedAt: Date;
  readonly suspendedReason: string | null;
};

/** Returns the suspended workspaces of the instance, in the order of suspension, newest first. */
export async function listSuspended(
  sql: Sql,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<SuspendedRow[]> {
  return sql<SuspendedRow[]>`
    select id, name, suspended_at, suspended_reason
    from workspaces
    where suspended_at is not null
      and deleted_at is null
      ${after ? sql`and (suspended_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by suspended_at desc, id desc
    limit ${limit}`;
}
