import { randomBytes } from "node:crypto";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { violatedConstraint } from "../../../platform/database/violations.ts";
import { cutPage, type PageRequest, readPage } from "../../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { type Caller, type Role, requireWorkspace } from "../../access/access.ts";
import { builderPlace } from "../../access/builder-place.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { boundElsewhere, hashToken, requireScope } from "../../access/tokens.ts";
import { findUser, findUserByEmail, type UserRow } from "../users.sql.ts";
import { type FirstToken, makeFirstToken } from "../users.ts";
import {
  acceptAsNewUser,
  acceptAsUser,
  deleteInvitation,
  findInvitationByCode,
  findPlaceName,
  type InvitationRow,
  listInvitations as listInvitationRows,
  putInvitation,
  type Wish,
} from "./invitations.sql.ts";
import { findMember, type MemberRow } from "./members.sql.ts";

export type AcceptedInvitation = {
  readonly user: UserRow;
  readonly member: MemberRow;
  /** The first token of a user whom this invitation created; null for an existing user, who already has tokens. */
  readonly apiToken: FirstToken | null;
};

/**
 * A new invitation. The code is null if it was mailed to the invited address, so that only the reader of this mailbox
 * can use it.
 */
export type NewInvitation = InvitationRow & { readonly code: string | null };

/** Returns the open invitations to a workspace and its bots without their codes, newest first. Requires ADMIN. */
export async function listInvitations(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await openInvitations(deps, { workspaceId }, request);
}

/** Returns open invitations without checking rights. */
export async function openInvitations(
  deps: ManagementDependencies,
  place: { workspaceId: string; botId?: string },
  request: PageRequest,
) {
  const page = readPage("invitations", request, [place.workspaceId, place.botId]);
  const rows = await listInvitationRows(deps.sql, { ...place, ...page.part });
  const { rows: invitations, ...rest } = cutPage({ rows, page });
  return { invitations, ...rest };
}

/** Invites an address to a workspace. Requires ADMIN. */
export async function createInvitation(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { email, role }: { email: string; role: Role },
): Promise<NewInvitation> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await invite(deps, { workspaceId, email, role, botId: null, type: null, invitedBy: caller.userId });
}

/**
 * Creates the only open invitation of an address to a workspace or bot, and replaces an earlier invitation. If mails
 * can be sent, its code is mailed to the address; otherwise only this response contains it. Whether the address has an
 * account is not checked.
 */
export async function invite(deps: ManagementDependencies, wish: Wish): Promise<NewInvitation> {
  const code = randomBytes(32).toString("base64url");
  const invitation = await putInvitation(deps.sql, { ...wish, id: newId(), codeHash: hashToken(code) });
  if (deps.config.SMTP_URL === undefined) return { ...invitation, code };
  await mailCode(deps, wish, code);
  return { ...invitation, code: null };
}

/**
 * Mails the code and waits for the mail server. Throws `invitation.not_mailed` if the mail is not sent, so that the
 * inviter can repeat the invitation.
 */
async function mailCode(deps: ManagementDependencies, wish: Wish, code: string): Promise<void> {
  const name = await findPlaceName(deps.sql, wish);
  const base = deps.config.PUBLIC_URL?.replace(/\/$/, "") ?? "";
  const builder = builderPlace(deps.config).address;
  const page = builder === undefined ? "" : `Open ${builder}/app/invitations#${code}, or: to`;
  const text = `You are invited to "${name}"${base && ` at ${base}`}.

This code is valid for ${limits.invitations.days} days. It works once, and only for your address:

${code}

${page || "To"} accept, send it with your name to POST ${base}/api/v1/invitations/accept: { "code": "…", "name": "…" }. If you have an account with this address, send its API token with the request.

If you did not expect this invitation, you can ignore this e-mail.`;
  const mail = { to: [wish.email], cc: [], bcc: [], subject: "You are invited", body: { text } };
  const delivery = await deps.mailer.send(mail, newId());
  if (delivery.kind === "sent") return;
  deps.log.warn("An invitation could not be mailed", { reason: delivery.reason });
  throw new AppError("invitation.not_mailed");
}

/** Withdraws an invitation. Requires ADMIN. */
export async function revokeInvitation(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
): Promise<InvitationRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await withdraw(deps, { workspaceId, invitationId });
}

/** Withdraws an invitation without checking rights. Throws `invitation.not_found`. */
export async function withdraw(
  deps: ManagementDependencies,
  invitation: { workspaceId: string; botId?: string; invitationId: string },
): Promise<InvitationRow> {
  const gone = isId(invitation.invitationId) ? await deleteInvitation(deps.sql, invitation) : undefined;
  if (!gone) throw new AppError("invitation.not_found");
  return gone;
}

/**
 * Accepts an invitation with a one-time code, which only the invited address may use. The user of a token joins if they
 * have this address. Without a token, a user with the invited address is created. If such a user already exists, throws
 * `token.missing` (401), because the inviter may know the code and could act as this user. A rejected code remains
 * valid.
 */
export async function acceptInvitation(
  deps: ManagementDependencies,
  caller: Caller | undefined,
  { code, name }: { code: string; name: string },
): Promise<AcceptedInvitation> {
  const codeHash = hashToken(code);
  const invitation = await findInvitationByCode(deps.sql, codeHash);
  if (!invitation) throw new AppError("invitation.not_found");
  if (caller) {
    const userId = await joinAsUser(deps, caller, { ...invitation, codeHash });
    return viewAccepted(deps, invitation, { userId, apiToken: null });
  }
  if (await findUserByEmail(deps.sql, invitation.email)) throw alreadyUser();
  return viewAccepted(deps, invitation, await joinAsNewUser(deps, codeHash, name));
}

async function joinAsUser(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, email, codeHash }: InvitationRow & { readonly codeHash: Uint8Array },
): Promise<string> {
  requireScope(caller, "write");
  const isElsewhere = caller.workspaceId !== undefined && caller.workspaceId !== workspaceId;
  if (isElsewhere) throw boundElsewhere();
  const invited = await findUserByEmail(deps.sql, email);
  if (invited?.id !== caller.userId) throw new AppError("invitation.other_address");
  const isAccepted = await acceptAsUser(deps.sql, { codeHash, userId: caller.userId });
  if (!isAccepted) throw new AppError("invitation.not_found");
  return caller.userId;
}

async function joinAsNewUser(deps: ManagementDependencies, codeHash: Uint8Array, name: string) {
  const apiToken = makeFirstToken();
  const user = { id: newId(), name };
  const token = { id: apiToken.id, name: apiToken.name, hash: hashToken(apiToken.token) };
  try {
    const isAccepted = await acceptAsNewUser(deps.sql, { codeHash, user, token });
    if (!isAccepted) throw new AppError("invitation.not_found");
  } catch (error) {
    if (violatedConstraint(error) === "users_email") throw alreadyUser();
    throw error;
  }
  return { userId: user.id, apiToken };
}

async function viewAccepted(
  deps: ManagementDependencies,
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
