import { fromUuid, toUuid } from "../ids.ts";
import type { Position } from "./database/position.ts";
import type { Sql } from "./database/sql.ts";

/** What a token allows, each including the ones before it; `admin` means the instance, not a workspace. */
export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

export type TokenHolderRow = {
  readonly tokenId: string;
  readonly userId: string;
  readonly scope: Scope;
  readonly workspaceId: string | null;
  readonly expiresAt: Date | null;
  readonly isAdministrator: boolean;
};

export type TokenRow = {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly workspaceId: string | null;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
};

/** Whose tokens: a caller that is bound to a workspace sees only those that are bound to it too. */
export type TokenOwner = { readonly userId: string; readonly workspaceId: string | undefined };

/**
 * The holder of a token that is not expired, or undefined. Notes the use, at most once a minute: in the same statement,
 * so that nothing is left running behind the answer.
 */
export async function useToken(sql: Sql, hash: Uint8Array): Promise<TokenHolderRow | undefined> {
  const [row] = await sql<TokenHolderRow[]>`
    with noted as (
      update api_tokens
      set last_used_at = clock()
      where hash = ${hash}
        and (expires_at is null or expires_at > clock())
        and (last_used_at is null or last_used_at <= clock() - interval '1 minute')
    )
    select
      api_tokens.id as "tokenId",
      api_tokens.user_id as "userId",
      api_tokens.scope,
      api_tokens.workspace_id as "workspaceId",
      api_tokens.expires_at as "expiresAt",
      users.is_administrator as "isAdministrator"
    from api_tokens
    join users on users.id = api_tokens.user_id
    where api_tokens.hash = ${hash}
      and (api_tokens.expires_at is null or api_tokens.expires_at > clock())`;
  return row && { ...withIds(row), tokenId: fromUuid(row.tokenId), userId: fromUuid(row.userId) };
}

/** A user's tokens, newest first, expired ones too. */
export async function listTokens(
  sql: Sql,
  { owner, after, limit }: { owner: TokenOwner; after: Position | undefined; limit: number },
): Promise<TokenRow[]> {
  const rows = await sql<TokenRow[]>`
    select ${columns(sql)}
    from api_tokens
    where ${ownedBy(sql, owner)}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${toUuid(after.id)})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
  return rows.map((row) => ({ ...withIds(row), id: fromUuid(row.id) }));
}

export async function findToken(
  sql: Sql,
  { owner, tokenId }: { owner: TokenOwner; tokenId: string },
): Promise<TokenRow | undefined> {
  const [row] = await sql<TokenRow[]>`
    select ${columns(sql)}
    from api_tokens
    where id = ${toUuid(tokenId)}
      and ${ownedBy(sql, owner)}`;
  return row && { ...withIds(row), id: fromUuid(row.id) };
}

/** Makes a token; undefined when `expiresAt` is over already by the database's clock. */
export async function insertToken(
  sql: Sql,
  token: {
    readonly id: string;
    readonly userId: string;
    readonly name: string;
    readonly hash: Uint8Array;
    readonly scope: Scope;
    readonly workspaceId: string | undefined;
    readonly expiresAt: Date | undefined;
  },
): Promise<TokenRow | undefined> {
  const expiresAt = token.expiresAt ?? null;
  const [row] = await sql<TokenRow[]>`
    insert into api_tokens (id, user_id, workspace_id, name, hash, scope, expires_at)
    select
      ${toUuid(token.id)}::uuid,
      ${toUuid(token.userId)}::uuid,
      ${token.workspaceId === undefined ? null : toUuid(token.workspaceId)}::uuid,
      ${token.name}::text,
      ${token.hash}::bytea,
      ${token.scope}::text,
      ${expiresAt}::timestamptz
    where ${expiresAt}::timestamptz is null or ${expiresAt}::timestamptz > clock()
    returning ${columns(sql)}`;
  return row && { ...withIds(row), id: fromUuid(row.id) };
}

/** Revokes a token at once; false when it was gone already. */
export async function deleteToken(sql: Sql, tokenId: string): Promise<boolean> {
  const { count } = await sql`
    delete from api_tokens
    where id = ${toUuid(tokenId)}`;
  return count > 0;
}

function columns(sql: Sql) {
  return sql`
    id,
    name,
    scope,
    workspace_id as "workspaceId",
    expires_at as "expiresAt",
    last_used_at as "lastUsedAt",
    created_at as "createdAt"`;
}

function ownedBy(sql: Sql, { userId, workspaceId }: TokenOwner) {
  const isBound = workspaceId === undefined ? sql`` : sql`and workspace_id = ${toUuid(workspaceId)}`;
  return sql`user_id = ${toUuid(userId)} ${isBound}`;
}

function withIds<Row extends { readonly workspaceId: string | null }>(row: Row): Row {
  return { ...row, workspaceId: row.workspaceId === null ? null : fromUuid(row.workspaceId) };
}
