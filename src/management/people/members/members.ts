import { AppError } from "../../../errors.ts";
import { inTurn, type Transaction } from "../../../platform/database/turns.sql.ts";
import { cutPage, type PageRequest, readPage } from "../../../platform/http/requests/cursor.ts";
import { isId } from "../../../platform/ids.ts";
import { type Caller, type Role, requireWorkspace } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { findUser } from "../users.sql.ts";
import { invite, type NewInvitation } from "./invitations.ts";
import {
  deleteMember,
  findMemberByEmail,
  hasOtherAdmin,
  listMembers as listMemberRows,
  lockRoles,
  type MemberRow,
  type Membership,
  putMember as putMemberRow,
  seesAddress,
} from "./members.sql.ts";

/** A workspace's members, newest first. Not for GUESTs. */
export async function listMembers(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("members", request, [workspaceId]);
  const rows = await listMemberRows(deps.sql, { workspaceId, ...page.part });
  const { rows: members, ...rest } = cutPage({ rows, page });
  return { members, ...rest };
}

/**
 * Makes a user of the instance a member or changes the member's role; callers who did not see their mail address before
 * do not see it here. For ADMINs; the last ADMIN stays one.
 */
export async function putMember(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { userId, role }: { userId: string; role: Role },
): Promise<MemberRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const known = isId(userId) ? await findUser(deps.sql, userId) : undefined;
  if (!known) throw new AppError("user.not_found");
  const seen = await seesAddress(deps.sql, { caller, userId });
  return withAddress(await setRole(deps, { workspaceId, userId }, role), seen);
}

/**
 * Changes the role of the member with this address, or invites the address. Only members are looked up: the answer is
 * the same whether or not the address has an account. For ADMINs; the last ADMIN stays one.
 */
export async function putMemberByEmail(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { email, role }: { email: string; role: Role },
): Promise<{ member: MemberRow | null; invitation: NewInvitation | null }> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const member = await findMemberByEmail(deps.sql, { workspaceId, email });
  if (member) return { member: await setRole(deps, member, role), invitation: null };
  const wish = { workspaceId, email, role, botId: null, type: null, invitedBy: caller.userId };
  return { member: null, invitation: await invite(deps, wish) };
}

/**
 * Ends a membership and returns its former state. For ADMINs, and for members who leave; the last ADMIN cannot leave.
 * The user's collaborations in this workspace end, too.
 */
export async function removeMember(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  userId: string,
): Promise<MemberRow> {
  const isOwn = userId === caller.userId;
  await requireWorkspace(deps, caller, workspaceId, isOwn ? "see" : "administer");
  if (!isId(userId)) throw new AppError("member.not_found");
  return await inTurn(deps.sql, async (transaction) => {
    await lockRoles(transaction, workspaceId);
    const member = await deleteMember(transaction, { workspaceId, userId });
    if (!member) throw new AppError("member.not_found");
    if (member.role === "ADMIN") await requireOtherAdmin(transaction, { workspaceId, userId });
    return member;
  });
}

/** A person in the form for a caller who has named them by their id. */
export function withAddress<Row extends Pick<MemberRow, "user">>(row: Row, isSeen: boolean): Row {
  return isSeen ? row : { ...row, user: { ...row.user, email: null } };
}

async function setRole(deps: ManagementDependencies, membership: Membership, role: Role): Promise<MemberRow> {
  return await inTurn(deps.sql, async (transaction) => {
    await lockRoles(transaction, membership.workspaceId);
    if (role !== "ADMIN") await requireOtherAdmin(transaction, membership);
    const member = await putMemberRow(transaction, membership, role);
    if (!member) throw new AppError("user.not_found");
    return member;
  });
}

/** A deactivated ADMIN does not count, because they cannot act for the workspace. */
async function requireOtherAdmin(transaction: Transaction, membership: Membership): Promise<void> {
  if (!(await hasOtherAdmin(transaction, membership))) throw new AppError("member.last_admin");
}
