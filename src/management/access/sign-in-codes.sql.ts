import { limits } from "../../limits/index.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import { countOf, first, type Sql } from "../../platform/database/sql.ts";

/** Stores a link that signs a user in once. */
export async function insertSignInLink(
  sql: Sql,
  { id, userId, hash }: { id: string; userId: string; hash: Uint8Array },
): Promise<void> {
  await sql`
    insert into sign_in_codes (id, kind, user_id, hash)
    values (${id}, 'link', ${userId}, ${hash})`;
}

/** Returns the user whom a link signs in, or undefined if the link is unknown, used or too old. */
export async function findSignInLink(sql: Sql, hash: Uint8Array): Promise<{ readonly userId: string } | undefined> {
  return first(sql<{ userId: string }[]>`
    select user_id
    from sign_in_codes
    where kind = 'link'
      and hash = ${hash}
      and ${isRecent(sql, sql`created_at`, 60 * limits.signIns.linkMinutes)}`);
}

/**
 * Deletes a link when it is used. Returns whether this call deleted the link, because only one of several concurrent
 * attempts may succeed.
 */
export async function useSignInLink(sql: Sql, hash: Uint8Array): Promise<boolean> {
  const { count } = await sql`
    delete from sign_in_codes
    where kind = 'link'
      and hash = ${hash}
      and ${isRecent(sql, sql`created_at`, 60 * limits.signIns.linkMinutes)}`;
  return count > 0;
}

/** The purpose of a code: to sign in the owner of an address, or to verify that a user owns an address. */
export type CodePurpose =
  | { readonly kind: "email"; readonly email: string }
  | { readonly kind: "address"; readonly email: string; readonly userId: string };

/**
 * Stores a code. It replaces the earlier code of the same address (`email`) or of the same user (`address`). Returns
 * the user of the code and the address of the user's account. For an `email` code, both are null if no active user has
 * the address.
 */
export async function putCode(
  sql: Sql,
  { id, hash, purpose }: { id: string; hash: Uint8Array; purpose: CodePurpose },
): Promise<{ readonly userId: string | null; readonly email: string | null }> {
  const { kind, email } = purpose;
  const owner =
    kind === "address"
      ? sql`${purpose.userId}::uuid`
      : sql`(select users.id from users where lower(email) = lower(${email}) and deactivated_at is null)`;
  const [row] = await sql<[{ userId: string | null; email: string | null }]>`
    insert into sign_in_codes (id, kind, user_id, email, hash)
    select ${id}::uuid, ${kind}::text, ${owner}, ${email}::text, ${hash}::bytea
    on conflict ${kind === "address" ? sql`(user_id) where kind = 'address'` : sql`(lower(email)) where kind = 'email'`}
    do update
    set id = excluded.id,
      user_id = excluded.user_id,
      email = excluded.email,
      hash = excluded.hash,
      tries = 0,
      created_at = clock()
    returning user_id, (select users.email from users where users.id = sign_in_codes.user_id) as email`;
  return row;
}

/** A stored code. `email` is the address to which the code was mailed. */
export type CodeRow = {
  readonly id: string;
  readonly userId: string | null;
  readonly email: string;
  readonly hash: Uint8Array;
};

/**
 * Counts a try and returns the code for this purpose. Returns undefined if no code is valid or the code has no tries
 * left. Concurrent tries cannot exceed the allowed number.
 */
export async function findCode(sql: Sql, purpose: CodePurpose): Promise<CodeRow | undefined> {
  return first(sql<CodeRow[]>`
    update sign_in_codes
    set tries = tries + 1
    where kind = ${purpose.kind}
      and lower(email) = lower(${purpose.email})
      ${purpose.kind === "address" ? sql`and user_id = ${purpose.userId}` : sql``}
      and tries < ${limits.signIns.codeTries}
      and ${isRecent(sql, sql`created_at`, 60 * limits.signIns.codeMinutes)}
    returning id, user_id, email, hash`);
}

/**
 * Deletes a code when it is used. Returns whether this call deleted the code, because only one of several concurrent
 * attempts may succeed.
 */
export async function useCode(sql: Sql, id: string): Promise<boolean> {
  const { count } = await sql`
    delete from sign_in_codes
    where id = ${id}`;
  return count > 0;
}

/**
 * Counts a code that is about to be mailed to this address. Returns false if the address has reached its daily limit.
 */
export async function countCodeMail(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`
    insert into code_mails (email, day, mails)
    values (lower(${email}), (clock() at time zone 'UTC')::date, 1)
    on conflict (email, day) do update
    set mails = code_mails.mails + 1
    where code_mails.mails < ${limits.signIns.codeMailsPerDay}
    returning 1`;
  return rows.length > 0;
}

/** Deletes up to `limit` counts of earlier days. Returns the number of deleted rows. */
export async function deleteOldCodeMails(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    delete from code_mails
    where ctid = any(array(
      select ctid
      from code_mails
      where day < (clock() at time zone 'UTC')::date
      limit ${limit}
    ))`);
}

/**
 * Deletes up to `limit` links and codes that are older than the lifetime of a link. Returns the number of deleted rows.
 */
export async function deleteOldCodes(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    delete from sign_in_codes
    where id = any(array(
      select id
      from sign_in_codes
      where created_at <= clock() - make_interval(mins => ${limits.signIns.linkMinutes})
      order by created_at
      limit ${limit}
    ))`);
}
