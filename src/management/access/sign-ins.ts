import { randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { openPlace } from "../../platform/database/database-places.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { Caller } from "./access.ts";
import type { ManagementDependencies } from "./dependencies.ts";
import { findSignInLink, insertSignInLink, useSignInLink } from "./sign-in-codes.sql.ts";
import {
  deleteSignIn,
  insertSignIn,
  listSignIns as listSignInRows,
  type SignInMethod,
  type SignInRow,
  signInMethods,
  useSignIn,
} from "./sign-ins.sql.ts";
import { useToken } from "./tokens.sql.ts";
import { hashToken } from "./tokens.ts";

export { type SignInMethod, signInMethods };

/** A user who has just signed in. */
export type SignedIn = {
  readonly user: { readonly id: string; readonly name: string; readonly email: string | null };
  /** Whether this is the user's first sign-in. */
  readonly isNew: boolean;
  /** The secret for the cookie. Only its hash is stored. */
  readonly secret: string;
};

/** The browser of a user who is signing in, and the rate limit of the account. */
export type Visitor = {
  readonly browser: string;
  /** Counts an attempt to sign in to an account, by any method. Throws `rate_limit.exceeded`. */
  countFor(account: string): Promise<void> | undefined;
};

/**
 * Signs in the user of a token. The sign-in has the token's rights and ends with the token. Throws `token.invalid` or
 * `rate_limit.exceeded`.
 */
export async function signInByToken(deps: ManagementDependencies, token: string, visitor: Visitor): Promise<SignedIn> {
  const holder = await useToken(deps.sql, hashToken(token));
  if (!holder) throw new AppError("token.invalid");
  const { userId, tokenId } = holder;
  await visitor.countFor(userId);
  const signedIn = await signIn(deps, userId, { browser: visitor.browser, method: "token", tokenId });
  if (!signedIn) throw new AppError("token.invalid");
  return signedIn;
}

/** Signs in with a link, which works only once. Throws `sign_in.link_invalid` or `rate_limit.exceeded`. */
export async function signInByLink(deps: ManagementDependencies, secret: string, visitor: Visitor): Promise<SignedIn> {
  const hash = hashToken(secret);
  const link = await findSignInLink(deps.sql, hash);
  if (!link) throw new AppError("sign_in.link_invalid");
  await visitor.countFor(link.userId);
  if (!(await useSignInLink(deps.sql, hash))) throw new AppError("sign_in.link_invalid");
  const signedIn = await signIn(deps, link.userId, { browser: visitor.browser, method: "link" });
  if (!signedIn) throw new AppError("sign_in.link_invalid");
  return signedIn;
}

/**
 * Creates a sign-in for a user whose identity was verified. Returns undefined if there is no active user with this id.
 */
export async function signIn(
  deps: ManagementDependencies,
  userId: string,
  how: { readonly browser: string; readonly method: SignInMethod; readonly tokenId?: string },
): Promise<SignedIn | undefined> {
  const secret = newSecret();
  const row = await insertSignIn(deps.sql, userId, { id: newId(), hash: hashToken(secret), ...how });
  if (!row) return undefined;
  const { isNew, ...user } = row;
  return { user, isNew, secret };
}

/**
 * Creates a link that signs a user in once, for the owner of the machine. Returns the secret, which the link contains
 * after `#`.
 */
export async function makeSignInLink(sql: Sql, userId: string): Promise<string> {
  const secret = newSecret();
  await insertSignInLink(sql, { id: newId(), userId, hash: hashToken(secret) });
  return secret;
}

/**
 * Returns the caller of a sign-in cookie, and whether this call recorded the use. Returns undefined if the sign-in is
 * not valid.
 */
export async function identifySignIn(
  deps: ManagementDependencies,
  secret: string,
): Promise<{ readonly caller: Caller; readonly isExtended: boolean } | undefined> {
  const row = await useSignIn(deps.sql, hashToken(secret));
  if (!row) return undefined;
  const workspaceId = row.workspaceId ?? undefined;
  const caller = {
    userId: row.userId,
    tokenId: row.signInId,
    isSignIn: true,
    scope: row.scope,
    workspaceId,
    isAdministrator: row.isAdministrator && row.scope === "admin" && workspaceId === undefined,
    expiresAt: row.expiresAt ?? undefined,
    place: openPlace(deps.databasePlaces),
  } as const;
  return { caller, isExtended: row.isExtended };
}

export type SignInView = SignInRow & { readonly isCurrent: boolean };

/** Returns a page of the caller's own active sign-ins, newest first. */
export async function listSignIns(deps: ManagementDependencies, caller: Caller, request: PageRequest) {
  const page = readPage("sign-ins", request);
  const rows = await listSignInRows(deps.sql, { owner: caller, ...page.part });
  const { rows: signIns, ...rest } = cutPage({ rows, page });
  return { signIns: signIns.map((row) => viewSignIn(row, caller)), ...rest };
}

/**
 * Ends one of the caller's sign-ins immediately, possibly the sign-in that makes this call. Throws `sign_in.not_found`.
 */
export async function endSignIn(deps: ManagementDependencies, caller: Caller, signInId: string): Promise<SignInView> {
  const ended = isId(signInId) ? await deleteSignIn(deps.sql, { owner: caller, signInId }) : undefined;
  if (!ended) throw new AppError("sign_in.not_found");
  return viewSignIn(ended, caller);
}

/** Ends the sign-in of the call. Throws `sign_in.not_found` for a caller with a token. */
export async function signOut(deps: ManagementDependencies, caller: Caller): Promise<SignInView> {
  if (!caller.isSignIn) throw new AppError("sign_in.not_found");
  return await endSignIn(deps, caller, caller.tokenId);
}

/** The lifetime of the cookie in the browser. */
export const cookieSeconds = limits.signIns.days * 24 * 60 * 60;

function viewSignIn(row: SignInRow, { tokenId }: Caller): SignInView {
  return { ...row, isCurrent: row.id === tokenId };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
