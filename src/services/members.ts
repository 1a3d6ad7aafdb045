import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import {
  deleteMember,
  findMember,
  listMembers as listMemberRows,
  type MemberRow,
  putMember as putMemberRow,
} from "../store/members.ts";
import { findUser, findUserByEmail } from "../store/users.ts";
import { type Caller, type Role, requireWorkspace } from "./access.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";

/** A workspace's members, newest first. Not for GUESTs. */
export async function listMembers(deps: Dependencies, caller: Caller, workspaceId: string, request: PageRequest) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("members", request);
  const rows = await listMemberRows(deps.sql, { workspaceId, after: page.after, limit: page.size + 1 });
  const { rows: members, ...rest } = cutPage("members", { rows, page });
  return { members, ...rest };
}

/** Makes a user of the instance a member or changes the member's role. For ADMINs; the last ADMIN stays one. */
export async function putMember(
  deps: Dependencies,
  caller: Caller,
  workspaceId: string,
  { user, role }: { user: { id: string } | { email: string }; role: Role },
): Promise<MemberRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const known = "email" in user ? await findUserByEmail(deps.sql, user.email) : await findKnownUser(deps, user.id);
  if (!known) throw new AppError("user.not_found");
  const member = await putMemberRow(deps.sql, { workspaceId, userId: known.id }, role);
  if (!member) throw new AppError("member.last_admin");
  return member;
}

/**
 * Ends a membership and gives it as it was. For ADMINs, and for members who leave; the last ADMIN cannot. What the user
 * collaborated on in this workspace ends too.
 */
export async function removeMember(
  deps: Dependencies,
  caller: Caller,
  workspaceId: string,
  userId: string,
): Promise<MemberRow> {
  const isOwn = userId === caller.userId;
  await requireWorkspace(deps, caller, workspaceId, isOwn ? "see" : "administer");
  const member = isId(userId) ? await findMember(deps.sql, { workspaceId, userId }) : undefined;
  if (!member) throw new AppError("member.not_found");
  if (!(await deleteMember(deps.sql, { workspaceId, userId }))) throw new AppError("member.last_admin");
  return member;
}

async function findKnownUser(deps: Dependencies, userId: string) {
  return isId(userId) ? findUser(deps.sql, userId) : undefined;
}
