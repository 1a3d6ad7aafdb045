import { first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

export const roles = ["ADMIN", "MEMBER", "GUEST"] as const;
export type Role = (typeof roles)[number];

export type Blocking = {
  /** Whether the workspace is suspended or past due. */
  readonly isBlocked: boolean;
  /** The reason for the suspension, if an administrator gave one. */
  readonly suspendedReason: string | null;
};

export type WorkspaceAccessRow = Blocking & {
  readonly workspaceId: string;
  /** The user's role, or null if the user is not a member. */
  readonly role: Role | null;
};

export type BotAccessRow = Blocking & {
  readonly botId: string;
  readonly workspaceId: string;
  readonly role: Role | null;
  readonly collaboration: "READ" | "WRITE" | null;
  readonly isArchived: boolean;
  /** Whether the bot is in the bin. */
  readonly isDeleted: boolean;
  /** Whether the bot is publicly shared: `settings.publicShare.isEnabled` of the draft. */
  readonly isShared: boolean;
};

/**
 * Returns a workspace with the user's role in it, or undefined if there is no such workspace. Searches the workspaces
 * in the bin if `isDeleted` is true, and the other workspaces otherwise.
 */
export async function findWorkspaceAccess(
  sql: Sql,
  { workspaceId, userId, isDeleted = false }: { workspaceId: string; userId: string; isDeleted?: boolean },
): Promise<WorkspaceAccessRow | undefined> {
  return first(sql<WorkspaceAccessRow[]>`
    select
      workspaces.id as workspace_id,
      members.role,
      workspaces.is_suspended or workspaces.is_past_due as is_blocked,
      workspaces.suspended_reason
    from workspaces
    left join members on members.workspace_id = workspaces.id and members.user_id = ${userId}
    where workspaces.id = ${workspaceId}
      and workspaces.deleted_at is ${isDeleted ? sql`not null` : sql`null`}`);
}

/**
 * Returns a bot, which may be in the bin, with the user's role and collaboration. Undefined if there is no such bot or
 * its workspace is in the bin.
 */
export async function findBotAccess(
  sql: Sql,
  { botId, userId }: { botId: string; userId: string },
): Promise<BotAccessRow | undefined> {
  return first(sql<BotAccessRow[]>`
    select
      bots.id as bot_id,
      bots.workspace_id,
      members.role,
      collaborators.type as collaboration,
      bots.is_archived,
      bots.deleted_at is not null as is_deleted,
      workspaces.is_suspended or workspaces.is_past_due as is_blocked,
      workspaces.suspended_reason,
      bots.settings -> 'publicShare' ->> 'isEnabled' is not distinct from 'true' as is_shared
    from bots
    join workspaces on workspaces.id = bots.workspace_id and workspaces.deleted_at is null
    left join members on members.workspace_id = bots.workspace_id and members.user_id = ${userId}
    left join collaborators on collaborators.bot_id = bots.id and collaborators.user_id = ${userId}
    where bots.id = ${botId}`);
}

/** Whether a bot has this result and the result is not archived. */
export async function hasResult(sql: Sql, { botId, resultId }: { botId: string; resultId: string }): Promise<boolean> {
  const [row] = await sql`
    select
    from results
    where shard = ${shardOf(resultId)}
      and id = ${resultId}
      and bot_id = ${botId}
      and not is_archived`;
  return row !== undefined;
}

/** Returns the email address of a user's account, or null if there is no such account or it has no address. */
export async function findAddress(sql: Sql, userId: string): Promise<string | null> {
  const [user] = await sql<{ email: string | null }[]>`
    select email
    from users
    where id = ${userId}`;
  return user?.email ?? null;
}
