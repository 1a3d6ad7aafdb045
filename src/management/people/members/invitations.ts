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
  /** Only for a user whom this invitation created; existing users already have tokens. */
  readonly apiToken: FirstToken | null;
};

/** The code is null when it was mailed to the invited address, so that only the reader of that mailbox can use it. */
export type NewInvitation = InvitationRow & { readonly code: string | null };

/** The open invitations to a workspace and its bots, newest first, without their codes. For ADMINs. */
export async function listInvitations(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await openInvitations(deps, { workspaceId }, request);
}

/** For callers who may see the invitations. */
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

/** Invites an address to a workspace. For ADMINs. */
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
 * Creates the single open invitation of an address to a workspace or bot, replacing a former one. Its code is mailed to
 * the address if mails can be sent; otherwise only this response contains it. Whether the address has an account is not
 * looked up.
 */
export async function invite(deps: ManagementDependencies, wish: Wish): Promise<NewInvitation> {
  const code = randomBytes(32).toString("base64url");
  const invitation = await putInvitation(deps.sql, { ...wish, id: newId(), codeHash: hashToken(code) });
  if (deps.config.SMTP_URL === undefined) return { ...invitation, code };
  await mailCode(deps, wish, code);
  return { ...invitation, code: null };
}

/**
 * Mails the code. The caller waits for the mail server, so that the inviter learns of a refusal and can repeat the
 * invitation.
 */
async function mailCode(deps: ManagementDependencies, wish: Wish, code: string): Promise<void> {
  const name = await findPlaceName(deps.sql, wish);
  const base = deps.config.PUBLIC_URL?.replace(/\/$/, "") ?? "";
  const builder = builderPlace(deps.config).address;
  const page = builder === undefined ? "" : `Open ${builder}/app/invitations#${code}, or: to`;
  const text = `You are invited to "${name}"${base && ` at ${base}`}.

This code is good for ${limits.invitations.days} days, once, and for your address alone:

${code}

${page || "To"} accept, send it with your name to POST ${base}/api/v1/invitations/accept: { "code": "…", "name": "…" }. If you have an account with this address, send its API token along.

If you do not know what this is about, do nothing.`;
  const mail = { to: [wish.email], cc: [], bcc: [], subject: "You are invited", body: { text } };
  const delivery = await deps.mailer.send(mail, newId());
  if (delivery.kind === "sent") return;
  deps.log.warn("An invitation could not be mailed", { reason: delivery.reason });
  throw new AppError("invitation.not_mailed");
}

/** Withdraws an invitation. For ADMINs. */
export async function revokeInvitation(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
): Promise<InvitationRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await withdraw(deps, { workspaceId, invitationId });
}

/** For callers who may withdraw the invitation. */
export async function withdraw(
  deps: ManagementDependencies,
  invitation: { workspaceId: string; botId?: string; invitationId: string },
): Promise<InvitationRow> {
  const gone = isId(invitation.invitationId) ? await deleteInvitation(deps.sql, invitation) : undefined;
  if (!gone) throw new AppError("invitation.not_found");
  return gone;
}

/**
 * Uses a one-time code, which is only for the invited address. With a token, its user joins if that is their address.
 * Without a token, a user with the invited address is created. If that user exists the code is not sufficient, since
 * the inviter may know it and could act as that user: 401 `token.missing`. A refused code stays valid.
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
