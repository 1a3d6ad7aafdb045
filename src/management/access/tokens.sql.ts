import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import type { Role } from "./access.sql.ts";

/** The scopes of tokens, each including the ones before it; `admin` means the instance, not a workspace. */
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
  /** The name of the workspace that the token is bound to. */
  readonly workspaceName: string | null;
  /** The user's role in that workspace; null if the user is not a member. */
  readonly workspaceRole: Role | null;
  readonly isOfAdministrator: boolean;
  /** The token that made this one; null: no token made it, or an earlier release did not record it. */
  readonly madeBy: string | null;
  /** Whether the token outlives the one that made it. */
  readonly outlives: boolean;
};

/** How often the use of a token is recorded. */
const notedSeconds = 60;

/** The owner of the tokens: a caller bound to a workspace sees only tokens that are bound to it too. */
export type TokenOwner = { readonly userId: string; readonly workspaceId: string | undefined };

/**
 * The holder of a valid token, or undefined when the token is expired, belongs to a deactivated user, or is bound to a
 * workspace in the bin. Records the use, at most once a minute, in the same statement, so that no work is left after
 * the answer.
 */
export async function useToken(sql: Sql, hash: Uint8Array): Promise<TokenHolderRow | undefined> {
  return first(sql<TokenHolderRow[]>`
    with noted as (
      update api_tokens
      set last_used_at = clock()
      where hash = ${hash}
        and (expires_at is null or expires_at > clock())
        and not ${isRecent(sql, sql`last_used_at`, notedSeconds)}
    )
    select
      api_tokens.id as token_id,
      api_tokens.user_id,
      api_tokens.scope,
      api_tokens.workspace_id,
      api_tokens.expires_at,
      users.is_administrator
    from api_tokens
    join users on users.id = api_tokens.user_id and users.deactivated_at is null
    where api_tokens.hash = ${hash}
      and (api_tokens.expires_at is null or api_tokens.expires_at > clock())
      and (
        api_tokens.workspace_id is null
        or exists (select from workspaces where id = api_tokens.workspace_id and deleted_at is null)
      )`);
}

/** A user's tokens, newest first, including expired ones. */
export async function listTokens(
  sql: Sql,
  { owner, after, limit }: { owner: TokenOwner; after: Position | undefined; limit: number },
): Promise<TokenRow[]> {
  return sql<TokenRow[]>`
    select ${columns(sql)}
    from api_tokens
    where ${ownedBy(sql, owner)}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

export async function findToken(
  sql: Sql,
  { owner, tokenId }: { owner: TokenOwner; tokenId: string },
): Promise<TokenRow | undefined> {
  return first(sql<TokenRow[]>`
    select ${columns(sql)}
    from api_tokens
    where id = ${tokenId}
      and ${ownedBy(sql, owner)}`);
}

/** The maker of a token: another token, or a sign-in, which may itself have been made with one. */
export type TokenMaker = { readonly id: string; readonly isSignIn: boolean };

/**
 * Makes a token, which ends with its maker unless it is to outlive that. Undefined when `expiresAt` has passed by the
 * database's clock, or the maker has ended meanwhile.
 */
export async function insertToken(
  sql: Sql,
  token: Pick<TokenRow, "id" | "name" | "scope"> & {
    readonly userId: string;
    readonly hash: Uint8Array;
    readonly workspaceId: string | undefined;
    readonly expiresAt: Date | undefined;
    /** Absent: the operator makes the token. */
    readonly maker?: TokenMaker;
    readonly outlives?: boolean;
  },
): Promise<TokenRow | undefined> {
  const expiresAt = token.expiresAt ?? null;
  const { maker } = token;
  return first(sql<TokenRow[]>`
    with maker as (
      ${makerOf(sql, maker)}
    )
    insert into api_tokens (id, user_id, workspace_id, name, hash, scope, expires_at, made_by, ends_with)
    select
      ${token.id}::uuid,
      ${token.userId}::uuid,
      ${token.workspaceId ?? null}::uuid,
      ${token.name}::text,
      ${token.hash}::bytea,
      ${token.scope}::text,
      ${expiresAt}::timestamptz,
      maker.id,
      ${token.outlives ? sql`null` : sql`maker.id`}
    from maker
    where ${expiresAt}::timestamptz is null or ${expiresAt}::timestamptz > clock()
    returning ${columns(sql)}`);
}

/** The token that makes another, if the maker is a token. It cannot end meanwhile. */
function makerOf(sql: Sql, maker: TokenMaker | undefined): ReturnType<Sql> {
  if (!maker) return sql`select null::uuid as id`;
  return maker.isSignIn
    ? sql`select token_id as id from sign_ins where id = ${maker.id} for key share`
    : sql`select id from api_tokens where id = ${maker.id} for key share`;
}

/** Revokes a token immediately; false when it no longer existed. */
export async function deleteToken(sql: Sql, tokenId: string): Promise<boolean> {
  const { count } = await sql`
    delete from api_tokens
    where id = ${tokenId}`;
  return count > 0;
}

function columns(sql: Sql) {
  return sql`
    id,
    name,
    scope,
    workspace_id,
    expires_at,
    last_used_at,
    created_at,
    made_by,
    made_by is not null and ends_with is null as outlives,
    (select workspaces.name from workspaces where workspaces.id = api_tokens.workspace_id) as workspace_name,
    (
      select members.role
      from members
      where members.workspace_id = api_tokens.workspace_id
        and members.user_id = api_tokens.user_id
    ) as workspace_role,
    (select users.is_administrator from users where users.id = api_tokens.user_id) as is_of_administrator`;
}

function ownedBy(sql: Sql, { userId, workspaceId }: TokenOwner) {
  const isBound = workspaceId === undefined ? sql`` : sql`and workspace_id = ${workspaceId}`;
  return sql`user_id = ${userId} ${isBound}`;
}
