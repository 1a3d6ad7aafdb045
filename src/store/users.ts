import type { Position } from "./database/position.ts";
import type { Sql } from "./database/sql.ts";

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isAdministrator: boolean;
  /** Since when none of the user's tokens counts; null: they do. */
  readonly deactivatedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export async function findUser(sql: Sql, userId: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select ${columns(sql)}
    from users
    where id = ${userId}`;
  return row;
}

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select ${columns(sql)}
    from users
    where lower(email) = lower(${email})`;
  return row;
}

/** The instance's users, newest first. */
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

/** Every user of the instance, newest first: for the operator's commands. */
export async function listAllUsers(sql: Sql): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${columns(sql)}
    from users
    order by created_at desc, id desc`;
}

export type NewToken = { readonly id: string; readonly name: string; readonly hash: Uint8Array };

/** Makes a user and their first token, of scope `write`. A taken e-mail address violates `users_email`. */
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

/** Writes the given fields; `updatedAt` grows. Undefined when there is no such user. A taken e-mail address violates `users_email`. */
export async function updateUser(
  sql: Sql,
  userId: string,
  { name, email }: { name?: string | undefined; email?: string | null | undefined },
): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    update users
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${email === undefined ? sql`` : sql`, email = ${email}`}
    where id = ${userId}
    returning ${columns(sql)}`;
  return row;
}

/**
 * Deactivates a user, whose tokens stop to count on every node at once, or activates one again. Undefined when there is no such user, or when
 * no active administrator would be left. The administrators' rows are locked, so that of two requests for the last two only one succeeds.
 */
export async function setUserActive(
  sql: Sql,
  { userId, isActive }: { userId: string; isActive: boolean },
): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    with administrators as (
      select id
      from users
      where is_administrator
        and deactivated_at is null
      order by id
      for update
    )
    update users
    set deactivated_at = case when ${isActive} then null else coalesce(deactivated_at, clock()) end,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${userId}
      and (
        ${isActive}
        or not is_administrator
        or exists (select from administrators where administrators.id <> ${userId})
      )
    returning ${columns(sql)}`;
  return row;
}

function columns(sql: Sql) {
  return sql`
    id,
    name,
    email,
    is_administrator,
    deactivated_at,
    created_at,
    updated_at`;
}
