import { AppError } from "../../../errors.ts";
import { cutPage, type PageRequest, readPage } from "../../../platform/http/requests/cursor.ts";
import { isId } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import {
  type CollaboratorRow,
  deleteCollaborator,
  findCollaboratorByEmail,
  listCollaborators as listCollaboratorRows,
  putCollaborator as putCollaboratorRow,
} from "./collaborators.sql.ts";
import type { InvitationRow, Wish } from "./invitations.sql.ts";
import { invite, type NewInvitation, openInvitations, withdraw } from "./invitations.ts";
import { seesAddress } from "./members.sql.ts";
import { withAddress } from "./members.ts";

/** Returns a bot's collaborators, newest first. */
export async function listCollaborators(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: PageRequest,
) {
  await requireBot(deps, caller, botId, "read");
  const page = readPage("collaborators", request, [botId]);
  const rows = await listCollaboratorRows(deps.sql, { botId, ...page.part });
  const { rows: collaborators, ...rest } = cutPage({ rows, page });
  return { collaborators, ...rest };
}

/**
 * Gives a user the right to read or write one bot. A user who is not a member of its workspace becomes a GUEST of it.
 * Throws `user.not_found`. Requires ADMIN or MEMBER: a collaborator cannot add other collaborators.
 */
export async function putCollaborator(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  { userId, type }: { userId: string; type: "READ" | "WRITE" },
) {
  const { workspaceId } = await requireBot(deps, caller, botId, "manage");
  const seen = isId(userId) && (await seesAddress(deps.sql, { caller, userId }));
  const row = isId(userId) ? await putCollaboratorRow(deps.sql, { botId, workspaceId, userId, type }) : undefined;
  if (!row) throw new AppError("user.not_found");
  return withAddress(row, seen);
}

/**
 * Changes the rights of the collaborator with this address, or invites the address to the bot. Looks up only
 * collaborators, so that the response is the same whether or not the address has an account. Requires ADMIN or MEMBER.
 */
export async function putCollaboratorByEmail(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  { email, type }: { email: string; type: "READ" | "WRITE" },
): Promise<{ collaborator: CollaboratorRow | null; invitation: NewInvitation | null }> {
  const { workspaceId } = await requireBot(deps, caller, botId, "manage");
  const userId = await findCollaboratorByEmail(deps.sql, { botId, email });
  const row = userId && (await putCollaboratorRow(deps.sql, { botId, workspaceId, userId, type }));
  if (row) return { collaborator: row, invitation: null };
  const wish: Wish = { workspaceId, email, role: "GUEST", botId, type, invitedBy: caller.userId };
  return { collaborator: null, invitation: await invite(deps, wish) };
}

/** Returns the open invitations to a bot without their codes, newest first. Requires ADMIN or MEMBER. */
export async function listBotInvitations(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: PageRequest,
) {
  const { workspaceId } = await requireBot(deps, caller, botId, "manage");
  return await openInvitations(deps, { workspaceId, botId }, request);
}

/** Withdraws an invitation to a bot. Requires ADMIN or MEMBER. */
export async function revokeBotInvitation(
  deps: ManagementDependencies,
  caller: Caller,
  { botId, invitationId }: { botId: string; invitationId: string },
): Promise<InvitationRow> {
  const { workspaceId } = await requireBot(deps, caller, botId, "manage");
  return await withdraw(deps, { workspaceId, botId, invitationId });
}

/**
 * Ends a collaboration. Throws `collaborator.not_found`. Requires ADMIN or MEMBER, unless the caller ends their own
 * collaboration.
 */
export async function removeCollaborator(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  userId: string,
): Promise<void> {
  await requireBot(deps, caller, botId, userId === caller.userId ? "read" : "manage");
  const isGone = isId(userId) && (await deleteCollaborator(deps.sql, { botId, userId }));
  if (!isGone) throw new AppError("collaborator.not_found");
}
