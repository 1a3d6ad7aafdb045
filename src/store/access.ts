import { fromUuid, toUuid } from "../ids.ts";
import type { Sql } from "./database/sql.ts";

export const roles = ["ADMIN", "MEMBER", "GUEST"] as const;
export type Role = (typeof roles)[number];

export type WorkspaceAccessRow = {
  readonly workspaceId: string;
  /** The user's role, or null when the user is no member. */
  readonly role: Role | null;
  readonly isSuspended: boolean;
  readonly isPastDue: boolean;
};

export type BotAccessRow = {
  readonly botId: string;
  readonly workspaceId: string;
  readonly role: Role | null;
  readonly collaboration: "READ" | "WRITE" | null;
  readonly isArchived: boolean;
  /** The workspace is suspended or past due. */
  readonly isBlocked: boolean;
  /** `settings.publicShare.isEnabled` of the draft. */
  readonly isShared: boolean;
};

/** A workspace as a user stands to it, or undefined when there is no such workspace. */
export async function findWorkspaceAccess(
  sql: Sql,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<WorkspaceAccessRow | undefined> {
  const [row] = await sql<WorkspaceAccessRow[]>`
    select
      workspaces.id as "workspaceId",
      members.role,
      workspaces.is_suspended as "isSuspended",
      workspaces.is_past_due as "isPastDue"
    from workspaces
    left join members on members.workspace_id = workspaces.id and members.user_id = ${toUuid(userId)}
    where workspaces.id = ${toUuid(workspaceId)}
      and workspaces.deleted_at is null`;
  return row && { ...row, workspaceId: fromUuid(row.workspaceId) };
}

/** A bot as a user stands to it, or undefined when there is no such bot. */
export async function findBotAccess(
  sql: Sql,
  { botId, userId }: { botId: string; userId: string },
): Promise<BotAccessRow | undefined> {
  const [row] = await sql<BotAccessRow[]>`
    select
      bots.id as "botId",
      bots.workspace_id as "workspaceId",
      members.role,
      collaborators.type as collaboration,
      bots.is_archived as "isArchived",
      workspaces.is_suspended or workspaces.is_past_due as "isBlocked",
      bots.settings -> 'publicShare' ->> 'isEnabled' is not distinct from 'true' as "isShared"
    from bots
    join workspaces on workspaces.id = bots.workspace_id and workspaces.deleted_at is null
    left join members on members.workspace_id = bots.workspace_id and members.user_id = ${toUuid(userId)}
    left join collaborators on collaborators.bot_id = bots.id and collaborators.user_id = ${toUuid(userId)}
    where bots.id = ${toUuid(botId)}`;
  return row && { ...row, botId: fromUuid(row.botId), workspaceId: fromUuid(row.workspaceId) };
}
