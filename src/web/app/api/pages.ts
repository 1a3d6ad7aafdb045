import { type Query, useQuery } from "./cache.ts";

const pageSize = 100;
/** The maximum number of pages to read. Longer lists are cut off. */
const mostPages = 20;

type Part = { readonly limit: number; readonly cursor: string | undefined };
type Page = { readonly nextCursor?: string | undefined };

/**
 * Reads the entries of a list, page by page and at most 20 pages, for example `allPages((query) => call("GET
 * /api/v1/users", { query }), ({ users }) => users)`.
 */
export async function allPages<Answer extends Page, Entry>(
  read: (part: Part) => Promise<Answer>,
  entriesIn: (answer: Answer) => readonly Entry[],
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < mostPages; count++) {
    const answer = await read({ limit: pageSize, cursor });
    all.push(...entriesIn(answer));
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return all;
}

/** Like `useQuery`, for the entries of a paginated list. See `allPages`. */
export function useAll<Answer extends Page, Entry>(
  key: string | undefined,
  read: (part: Part) => Promise<Answer>,
  entriesIn: (answer: Answer) => readonly Entry[],
): Query<readonly Entry[]> {
  return useQuery(key, () => allPages(read, entriesIn));
}
