import type { SheetCell } from "../../core/interpreter/program/google.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, pause } from "../../platform/concurrency/clock.ts";
import { pauseAfter } from "./google-call.ts";
import type { GoogleFailure, GoogleSession } from "./google-session.ts";
import { cellName, columnsOf, readHeader, readTab } from "./tab-values.ts";
import { spreadsheets, type Tab } from "./tabs.ts";

type Appending = {
  readonly spreadsheetId: string;
  readonly tab: Tab;
  /** The rows in the order in which to append them. */
  readonly rows: readonly WantedRow[];
};

/** A row to append. `mayBeThere`: whether an earlier attempt may have written the row. */
type WantedRow = { readonly cells: readonly SheetCell[]; readonly mayBeThere: boolean };

/**
 * The outcome for a row. `wasThere`: whether an earlier attempt had written the row. `missing`: columns of the row that
 * do not exist in the sheet.
 */
export type AppendedRow = {
  readonly isWritten: boolean;
  readonly wasThere: boolean;
  readonly missing: readonly string[];
};

/** The cells of a row by column index. */
type PlacedRow = ReadonlyMap<number, string>;

/**
 * Appends rows with one call. Google's API has no idempotency keys, so an attempt looks for rows that are already
 * written:
 *
 *     (start) ─ an earlier attempt may have written some rows ─→ looking for these rows
 *     (start) ─ otherwise ─────────────────────────────────────→ appending
 *     looking ─ all rows exist ────────────────────────────────→ done
 *     looking ─ some rows are missing ─────────────────────────→ appending the missing rows
 *     looking ─ a read fails ──────────────────────────────────→ failed
 *     appending ─ Google rejects the request ──────────────────→ failed
 *     appending ─ the rows are written ────────────────────────→ done
 *     appending ─ the result is unknown, and time remains ─────→ looking for all rows, after a pause
 *     appending ─ the result is unknown, and no time remains ──→ failed
 */
export async function appendRows(
  google: GoogleSession,
  { spreadsheetId, tab, rows }: Appending,
  clock: Clock,
): Promise<{ readonly rows: readonly AppendedRow[] } | { readonly failure: GoogleFailure }> {
  const read = await readHeader(google, { spreadsheetId, tab });
  if ("failure" in read) return read;
  const at = columnsOf(read.header);
  const first = read.header.findIndex((name) => name.trim() !== "");
  const placed = rows.map(({ cells, mayBeThere }) => ({ row: placedIn(cells, at), mayBeThere }));
  let left = placed.filter(({ row }) => row.size > 0);
  const there = new Set<PlacedRow>();
  const ended = () => ({
    rows: rows.map(({ cells }, index): AppendedRow => {
      const row = placed[index]?.row;
      const missing = [...new Set(cells.map(({ column }) => column))].filter((column) => !at.has(column));
      return { isWritten: row !== undefined && row.size > 0, wasThere: row !== undefined && there.has(row), missing };
    }),
  });
  for (let attempt = 1; left.length > 0; attempt++) {
    const looked = attempt === 1 ? left.filter(({ mayBeThere }) => mayBeThere) : left;
    if (looked.length > 0) {
      const found = await findRows(google, { spreadsheetId, tab, rows: looked.map(({ row }) => row) });
      if ("failure" in found) return found;
      for (const row of found.rows) there.add(row);
      left = left.filter(({ row }) => !there.has(row));
      if (left.length === 0) break;
    }
    const answer = await google.call({
      url: appendUrl(spreadsheetId, cellName(tab, { index: first, number: 1 })),
      method: "POST",
      body: { majorDimension: "ROWS", values: left.map(({ row }) => cellsOf(row, first)) },
      isRepeatable: false,
    });
    if (!("failure" in answer)) break;
    const pauseMs = pauseAfter(attempt);
    if (!answer.failure.isDoubtful || !google.hasTimeFor(pauseMs)) return answer;
    await pause(clock, pauseMs);
    if (!google.hasTimeFor(0)) return answer;
  }
  return ended();
}

function placedIn(row: readonly SheetCell[], at: ReadonlyMap<string, number>): PlacedRow {
  return new Map(
    row.flatMap(({ column, value }) => {
      const index = at.get(column);
      return index === undefined ? [] : [[index, value] as const];
    }),
  );
}

/**
 * Returns the cells to write, starting at the column of the first header, where the table starts. Null leaves a cell
 * unchanged.
 */
function cellsOf(row: PlacedRow, first: number): (string | null)[] {
  const last = Math.max(...row.keys());
  return Array.from({ length: last - first + 1 }, (_, offset) => row.get(first + offset) ?? null);
}

function appendUrl(spreadsheetId: string, range: string): string {
  const query = "valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS&includeValuesInResponse=false";
  return `${spreadsheets}/${encodeURIComponent(spreadsheetId)}/values/${encodeURIComponent(range)}:append?${query}`;
}

/**
 * Returns the rows that already exist at the end of the table or of the sheet, or the failure of a read. Each existing
 * row is matched only once.
 */
async function findRows(
  google: GoogleSession,
  { spreadsheetId, tab, rows }: { spreadsheetId: string; tab: Tab; rows: readonly PlacedRow[] },
): Promise<{ readonly rows: readonly PlacedRow[] } | { readonly failure: GoogleFailure }> {
  const shown = await readTab(google, { spreadsheetId, tab });
  if ("failure" in shown) return shown;
  // Entered values are also compared, because a number, date or formula is displayed differently from how it was
  // entered.
  const entered = await readTab(google, { spreadsheetId, tab }, "FORMULA");
  if ("failure" in entered) return entered;
  const enteredIn = new Map(entered.rows.map(({ number, cells }) => [number, cells]));
  // If a blank row follows the table, new rows are inserted above the blank row.
  const tableEnd = shown.rows.findIndex(({ number }, index) => number !== index + 2);
  const end = tableEnd === -1 ? shown.rows.length : tableEnd;
  const looked = new Set([
    ...shown.rows.slice(Math.max(0, end - limits.sheets.lookedAtRows), end),
    ...shown.rows.slice(-limits.sheets.lookedAtRows),
  ]);
  const found = rows.filter((row) => {
    for (const there of looked) {
      if (!isEqual(row, { shown: there.cells, entered: enteredIn.get(there.number) ?? [] })) continue;
      looked.delete(there);
      return true;
    }
    return false;
  });
  return { rows: found };
}

type StoredRow = { readonly shown: readonly string[]; readonly entered: readonly string[] };

function isEqual(row: PlacedRow, { shown, entered }: StoredRow): boolean {
  for (const [index, value] of row) {
    // The apostrophe that marks a value as text is not part of the cell.
    const wanted = value.replace(/^'/, "");
    const [seen = "", typed = ""] = [shown[index], entered[index]];
    const isSame = wanted === seen || wanted === typed || isSameNumber(wanted, seen) || isSameNumber(wanted, typed);
    if (!isSame) return false;
  }
  return true;
}

/** Whether two texts are the same number. `1234.5` is displayed as `1,234.50` and stored as a number. */
function isSameNumber(wanted: string, there: string): boolean {
  if (wanted.trim() === "" || there.trim() === "") return false;
  return Number(wanted) === Number(there.replaceAll(/(?<=\d),(?=\d{3})/g, ""));
}
