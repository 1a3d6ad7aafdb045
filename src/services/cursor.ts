import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import { limits } from "../limits.ts";

/** Lists that are read page by page. A cursor names its list, so that another list's is refused. */
export type ListName =
  | "users"
  | "api-tokens"
  | "workspaces"
  | "members"
  | "invitations"
  | "folders"
  | "bots"
  | "collaborators"
  | "event-endpoints"
  | "event-deliveries"
  | "results";

/** The last row of a page. The next page is what comes after it: `(created_at, id) < (createdAt, id)`. */
export type Position = {
  readonly createdAt: Date;
  readonly id: string;
  /** What the first page fixed for all later pages, such as the bounds of a time window. */
  readonly window?: string;
};

export type PageRequest = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** A page of a list that is ordered newest first, read with one row more than it shows. */
export type Page = { readonly after: Position | undefined; readonly size: number };

/** Reads size and cursor of a request. Throws `cursor.invalid` for a cursor that this list did not give. */
export function readPage(list: ListName, { limit, cursor }: PageRequest): Page {
  const size = limit ?? limits.lists.defaultPageSize;
  return { size, after: cursor === undefined ? undefined : readCursor(list, cursor) };
}

/** A row of a list, under its own id or, where a list has each user once, under the user's. */
type ListedRow = { readonly createdAt: Date } & ({ readonly id: string } | { readonly userId: string });

/**
 * The rows of the page and the cursor of the next, absent on the last page. `rows` are up to `page.size + 1`.
 * `window` travels in the cursor.
 */
export function cutPage<Row extends ListedRow>(
  list: ListName,
  { rows, page, window }: { rows: readonly Row[]; page: Page; window?: string },
): { rows: Row[]; nextCursor?: string } {
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  if (rows.length <= page.size || !last) return { rows: shown };
  const position = { createdAt: last.createdAt, id: "id" in last ? last.id : last.userId };
  return { rows: shown, nextCursor: writeCursor(list, window === undefined ? position : { ...position, window }) };
}

function writeCursor(list: ListName, { createdAt, id, window }: Position): string {
  const parts = [list, createdAt.getTime(), id, ...(window === undefined ? [] : [window])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

function readCursor(list: ListName, cursor: string): Position {
  const [name, time = "", id = "", ...window] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (name !== list || !/^\d{1,14}$/.test(time) || !isId(id)) throw new AppError("cursor.invalid");
  const position = { createdAt: new Date(Number(time)), id };
  return window.length === 0 ? position : { ...position, window: window.join(" ") };
}
