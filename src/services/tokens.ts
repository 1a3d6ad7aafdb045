import { createHash, randomBytes } from "node:crypto";
import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { useToken } from "../store/tokens.ts";
import { type Caller, type Scope, scopes } from "./access.ts";

/** A new API token: 32 random bytes behind a prefix that secret scanners can find. */
export function newToken(): string {
  return `parley_${randomBytes(32).toString("base64url")}`;
}

/** What is stored of a token. A fast hash is enough for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The caller that a token identifies. Throws `token.invalid` when it is unknown, expired or revoked. */
export async function identify(deps: Dependencies, token: string): Promise<Caller> {
  const row = await useToken(deps.sql, hashToken(token));
  if (!row) throw new AppError("token.invalid");
  const workspaceId = row.workspaceId ?? undefined;
  return {
    userId: row.userId,
    tokenId: row.tokenId,
    scope: row.scope,
    workspaceId,
    isAdministrator: row.isAdministrator && row.scope === "admin" && workspaceId === undefined,
    expiresAt: row.expiresAt ?? undefined,
  };
}

/** Throws `token.scope` unless the caller's token has at least this scope; `admin` also needs an administrator. */
export function requireScope(caller: Caller, scope: Scope): void {
  const isEnough = scope === "admin" ? caller.isAdministrator : includesScope(caller.scope, scope);
  if (!isEnough) throw new AppError("token.scope");
}

/** Whether one scope allows all that the other does. */
export function includesScope(scope: Scope, other: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(other);
}
