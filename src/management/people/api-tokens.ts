import { AppError } from "../../errors.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { allowedBy } from "../access/token-rights.ts";
import {
  deleteToken,
  findToken,
  insertToken,
  listTokens,
  type Scope,
  type TokenOwner,
  type TokenRow,
} from "../access/tokens.sql.ts";
import { hashToken, includesScope, newToken, requireScope, scopeTooSmall } from "../access/tokens.ts";
import { getUser } from "./users.ts";

/**
 * Returns the caller's own tokens without their texts, newest first. A token that is bound to a workspace lists only
 * tokens that are bound to the same workspace.
 */
export async function listApiTokens(deps: ManagementDependencies, caller: TokenOwner, request: PageRequest) {
  const page = readPage("api-tokens", request);
  const rows = await listTokens(deps.sql, { owner: caller, ...page.part });
  const { rows: apiTokens, ...rest } = cutPage({ rows, page });
  return { apiTokens: apiTokens.map(viewToken), ...rest };
}

/**
 * Creates a token of the caller's user. Only this response contains its text. The token's scope and workspaces do not
 * exceed those of the token that creates it. It expires no later than the creating token and ends with it, unless an
 * ADMIN lets it outlive that token.
 */
export async function createApiToken(
  deps: ManagementDependencies,
  caller: Caller,
  wanted: {
    name: string;
    scope: Scope | undefined;
    workspaceId: string | undefined;
    expiresAt: Date | undefined;
    outlives: boolean;
  },
): Promise<TokenView & { readonly token: string }> {
  const scope = wanted.scope ?? "write";
  const { outlives } = wanted;
  const expiresAt = wanted.expiresAt ?? (outlives ? undefined : caller.expiresAt);
  const workspaceId = wanted.workspaceId ?? caller.workspaceId;
  refuseMoreThanCaller(caller, { scope, expiresAt: outlives ? undefined : expiresAt });
  if (outlives) await requireAdminOf(deps, caller, workspaceId);
  if (workspaceId !== undefined) await requireWorkspace(deps, caller, workspaceId, "see");
  const token = newToken();
  const row = await insertToken(deps.sql, {
    id: newId(),
    userId: caller.userId,
    name: wanted.name,
    hash: hashToken(token),
    scope,
    workspaceId,
    expiresAt,
    outlives,
    maker: { id: caller.tokenId, isSignIn: caller.isSignIn === true },
  });
  if (!row && expiresAt === undefined) throw new AppError("token.invalid");
  if (!row) throw invalidInput([{ path: "expiresAt", message: "must be in the future" }]);
  return { ...viewToken(row), token };
}

/**
 * Requires an ADMIN of the token's workspace. A token without a workspace requires an administrator of the instance.
 */
async function requireAdminOf(deps: ManagementDependencies, caller: Caller, workspaceId: string | undefined) {
  if (workspaceId === undefined) requireScope(caller, "admin");
  else await requireWorkspace(deps, caller, workspaceId, "administer");
}

/**
 * Revokes one of the caller's tokens immediately, possibly the token of the call itself. Throws `token.not_found`, and
 * `token.scope` for a token with a larger scope than the caller's.
 */
export async function revokeApiToken(
  deps: ManagementDependencies,
  caller: Caller,
  tokenId: string,
): Promise<TokenView> {
  const token = isId(tokenId) ? await findToken(deps.sql, { owner: caller, tokenId }) : undefined;
  if (!token) throw new AppError("token.not_found");
  if (!includesScope(caller.scope, token.scope)) throw scopeTooSmall(caller, token.scope);
  if (!(await deleteToken(deps.sql, tokenId))) throw new AppError("token.not_found");
  return viewToken(token);
}

function refuseMoreThanCaller(caller: Caller, wanted: { scope: Scope; expiresAt: Date | undefined }): void {
  const isLarger = wanted.scope === "admin" ? !caller.isAdministrator : !includesScope(caller.scope, wanted.scope);
  const isLonger =
    caller.expiresAt !== undefined && wanted.expiresAt !== undefined && wanted.expiresAt > caller.expiresAt;
  if (isLarger || isLonger) {
    throw new AppError("token.scope", {
      message: "A token cannot create a token with more rights or a later expiry than its own.",
      data: { scope: caller.scope, neededScope: wanted.scope },
    });
  }
}

/** Returns the tokens of any user. The route requires the scope `admin`. */
export async function listTokensOfUser(deps: ManagementDependencies, userId: string, request: PageRequest) {
  await getUser(deps, userId);
  return await listApiTokens(deps, { userId, workspaceId: undefined }, request);
}

/** Revokes a token of any user immediately. Throws `token.not_found`. The route requires the scope `admin`. */
export async function revokeTokenOfUser(
  deps: ManagementDependencies,
  { userId, tokenId }: { userId: string; tokenId: string },
): Promise<TokenView> {
  const owner = { userId, workspaceId: undefined };
  const token = isId(tokenId) ? await findToken(deps.sql, { owner, tokenId }) : undefined;
  if (!token || !(await deleteToken(deps.sql, tokenId))) throw new AppError("token.not_found");
  return viewToken(token);
}

/** Returns a token in the API's format, with its rights as sentences. */
function viewToken({ workspaceName, workspaceRole, isOfAdministrator, ...token }: TokenRow) {
  return { ...token, allows: allowedBy({ ...token, workspaceName, workspaceRole, isOfAdministrator }) };
}

type TokenView = ReturnType<typeof viewToken>;
