import { AppError } from "../../errors.ts";
import type { DatabasePlace } from "../../platform/database/database-places.ts";
import { isId } from "../../platform/ids.ts";
import {
  type Blocking,
  type BotAccessRow,
  findBotAccess,
  findWorkspaceAccess,
  hasResult,
  type Role,
  roles,
  type WorkspaceAccessRow,
} from "./access.sql.ts";
import type { ManagementDependencies } from "./dependencies.ts";
import { type Scope, scopes } from "./tokens.sql.ts";

export { type Role, roles, type Scope, scopes };

export const userModes = ["write", "read", "guest"] as const;
/** The values of `currentUserMode` in the API. */
export type UserMode = (typeof userModes)[number];

/** The user who makes a call, and the token or sign-in of the call. */
export type Caller = {
  readonly userId: string;
  /** The id of the token or sign-in. */
  readonly tokenId: string;
  /** Whether the caller is identified by the cookie of a sign-in. */
  readonly isSignIn?: true;
  readonly scope: Scope;
  /** The workspace to which the token is bound, or undefined if the token is valid for all workspaces of its user. */
  readonly workspaceId: string | undefined;
  /**
   * Whether the user is an administrator of the instance, the scope is `admin`, and the token is bound to no workspace.
   */
  readonly isAdministrator: boolean;
  /** The time at which the token expires, or undefined if it never expires. */
  readonly expiresAt: Date | undefined;
  /**
   * The call's slot among the concurrent calls to the database. The slot is acquired once the workspace or user of the
   * call is known.
   */
  readonly place: DatabasePlace;
};

export type WorkspaceAccess = WorkspaceAccessRow & { readonly mode: UserMode };
export type BotAccess = BotAccessRow & { readonly mode: UserMode };

/**
 * Checks the caller's access to a workspace. `right` is the right that the call requires:
 * - `see`: any member, also a GUEST, and an administrator of the instance;
 * - `work`: ADMIN or MEMBER (folders, bots);
 * - `administer`: ADMIN.
 *
 * Returns `mode` `write` for ADMIN, `read` for MEMBER, and `guest` for GUEST and for an administrator who is not a
 * member. With `isDeleted`, the workspace must be in the bin; otherwise it must not be.
 *
 * Throws `workspace.not_found` if the workspace does not exist or the caller may not see it, and `workspace.forbidden`
 * if the caller may see it but lacks the right. With `isFilled`, for calls that add something to the workspace, throws
 * `workspace.takes_nothing` while the workspace is suspended or past due.
 *
 * Acquires the call's slot at the database: among the slots of the workspace for a member, and among the user's own
 * slots for an administrator who is not a member.
 */
export async function requireWorkspace(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  right: "see" | "work" | "administer",
  { isDeleted = false, isFilled = false }: { isDeleted?: boolean; isFilled?: boolean } = {},
): Promise<WorkspaceAccess> {
  if (!isId(workspaceId) || isElsewhere(caller, workspaceId)) throw new AppError("workspace.not_found");
  const workspace = await findWorkspaceAccess(deps.sql, { workspaceId, userId: caller.userId, isDeleted });
  if (!workspace || (workspace.role === null && !caller.isAdministrator)) throw new AppError("workspace.not_found");
  if (!allowsWorkspace(workspace.role, right)) throw new AppError("workspace.forbidden");
  if (isFilled) refuseBlocked(workspace);
  await caller.place.take(workspace.role === null ? caller.userId : workspaceId);
  return { ...workspace, mode: workspaceMode(workspace.role) };
}

/**
 * Checks the caller's access to a bot. `right` is the right that the call requires:
 * - `glance`: everyone with `read`, and any other user if the bot is publicly shared (only to get the bot and its
 *   published copy);
 * - `read`: ADMIN and MEMBER of the workspace, collaborators, administrators of the instance (results, collaborators,
 *   previews of the draft);
 * - `write`: ADMIN and MEMBER of the workspace, WRITE collaborators;
 * - `manage`: ADMIN and MEMBER (collaborators, folder and deletion of the bot).
 *
 * Returns `mode` `write`, `read` or `guest`. A response to a `guest` must contain no more of a flow than `flowForGuest`
 * returns.
 *
 * Throws `bot.not_found` if the bot does not exist, if it is in the bin and `evenDeleted` is not set, or if the caller
 * lacks the right `glance` or `read`. Throws `workspace.forbidden` if the caller may read the bot and lacks the right
 * `write` or `manage`. Throws `bot.archived` for the right `write` to an archived bot unless `evenArchived` is set.
 *
 * While the workspace is suspended or past due, throws `workspace.suspended` to ADMIN, MEMBER and collaborators, and
 * `bot.not_found` to other users. Administrators of the instance still have access.
 *
 * Acquires the call's slot at the database: among the slots of the workspace for a member or collaborator, and among
 * the user's own slots for other users.
 */
