import { type Answer, call, useQuery } from "../api/index.ts";

export type WorkspaceEntry = Answer<"GET /api/v1/workspaces">["workspaces"][number];
export type Folder = Answer<"GET /api/v1/folders">["folders"][number];

const pageSize = 100;
/** Nobody has more than this many; a list that does is cut, rather than asked for without end. */
const mostPages = 20;

/** All pages of a list. */
export async function allPages<Entry>(
  page: (
    cursor: string | undefined,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly nextCursor?: string | undefined }>,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < mostPages; count++) {
    const { entries, nextCursor } = await page(cursor);
    all.push(...entries);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return all;
}

/** The workspaces of who is signed in. */
export function useWorkspaces() {
  return useQuery("workspaces", () =>
    allPages(async (cursor) => {
      const { workspaces, nextCursor } = await call("GET /api/v1/workspaces", { query: { limit: pageSize, cursor } });
      return { entries: workspaces, nextCursor };
    }),
  );
}

/** All folders of a workspace, at any depth. */
export function useFolders(workspaceId: string | undefined) {
  return useQuery(workspaceId === undefined ? undefined : `folders/${workspaceId}`, () =>
    allPages(async (cursor) => {
      const query = { workspaceId: workspaceId ?? "", isDeep: true, limit: pageSize, cursor };
      const { folders, nextCursor } = await call("GET /api/v1/folders", { query });
      return { entries: folders, nextCursor };
    }),
  );
}
