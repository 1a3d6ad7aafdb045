import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { inTurn, type Transaction } from "../../platform/database/turns.sql.ts";
import { violatedConstraint } from "../../platform/database/violations.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { allowedBy } from "../access/token-rights.ts";
import { boundElsewhere, hashToken, newToken } from "../access/tokens.ts";
import { mailAddressCode, proveCode } from "./sign-in-codes.ts";
import {
  findOwnUser,
  findUser,
  handOver,
  insertUser,
  isActiveUser,
  listUsers as listUserRows,
  listWorkspacesOfLastAdmin,
  lockUser,
  type OwnUserRow,
  setUserActive,
  type UserRow,
  updateOwnUser as updateOwnRow,
  updateUser as updateUserRow,
} from "./users.sql.ts";

/** The first token of a new user. Only its hash is stored, so its text can be shown only now. */
export type FirstToken = {
  readonly id: string;
  readonly name: string;
  readonly scope: "write";
  readonly token: string;
  /** The token's rights as sentences. */
  readonly allows: string[];
};

/** Returns the calling user with the preferences of their pages. */
export async function getOwnUser(deps: ManagementDependencies, caller: Caller): Promise<OwnUserRow> {
  const user = await findOwnUser(deps.sql, caller.userId);
  if (!user) throw new AppError("user.not_found");
  return user;
}

export type OwnChanges = {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  /** The code that was mailed to the new address. */
  readonly emailCode?: string | undefined;
  readonly preferences?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Writes the given fields of the calling user and retains all others. An e-mail address gives access to the invitations
 * that were sent to it, so a new address requires a code that is mailed to it. Without a code, the service mails a code
 * and leaves the address unchanged.
 */
export async function updateOwnUser(
  deps: ManagementDependencies,
  caller: Caller,
  { name, email, emailCode, preferences }: OwnChanges,
): Promise<{ user: OwnUserRow; isCodeSent: boolean }> {
  // A token of one workspace must not change its user, because all workspaces share the user's name, address and
  // language.
  if (caller.workspaceId !== undefined) throw boundElsewhere();
  const { userId } = caller;
  const kept = preferences && preferencesText(preferences);
  const isCodeWanted = typeof email === "string" && emailCode === undefined;
  if (isCodeWanted) await mailAddressCode(deps, { userId, email });
  const proved = await provedAddress(deps, { userId, email, emailCode });
  const user = await withFreeAddress(() => updateOwnRow(deps.sql, userId, { name, preferences: kept, email: proved }));
  if (!user) throw new AppError("user.not_found");
  return { user, isCodeSent: isCodeWanted };
}

/**
 * Returns the address to write now, or null to remove the address. Returns undefined if there is no new address, or if
 * the new address first requires a code.
 */
async function provedAddress(
  deps: ManagementDependencies,
  { userId, email, emailCode }: { userId: string } & Pick<OwnChanges, "email" | "emailCode">,
): Promise<string | null | undefined> {
  if (typeof email !== "string") return email;
  if (emailCode === undefined) return undefined;
  return (await proveCode(deps, { kind: "address", userId, email }, emailCode)).email;
}

function preferencesText(preferences: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(preferences);
  const { preferencesBytes } = limits.signIns;
  if (Buffer.byteLength(text) <= preferencesBytes) return text;
  throw invalidInput([{ path: "preferences", message: `must have at most ${preferencesBytes} bytes as JSON` }]);
}

async function withFreeAddress<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) === "users_email") throw new AppError("user.email_taken", { cause: error });
    throw error;
  }
}

/** Returns all users of the instance, newest first. The route requires the scope `admin`. */
export async function listUsers(deps: ManagementDependencies, request: PageRequest) {
  const page = readPage("users", request);
  const rows = await listUserRows(deps.sql, page.part);
  const { rows: users, ...rest } = cutPage({ rows, page });
  return { users, ...rest };
}

/** Returns any user of the instance. Throws `user.not_found`. The route requires the scope `admin`. */
export async function getUser(deps: ManagementDependencies, userId: string): Promise<UserRow> {
  const user = isId(userId) ? await findUser(deps.sql, userId) : undefined;
  if (!user) throw new AppError("user.not_found");
  return user;
}

