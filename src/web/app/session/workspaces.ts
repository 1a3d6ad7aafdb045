import { type Answer, call, useAll } from "../api/index.ts";

export type WorkspaceEntry = Answer<"GET /api/v1/workspaces">["workspaces"][number];
export type Folder = Answer<"GET /api/v1/folders">["folders"][number];

/** Returns the workspaces of the signed-in person. */
export function useWorkspaces() {
  return useAll(
    "workspaces",
    (query) => call("GET /api/v1/workspaces", { query }),
    ({ workspaces }) => workspaces,
  );
}

/** Returns all folders of a workspace, including nested ones. */
export function useFolders(workspaceId: string | undefined) {
  return useAll(
    workspaceId === undefined ? undefined : `folders/${workspaceId}`,
    (query) => call("GET /api/v1/folders", { query: { workspaceId: workspaceId ?? "", isDeep: true, ...query } }),
    ({ folders }) => folders,
  );
}
