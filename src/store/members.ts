import type { Role } from "./access.ts";
import type { Position } from "./database/position.ts";
import type { Sql } from "./database/sql.ts";

export type MemberRow = {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly user: { readonly name: string; readonly email: string | null };
};

export type Membership = { readonly workspaceId: string; readonly userId: string };

/** A workspace's members, newest first; `after.id` is a user's id. */
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
  const [row] = await sql<MemberRow[]>`
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id
    where members.workspace_id = ${workspaceId}
      and members.user_id = ${userId}`;
  return row;
}

/** A member by e-mail address, whatever its case. */
export async function findMemberByEmail(
  sql: Sql,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id
    where members.workspace_id = ${workspaceId}
      and lower(users.email) = lower(${email})`;
  return row;
}

/**
 * Makes a user a member or changes the member's role. Undefined when that would leave the workspace without an ADMIN.
 * The ADMIN rows are locked, so that of two requests that demote the last two only one succeeds.
 */
export async function putMember(
  sql: Sql,
  { workspaceId, userId }: Membership,
  role: Role,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    with administrators as (${lockedAdministrators(sql, workspaceId)}),
    members as (
      insert into members (workspace_id, user_id, role)
      select ${workspaceId}::uuid, ${userId}::uuid, ${role}::text
      where ${role} = 'ADMIN' or ${othersRemain(sql, userId)}
      on conflict (workspace_id, user_id) do update
      set role = excluded.role,
        updated_at = greatest(clock(), members.updated_at + interval '1 millisecond')
      returning *
    )
    select ${columns(sql)}
    from members
    join users on users.id = members.user_id`;
  return row;
}

/**
 * Ends a membership, and with it what the user collaborated on and was invited to in this workspace. False when that would leave the
 * workspace without an ADMIN, or when the membership was over already.
 */
export async function deleteMember(sql: Sql, { workspaceId, userId }: Membership): Promise<boolean> {
  const [row] = await sql`
    with administrators as (${lockedAdministrators(sql, workspaceId)}),
    gone as (
      delete from members
      where workspace_id = ${workspaceId}
        and user_id = ${userId}
        and (role <> 'ADMIN' or ${othersRemain(sql, userId)})
      returning workspace_id, user_id
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
    )
    select 1
    from gone`;
  return row !== undefined;
}

function lockedAdministrators(sql: Sql, workspaceId: string) {
  return sql`
    select user_id
    from members
    where workspace_id = ${workspaceId}
      and role = 'ADMIN'
    order by user_id
    for update`;
}

function othersRemain(sql: Sql, userId: string) {
  return sql`exists (select 1 from administrators where administrators.user_id <> ${userId})`;
}

/** The addresses of a workspace's ADMINs. */
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
    order by u.email
    limit ${limit}`;
  return rows.map(({ email }) => email);
}

function columns(sql: Sql) {
  return sql`
    members.workspace_id,
    members.user_id,
    members.role,
    members.created_at,
    members.updated_at,
    json_build_object('name', users.name, 'email', users.email) as "user"`;
}
