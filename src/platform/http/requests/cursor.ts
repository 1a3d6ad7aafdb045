import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { isId } from "../../ids.ts";

/** The last row of a page. The next page contains the rows after it: `(created_at, id) < (createdAt, id)`. */
export type Position = {
  readonly createdAt: Date;
  readonly id: string;
  /** The values that the first page fixed for all later pages, such as the bounds of a time window. */
  readonly window?: string;
};

export type PageRequest = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** A page of a list that is ordered newest first. */
export type Page = {
  /** The number of rows that a statement reads for a page: one more than the page shows. */
  readonly part: { readonly after: Position | undefined; readonly limit: number };
  readonly size: number;
  /** The list that its cursor belongs to. */
  readonly cursorName: string;
};

/**
 * Reads size and cursor of a request. A cursor names its list, so each list has a name of its own. Throws
 * `cursor.invalid` for a cursor that this list did not return, or that it returned for another place or other filters:
 * such a cursor would skip rows and show others twice.
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

/** A row of a list, under its own id; in a list that contains each user once, under the user's id. */
type ListedRow = { readonly createdAt: Date } & ({ readonly id: string } | { readonly userId: string });

/**
 * The rows of the page and the cursor of the next page, which is absent on the last page. `rows` are those of
 * `page.part`; `end` is the place where a search stopped before it had found enough rows. `window` is included in the
 * cursor.
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
