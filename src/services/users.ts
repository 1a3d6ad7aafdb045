import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import { violatedConstraint } from "../store/database/violations.ts";
import {
  findUser,
  insertUser,
  listUsers as listUserRows,
  setUserActive as setUserActiveRow,
  type UserRow,
  updateUser as updateUserRow,
} from "../store/users.ts";
import type { Caller } from "./access.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";
import { hashToken, newToken } from "./tokens.ts";

/** The first token of a new user; only its hash is stored, so its text can be shown only now. */
export type FirstToken = {
  readonly id: string;
  readonly name: string;
  readonly scope: "write";
  readonly token: string;
};

/** The user whose token calls. */
export async function getOwnUser(deps: Dependencies, caller: Caller): Promise<UserRow> {
  const user = await findUser(deps.sql, caller.userId);
  if (!user) throw new AppError("user.not_found");
  return user;
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

/** Ends what a user's tokens may, on every node at once, or lets them again. An administrator stays active. The route asks for scope `admin`. */
export async function setUserActive(deps: Dependencies, wish: { userId: string; isActive: boolean }): Promise<UserRow> {
  await getUser(deps, wish.userId);
  const user = await setUserActiveRow(deps.sql, wish);
  if (!user) throw new AppError("user.last_administrator");
  return user;
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
  return { id: newId(), name: "First token", scope: "write", token: newToken() };
}
