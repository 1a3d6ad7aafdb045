import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";
import { openPlace } from "../../platform/database/database-places.ts";
import { type Caller, type Scope, scopes } from "./access.ts";
import type { ManagementDependencies } from "./dependencies.ts";
import { useToken } from "./tokens.sql.ts";

/** Creates an API token: 32 random bytes after a prefix that secret scanners can find. */
export function newToken(): string {
  return `parley_${randomBytes(32).toString("base64url")}`;
}

/** Returns the hash under which a token is stored. A fast hash is safe for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Returns the caller that a token identifies. Throws `token.invalid` if the token is unknown, revoked or expired, its
 * user is deactivated, or its workspace is in the bin.
 */
export async function identify(deps: ManagementDependencies, token: string): Promise<Caller> {
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
    place: openPlace(deps.databasePlaces),
  };
}

/**
 * Throws `token.scope` unless the caller's token has at least this scope. For `admin`, the user must also be an
 * administrator of the instance, and the token must not be bound to a workspace.
 */
export function requireScope(caller: Caller, scope: Scope): void {
  const isEnough = scope === "admin" ? caller.isAdministrator : includesScope(caller.scope, scope);
  if (!isEnough) throw scopeTooSmall(caller, scope);
}

/** Creates the error `token.scope`, which names the required scope. */
export function scopeTooSmall(caller: Caller, needed: Scope): AppError {
  const isOfInstance = needed === "admin" && caller.scope === "admin";
  const message = isOfInstance
    ? "This requires a token with the scope admin that belongs to an administrator of the instance and is not bound to a workspace."
    : `This ${nameOf(caller)} may see this but not change it: it has the scope ${caller.scope}, and the scope ${needed} is required.`;
  return new AppError("token.scope", { message, data: { scope: caller.scope, neededScope: needed } });
}

function nameOf({ isSignIn }: Caller): string {
  return isSignIn ? "sign-in" : "API token";
}

/** Creates the error `token.scope` for operations outside the workspace to which a token is bound. */
export function boundElsewhere(): AppError {
  return new AppError("token.scope", {
    message:
      "This API token is bound to one workspace. Use a token with the scope write that is not bound to a workspace.",
    data: { neededScope: "write", neededWorkspace: null },
  });
}

/** Whether one scope includes all rights of the other scope. */
export function includesScope(scope: Scope, other: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(other);
}
