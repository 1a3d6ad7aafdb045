import type { Dependencies } from "../../dependencies.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { Caller, Scope } from "../../services/access.ts";
import { identify, requireScope } from "../../services/tokens.ts";

/** How an operation authenticates: its part of the documentation, and the check that gives the handler its caller. */
export type Authentication<Who extends Caller | undefined> = {
  readonly kind: "token" | "optional" | "none";
  readonly scope: Scope | undefined;
  readonly errors: readonly ErrorCode[];
  authenticate(deps: Dependencies, headers: Headers): Promise<Who>;
};

/** The operation needs a token of at least this scope. */
export function needsToken(scope: Scope): Authentication<Caller> {
  return {
    kind: "token",
    scope,
    errors: scope === "read" ? ["token.missing", "token.invalid"] : ["token.missing", "token.invalid", "token.scope"],
    async authenticate(deps, headers) {
      const header = headers.get("authorization");
      if (!header) throw new AppError("token.missing");
      const caller = await identify(deps, bearerToken(header));
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
  async authenticate(deps, headers) {
    const header = headers.get("authorization");
    return header ? identify(deps, bearerToken(header)) : undefined;
  },
};

/** The operation is for everybody; an `Authorization` header is not looked at. */
export const needsNoToken: Authentication<undefined> = {
  kind: "none",
  scope: undefined,
  errors: [],
  authenticate: async () => undefined,
};

function bearerToken(header: string): string {
  const token = /^bearer +(\S.*)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw new AppError("token.missing");
  return token;
}
