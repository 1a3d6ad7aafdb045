import { refresh } from "../../api/index.ts";

/** The cache key of one workspace. */
export function workspaceKey(workspaceId: string): string {
  return `workspace/${workspaceId}`;
}

/** Shows a workspace after a write, including in the list of all workspaces. */
export async function refreshWorkspace(workspaceId: string): Promise<void> {
  await Promise.all([refresh(workspaceKey(workspaceId)), refresh("workspaces")]);
}
