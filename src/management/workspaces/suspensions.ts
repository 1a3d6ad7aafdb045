import { AppError } from "../../errors.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId } from "../../platform/ids.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  listSuspended as listSuspendedRows,
  resumeWorkspace as resumeRow,
  suspendWorkspace as suspendRow,
} from "./suspensions.sql.ts";
import { findWorkspace, type WorkspaceRow } from "./workspaces.sql.ts";

/**
 * Suspends a workspace. Visitors of its bots see that the bots are closed, running chats stop, its events remain
 * queued, and its members see the reason. Suspending the workspace again changes the reason. The route requires the
 * scope `admin`.
 */
export async function suspendWorkspace(
  deps: ManagementDependencies,
  { workspaceId, reason }: { workspaceId: string; reason: string },
): Promise<WorkspaceRow> {
  const isThere = isId(workspaceId) && (await suspendRow(deps.sql, { workspaceId, reason }));
  if (!isThere) throw new AppError("workspace.not_found");
  return await requireRow(deps, workspaceId);
}

/**
 * Ends a suspension: chats continue from their last step, and queued events are delivered. The route requires the scope
 * `admin`.
 */
export async function resumeWorkspace(deps: ManagementDependencies, workspaceId: string): Promise<WorkspaceRow> {
  if (!isId(workspaceId)) throw new AppError("workspace.not_found");
  await resumeRow(deps.sql, workspaceId);
  return await requireRow(deps, workspaceId);
}

/**
 * Returns the suspended workspaces of the instance, in the order of suspension, newest first. The route requires the
 * scope `admin`.
 */
export async function listSuspended(deps: ManagementDependencies, request: PageRequest) {
  const page = readPage("suspended-workspaces", request);
  const found = await listSuspendedRows(deps.sql, page.part);
  const positions = found.map((row) => ({ row, id: row.id, createdAt: row.suspendedAt }));
  const { rows, ...rest } = cutPage({ rows: positions, page });
  return { workspaces: rows.map(({ row }) => row), ...rest };
}

async function requireRow(deps: ManagementDependencies, workspaceId: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(deps.sql, workspaceId);
  if (!workspace) throw new AppError("workspace.not_found");
  return workspace;
}
