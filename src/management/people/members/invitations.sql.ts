import { limits } from "../../../limits/index.ts";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import type { Role } from "../../access/access.sql.ts";
import { memberEvents } from "../../events/bot-events.sql.ts";
import type { NewToken } from "../users.sql.ts";

export type InvitationRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  /** The role in the workspace; GUEST if the invitation is for one bot. */
  readonly role: Role;
  /** The bot to collaborate on; null for an invitation to the whole workspace. */
  readonly botId: string | null;
  readonly type: "READ" | "WRITE" | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The target of an invitation. Without a bot, the invitation is for the workspace with all its bots. */
type InvitedTo = { readonly workspaceId: string; readonly botId?: string };

/** A requested invitation: its workspace or bot, the address, the role or type, and the inviter. */
export type Wish = Pick<InvitationRow, "workspaceId" | "email" | "role" | "botId" | "type"> & {
  readonly invitedBy: string;
};

/**
 * Stores the only open invitation of an address to a workspace or a bot. An existing invitation gets the new role, code
 * and expiry, so its previous code becomes invalid.
 */
export async function putInvitation(
  sql: Sql,
  {
    id,
    codeHash,
    workspaceId,
    email,
    role,
    botId,
    type,
    invitedBy,
  }: Wish & { readonly id: string; readonly codeHash: Uint8Array },
): Promise<InvitationRow> {
  const [row] = await sql<[InvitationRow]>`
    insert into invitations (id, workspace_id, email, role, bot_id, type, invited_by, code_hash, expires_at)
    values (
      ${id},
      ${workspaceId},
      ${email},
      ${role},
      ${botId},
      ${type},
      ${invitedBy},
      ${codeHash},
      clock() + make_interval(days => ${limits.invitations.days})
    )
    on conflict (workspace_id, lower(email), bot_id) do update
    set role = excluded.role,
      type = excluded.type,
      invited_by = excluded.invited_by,
      code_hash = excluded.code_hash,
      expires_at = excluded.expires_at,
      updated_at = greatest(clock(), invitations.updated_at + interval '1 millisecond')
    returning ${columns(sql)}`;
  return row;
}

