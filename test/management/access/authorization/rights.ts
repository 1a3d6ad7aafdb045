import type { ErrorCode } from "../../../../src/errors.ts";
import type { Scope } from "../../../../src/management/access/access.ts";
import type { CallerName } from "./callers.ts";

export type Outcome = "ok" | ErrorCode;

/**
 * The callers who have each right (`may`), and the callers who see the object but lack the right (`sees`). All other
 * callers get the error `hidden`.
 */
export const rights = {
  "workspace: see": {
    hidden: "workspace.not_found",
    may: ["GUEST", "READ collaborator", "WRITE collaborator", "MEMBER", "ADMIN", "administrator"],
    sees: [],
  },
  "workspace: work": {
    hidden: "workspace.not_found",
    may: ["MEMBER", "ADMIN"],
    sees: ["GUEST", "READ collaborator", "WRITE collaborator", "administrator"],
  },
  "workspace: administer": {
    hidden: "workspace.not_found",
    may: ["ADMIN"],
    sees: ["GUEST", "READ collaborator", "WRITE collaborator", "MEMBER", "administrator"],
  },
  folder: { hidden: "folder.not_found", may: ["MEMBER", "ADMIN"], sees: [] },
  "bot: glance": {
    hidden: "bot.not_found",
    may: ["READ collaborator", "WRITE collaborator", "MEMBER", "ADMIN", "administrator"],
    sees: [],
  },
  "bot: read": {
    hidden: "bot.not_found",
    may: ["READ collaborator", "WRITE collaborator", "MEMBER", "ADMIN", "administrator"],
    sees: [],
  },
  "bot: write": {
    hidden: "bot.not_found",
    may: ["WRITE collaborator", "MEMBER", "ADMIN"],
    sees: ["READ collaborator", "administrator"],
  },
  /** A caller without access to the bot does not learn that the chat exists. */
  "chat: write": {
    hidden: "session.not_found",
    may: ["WRITE collaborator", "MEMBER", "ADMIN"],
    sees: ["READ collaborator", "administrator"],
  },
  "chat: read": {
    hidden: "session.not_found",
    may: ["READ collaborator", "WRITE collaborator", "MEMBER", "ADMIN", "administrator"],
    sees: [],
  },
  "bot: manage": {
    hidden: "bot.not_found",
    may: ["MEMBER", "ADMIN"],
    sees: ["READ collaborator", "WRITE collaborator", "administrator"],
  },
  /** Only the ADMIN has this token. */
  "own token": { hidden: "token.not_found", may: ["ADMIN"], sees: [] },
  "own sign-in": { hidden: "sign_in.not_found", may: ["ADMIN"], sees: [] },
  /** The object of the call belongs to the caller, or to everybody. */
  everybody: { hidden: "server.internal", may: "everybody", sees: [] },
} as const satisfies Readonly<
  Record<string, { hidden: ErrorCode; may: "everybody" | readonly CallerName[]; sees: readonly CallerName[] }>
>;

export type Right = keyof typeof rights;

/** `none`: tokens are ignored. `optional`: a token may be omitted, but must be valid if it is sent. */
export type NeededScope = Scope | "optional" | "none";

/**
 * For each caller: the caller with the same rights in `rights`, the scope of the caller's token, and whether the token
 * is bound to another workspace. Callers without a valid token have an error instead.
 */
const tokens: Readonly<
  Record<CallerName, { readonly as: CallerName; readonly scope: Scope; readonly isElsewhere?: boolean } | Outcome>
> = {
  "no token": "token.missing",
  "expired token": "token.invalid",
  "revoked token": "token.invalid",
  "deactivated user": "token.invalid",
  "ADMIN elsewhere": { as: "ADMIN elsewhere", scope: "write" },
  GUEST: { as: "GUEST", scope: "write" },
  "READ collaborator": { as: "READ collaborator", scope: "write" },
  "WRITE collaborator": { as: "WRITE collaborator", scope: "write" },
  MEMBER: { as: "MEMBER", scope: "write" },
  ADMIN: { as: "ADMIN", scope: "write" },
  "ADMIN, scope read": { as: "ADMIN", scope: "read" },
  // The scope is for the instance. For a user who is not an administrator, it only means `write`.
  "ADMIN, scope admin": { as: "ADMIN", scope: "write" },
  "ADMIN, bound here": { as: "ADMIN", scope: "write" },
  "ADMIN, bound elsewhere": { as: "ADMIN", scope: "write", isElsewhere: true },
  administrator: { as: "administrator", scope: "admin" },
  // With any other token, an administrator is an ordinary user who is not a member of the workspace.
  "administrator, scope read": { as: "ADMIN elsewhere", scope: "read" },
  "administrator, scope write": { as: "ADMIN elsewhere", scope: "write" },
  "administrator, bound elsewhere": { as: "ADMIN elsewhere", scope: "write", isElsewhere: true },
};

const scopes: readonly Scope[] = ["read", "write", "admin"];

/** Returns the outcome of a call to an operation that needs the given scope and right. */
export function expectedOutcome(caller: CallerName, needed: NeededScope, right: Right): Outcome {
  if (needed === "none") return "ok";
  const token = tokens[caller];
  if (typeof token === "string") return needed === "optional" && token === "token.missing" ? "ok" : token;
  if (needed !== "optional" && scopes.indexOf(token.scope) < scopes.indexOf(needed)) return "token.scope";
  const { hidden, may, sees } = rights[right];
  if (may === "everybody") return "ok";
  if (token.isElsewhere) return hidden;
  if (may.some((name) => name === token.as)) return "ok";
  return sees.some((name) => name === token.as) ? "workspace.forbidden" : hidden;
}
