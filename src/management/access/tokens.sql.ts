import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import type { Role } from "./access.sql.ts";

/**
 * The scopes of tokens. Each scope includes the scopes before it. `admin` applies to the instance, not to a workspace.
 */
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
  /** The name of the workspace to which the token is bound. Null if the token is not bound. */
  readonly workspaceName: string | null;
  /** The user's role in the token's workspace. Null if the user is not a member. */
  readonly workspaceRole: Role | null;
  readonly isOfAdministrator: boolean;
  /**
   * The token that created this token. Null if no token created it, or if an earlier release did not record its
   * creator.
   */
  readonly madeBy: string | null;
  /** Whether the token remains valid after its creator has ended. */
  readonly outlives: boolean;
};

/** The minimum interval between two records of a token's use. */
const notedSeconds = 60;

/**
 * The owner of tokens and sign-ins. A caller that is bound to a workspace sees only tokens and sign-ins that are bound
 * to the same workspace.
 */
export type TokenOwner = { readonly userId: string; readonly workspaceId: string | undefined };

/**
 * Returns the holder of a valid token. Returns undefined if the token is unknown or expired, belongs to a deactivated
 * user, or is bound to a workspace in the bin. Records the use in the same statement, at most once a minute, so that no
 * work remains after the response.
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

/** Returns a user's tokens, newest first, including expired tokens. */
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

/** The creator of a token: another token, or a sign-in, which a token may have created in turn. */
export type TokenMaker = { readonly id: string; readonly isSignIn: boolean };

/**
 * Creates a token. Unless `outlives` is set, the token ends together with the token that created it, directly or
 * through a sign-in. Returns undefined if `expiresAt` has passed by the database's clock, or if the creator has ended
 * meanwhile.
 */
export async function insertToken(
  sql: Sql,
  token: Pick<TokenRow, "id" | "name" | "scope"> & {
    readonly userId: string;
    readonly hash: Uint8Array;
    readonly workspaceId: string | undefined;
    readonly expiresAt: Date | undefined;
    /** Absent if the operator creates the token. */
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

/**
 * Selects the token that acts as the creator, directly or through a sign-in. Locks its row so that it is not deleted
 * meanwhile.
 */
function makerOf(sql: Sql, maker: TokenMaker | undefined): ReturnType<Sql> {
  if (!maker) return sql`select null::uuid as id`;
  return maker.isSignIn
    ? sql`select token_id as id from sign_ins where id = ${maker.id} for key share`
    : sql`select id from api_tokens where id = ${maker.id} for key share`;
}

/** Revokes a token immediately. Returns false if the token no longer existed. */
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
