import type { Position } from "./database/position.ts";
import type { Sql } from "./database/sql.ts";

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isAdministrator: boolean;
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

function columns(sql: Sql) {
  return sql`
    id,
    name,
    email,
    is_administrator,
    created_at,
    updated_at`;
}
