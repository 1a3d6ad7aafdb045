import { AppError } from "../../errors.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import { findFirstAdministrator } from "../access/instance.sql.ts";
import { deleteToken, insertToken, type Scope } from "../access/tokens.sql.ts";
import { hashToken, newToken } from "../access/tokens.ts";
import { listAllTokens, type OperatorTokenRow } from "./operator-tokens.sql.ts";
import { findUser, findUserByEmail } from "./users.sql.ts";

/**
 * Creates a token for the user with this id or e-mail address, by default the first administrator. Returns the token,
 * which is visible only this once. Throws `user.not_found` if there is no such user. No token is required, because the
 * operator owns the machine.
 */
export async function createOperatorToken(
  sql: Sql,
  options: { user: string | undefined; name: string; scope: Scope },
): Promise<{ id: string; token: string }> {
  if (options.name.trim() === "") {
    throw invalidInput([
      { path: "the name of a token", message: "must have at least one character that is not a blank" },
    ]);
  }
  const userId = await findOperatorsUser(sql, options.user);
  if (userId === undefined) throw new AppError("user.not_found");
  const id = newId();
  const token = newToken();
  const { name, scope } = options;
  await insertToken(sql, {
    id,
    userId,
    name,
    hash: hashToken(token),
    scope,
    workspaceId: undefined,
    expiresAt: undefined,
  });
  return { id, token };
}

/** Returns all tokens of the instance, newest first. */
export async function listOperatorTokens(sql: Sql): Promise<OperatorTokenRow[]> {
  return await listAllTokens(sql);
}

/** Revokes a token of any user immediately. Throws `token.not_found`. */
export async function revokeOperatorToken(sql: Sql, id: string): Promise<void> {
  if (!isId(id) || !(await deleteToken(sql, id))) throw new AppError("token.not_found");
}

/**
 * Returns the user with this id or e-mail address, by default the first administrator; undefined if there is no such
 * user.
 */
export async function findOperatorsUser(sql: Sql, user: string | undefined): Promise<string | undefined> {
  if (user === undefined) return await findFirstAdministrator(sql);
  const found = isId(user) ? await findUser(sql, user) : await findUserByEmail(sql, user);
  return found?.id;
}