/**
 * Writes the given fields and retains all others. The route requires the scope `admin`: users must not choose their own
 * address, because an address gives access to the invitations that were sent to it.
 */
export async function updateUser(
  deps: ManagementDependencies,
  userId: string,
  changes: { name?: string | undefined; email?: string | null | undefined },
): Promise<UserRow> {
  const user = await withFreeAddress(() => updateUserRow(deps.sql, userId, changes));
  if (!user) throw new AppError("user.not_found");
  return user;
}

/**
 * Deactivates a user: permanently ends the user's tokens and sign-ins on all nodes immediately. Throws
 * `user.last_administrator` for the last active administrator of the instance. The user `successorId` becomes ADMIN of
 * the workspaces of which the deactivated user is the last active ADMIN. Without a successor, throws `user.last_admin`
 * if there are such workspaces. The route requires the scope `admin`.
 */
export async function deactivateUser(
  deps: ManagementDependencies,
  { userId, successorId }: { userId: string; successorId: string | undefined },
): Promise<UserRow> {
  if (!isId(userId)) throw new AppError("user.not_found");
  return await inTurn(deps.sql, async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (!user) throw new AppError("user.not_found");
    if (user.isLastAdministrator) throw new AppError("user.last_administrator");
    if (successorId !== undefined) await handOverAll(transaction, { userId, successorId });
    else if (user.deactivatedAt === null) await refuseLastAdmin(transaction, userId);
    const deactivated = await setUserActive(transaction, { userId, isActive: false });
    if (!deactivated) throw new AppError("user.not_found");
    return deactivated;
  });
}

/**
 * Activates a user, who can then sign in and get new tokens again. Throws `user.not_found`. The route requires the
 * scope `admin`.
 */
export async function activateUser(deps: ManagementDependencies, userId: string): Promise<UserRow> {
  const user = isId(userId) ? await setUserActive(deps.sql, { userId, isActive: true }) : undefined;
  if (!user) throw new AppError("user.not_found");
  return user;
}

/** The maximum number of workspaces that a response lists, and that one statement assigns to a successor. */
const workspacesAtOnce = 100;

async function refuseLastAdmin(transaction: Transaction, userId: string): Promise<void> {
  const workspaces = await listWorkspacesOfLastAdmin(transaction, { userId, limit: workspacesAtOnce });
  if (workspaces.length > 0) throw new AppError("user.last_admin", { data: { workspaces } });
}

async function handOverAll(
  transaction: Transaction,
  { userId, successorId }: { userId: string; successorId: string },
): Promise<void> {
  const isSomebodyElse = isId(successorId) && successorId !== userId;
  if (!isSomebodyElse || !(await isActiveUser(transaction, successorId))) throw noSuccessor();
  for (;;) {
    const workspaces = await listWorkspacesOfLastAdmin(transaction, { userId, limit: workspacesAtOnce });
    if (workspaces.length === 0) return;
    await handOver(transaction, { userId: successorId, workspaceIds: workspaces.map(({ id }) => id) });
  }
}

function noSuccessor(): AppError {
  return invalidInput([{ path: "successorId", message: "must be the id of another active user" }]);
}

/** Creates a user and the user's first token with scope `write`. The route requires the scope `admin`. */
export async function createUser(
  deps: Pick<ManagementDependencies, "sql">,
  { name, email }: { name: string; email: string | null },
): Promise<{ user: UserRow; apiToken: FirstToken }> {
  const apiToken = makeFirstToken();
  const token = { id: apiToken.id, name: apiToken.name, hash: hashToken(apiToken.token) };
  const user = await withFreeAddress(() => insertUser(deps.sql, { id: newId(), name, email, token }));
  return { user, apiToken };
}

/** Creates the first token of a user who is about to be created. */
export function makeFirstToken(): FirstToken {
  const rights = {
    scope: "write",
    workspaceId: null,
    workspaceName: null,
    workspaceRole: null,
    isOfAdministrator: false,
  } as const;
  return { id: newId(), name: "First token", scope: "write", token: newToken(), allows: allowedBy(rights) };
}
