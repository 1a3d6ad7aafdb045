import { AppError, type ErrorCode } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type FlowUser, findFlowUsers } from "./flow-users.sql.ts";

/** An object of a workspace, identified by the text with which flows refer to it. */
export type NamedThing = { readonly workspaceId: string; readonly text: string };

/**
 * Returns up to `limits.credentials.users` bots that refer to the object. Bots whose published version or canary refers
 * to it come first.
 */
export function listFlowUsers(sql: Sql, thing: NamedThing): Promise<FlowUser[]> {
  return findFlowUsers(sql, { ...thing, limit: limits.credentials.users });
}

/**
 * Throws `code` if the published version or canary of a bot refers to the object. The error lists up to
 * `limits.credentials.users` of these bots.
 */
export async function requireUnused(sql: Sql, thing: NamedThing, code: ErrorCode & `${string}.in_use`): Promise<void> {
  const users = await listFlowUsers(sql, thing);
  const bots = users.flatMap(({ isPublished, ...bot }) => (isPublished ? [bot] : []));
  if (bots.length > 0) throw new AppError(code, { data: { bots } });
}
