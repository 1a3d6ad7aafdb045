import { hashToken, newToken } from "../../src/management/access/tokens.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Answer } from "./client.ts";

/** The headers that the builder's pages send with each call. */
export const ownPage = { "Parley-App": "1", "Sec-Fetch-Site": "same-origin" } as const;

/** Creates a sign-in of a user that was last used this number of days ago. */
export async function putSignIn(
  sql: Sql,
  userId: string,
  { daysAgo = 0 }: { daysAgo?: number } = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const [id, secret] = [newId(), newToken()];
  await sql`
    insert into sign_ins (id, hash, user_id, method, browser, last_used_at)
    values (${id}, ${hashToken(secret)}, ${userId}, 'link', 'Test', clock() - make_interval(days => ${daysAgo}))`;
  return { id, secret };
}

/** Returns the `Cookie` header of a browser with this secret. */
export function cookieOf(secret: string): { readonly Cookie: string } {
  return { Cookie: `theme=dark; parley=${secret}` };
}

/**
 * Returns the first cookie that a response sets: the header that the browser sends back, and the whole `Set-Cookie`
 * header.
 */
export function keptCookie({ headers }: Pick<Answer, "headers">): { readonly Cookie: string; readonly set: string } {
  const [set = ""] = headers.getSetCookie();
  return { Cookie: set.split(";", 1)[0] ?? "", set };
}
