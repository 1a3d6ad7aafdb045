import { type Answer, call, useAll } from "../api/index.ts";

export type WorkspaceEntry = Answer<"GET /api/v1/workspaces">["workspaces"][number];
export type Folder = Answer<"GET /api/v1/folders">["folders"][number];

/** The workspaces of the signed-in person. */
export function useWorkspaces() {
  return useAll(
    "workspaces",
    (query) => call("GET /api/v1/workspaces", { query }),
    ({ workspaces }) => workspaces,
  );
}

/** All folders of a workspace, at any depth. */
export function useFolders(workspaceId: string | undefined) {
  return useAll(
    workspaceId === undefined ? undefined : `folders/${workspaceId}`,
    (query) => call("GET /api/v1/folders", { query: { workspaceId: workspaceId ?? "", isDeep: true, ...query } }),
    ({ folders }) => folders,
  );
}
