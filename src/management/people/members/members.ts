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

/** Returns a workspace's members, newest first. GUESTs have no access. */
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
 * Makes a user of the instance a member or changes the member's role. The response contains the user's mail address
 * only if the caller could already see it. Requires ADMIN. The last ADMIN's role cannot be changed.
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
 * Changes the role of the member with this address, or invites the address. Looks up only members, so that the response
 * is the same whether or not the address has an account. Requires ADMIN. The last ADMIN's role cannot be changed.
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
 * Ends a membership and returns its former state. Also ends the user's collaborations in this workspace. Requires
 * ADMIN, unless a member leaves. Throws `member.last_admin` for the last ADMIN.
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

/**
 * Removes the mail address from a member or collaborator, unless `isSeen` is set. Used for callers who identified the
 * person by id.
 */
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

/**
 * Throws `member.last_admin` unless there is another ADMIN. A deactivated ADMIN does not count, because they cannot act
 * for the workspace.
 */
async function requireOtherAdmin(transaction: Transaction, membership: Membership): Promise<void> {
  if (!(await hasOtherAdmin(transaction, membership))) throw new AppError("member.last_admin");
}
