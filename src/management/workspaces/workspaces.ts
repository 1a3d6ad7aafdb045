import { AppError } from "../../errors.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { requireSeen, type Seen } from "../../platform/http/requests/seen.ts";
import { newId } from "../../platform/ids.ts";
import { type Caller, type Role, requireWorkspace, type UserMode } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { boundElsewhere } from "../access/tokens.ts";
import { endChats } from "../bots/deletion.ts";
import { inFolderTurn } from "../bots/folders/folder-turns.ts";
import {
  findWorkspace,
  hideWorkspace,
  insertWorkspace,
  listWorkspaces as listWorkspaceRows,
  updateWorkspace as updateWorkspaceRow,
  type WorkspaceRow,
} from "./workspaces.sql.ts";

type WorkspaceSummary = Pick<WorkspaceRow, "id" | "name" | "icon" | "plan">;

/**
 * Returns the workspaces of which the caller is a member, newest first. A token that is bound to a workspace gets only
 * this workspace.
 */
export async function listWorkspaces(deps: ManagementDependencies, caller: Caller, request: PageRequest) {
  const page = readPage("workspaces", request);
  const { userId, workspaceId } = caller;
  const rows = await listWorkspaceRows(deps.sql, { userId, workspaceId, ...page.part });
  const { rows: shown, ...rest } = cutPage({ rows, page });
  return { workspaces: shown.map(entryOf), ...rest };
}

/** Creates a workspace. The caller becomes its ADMIN. Names need not be unique. */
export async function createWorkspace(
  deps: ManagementDependencies,
  caller: Caller,
  { name, icon }: { name: string; icon: string | null },
): Promise<WorkspaceRow> {
  if (caller.workspaceId !== undefined) throw boundElsewhere();
  const workspace = await insertWorkspace(deps.sql, { id: newId(), name, icon, userId: caller.userId });
  if (!workspace) throw new AppError("token.invalid");
  return workspace;
}

/** Returns a workspace with the caller's mode of access. A GUEST gets the summary. */
export async function getWorkspace(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
): Promise<{ workspace: WorkspaceRow | WorkspaceSummary; currentUserMode: UserMode }> {
  const access = await requireWorkspace(deps, caller, workspaceId, "see");
  const workspace = await findWorkspace(deps.sql, workspaceId);
  if (!workspace) throw new AppError("workspace.not_found");
  return { workspace: access.role === "GUEST" ? summaryOf(workspace) : workspace, currentUserMode: access.mode };
}

/** Writes the given fields and retains all others. Requires ADMIN. */
export async function updateWorkspace(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { seen, ...changes }: { name?: string | undefined; icon?: string | null | undefined; seen: Seen },
): Promise<WorkspaceRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const workspace = await updateWorkspaceRow(deps.sql, workspaceId, { ...changes, seen });
  if (workspace) return workspace;
  await requireSeenWorkspace(deps.sql, workspaceId, seen);
  throw new AppError("workspace.not_found");
}

/**
 * Moves a workspace with all its bots to the bin, which hides them immediately, and ends their chats. Requires ADMIN.
 */
export async function deleteWorkspace(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  seen: Seen,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  await inFolderTurn(deps.sql, [workspaceId], async (transaction) => {
    await requireSeenWorkspace(transaction, workspaceId, seen);
    await hideWorkspace(transaction, workspaceId);
  });
  await endChats(deps, { workspaceId });
}

async function requireSeenWorkspace(
  sql: Parameters<typeof findWorkspace>[0],
  workspaceId: string,
  seen: Seen,
): Promise<void> {
  const current = seen && (await findWorkspace(sql, workspaceId));
  if (current) requireSeen(seen, current.updatedAt);
}

/** Returns a workspace as an entry of a list. For GUESTs, the entry contains no reason for a suspension. */
function entryOf({ role, isSuspended, suspendedReason, ...workspace }: WorkspaceRow & { readonly role: Role }) {
  return { ...summaryOf(workspace), isSuspended, suspendedReason: role === "GUEST" ? null : suspendedReason };
}

function summaryOf({ id, name, icon, plan }: WorkspaceSummary): WorkspaceSummary {
  return { id, name, icon, plan };
}
