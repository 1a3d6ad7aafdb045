import { type Query, useQuery } from "./cache.ts";

const pageSize = 100;
/** No list is expected to be longer; a longer list is cut, so that requests end. */
const mostPages = 20;

/** The parameters of one page. */
type Part = { readonly limit: number; readonly cursor: string | undefined };
type Page = { readonly nextCursor?: string | undefined };

/**
 * All entries of a list, page by page: `allPages((query) => call("GET /api/v1/users", { query }), ({ users }) =>
 * users)`.
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

/** All entries of a list as one query. */
export function useAll<Answer extends Page, Entry>(
  key: string | undefined,
  read: (part: Part) => Promise<Answer>,
  entriesIn: (answer: Answer) => readonly Entry[],
): Query<readonly Entry[]> {
  return useQuery(key, () => allPages(read, entriesIn));
}
