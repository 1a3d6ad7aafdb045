import { refresh } from "../../api/index.ts";

export function workspaceKey(workspaceId: string): string {
  return `workspace/${workspaceId}`;
}

/** Requests a workspace and the list of all workspaces again after a write. */
export async function refreshWorkspace(workspaceId: string): Promise<void> {
  await Promise.all([refresh(workspaceKey(workspaceId)), refresh("workspaces")]);
}
