import type { ErrorCode } from "../../../../src/errors.ts";
import type { Scope } from "../../../../src/management/access/access.ts";
import type { CallerName } from "./callers.ts";

/** The outcome of a call. */
export type Outcome = "ok" | ErrorCode;

/** Who may: the effect of the role in a workspace, or of the bot's collaboration, for a token of scope `write`. */
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
  /** For a chat: callers without rights learn nothing about it. */
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
  /** A token of the ADMIN: no other caller has it. */
  "own token": { hidden: "token.not_found", may: ["ADMIN"], sees: [] },
  "own sign-in": { hidden: "sign_in.not_found", may: ["ADMIN"], sees: [] },
  /** The subject of a call belongs to the caller, or to all callers. */
  everybody: { hidden: "server.internal", may: "everybody", sees: [] },
} as const satisfies Readonly<
  Record<string, { hidden: ErrorCode; may: "everybody" | readonly CallerName[]; sees: readonly CallerName[] }>
>;

export type Right = keyof typeof rights;

/** `none`: tokens are ignored. `optional`: a token that is sent has to be valid. */
export type NeededScope = Scope | "optional" | "none";

/** A caller's identity without the token, and the token's rights. */
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
  // The scope is for the instance: for a user who is not an administrator it only means `write`.
  "ADMIN, scope admin": { as: "ADMIN", scope: "write" },
  "ADMIN, bound here": { as: "ADMIN", scope: "write" },
  "ADMIN, bound elsewhere": { as: "ADMIN", scope: "write", isElsewhere: true },
  administrator: { as: "administrator", scope: "admin" },
  // With any other token an administrator is an ordinary user, who is not a member here.
  "administrator, scope read": { as: "ADMIN elsewhere", scope: "read" },
  "administrator, scope write": { as: "ADMIN elsewhere", scope: "write" },
  "administrator, bound elsewhere": { as: "ADMIN elsewhere", scope: "write", isElsewhere: true },
};

const scopes: readonly Scope[] = ["read", "write", "admin"];

/** The outcome when a caller calls an operation with this scope and right. */
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
