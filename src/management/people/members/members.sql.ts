import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import type { Transaction } from "../../../platform/database/turns.sql.ts";
import type { Role } from "../../access/access.sql.ts";
import { memberEvents } from "../../events/bot-events.sql.ts";

/** A user who requests data about people. */
type Viewer = {
  readonly userId: string;
  /** The only workspace that the user may access, or undefined for all of the user's workspaces. */
  readonly workspaceId: string | undefined;
  readonly isAdministrator: boolean;
};

export type MemberRow = {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly user: { readonly name: string; readonly email: string | null };
};

export type Membership = { readonly workspaceId: string; readonly userId: string };

/** Returns a workspace's members, newest first. `after.id` is a user's id. */
export async function listMembers(
  sql: Sql,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | undefined; limit: number },
): Promise<MemberRow[]> {
  return sql<MemberRow[]>`
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id
    where members.workspace_id = ${workspaceId}
      ${after ? sql`and (members.created_at, members.user_id) < (${after.createdAt}, ${after.id})` : sql``}
    order by members.created_at desc, members.user_id desc
    limit ${limit}`;
}

export async function findMember(sql: Sql, { workspaceId, userId }: Membership): Promise<MemberRow | undefined> {
  return first(sql<MemberRow[]>`
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id
    where members.workspace_id = ${workspaceId}
      and members.user_id = ${userId}`);
}

/** Returns the member with this e-mail address, in upper or lower case; undefined if there is no such member. */
export async function findMemberByEmail(
  sql: Sql,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<MemberRow | undefined> {
  return first(sql<MemberRow[]>`
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id
    where members.workspace_id = ${workspaceId}
      and lower(users.email) = lower(${email})`);
}

/**
 * Returns whether the caller may see a user's mail address. Callers see their own address, and the addresses of members
 * of workspaces in which they are ADMIN or MEMBER. An administrator of the instance sees all addresses.
 */
export async function seesAddress(sql: Sql, { caller, userId }: { caller: Viewer; userId: string }): Promise<boolean> {
  if (caller.isAdministrator || caller.userId === userId) return true;
  const rows = await sql`
    select
    from members as own
    join members as theirs on theirs.workspace_id = own.workspace_id and theirs.user_id = ${userId}
    join workspaces on workspaces.id = own.workspace_id and workspaces.deleted_at is null
    where own.user_id = ${caller.userId}
      and own.role in ('ADMIN', 'MEMBER')
      ${caller.workspaceId === undefined ? sql`` : sql`and own.workspace_id = ${caller.workspaceId}`}
    limit 1`;
  return rows.length > 0;
}

/**
 * Locks the roles of a workspace's members until the transaction ends. Other transactions that call this function for
 * the workspace wait.
 */
export async function lockRoles(sql: Transaction, workspaceId: string): Promise<void> {
  await sql`
    select 1
    from workspaces
    where id = ${workspaceId}
    for no key update`;
}

/**
 * Whether a workspace has another active ADMIN, who stays active until the transaction ends. The transaction must hold
 * `lockRoles`, so that no two requests rely on each other's ADMIN.
 */
export async function hasOtherAdmin(sql: Transaction, { workspaceId, userId }: Membership): Promise<boolean> {
  const rows = await sql`
    select users.id
    from members
    join users on users.id = members.user_id
    where members.workspace_id = ${workspaceId}
      and members.user_id <> ${userId}
      and members.role = 'ADMIN'
      and users.deactivated_at is null
    order by users.id
    limit 1
    for share of users`;
  return rows.length > 0;
}

/** Makes a user a member or changes the member's role. */
export async function putMember(
  sql: Transaction,
  { workspaceId, userId }: Membership,
  role: Role,
): Promise<MemberRow | undefined> {
  return first(sql<MemberRow[]>`
    with former as (
      select role
      from members
      where workspace_id = ${workspaceId}
        and user_id = ${userId}
    ),
    members as (
      insert into members (workspace_id, user_id, role)
      values (${workspaceId}, ${userId}, ${role})
      on conflict (workspace_id, user_id) do update
      set role = excluded.role,
        updated_at = greatest(clock(), members.updated_at + interval '1 millisecond')
      returning *
    ),
    member_changes as (
      select workspace_id, (select role from former) as former_role, role
      from members
    )
    ${memberEvents(sql, userId)}
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id`);
}

/**
 * Ends a membership, with the user's collaborations in this workspace and the invitations of the user's address.
 * Returns the former membership; undefined if it had already ended.
 */
export async function deleteMember(
  sql: Transaction,
  { workspaceId, userId }: Membership,
): Promise<MemberRow | undefined> {
  return first(sql<MemberRow[]>`
    with gone as (
      delete from members
      where workspace_id = ${workspaceId}
        and user_id = ${userId}
      returning *
    ),
    ended as (
      delete from collaborators
      using gone, bots
      where collaborators.user_id = gone.user_id
        and bots.id = collaborators.bot_id
        and bots.workspace_id = gone.workspace_id
    ),
    withdrawn as (
      delete from invitations
      using gone, users
      where users.id = gone.user_id
        and invitations.workspace_id = gone.workspace_id
        and lower(invitations.email) = lower(users.email)
    ),
    member_changes as (
      select workspace_id, role as former_role, null as role
      from gone
    )
    ${memberEvents(sql, userId)}
    select ${columns(sql)}
    from gone as members
    join users on users.id = members.user_id`);
}

function columns(sql: Sql | Transaction) {
  return sql`
    members.workspace_id,
    members.user_id,
    members.role,
    members.created_at,
    members.updated_at,
    json_build_object('name', users.name, 'email', users.email) as "user"`;
}
