import { limits } from "../../../limits/index.ts";
import { isId } from "../../../platform/ids.ts";

const name = "parley-chat";

/**
 * Reads the session id of a waiting page without a script from a cookie that scripts cannot read. Undefined without a
 * valid cookie.
 */
export function waitingSession(request: Request): string | undefined {
  const cookies = request.headers.get("cookie")?.split(/; */) ?? [];
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  return value !== undefined && isId(value) ? value : undefined;
}

/** Returns the `Set-Cookie` header that stores the session of a waiting page, or deletes it if there is no session. */
export function sessionCookie(
  path: string,
  sessionId: string | undefined,
  { isSecure }: { isSecure: boolean },
): string {
  const value =
    sessionId === undefined ? `${name}=; Max-Age=0` : `${name}=${sessionId}; Max-Age=${limits.page.waitSeconds}`;
  return `${value}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
