import { valueAt } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import type { GoogleFailure, GoogleSession } from "./google-session.ts";
import { spreadsheets, type Tab } from "./tabs.ts";

type Place = { readonly spreadsheetId: string; readonly tab: Tab };

/** A row below the header row. `number` is the row's number in the sheet. */
export type SheetRow = { readonly number: number; readonly cells: readonly string[] };

/** The form in which Google returns cells: as displayed, or as entered, including formulas. */
type Rendering = "FORMATTED_VALUE" | "FORMULA";

/**
 * Returns the header and all non-blank rows of a sheet, or the failure of the read. A sheet with too many rows or
 * columns is a failure.
 */
export async function readTab(
  google: GoogleSession,
  { spreadsheetId, tab }: Place,
  rendering: Rendering = "FORMATTED_VALUE",
): Promise<
  { readonly header: readonly string[]; readonly rows: readonly SheetRow[] } | { readonly failure: GoogleFailure }
> {
  const values = await readRange(google, { spreadsheetId, range: quoted(tab) }, rendering);
  if ("failure" in values) return values;
  const [header = [], ...rows] = values.rows;
  const problem =
    rows.length > limits.sheets.rows
      ? `The sheet has more than ${limits.sheets.rows} rows`
      : values.rows.some((cells) => cells.length > limits.sheets.columns) &&
        `The sheet has more than ${limits.sheets.columns} columns`;
  if (problem) return { failure: { reason: "refused", details: problem } };
  const numbered = rows.map((cells, index) => ({ number: index + 2, cells }));
  return { header, rows: numbered.filter(({ cells }) => cells.some((cell) => cell !== "")) };
}

/** Returns the column names in the first row of a sheet, or the failure of the read. */
export async function readHeader(
  google: GoogleSession,
  { spreadsheetId, tab }: Place,
): Promise<{ readonly header: readonly string[] } | { readonly failure: GoogleFailure }> {
  const values = await readRange(google, { spreadsheetId, range: `${quoted(tab)}!1:1` }, "FORMATTED_VALUE");
  return "failure" in values ? values : { header: values.rows[0] ?? [] };
}

async function readRange(
  google: GoogleSession,
  { spreadsheetId, range }: { spreadsheetId: string; range: string },
  rendering: Rendering,
): Promise<{ readonly rows: readonly (readonly string[])[] } | { readonly failure: GoogleFailure }> {
  const query = `majorDimension=ROWS&valueRenderOption=${rendering}`;
  const answer = await google.call({
    url: `${spreadsheets}/${encodeURIComponent(spreadsheetId)}/values/${encodeURIComponent(range)}?${query}`,
    method: "GET",
    isRepeatable: true,
  });
  if ("failure" in answer) return answer;
  // Google omits `values` for an empty range.
  const values = valueAt(answer.body, "values") ?? [];
  if (!Array.isArray(values)) return { failure: { reason: "unreadable", details: "Google's response has no rows" } };
  const rows = values.map((row: unknown) => (Array.isArray(row) ? row.map((cell: unknown) => textOf(cell)) : []));
  return { rows };
}

function textOf(cell: unknown): string {
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return cell === null || cell === undefined ? "" : String(cell);
}

/**
 * Returns column indexes by trimmed header. Columns without a header are omitted. If two columns have the same name,
 * the first is used.
 */
export function columnsOf(header: readonly string[]): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  header.forEach((name, index) => {
    const trimmed = name.trim();
    if (trimmed !== "" && !at.has(trimmed)) at.set(trimmed, index);
  });
  return at;
}

/** Returns the A1 notation of a cell, such as `'Leads'!C5`. */
export function cellName(tab: Tab, { index, number }: { index: number; number: number }): string {
  return `${quoted(tab)}!${lettersOf(index)}${number}`;
}

/** Returns the letters of a column: A, B … Z, AA, AB … */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}

function quoted({ title }: Tab): string {
  return `'${title.replaceAll("'", "''")}'`;
}
