import { useState } from "preact/hooks";
import { type Answer, call, refresh, useQuery } from "../../api/index.ts";

export type BotSummary = Answer<"GET /api/v1/bots">["bots"][number];
export type BotSort = "updatedAt" | "name" | "createdAt" | "lastAnsweredAt";

/** Identifies a list of bots. */
export type BotList = {
  readonly workspaceId: string;
  /** The folder whose bots are listed; undefined for all bots of the workspace. */
  readonly folderId: string | undefined;
  readonly isArchived: boolean;
  readonly search: string;
  readonly sort: BotSort;
};

const pageSize = 50;

/** Returns the bots of a list, and a function that loads one more page. */
export function useBots(list: BotList | undefined) {
  const [pages, setPages] = useState(1);
  const key = list && `bots/${Object.values(list).join("/")}/${pages}`;
  const query = useQuery(key, () => loadPages(list, pages));
  return { query, showMore: () => setPages(pages + 1) };
}

export type FoundBots = { readonly bots: readonly BotSummary[]; readonly hasMore: boolean };

async function loadPages(list: BotList | undefined, pages: number): Promise<FoundBots> {
  const bots: BotSummary[] = [];
  let cursor: string | undefined;
  for (let page = 0; list && page < pages; page++) {
    const { workspaceId, folderId, isArchived, search, sort } = list;
    const answer = await call("GET /api/v1/bots", {
      query: {
        ...{ workspaceId, isArchived, sort, limit: pageSize, cursor },
        // A search includes all folders.
        ...(search === "" ? { folderId } : { search }),
      },
    });
    bots.push(...answer.bots);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return { bots, hasMore: cursor !== undefined };
}

/** Requests all shown lists of bots again after a write. */
export function refreshBots(): Promise<void> {
  return refresh("bots");
}
