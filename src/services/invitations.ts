import { randomBytes } from "node:crypto";
import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import { violatedConstraint } from "../store/database/violations.ts";
import {
  acceptAsNewUser,
  acceptAsUser,
  deleteInvitation,
  findInvitationByCode,
  type InvitationRow,
  insertInvitation,
  listInvitations as listInvitationRows,
} from "../store/invitations.ts";
import { findMember, type MemberRow } from "../store/members.ts";
import { findUser, findUserByEmail, type UserRow } from "../store/users.ts";
import { type Caller, type Role, requireWorkspace } from "./access.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";
import { hashToken, requireScope } from "./tokens.ts";
import { type FirstToken, makeFirstToken } from "./users.ts";

export type AcceptedInvitation = {
  readonly user: UserRow;
  readonly member: MemberRow;
  /** Only for a user whom this invitation created; existing users have tokens. */
  readonly apiToken: FirstToken | null;
};

/** A workspace's open invitations, newest first, without their codes. For ADMINs. */
export async function listInvitations(deps: Dependencies, caller: Caller, workspaceId: string, request: PageRequest) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const page = readPage("invitations", request);
  const rows = await listInvitationRows(deps.sql, { workspaceId, after: page.after, limit: page.size + 1 });
  const { rows: invitations, ...rest } = cutPage("invitations", { rows, page });
  return { invitations, ...rest };
}

/** Makes an invitation; its one-time code is in this answer and nowhere else. For ADMINs. */
export async function createInvitation(
  deps: Dependencies,
  caller: Caller,
  workspaceId: string,
  { email, role }: { email: string; role: Role },
): Promise<InvitationRow & { readonly code: string }> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const code = randomBytes(32).toString("base64url");
  const codeHash = hashToken(code);
  return { ...(await insertInvitation(deps.sql, { id: newId(), workspaceId, email, role, codeHash })), code };
}

/** Takes an invitation back. For ADMINs. */
export async function revokeInvitation(
  deps: Dependencies,
  caller: Caller,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
): Promise<InvitationRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const gone = isId(invitationId) ? await deleteInvitation(deps.sql, { workspaceId, invitationId }) : undefined;
  if (!gone) throw new AppError("invitation.not_found");
  return gone;
}

/**
 * Uses a one-time code. With a token its user joins the workspace, under whichever e-mail address they were invited.
 * Without one a user with the invited address is created. When that user exists the code is not enough, since the inviter
 * knows it and could act as that user: 401 `token.missing`, and the code stays valid.
 */
export async function acceptInvitation(
  deps: Dependencies,
  caller: Caller | undefined,
  { code, name }: { code: string; name: string },
): Promise<AcceptedInvitation> {
  const invitation = await findInvitationByCode(deps.sql, hashToken(code));
  if (!invitation) throw new AppError("invitation.not_found");
  if (caller)
    return viewAccepted(deps, invitation, { userId: await joinAsUser(deps, caller, invitation), apiToken: null });
  if (await findUserByEmail(deps.sql, invitation.email)) throw alreadyUser();
  return viewAccepted(deps, invitation, await joinAsNewUser(deps, invitation, name));
}

async function joinAsUser(deps: Dependencies, caller: Caller, invitation: InvitationRow): Promise<string> {
  requireScope(caller, "write");
  const isElsewhere = caller.workspaceId !== undefined && caller.workspaceId !== invitation.workspaceId;
  if (isElsewhere) throw new AppError("token.scope");
  const isAccepted = await acceptAsUser(deps.sql, { invitationId: invitation.id, userId: caller.userId });
  if (!isAccepted) throw new AppError("invitation.not_found");
  return caller.userId;
}

async function joinAsNewUser(deps: Dependencies, invitation: InvitationRow, name: string) {
  const apiToken = makeFirstToken();
  const user = { id: newId(), name };
  const token = { id: apiToken.id, name: apiToken.name, hash: hashToken(apiToken.token) };
  try {
    const isAccepted = await acceptAsNewUser(deps.sql, { invitationId: invitation.id, user, token });
    if (!isAccepted) throw new AppError("invitation.not_found");
  } catch (error) {
    if (violatedConstraint(error) === "users_email") throw alreadyUser();
    throw error;
  }
  return { userId: user.id, apiToken };
}

async function viewAccepted(
  deps: Dependencies,
  { workspaceId }: InvitationRow,
  { userId, apiToken }: { userId: string; apiToken: FirstToken | null },
): Promise<AcceptedInvitation> {
  const [user, member] = await Promise.all([findUser(deps.sql, userId), findMember(deps.sql, { workspaceId, userId })]);
  if (!user || !member) throw new AppError("member.not_found");
  return { user, member, apiToken };
}

function alreadyUser(): AppError {
  return new AppError("token.missing", {
    message: "This e-mail address belongs to a user already: accept the invitation with a token of that user.",
  });
}
