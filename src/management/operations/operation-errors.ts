import type { TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../../errors.ts";
import type { Act } from "../../limits/rate-rules.ts";
import { notFoundCode } from "../../platform/http/validation.ts";
import type { Authentication } from "./authentication.ts";
import { keptErrors } from "./idempotency.ts";

type Parts = {
  readonly method: string;
  readonly path: string;
  readonly host?: "management" | "chat" | "both";
  readonly act?: Act;
  readonly auth: Pick<Authentication<undefined>, "errors" | "kind" | "scope">;
  readonly params: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly bodyType?: string;
  readonly isKept?: boolean;
  readonly errors: readonly ErrorCode[];
};

/**
 * Returns all error codes of an operation: its own codes, and the codes that follow from its limits, token, path,
 * query, body and key.
 */
export function allErrors(parts: Parts): readonly ErrorCode[] {
  const { path, host = "management", act, auth, params, query, body, errors } = parts;
  const codes = new Set<ErrorCode>(auth.errors);
  if (actOf({ ...(act && { act }), auth })) codes.add("rate_limit.exceeded").add("server.overloaded");
  for (const property of Object.values(params.properties)) {
    const notFound = notFoundCode(property);
    if (notFound) codes.add(notFound);
  }
  // An operation without a query rejects all query parameters of strict clients.
  codes.add("request.invalid");
  if (body) codes.add("request.malformed").add("request.too_large").add("request.too_slow");
  for (const code of keptErrors(parts)) codes.add(code);
  if (auth.kind === "token" && host === "management") {
    if (path.includes("/:botId")) codes.add("workspace.suspended");
    if (auth.scope !== "admin" && path.includes("/:workspaceId/")) codes.add("workspace.forbidden");
  }
  for (const code of errors) codes.add(code);
  if (query?.properties["cursor"]) codes.add("cursor.invalid");
  return [...codes.add("server.unavailable")];
}

/**
 * Returns an operation's kind for the rate limits; undefined for an operation without a token and without its own kind.
 */
export function actOf({ act, auth }: Pick<Parts, "act" | "auth">): Act | undefined {
  return act ?? (auth.kind === "token" ? "management" : undefined);
}
