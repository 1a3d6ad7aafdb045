import type { Dependencies } from "../../dependencies.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { Admission } from "../../rate-limits/rate-limits.ts";
import type { Caller, Scope } from "../../services/access.ts";
import { identify, requireScope } from "../../services/tokens.ts";

/** How an operation authenticates: its part of the documentation, and the check that gives the handler its caller. */
export type Authentication<Who extends Caller | undefined> = {
  readonly kind: "token" | "optional" | "none";
  readonly scope: Scope | undefined;
  readonly errors: readonly ErrorCode[];
  authenticate(deps: Dependencies, headers: Headers, admission: Admission): Promise<Who>;
};

/** The operation needs a token of at least this scope. */
export function needsToken(scope: Scope): Authentication<Caller> {
  return {
    kind: "token",
    scope,
    errors: scope === "read" ? ["token.missing", "token.invalid"] : ["token.missing", "token.invalid", "token.scope"],
    async authenticate(deps, headers, admission) {
      const header = headers.get("authorization");
      if (!header) throw new AppError("token.missing");
      const caller = await tryToken(deps, bearerToken(header), admission);
      requireScope(caller, scope);
      return caller;
    },
  };
}

/** The operation is for everybody; a token of any scope gives more, and an invalid one is refused. */
export const mayHaveToken: Authentication<Caller | undefined> = {
  kind: "optional",
  scope: undefined,
  errors: ["token.missing", "token.invalid"],
  async authenticate(deps, headers, admission) {
    const header = headers.get("authorization");
    return header ? tryToken(deps, bearerToken(header), admission) : undefined;
  },
};

/** The operation is for everybody; an `Authorization` header is not looked at. */
export const needsNoToken: Authentication<undefined> = {
  kind: "none",
  scope: undefined,
  errors: [],
  authenticate: async () => undefined,
};

/** Wrong tokens count against the address that tries them; beyond its limit right ones are not told from wrong ones. */
async function tryToken(deps: Dependencies, token: string, admission: Admission): Promise<Caller> {
  const { address } = admission;
  admission.check("attempts", { address });
  try {
    return await identify(deps, token);
  } catch (error) {
    if (error instanceof AppError && error.code === "token.invalid") await admission.admit("attempts", { address });
    throw error;
  }
}

/** The token of the header `Authorization`. Throws `token.missing` where it has none. */
export function bearerToken(header: string): string {
  const token = /^bearer +(\S.*)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw new AppError("token.missing");
  return token;
}
