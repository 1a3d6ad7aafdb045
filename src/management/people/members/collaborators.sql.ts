import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import { memberEvents } from "../../events/bot-events.sql.ts";

export type CollaboratorRow = {
  readonly botId: string;
  readonly userId: string;
  readonly type: "READ" | "WRITE";
  readonly user: { readonly name: string; readonly email: string | null };
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Returns a bot's collaborators, newest first. `after.id` is a user's id. */
export async function listCollaborators(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: Position | undefined; limit: number },
): Promise<CollaboratorRow[]> {
  return sql<CollaboratorRow[]>`
    select ${columns(sql)}
    from collaborators
    join users on users.id = collaborators.user_id
    where collaborators.bot_id = ${botId}
      ${after ? sql`and (collaborators.created_at, collaborators.user_id) < (${after.createdAt}, ${after.id})` : sql``}
    order by collaborators.created_at desc, collaborators.user_id desc
    limit ${limit}`;
}

/**
 * Returns the user id of the bot's collaborator with this e-mail address, in upper or lower case; undefined if there is
 * no such collaborator.
 */
export async function findCollaboratorByEmail(
  sql: Sql,
  { botId, email }: { botId: string; email: string },
): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`
    select collaborators.user_id
    from collaborators
    join users on users.id = collaborators.user_id
    where collaborators.bot_id = ${botId}
      and lower(users.email) = lower(${email})`;
  return row?.userId;
}

/**
 * Makes a user a collaborator or changes the collaborator's rights. A user who is not a member of the workspace becomes
 * a GUEST of it. Returns undefined if there is no such user.
 */
export async function putCollaborator(
  sql: Sql,
  collaborator: { botId: string; workspaceId: string; userId: string; type: "READ" | "WRITE" },
): Promise<CollaboratorRow | undefined> {
  return first(sql<CollaboratorRow[]>`
    with found as (
      select id, name, email
      from users
      where id = ${collaborator.userId}
    ),
    member as (
      insert into members (workspace_id, user_id, role)
      select ${collaborator.workspaceId}, found.id, 'GUEST'
      from found
      on conflict (workspace_id, user_id) do nothing
      returning *
    ),
    member_changes as (
      select workspace_id, null as former_role, role
      from member
    )
    ${memberEvents(sql, collaborator.userId)},
    written as (
      insert into collaborators (bot_id, user_id, type)
      select ${collaborator.botId}, found.id, ${collaborator.type}
      from found
      on conflict (bot_id, user_id) do update
      set type = excluded.type,
        updated_at = greatest(clock(), collaborators.updated_at + interval '1 millisecond')
      returning *
    )
    select
      written.bot_id,
      written.user_id,
      written.type,
      json_build_object('name', found.name, 'email', found.email) as "user",
      written.created_at,
      written.updated_at
    from written, found`);
}

/** Ends a collaboration. Returns false if the user was not a collaborator of the bot. */
export async function deleteCollaborator(
  sql: Sql,
  { botId, userId }: { botId: string; userId: string },
): Promise<boolean> {
  const rows = await sql`
    delete from collaborators
    where bot_id = ${botId}
      and user_id = ${userId}
    returning user_id`;
  return rows.length === 1;
}

function columns(sql: Sql) {
  return sql`
    collaborators.bot_id,
    collaborators.user_id,
    collaborators.type,
    json_build_object('name', users.name, 'email', users.email) as "user",
    collaborators.created_at,
    collaborators.updated_at`;
}
