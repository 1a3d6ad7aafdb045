import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import { countOf, first, type Sql } from "../../platform/database/sql.ts";
import type { Scope, TokenOwner } from "./tokens.sql.ts";

export const signInMethods = ["link", "token", "email", "invitation"] as const;
export type SignInMethod = (typeof signInMethods)[number];

export type SignInRow = {
  readonly id: string;
  readonly method: SignInMethod;
  readonly browser: string;
  /** The name of the token with which the sign-in was created. Null for the other methods. */
  readonly tokenName: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
};

export type SignInHolderRow = {
  readonly signInId: string;
  readonly userId: string;
  readonly scope: Scope;
  readonly workspaceId: string | null;
  readonly expiresAt: Date | null;
  readonly isAdministrator: boolean;
  /** Whether this call recorded the use of the sign-in. */
  readonly isExtended: boolean;
};

export type SignedInRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** Whether this is the user's first sign-in. */
  readonly isNew: boolean;
};

export type NewSignIn = {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly method: SignInMethod;
  readonly browser: string;
  readonly tokenId?: string;
};

/**
 * Returns the user of a valid sign-in and the user's rights. Undefined if the sign-in is unknown or expired, its user
 * is deactivated, its token has expired, or its token is bound to a workspace in the bin. Records the use in the same
 * statement, at most once an hour.
 */
export async function useSignIn(sql: Sql, hash: Uint8Array): Promise<SignInHolderRow | undefined> {
  return first(sql<SignInHolderRow[]>`
    with noted as (
      update sign_ins
      set last_used_at = clock()
      where hash = ${hash}
        and ${isAlive(sql)}
        and not ${isRecent(sql, sql`last_used_at`, limits.signIns.notedSeconds)}
      returning id
    )
    select
      sign_ins.id as sign_in_id,
      sign_ins.user_id,
      coalesce(api_tokens.scope, case when users.is_administrator then 'admin' else 'write' end) as scope,
      api_tokens.workspace_id,
      api_tokens.expires_at,
      users.is_administrator,
      exists (select from noted) as is_extended
    from sign_ins
    join users on users.id = sign_ins.user_id and users.deactivated_at is null
    left join api_tokens on api_tokens.id = sign_ins.token_id
    where sign_ins.hash = ${hash}
      and ${isAlive(sql)}
      and (api_tokens.expires_at is null or api_tokens.expires_at > clock())
      and (
        api_tokens.workspace_id is null
        or exists (select from workspaces where id = api_tokens.workspace_id and deleted_at is null)
      )`);
}

/**
 * Signs in an active user, or returns undefined if there is no such user. Ends the user's oldest sign-ins if there are
 * more than `limits.signIns.perUser`.
 */
export async function insertSignIn(sql: Sql, userId: string, made: NewSignIn): Promise<SignedInRow | undefined> {
  return first(sql<SignedInRow[]>`
    with who as (
      select id, name, email, signed_in_at is null as is_new
      from users
      where id = ${userId}
        and deactivated_at is null
    ),
    made as (
      insert into sign_ins (id, hash, user_id, method, token_id, browser)
      select ${made.id}::uuid, ${made.hash}::bytea, who.id, ${made.method}::text, ${made.tokenId ?? null}::uuid, ${made.browser}::text
      from who
    ),
    noted as (
      update users
      set signed_in_at = clock()
      from who
      where users.id = who.id
        and who.is_new
    ),
    ended as (
      delete from sign_ins
      where id = any(array(
        select sign_ins.id
        from sign_ins
        join who on who.id = sign_ins.user_id
        order by sign_ins.created_at desc, sign_ins.id desc
        offset ${limits.signIns.perUser - 1}
      ))
    )
    select id, name, email, is_new
    from who`);
}

/**
 * Returns a user's active sign-ins, newest first. A caller that is bound to a workspace gets only sign-ins that are
 * bound to the same workspace.
 */
export async function listSignIns(
  sql: Sql,
  { owner, after, limit }: { owner: TokenOwner; after: Position | undefined; limit: number },
): Promise<SignInRow[]> {
  return sql<SignInRow[]>`
    select ${columns(sql)}
    from sign_ins
    left join api_tokens on api_tokens.id = sign_ins.token_id
    where ${ownedBy(sql, owner)}
      and ${isAlive(sql)}
      and (api_tokens.expires_at is null or api_tokens.expires_at > clock())
      ${after ? sql`and (sign_ins.created_at, sign_ins.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by sign_ins.created_at desc, sign_ins.id desc
    limit ${limit}`;
}

/** Ends one of a user's sign-ins immediately. Returns undefined if there is no such sign-in. */
export async function deleteSignIn(
  sql: Sql,
  { owner, signInId }: { owner: TokenOwner; signInId: string },
): Promise<SignInRow | undefined> {
  return first(sql<SignInRow[]>`
    with ended as (
      delete from sign_ins
      where id = ${signInId}
        and ${ownedBy(sql, owner)}
      returning *
    )
    select ${columns(sql)}
    from ended as sign_ins
    left join api_tokens on api_tokens.id = sign_ins.token_id`);
}

/**
 * Deletes up to `limit` sign-ins that were not used for `limits.signIns.days` days. Returns the number of deleted rows.
 */
export async function deleteOldSignIns(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    delete from sign_ins
    where id = any(array(
      select id
      from sign_ins
      where not ${isAlive(sql)}
      order by last_used_at
      limit ${limit}
    ))`);
}

/** Whether any user has ever signed in on this instance. */
export async function hasAnybodySignedIn(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ has: boolean }]>`
    select exists (select from users where signed_in_at is not null) as has`;
  return row.has;
}

function ownedBy(sql: Sql, { userId, workspaceId }: TokenOwner) {
  const isBound =
    workspaceId === undefined
      ? sql``
      : sql`and sign_ins.token_id in (select tokens.id from api_tokens as tokens where tokens.workspace_id = ${workspaceId})`;
  return sql`sign_ins.user_id = ${userId} ${isBound}`;
}

/** Returns the SQL condition that a sign-in was used recently enough to be valid. */
export function isAlive(sql: Sql) {
  return sql`sign_ins.last_used_at > clock() - make_interval(days => ${limits.signIns.days})`;
}

function columns(sql: Sql) {
  return sql`
    sign_ins.id,
    sign_ins.method,
    sign_ins.browser,
    api_tokens.name as token_name,
    sign_ins.created_at,
    sign_ins.last_used_at`;
}