export async function requireBot(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  right: "glance" | "read" | "write" | "manage",
  options: { evenArchived?: boolean; evenDeleted?: boolean } = {},
): Promise<BotAccess> {
  const bot = isId(botId) ? await findBotAccess(deps.sql, { botId, userId: caller.userId }) : undefined;
  if (!bot || isElsewhere(caller, bot.workspaceId)) throw new AppError("bot.not_found");
  if (bot.isDeleted && !options.evenDeleted) throw new AppError("bot.not_found");
  const mode = botMode(bot, caller);
  if (mode === undefined) throw new AppError("bot.not_found");
  if (mode === "guest" && right !== "glance") throw new AppError("bot.not_found");
  if (bot.isBlocked && !caller.isAdministrator) {
    if (mode === "guest") throw new AppError("bot.not_found");
    throw suspended(bot);
  }
  const isAllowed = right === "manage" ? isOfTeam(bot) : right !== "write" || mode === "write";
  if (!isAllowed) throw new AppError("workspace.forbidden");
  if (right === "write" && bot.isArchived && !options.evenArchived) throw new AppError("bot.archived");
  const isKnownThere = bot.role !== null || bot.collaboration !== null;
  await caller.place.take(isKnownThere ? bot.workspaceId : caller.userId);
  return { ...bot, mode };
}

/**
 * Rethrows an error. Replaces `bot.not_found` with `session.not_found`, so that a caller without access to the bot
 * learns nothing about its chats.
 */
export function asNoSession(error: unknown): never {
  if (error instanceof AppError && error.code === "bot.not_found") {
    throw new AppError("session.not_found", { cause: error });
  }
  throw error;
}

/**
 * Throws `workspace.takes_nothing` if the workspace is suspended or past due. The error contains the reason for the
 * suspension if there is one.
 */
export function refuseBlocked({ isBlocked, suspendedReason: reason }: Blocking): void {
  if (!isBlocked) return;
  if (reason === null) throw new AppError("workspace.takes_nothing");
  throw new AppError("workspace.takes_nothing", {
    message: `You cannot add anything to a suspended workspace: ${reason}`,
    data: { reason },
  });
}

/**
 * Creates the error `workspace.suspended`. The error may name the reason for the suspension, because only members and
 * collaborators receive it.
 */
function suspended({ suspendedReason: reason }: Blocking): AppError {
  if (reason === null) {
    return new AppError("workspace.suspended", { message: "This workspace is suspended or past due." });
  }
  return new AppError("workspace.suspended", { message: `This workspace is suspended: ${reason}`, data: { reason } });
}

/** Whether the caller is an ADMIN or MEMBER of the bot's workspace, and not only a collaborator. */
export function isOfTeam({ role }: Pick<BotAccessRow, "role">): boolean {
  return role === "ADMIN" || role === "MEMBER";
}

function isElsewhere(caller: Caller, workspaceId: string): boolean {
  return caller.workspaceId !== undefined && caller.workspaceId !== workspaceId;
}

function allowsWorkspace(role: Role | null, right: "see" | "work" | "administer"): boolean {
  if (right === "see") return true;
  if (right === "work") return role === "ADMIN" || role === "MEMBER";
  return role === "ADMIN";
}

function workspaceMode(role: Role | null): UserMode {
  if (role === "ADMIN") return "write";
  return role === "MEMBER" ? "read" : "guest";
}

function botMode(bot: BotAccessRow, caller: Caller): UserMode | undefined {
  if (isOfTeam(bot) || bot.collaboration === "WRITE") return "write";
  if (bot.collaboration === "READ" || caller.isAdministrator) return "read";
  return bot.isShared ? "guest" : undefined;
}

/**
 * Checks that the caller may read the bot and that the bot has this result. Throws the errors of `requireBot`, and
 * `result.not_found` if the bot has no such result or the result is deleted.
 */
export async function requireResult(
  deps: ManagementDependencies,
  caller: Caller,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<void> {
  await requireBot(deps, caller, botId, "read");
  if (!isId(resultId) || !(await hasResult(deps.sql, { botId, resultId }))) throw new AppError("result.not_found");
}
