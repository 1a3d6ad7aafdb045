import { AppError } from "../../errors.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { makeSignInLink } from "../access/sign-ins.ts";
import { findOperatorsUser } from "./operator-tokens.ts";
import { findUser } from "./users.sql.ts";

/**
 * Creates a sign-in link for the user with this id or e-mail address, by default the first administrator. Returns the
 * user's name, and the part of the link after `#`. Throws `user.not_found` if there is no such active user. No sign-in
 * is required, because the operator owns the machine.
 */
export async function createOperatorLink(
  sql: Sql,
  user: string | undefined,
): Promise<{ name: string; secret: string }> {
  const userId = await findOperatorsUser(sql, user);
  const found = userId === undefined ? undefined : await findUser(sql, userId);
  if (!found) throw new AppError("user.not_found");
  if (found.deactivatedAt !== null) {
    throw new AppError("user.not_found", { message: `${found.name} is deactivated. Activate this user first.` });
  }
  return { name: found.name, secret: await makeSignInLink(sql, found.id) };
}
