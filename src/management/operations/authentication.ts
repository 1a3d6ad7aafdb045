import { AppError, type ErrorCode } from "../../errors.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import type { Caller, Scope } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { identifySignIn } from "../access/sign-ins.ts";
import { identify, requireScope } from "../access/tokens.ts";
import type { SignInCookie } from "./sign-in-cookie.ts";

/** The credentials of a request: the header `Authorization`, or otherwise the cookie, if the request may use one. */
export type Credentials = { readonly headers: Headers; readonly cookie?: SignInCookie | undefined };

/** The authentication of an operation: its documentation, and the check that returns the caller for the handler. */
export type Authentication<Who extends Caller | undefined> = {
  readonly kind: "token" | "optional" | "none";
  readonly scope: Scope | undefined;
  readonly errors: readonly ErrorCode[];
  authenticate(deps: ManagementDependencies, credentials: Credentials, admission: Admission): Who | Promise<Who>;
};

/** Requires a token or a sign-in with at least this scope. */
export function needsToken(scope: Scope): Authentication<Caller> {
  return {
    kind: "token",
    scope,
    errors: scope === "read" ? ["token.missing", "token.invalid"] : ["token.missing", "token.invalid", "token.scope"],
    async authenticate(deps, credentials, admission) {
      const caller = await findCaller(deps, credentials, admission);
      if (!caller) throw nobody(credentials);
      requireScope(caller, scope);
      return caller;
    },
  };
}

/** For public operations that allow more with a token of any scope. An invalid token is rejected. */
export const mayHaveToken: Authentication<Caller | undefined> = {
  kind: "optional",
  scope: undefined,
  errors: ["token.missing", "token.invalid"],
  authenticate: findCaller,
};

/** For public operations that ignore the `Authorization` header. */
export const needsNoToken: Authentication<undefined> = {
  kind: "none",
  scope: undefined,
  errors: [],
  authenticate: () => undefined,
};

async function findCaller(
  deps: ManagementDependencies,
  { headers, cookie }: Credentials,
  admission: Admission,
): Promise<Caller | undefined> {
  const header = headers.get("authorization");
  if (header) return await tryToken(deps, bearerToken(header), admission);
  return cookie?.secret === undefined ? undefined : await trySignIn(deps, { cookie, secret: cookie.secret }, admission);
}

function nobody({ cookie }: Credentials): AppError {
  if (cookie?.secret === undefined) return new AppError("token.missing");
  return new AppError("token.missing", { message: "Your sign-in has ended: sign in again." });
}

/**
 * Returns the caller of a cookie, and renews the cookie if the sign-in was extended. If the sign-in has ended, removes
 * the cookie and returns undefined.
 */
async function trySignIn(
  deps: ManagementDependencies,
  { cookie, secret }: { cookie: SignInCookie; secret: string },
  admission: Admission,
): Promise<Caller | undefined> {
  const { address } = admission;
  admission.check("attempts", { address });
  const found = await identifySignIn(deps, secret);
  if (!found) {
    cookie.drop();
    await admission.admit("attempts", { address });
    return undefined;
  }
  if (found.isExtended) cookie.keep(secret);
  return found.caller;
}

/** Whether a request has no credentials for an operation. Nothing is verified. */
export function isNobody({ kind }: Pick<Authentication<undefined>, "kind">, { headers, cookie }: Credentials): boolean {
  return kind === "none" || (!headers.has("authorization") && cookie?.secret === undefined);
}

/** Returns the caller's secret: the text of the token or of the cookie. Undefined without credentials. */
export function secretOf({ headers, cookie }: Credentials): string | undefined {
  const header = headers.get("authorization");
  return header ? bearerToken(header) : cookie?.secret;
}

/**
 * Returns the caller of a token. Invalid tokens count against the client's address. Above the limit, valid tokens from
 * this address are also rejected.
 */
async function tryToken(deps: ManagementDependencies, token: string, admission: Admission): Promise<Caller> {
  const { address } = admission;
  admission.check("attempts", { address });
  try {
    return await identify(deps, token);
  } catch (error) {
    if (error instanceof AppError && error.code === "token.invalid") await admission.admit("attempts", { address });
    throw error;
  }
}

/** Returns the token of the header `Authorization`. Throws `token.missing` if the header contains no token. */
export function bearerToken(header: string): string {
  const token = /^bearer +(\S.*)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw new AppError("token.missing");
  return token;
}
