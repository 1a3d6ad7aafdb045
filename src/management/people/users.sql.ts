import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import type { Transaction } from "../../platform/database/turns.sql.ts";
import { memberEvents } from "../events/bot-events.sql.ts";

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isAdministrator: boolean;
  /** The time at which the user was deactivated; null for an active user. */
  readonly deactivatedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export async function findUser(sql: Sql, userId: string): Promise<UserRow | undefined> {
  return first(sql<UserRow[]>`
    select ${columns(sql)}
    from users
    where id = ${userId}`);
}

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | undefined> {
  return first(sql<UserRow[]>`
    select ${columns(sql)}
    from users
    where lower(email) = lower(${email})`);
}

/** Returns the instance's users, newest first. */
export async function listUsers(
  sql: Sql,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${columns(sql)}
    from users
    ${after ? sql`where (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/** Returns all users of the instance, newest first, for the operator's commands. */
export async function listAllUsers(sql: Sql): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${columns(sql)}
    from users
    order by created_at desc, id desc`;
}

export type NewToken = { readonly id: string; readonly name: string; readonly hash: Uint8Array };

/**
 * Inserts a user and the user's first token with scope `write`. An e-mail address that is already used violates
 * `users_email`.
 */
export async function insertUser(
  sql: Sql,
  { id, name, email, token }: { id: string; name: string; email: string | null; token: NewToken },
): Promise<UserRow> {
  const [row] = await sql<[UserRow]>`
    with made as (
      insert into users (id, name, email)
      values (${id}, ${name}, ${email})
      returning *
    ),
    given as (
      insert into api_tokens (id, user_id, name, hash, scope)
      select ${token.id}, made.id, ${token.name}, ${token.hash}, 'write'
      from made
    )
    select ${columns(sql)}
    from made`;
  return row;
}

/** Inserts a user whose address is verified. An address that is already used violates `users_email`. */
export async function insertUserOfAddress(
  sql: Sql,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<string> {
  await sql`
    insert into users (id, name, email)
    values (${id}, ${name}, ${email})`;
  return id;
}

/** A user as shown to this user, with the preferences of their pages. */
export type OwnUserRow = UserRow & { readonly preferences: Record<string, unknown> };

export async function findOwnUser(sql: Sql, userId: string): Promise<OwnUserRow | undefined> {
  return first(sql<OwnUserRow[]>`
    select ${columns(sql)}, coalesce(preferences, '{}') as preferences
    from users
    where id = ${userId}`);
}

/** Writes the given fields of the calling user, like `updateUser`. */
export async function updateOwnUser(
  sql: Sql,
  userId: string,
  changes: { name?: string | undefined; email?: string | null | undefined; preferences?: string | undefined },
): Promise<OwnUserRow | undefined> {
  const { name, email, preferences } = changes;
  return first(sql<OwnUserRow[]>`
    update users
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${email === undefined ? sql`` : sql`, email = ${email}`}
      ${preferences === undefined ? sql`` : sql`, preferences = ${preferences}::text::json`}
    where id = ${userId}
    returning ${columns(sql)}, coalesce(preferences, '{}') as preferences`);
}

/**
 * Writes the given fields and increases `updatedAt`. Returns undefined if there is no such user. An e-mail address that
 * is already used violates `users_email`.
 */
export async function updateUser(
  sql: Sql,
  userId: string,
  { name, email }: { name?: string | undefined; email?: string | null | undefined },
): Promise<UserRow | undefined> {
  return first(sql<UserRow[]>`
    update users
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${email === undefined ? sql`` : sql`, email = ${email}`}
    where id = ${userId}
    returning ${columns(sql)}`);
}

/**
 * Locks a user, so that until the transaction ends no other request activates or deactivates the user, or relies on the
 * user as an ADMIN. Also locks the administrators: of two concurrent requests to deactivate the last two, only one
 * succeeds. Returns undefined if there is no such user.
 */
export async function lockUser(
  sql: Transaction,
  userId: string,
): Promise<(UserRow & { readonly isLastAdministrator: boolean }) | undefined> {
  const locked = await sql<UserRow[]>`
    select ${columns(sql)}
    from users
    where id = ${userId}
      or (is_administrator and deactivated_at is null)
    order by id
    for no key update`;
  const user = locked.find(({ id }) => id === userId);
  const isLast = !locked.some(({ id, deactivatedAt }) => id !== userId && deactivatedAt === null);
  return user && { ...user, isLastAdministrator: user.isAdministrator && isLast };
}

/**
 * Activates or deactivates a user. Deactivation permanently ends the user's tokens and sign-ins on all nodes
 * immediately. Tokens that an earlier release left to a deactivated user become valid again when the user is activated.
 * Returns undefined if there is no such user.
 */
export async function setUserActive(
  sql: Sql | Transaction,
  { userId, isActive }: { userId: string; isActive: boolean },
): Promise<UserRow | undefined> {
  return first(sql<UserRow[]>`
    with ended as (
      delete from sign_ins
      where user_id = ${userId}
        and not ${isActive}
    ),
    revoked as (
      delete from api_tokens
      where user_id = ${userId}
        and not ${isActive}
    )
    update users
    set deactivated_at = case when ${isActive} then null else coalesce(deactivated_at, clock()) end,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${userId}
    returning ${columns(sql)}`);
}

/**
 * Returns the workspaces of which a locked user is the only active ADMIN, including workspaces in the bin. Other ADMINs
 * on whom the result relies stay active until the transaction ends.
 */
export async function listWorkspacesOfLastAdmin(
  sql: Transaction,
  { userId, limit }: { userId: string; limit: number },
): Promise<{ id: string; name: string }[]> {
  return sql<{ id: string; name: string }[]>`
    with theirs as materialized (
      select workspace_id
      from members
      where user_id = ${userId}
        and role = 'ADMIN'
    ),
    others as materialized (
      select members.workspace_id
      from members
      join users on users.id = members.user_id
      where members.workspace_id in (select workspace_id from theirs)
        and members.user_id <> ${userId}
        and members.role = 'ADMIN'
        and users.deactivated_at is null
      order by users.id
      for share of users
    )
    select workspaces.id, workspaces.name
    from theirs
    join workspaces on workspaces.id = theirs.workspace_id
    where theirs.workspace_id not in (select workspace_id from others)
    order by workspaces.id
    limit ${limit}`;
}

/** Whether a user is active. An active user stays active until the transaction ends. */
export async function isActiveUser(sql: Transaction, userId: string): Promise<boolean> {
  const rows = await sql`
    select id
    from users
    where id = ${userId}
      and deactivated_at is null
    for share`;
  return rows.length > 0;
}

/** Makes a user ADMIN of these workspaces. */
export async function handOver(
  sql: Transaction,
  { workspaceIds, userId }: { workspaceIds: readonly string[]; userId: string },
): Promise<void> {
  await sql`
    with heir as (
      insert into members (workspace_id, user_id, role)
      select workspaces.id, ${userId}, 'ADMIN'
      from unnest(${[...workspaceIds]}::uuid[]) as workspaces (id)
      on conflict (workspace_id, user_id) do update
      set role = 'ADMIN',
        updated_at = greatest(clock(), members.updated_at + interval '1 millisecond')
      returning *
    ),
    member_changes as (
      select heir.workspace_id, former.role as former_role, heir.role
      from heir
      left join members former on former.workspace_id = heir.workspace_id and former.user_id = heir.user_id
    )
    ${memberEvents(sql, userId)}
    select`;
}

function columns(sql: Sql | Transaction) {
  return sql`
    id,
    name,
    email,
    is_administrator,
    deactivated_at,
    created_at,
    updated_at`;
}
