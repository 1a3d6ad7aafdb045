import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { violatedConstraint } from "../store/database/violations.ts";
import { findUser, insertUser, listUsers as listUserRows, type UserRow } from "../store/users.ts";
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

/** Makes a user and their first token, of scope `write`. The route asks for scope `admin`. */
export async function createUser(
  deps: Dependencies,
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