/** Returns the name of an invitation's workspace or bot. */
export async function findPlaceName(sql: Sql, { workspaceId, botId }: Pick<Wish, "workspaceId" | "botId">) {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(bots.name, workspaces.name) as name
    from workspaces
    left join bots on bots.workspace_id = workspaces.id and bots.id = ${botId}
    where workspaces.id = ${workspaceId}`;
  return row?.name ?? "";
}

/** Returns the open invitations to a workspace and its bots, or to one bot, newest first. */
export async function listInvitations(
  sql: Sql,
  { workspaceId, botId, after, limit }: InvitedTo & { after: Position | undefined; limit: number },
): Promise<InvitationRow[]> {
  return sql<InvitationRow[]>`
    select ${columns(sql)}
    from invitations
    where workspace_id = ${workspaceId}
      ${botId === undefined ? sql`` : sql`and bot_id = ${botId}`}
      and ${isOpen(sql)}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/** Returns the invitation of a code; undefined if the code is unknown or used, or the invitation is not open. */
export async function findInvitationByCode(sql: Sql, codeHash: Uint8Array): Promise<InvitationRow | undefined> {
  return first(sql<InvitationRow[]>`
    select ${columns(sql)}
    from invitations
    where code_hash = ${codeHash}
      and ${isOpen(sql)}`);
}

export async function deleteInvitation(
  sql: Sql,
  { workspaceId, botId, invitationId }: InvitedTo & { invitationId: string },
): Promise<InvitationRow | undefined> {
  return first(sql<InvitationRow[]>`
    delete from invitations
    where id = ${invitationId}
      and workspace_id = ${workspaceId}
      ${botId === undefined ? sql`` : sql`and bot_id = ${botId}`}
    returning ${columns(sql)}`);
}

/**
 * Accepts and deletes an invitation: the user becomes a member of its workspace, and a collaborator of its bot if it
 * has one. The role of an existing member changes only from GUEST, and an existing collaboration changes only from
 * READ. Returns false if the code is no longer valid.
 */
export async function acceptAsUser(
  sql: Sql,
  { codeHash, userId }: { codeHash: Uint8Array; userId: string },
): Promise<boolean> {
  const [row] = await sql`
    with used as (${useUp(sql, codeHash)}),
    joined as (
      insert into members (workspace_id, user_id, role)
      select used.workspace_id, ${userId}, used.role
      from used
      on conflict (workspace_id, user_id) do update
      set role = excluded.role,
        updated_at = greatest(clock(), members.updated_at + interval '1 millisecond')
      where members.role = 'GUEST'
      returning *
    ),
    member_changes as (
      select
        joined.workspace_id,
        (
          select members.role
          from members
          where members.workspace_id = joined.workspace_id
            and members.user_id = joined.user_id
        ) as former_role,
        joined.role
      from joined
    )
    ${memberEvents(sql, userId)},
    collaborating as (
      insert into collaborators (bot_id, user_id, type)
      select used.bot_id, ${userId}, used.type
      from used
      where used.bot_id is not null
      on conflict (bot_id, user_id) do update
      set type = excluded.type,
        updated_at = greatest(clock(), collaborators.updated_at + interval '1 millisecond')
      where collaborators.type = 'READ'
    )
    select 1
    from used`;
  return row !== undefined;
}

/**
 * Accepts and deletes an invitation: creates a user with the invitation's rights and a first token with scope `write`.
 * Returns false if the code is no longer valid. An e-mail address that is used by now violates `users_email`.
 */
export async function acceptAsNewUser(
  sql: Sql,
  { codeHash, user, token }: { codeHash: Uint8Array; user: { id: string; name: string }; token: NewToken },
): Promise<boolean> {
  const [row] = await sql`
    with used as (${useUp(sql, codeHash)}),
    made as (
      insert into users (id, name, email)
      select ${user.id}, ${user.name}, used.email
      from used
      returning id
    ),
    joined as (
      insert into members (workspace_id, user_id, role)
      select used.workspace_id, made.id, used.role
      from used, made
      returning *
    ),
    member_changes as (
      select workspace_id, null as former_role, role
      from joined
    )
    ${memberEvents(sql, user.id)},
    collaborating as (
      insert into collaborators (bot_id, user_id, type)
      select used.bot_id, made.id, used.type
      from used, made
      where used.bot_id is not null
    )
    insert into api_tokens (id, user_id, name, hash, scope)
    select ${token.id}, made.id, ${token.name}, ${token.hash}, 'write'
    from made
    returning 1`;
  return row !== undefined;
}

/**
 * Returns the statement that deletes the open invitation with this code. An invitation that was repeated meanwhile has
 * another code, and maybe another role.
 */
function useUp(sql: Sql, codeHash: Uint8Array) {
  return sql`
    delete from invitations
    where code_hash = ${codeHash}
      and ${isOpen(sql)}
    returning *`;
}

/**
 * Returns the SQL condition that an invitation can be accepted: it has not expired, its bot is not in the bin, and its
 * inviter could still send it. A removed person therefore cannot return with their own code. Releases before migration
 * 0058 did not store the inviter.
 */
function isOpen(sql: Sql) {
  return sql`
    invitations.expires_at > clock()
    and (
      invitations.bot_id is null
      or exists (
        select
        from bots
        where bots.id = invitations.bot_id
          and bots.deleted_at is null
      )
    )
    and (
      invitations.invited_by is null
      or exists (
        select
        from members
        join users on users.id = members.user_id
        where members.workspace_id = invitations.workspace_id
          and members.user_id = invitations.invited_by
          and (members.role = 'ADMIN' or (members.role = 'MEMBER' and invitations.bot_id is not null))
          and users.deactivated_at is null
      )
    )`;
}

function columns(sql: Sql) {
  return sql`
    id,
    workspace_id,
    email,
    role,
    bot_id,
    type,
    expires_at,
    created_at,
    updated_at`;
}
