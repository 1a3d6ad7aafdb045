import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { andSeen } from "../../platform/database/seen.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import type { Transaction } from "../../platform/database/turns.sql.ts";
import type { Role } from "../access/access.sql.ts";
import { binnedBot } from "../bots/deleted-bots.sql.ts";
import { endingJob } from "../row-erasure/ended-chats.sql.ts";

export type WorkspaceRow = {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly name: string;
  readonly icon: string | null;
  readonly plan: string;
  readonly paymentProviderId: string | null;
  readonly isSuspended: boolean;
  readonly suspendedAt: Date | null;
  /** Null if the workspace is not suspended, or if no reason is stored. */
  readonly suspendedReason: string | null;
  readonly isPastDue: boolean;
  readonly isVerified: boolean;
};

/** Inserts a workspace with its first ADMIN. Returns undefined if this user was deactivated meanwhile. */
export async function insertWorkspace(
  sql: Sql,
  { id, name, icon, userId }: { id: string; name: string; icon: string | null; userId: string },
): Promise<WorkspaceRow | undefined> {
  return first(sql<WorkspaceRow[]>`
    with owner as (
      select id
      from users
      where id = ${userId}
        and deactivated_at is null
      for share
    ),
    made as (
      insert into workspaces (id, name, icon)
      select ${id}::uuid, ${name}::text, ${icon}::text
      from owner
      returning *
    ),
    joined as (
      insert into members (workspace_id, user_id, role)
      select made.id, ${userId}, 'ADMIN'
      from made
    )
    select ${columns(sql)}
    from made`);
}

export async function findWorkspace(sql: Sql | Transaction, workspaceId: string): Promise<WorkspaceRow | undefined> {
  return first(sql<WorkspaceRow[]>`
    select ${columns(sql)}
    from workspaces
    where id = ${workspaceId}
      and deleted_at is null`);
}

/**
 * Returns the workspaces of which a user is a member, newest first. With `workspaceId`, returns only this workspace.
 */
export async function listWorkspaces(
  sql: Sql,
  list: { userId: string; workspaceId: string | undefined; after: Position | undefined; limit: number },
): Promise<(WorkspaceRow & { readonly role: Role })[]> {
  const { userId, workspaceId, after, limit } = list;
  return sql<(WorkspaceRow & { role: Role })[]>`
    select
      (select role from members where workspace_id = workspaces.id and user_id = ${userId}) as role,
      ${columns(sql)}
    from workspaces
    where id in (select workspace_id from members where user_id = ${userId})
      and deleted_at is null
      ${workspaceId === undefined ? sql`` : sql`and id = ${workspaceId}`}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/**
 * Writes the given fields and increases `updatedAt`. Returns undefined if the workspace does not exist, or if its
 * `updatedAt` is not in `seen`.
 */
export async function updateWorkspace(
  sql: Sql,
  workspaceId: string,
  changes: { name?: string | undefined; icon?: string | null | undefined; seen?: readonly Date[] | undefined },
): Promise<WorkspaceRow | undefined> {
  const { name, icon, seen } = changes;
  return first(sql<WorkspaceRow[]>`
    update workspaces
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${icon === undefined ? sql`` : sql`, icon = ${icon}`}
    where id = ${workspaceId}
      and deleted_at is null
      ${andSeen(sql, seen)}
    returning ${columns(sql)}`);
}

/**
 * Moves a workspace to the bin with its bots, and immediately frees their public ids and custom domains. After a
 * restore, the domains must be verified again. Disables the workspace's connections to messengers and deletes its
 * invitations. Tokens that are bound to the workspace are invalid while it is in the bin.
 *
 * Must run in a transaction that holds `lockFolders`, so that a bot that is being moved to the workspace is included.
 */
export async function hideWorkspace(sql: Transaction, workspaceId: string): Promise<void> {
  await sql`
    with hidden as (
      update workspaces
      set deleted_at = clock(),
        erase_after = clock() + make_interval(days => ${limits.erasure.graceDays}),
        updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      where id = ${workspaceId}
        and deleted_at is null
      returning id
    ),
    archived as (
      update bots
      set ${binnedBot(sql, sql`hidden.id`)}
      from hidden
      where bots.workspace_id = hidden.id
        and bots.deleted_at is null
      returning bots.id
    ),
    job as (${endingJob(sql, { using: "archived" })}),
    unclaimed as (
      update custom_domains
      set state = 'failed',
        problem = 'The workspace is in the bin.',
        updated_at = greatest(clock(), custom_domains.updated_at + interval '1 millisecond')
      from hidden
      where custom_domains.workspace_id = hidden.id
    ),
    silenced as (
      update channel_connections
      set is_enabled = false,
        disabled_reason = 'workspace_deleted',
        updated_at = greatest(clock(), channel_connections.updated_at + interval '1 millisecond')
      from hidden
      where channel_connections.workspace_id = hidden.id
        and channel_connections.is_enabled
    )
    delete from invitations
    using hidden
    where invitations.workspace_id = hidden.id`;
}

function columns(sql: Sql | Transaction) {
  return sql`
    id,
    created_at,
    updated_at,
    name,
    icon,
    plan,
    payment_provider_id,
    is_suspended,
    suspended_at,
    suspended_reason,
    is_past_due,
    is_verified`;
}
