import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import { violatedConstraint } from "../store/database/violations.ts";
import { inTurn, type Transaction } from "../store/turns.ts";
import {
  findUser,
  handOver,
  insertUser,
  isActiveUser,
  listUsers as listUserRows,
  listWorkspacesOfLastAdmin,
  lockUser,
  setUserActive,
  type UserRow,
  updateUser as updateUserRow,
} from "../store/users.ts";
import type { Caller } from "./access.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";
import { invalidInput } from "./invalid-input.ts";
import { allowedBy } from "./token-rights.ts";
import { hashToken, newToken } from "./tokens.ts";

/** The first token of a new user; only its hash is stored, so its text can be shown only now. */
export type FirstToken = {
  readonly id: string;
  readonly name: string;
  readonly scope: "write";
  readonly token: string;
  /** What it may do, in words. */
  readonly allows: string[];
};

/** The user whose token calls. */
export async function getOwnUser(deps: Dependencies, caller: Caller): Promise<UserRow> {
  const user = await findUser(deps.sql, caller.userId);
  if (!user) throw new AppError("user.not_found");
  return user;
}

/** Renames the user whose token calls. Their e-mail address is the administrators' to change: it opens invitations. */
export async function renameOwnUser(deps: Dependencies, caller: Caller, name: string | undefined): Promise<UserRow> {
  return await updateUser(deps, caller.userId, { name });
}

/** All users of the instance, newest first. The route asks for scope `admin`. */
export async function listUsers(deps: Dependencies, request: PageRequest) {
  const page = readPage("users", request);
  const rows = await listUserRows(deps.sql, { after: page.after, limit: page.size + 1 });
  const { rows: users, ...rest } = cutPage({ rows, page });
  return { users, ...rest };
}

/** Any user of the instance. The route asks for scope `admin`. */
export async function getUser(deps: Dependencies, userId: string): Promise<UserRow> {
  const user = isId(userId) ? await findUser(deps.sql, userId) : undefined;
  if (!user) throw new AppError("user.not_found");
  return user;
}

/**
 * Writes what is given and keeps the rest. The route asks for scope `admin`: an e-mail address opens the invitations that were sent to it, so
 * nobody gives themselves one.
 */
export async function updateUser(
  deps: Dependencies,
  userId: string,
  changes: { name?: string | undefined; email?: string | null | undefined },
): Promise<UserRow> {
  try {
    const user = await updateUserRow(deps.sql, userId, changes);
    if (!user) throw new AppError("user.not_found");
    return user;
  } catch (error) {
    if (violatedConstraint(error) === "users_email") throw new AppError("user.email_taken", { cause: error });
    throw error;
  }
}

/**
 * Ends what a user's tokens may, on every node at once. An administrator stays active, and every workspace keeps an active ADMIN: where they
 * are the last one, `successorId` takes their place, or it is refused. The route asks for scope `admin`.
 */
export async function deactivateUser(
  deps: Dependencies,
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

/** Lets a user's tokens count again. The route asks for scope `admin`. */
export async function activateUser(deps: Dependencies, userId: string): Promise<UserRow> {
  const user = isId(userId) ? await setUserActive(deps.sql, { userId, isActive: true }) : undefined;
  if (!user) throw new AppError("user.not_found");
  return user;
}

/** As many as an answer names and one statement hands over. */
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

/** Makes a user and their first token, of scope `write`. The route asks for scope `admin`. */
export async function createUser(
  deps: Pick<Dependencies, "sql">,
  { name, email }: { name: string; email: string | null },
): Promise<{ user: UserRow; apiToken: FirstToken }> {
  const apiToken = makeFirstToken();
  try {
    const token = { id: apiToken.id, name: apiToken.name, hash: hashToken(apiToken.token) };
    const user = await insertUser(deps.sql, { id: newId(), name, email, token });
    return { user, apiToken };
  } catch (error) {
    if (violatedConstraint(error) === "users_email") throw new AppError("user.email_taken", { cause: error });
    throw error;
  }
}

/** The first token of a user who is about to be made. */
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
