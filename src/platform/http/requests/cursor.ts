import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { isId } from "../../ids.ts";

/**
 * The position of the last row of a page. The next page contains the rows with `(created_at, id) < (createdAt, id)`.
 */
export type Position = {
  readonly createdAt: Date;
  readonly id: string;
  /** The values that the first page fixes for all later pages, such as the limits of a time window. */
  readonly window?: string;
};

export type PageRequest = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** A page of a list that is sorted from newest to oldest. */
export type Page = {
  /** Parameters for the statement that reads a page. `limit` is one row more than the page shows. */
  readonly part: { readonly after: Position | undefined; readonly limit: number };
  readonly size: number;
  /** The name of the list to which the page's cursor belongs. */
  readonly cursorName: string;
};

/**
 * Reads the page size and the cursor of a request. A cursor contains the name of its list, so each list has a unique
 * name. Throws `cursor.invalid` for a cursor of another list, of another parent resource or of other filters, because
 * such a cursor would skip or repeat rows.
 */
export function readPage(list: string, { limit, cursor }: PageRequest, filters: readonly unknown[] = []): Page {
  const size = limit ?? limits.lists.defaultPageSize;
  const cursorName = filters.length === 0 ? list : `${list}:${fingerprint(filters)}`;
  const after = cursor === undefined ? undefined : readCursor(cursorName, cursor);
  return { size, cursorName, part: { after, limit: size + 1 } };
}

function fingerprint(filters: readonly unknown[]): string {
  return Bun.hash(JSON.stringify(filters)).toString(36);
}

/** A row of a list, identified by its id. In a list with one row per user, the row is identified by the user's id. */
type ListedRow = { readonly createdAt: Date } & ({ readonly id: string } | { readonly userId: string });

/**
 * Returns the rows of the page and the cursor of the next page. The last page has no cursor. `rows` are the rows read
 * for `page.part`. `end` is the position where a search stopped before it had found enough rows. `window` is included
 * in the cursor.
 */
export function cutPage<Row extends ListedRow>({
  rows,
  page,
  window,
  end,
}: {
  rows: readonly Row[];
  page: Page;
  window?: string | undefined;
  end?: Position | undefined;
}): { rows: Row[]; nextCursor?: string } {
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  const isFull = rows.length > page.size && last !== undefined;
  const position = isFull ? { createdAt: last.createdAt, id: "id" in last ? last.id : last.userId } : end;
  if (!position) return { rows: shown };
  return {
    rows: shown,
    nextCursor: writeCursor(page.cursorName, window === undefined ? position : { ...position, window }),
  };
}

function writeCursor(cursorName: string, { createdAt, id, window }: Position): string {
  const parts = [cursorName, createdAt.getTime(), id, ...(window === undefined ? [] : [window])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

function readCursor(cursorName: string, cursor: string): Position {
  const [name, time = "", id = "", ...window] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (name !== cursorName || !/^\d{1,14}$/.test(time) || !isId(id)) throw new AppError("cursor.invalid");
  const position = { createdAt: new Date(Number(time)), id };
  return window.length === 0 ? position : { ...position, window: window.join(" ") };
}
