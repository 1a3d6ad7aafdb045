import { limits } from "../limits.ts";
import type { Role } from "./access.ts";
import type { Position } from "./database/position.ts";
import type { Sql } from "./database/sql.ts";
import type { NewToken } from "./users.ts";

export type InvitationRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export async function insertInvitation(
  sql: Sql,
  invitation: Pick<InvitationRow, "id" | "workspaceId" | "email" | "role"> & { readonly codeHash: Uint8Array },
): Promise<InvitationRow> {
  const [row] = await sql<[InvitationRow]>`
    insert into invitations (id, workspace_id, email, role, code_hash, expires_at)
    values (
      ${invitation.id},
      ${invitation.workspaceId},
      ${invitation.email},
      ${invitation.role},
      ${invitation.codeHash},
      clock() + make_interval(days => ${limits.invitations.days})
    )
    returning ${columns(sql)}`;
  return row;
}

/** A workspace's invitations that can still be accepted, newest first. */
export async function listInvitations(
  sql: Sql,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | undefined; limit: number },
): Promise<InvitationRow[]> {
  return sql<InvitationRow[]>`
    select ${columns(sql)}
    from invitations
    where workspace_id = ${workspaceId}
      and expires_at > clock()
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/** The invitation of a code, or undefined when it is unknown, expired or used. */
export async function findInvitationByCode(sql: Sql, codeHash: Uint8Array): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    select ${columns(sql)}
    from invitations
    where code_hash = ${codeHash}
      and expires_at > clock()`;
  return row;
}

export async function deleteInvitation(
  sql: Sql,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    delete from invitations
    where id = ${invitationId}
      and workspace_id = ${workspaceId}
    returning ${columns(sql)}`;
  return row;
}

/**
 * Uses an invitation up: its user becomes a member. A membership that exists already is only ever raised from GUEST.
 * False when the invitation was used by somebody else first.
 */
export async function acceptAsUser(
  sql: Sql,
  { invitationId, userId }: { invitationId: string; userId: string },
): Promise<boolean> {
  const [row] = await sql`
    with used as (${useUp(sql, invitationId)}),
    joined as (
      insert into members (workspace_id, user_id, role)
      select used.workspace_id, ${userId}, used.role
      from used
      on conflict (workspace_id, user_id) do update
      set role = excluded.role,
        updated_at = greatest(clock(), members.updated_at + interval '1 millisecond')
      where members.role = 'GUEST'
    )
    select 1
    from used`;
  return row !== undefined;
}

/**
 * Uses an invitation up: makes its user, their membership and their first token, of scope `write`. False when the
 * invitation was used by somebody else first; an e-mail address taken since violates `users_email`.
 */
export async function acceptAsNewUser(
  sql: Sql,
  { invitationId, user, token }: { invitationId: string; user: { id: string; name: string }; token: NewToken },
): Promise<boolean> {
  const [row] = await sql`
    with used as (${useUp(sql, invitationId)}),
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
    )
    insert into api_tokens (id, user_id, name, hash, scope)
    select ${token.id}, made.id, ${token.name}, ${token.hash}, 'write'
    from made
    returning 1`;
  return row !== undefined;
}

function useUp(sql: Sql, invitationId: string) {
  return sql`
    delete from invitations
    where id = ${invitationId}
      and expires_at > clock()
    returning *`;
}

function columns(sql: Sql) {
  return sql`
    id,
    workspace_id,
    email,
    role,
    expires_at,
    created_at,
    updated_at`;
}
