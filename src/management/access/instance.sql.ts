import { first, type Statements } from "../../platform/database/sql.ts";

/**
 * Returns the id of the administrator who owns the instance's token, or otherwise of the oldest administrator.
 * Undefined if there is no administrator yet.
 */
export async function findFirstAdministrator(sql: Statements): Promise<string | undefined> {
  const [user] = await sql<{ id: string }[]>`
    select id
    from users
    where is_administrator
    order by exists (select from api_tokens where user_id = users.id and is_instance_token) desc, created_at, id
    limit 1`;
  return user?.id;
}

export async function insertAdministrator(sql: Statements, user: { id: string; name: string }): Promise<void> {
  await sql`
    insert into users (id, name, is_administrator)
    values (${user.id}, ${user.name}, true)`;
}

/** Stores a secret that all nodes share. If a secret is already stored, the candidate is ignored. */
export async function insertInstanceKey(
  sql: Statements,
  { name, candidate }: { name: string; candidate: Uint8Array },
): Promise<void> {
  await sql`
    insert into instance_keys (name, key)
    values (${name}, ${candidate})
    on conflict (name) do nothing`;
}

export async function findInstanceKey(sql: Statements, name: string): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ key: Uint8Array }[]>`
    select key
    from instance_keys
    where name = ${name}`;
  return row?.key;
}

export type KnownTokenRow = { readonly isInstanceToken: boolean };

/**
 * Finds a token by its hash. `isInstanceToken`: whether the first start or ADMIN_TOKEN created the token. Returns
 * undefined if there is no such token.
 */
export async function findTokenByHash(sql: Statements, hash: Uint8Array): Promise<KnownTokenRow | undefined> {
  return first(sql<KnownTokenRow[]>`
    select is_instance_token
    from api_tokens
    where hash = ${hash}`);
}

/** Deletes the token that an earlier ADMIN_TOKEN or the first start created. */
export async function deleteInstanceToken(sql: Statements): Promise<void> {
  await sql`
    delete from api_tokens
    where is_instance_token`;
}

export async function insertInstanceToken(
  sql: Statements,
  token: { id: string; userId: string; name: string; hash: Uint8Array },
): Promise<void> {
  await sql`
    insert into api_tokens (id, user_id, name, hash, scope, is_instance_token)
    values (${token.id}, ${token.userId}, ${token.name}, ${token.hash}, 'admin', true)`;
}
