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
/** `currentUserMode` of the API. */
export type UserMode = (typeof userModes)[number];

/** The caller: the token or the sign-in, and its user. */
export type Caller = {
  readonly userId: string;
  /** Id of the token or sign-in. */
  readonly tokenId: string;
  /** Whether the caller is a sign-in, known by its cookie. */
  readonly isSignIn?: true;
  readonly scope: Scope;
  /** The only workspace that the token may see, or undefined for all workspaces of its user. */
  readonly workspaceId: string | undefined;
  /** Whether the user is an administrator of the instance and the scope is `admin`, without a workspace. */
  readonly isAdministrator: boolean;
  /** When the token expires, or undefined when it never does. */
  readonly expiresAt: Date | undefined;
  /**
   * The caller's place at the database, taken as soon as the user of the call is known. A call that continues as a chat
   * releases it.
   */
  readonly place: DatabasePlace;
};

export type WorkspaceAccess = WorkspaceAccessRow & { readonly mode: UserMode };
export type BotAccess = BotAccessRow & { readonly mode: UserMode };

/**
 * The caller's access to a workspace. `right` is what the caller is about to do:
 * - `see`: any member, also a GUEST, and an administrator of the instance;
 * - `work`: ADMIN or MEMBER (folders, bots);
 * - `administer`: ADMIN. Throws `workspace.not_found` to who may not even see it, `workspace.forbidden` to who sees it
 *   without this right. `mode` is `write` for ADMIN, `read` for MEMBER, `guest` for GUEST and for an administrator who
 *   is no member. With `isDeleted` it is a workspace of the bin, else one that is not there. With `isFilled` the caller
 *   is about to put something new into it: throws `workspace.takes_nothing` while it is suspended or past due. From
 *   then on the call has a place at the database among those of the workspace; others' calls are among their own.
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
 * The caller's access to a bot. `right` is what the caller is about to do:
 * - `glance`: also a stranger, when the bot is publicly shared (getting the bot and its published copy, nothing else);
 * - `read`: members, collaborators, administrators of the instance (results, collaborators, previews of the draft);
 * - `write`: ADMIN and MEMBER of the workspace, WRITE collaborators;
 * - `manage`: ADMIN and MEMBER (collaborators, place and deletion of the bot). `mode` is `write`, `read` or `guest`:
 *   answer a `guest` without credential ids and `settings.security`. Throws `bot.not_found` to callers who may not see
 *   it (also for bots in the bin, unless `evenDeleted`), `workspace.suspended` to members and collaborators while the
 *   workspace is suspended or past due, `workspace.forbidden` to callers who may read but not write, `bot.archived` to
 *   callers who would write to an archived one, unless `evenArchived`. From then on the call has a place at the
 *   database, as with `requireWorkspace`.
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

/** A caller without access to the bot learns nothing about its chats. */
export function asNoSession(error: unknown): never {
  if (error instanceof AppError && error.code === "bot.not_found") {
    throw new AppError("session.not_found", { cause: error });
  }
  throw error;
}

/** Throws `workspace.takes_nothing`, with the reason, for a workspace that is suspended or past due. */
export function refuseBlocked({ isBlocked, suspendedReason: reason }: Blocking): void {
  if (!isBlocked) return;
  if (reason === null) throw new AppError("workspace.takes_nothing");
  throw new AppError("workspace.takes_nothing", {
    message: `Nothing can be put into a suspended workspace: ${reason}`,
    data: { reason },
  });
}

/** The error of a suspended workspace; visitors do not get the reason. */
function suspended({ suspendedReason: reason }: Blocking): AppError {
  if (reason === null) {
    return new AppError("workspace.suspended", { message: "This workspace is suspended or past due." });
  }
  return new AppError("workspace.suspended", { message: `This workspace is suspended: ${reason}`, data: { reason } });
}

/** Whether the bot belongs to the caller's workspace and is not only shared with them. */
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

/** Throws `result.not_found` unless the caller may read the bot and the bot has this result. */
export async function requireResult(
  deps: ManagementDependencies,
  caller: Caller,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<void> {
  await requireBot(deps, caller, botId, "read");
  if (!isId(resultId) || !(await hasResult(deps.sql, { botId, resultId }))) throw new AppError("result.not_found");
}
