import { matchesRow } from "../core/interpreter/language/row-filter.ts";
import type { RowsTaken, SheetEffect, SheetReport } from "../core/interpreter/program/google.ts";
import { type AppendedRow, appendRows } from "./google/append-rows.ts";
import type { GoogleContext } from "./google/google-call.ts";
import type { GoogleFailure, GoogleSession } from "./google/google-session.ts";
import { openSheets, withTab } from "./google/open-sheets.ts";
import { cellName, columnsOf, readTab } from "./google/tab-values.ts";
import { placeOf, spreadsheets, type Tab } from "./google/tabs.ts";

export type SheetContext = GoogleContext & {
  /** Whether an earlier attempt at this step ended without a report. The attempt may have written to the sheet. */
  readonly isResumed?: boolean;
};

/** Reads or writes rows of a sheet. A failed call is returned as a report. */
export async function performSheet(effect: SheetEffect, context: SheetContext): Promise<SheetReport> {
  const session = await openSheets(effect, context);
  if ("failure" in session) return reportOf(session.failure, undefined);
  const opened = { google: context.google, session };
  const report = await withTab(effect, opened, (tab) => act(effect, { context, session, tab }));
  return "failure" in report ? reportOf(report.failure, session) : report;
}

type Failed = { readonly failure: GoogleFailure };

type Acting = { readonly context: SheetContext; readonly session: GoogleSession; readonly tab: Tab };

function act(effect: SheetEffect, acting: Acting): Promise<SheetReport | Failed> {
  const { act: wanted } = effect;
  switch (wanted.kind) {
    case "get":
      return get(effect, wanted, acting);
    case "insert":
      return insert(effect, wanted, acting);
    case "update":
      return update(effect, wanted, acting);
    default:
      return wanted satisfies never;
  }
}

type Act<Kind extends SheetEffect["act"]["kind"]> = Extract<SheetEffect["act"], { kind: Kind }>;

async function get(
  { spreadsheetId }: SheetEffect,
  { filter, columns, rows: taken }: Act<"get">,
  { session, tab }: Acting,
): Promise<SheetReport | Failed> {
  const values = await readTab(session, { spreadsheetId, tab });
  if ("failure" in values) return values;
  const at = columnsOf(values.header);
  const matching = values.rows.filter(
    ({ cells }) => !filter || matchesRow(filter, (column) => cellAt(cells, at.get(column))),
  );
  const wanted = [...columns, ...(filter?.comparisons.map(({ column }) => column) ?? [])];
  return {
    kind: "sheet",
    rows: takenOf(matching, taken).map(({ cells }) => columns.map((column) => cellAt(cells, at.get(column)) ?? null)),
    ...missingIn(wanted, at),
  };
}

function takenOf<T>(rows: readonly T[], taken: RowsTaken): readonly T[] {
  switch (taken.take) {
    case "All":
      return rows;
    case "First":
      return rows.slice(0, 1);
    case "Last":
      return rows.slice(-1);
    case "Random": {
      const at = Math.floor(taken.at * rows.length);
      return rows.slice(at, at + 1);
    }
    default:
      return taken satisfies never;
  }
}

async function insert(
  { spreadsheetId }: SheetEffect,
  { cells }: Act<"insert">,
  { session, tab, context }: Acting,
): Promise<SheetReport | Failed> {
  const row = { cells, mayBeThere: context.isResumed === true };
  const appended = await appendRows(session, { spreadsheetId, tab, rows: [row] }, context.google.clock);
  if ("failure" in appended) return appended;
  const [{ isWritten, wasThere, missing } = noRow] = appended.rows;
  return {
    kind: "sheet",
    place: placeOf(tab),
    written: isWritten ? 1 : 0,
    ...(wasThere && { wasThere: true as const }),
    ...(missing.length > 0 && { missing }),
  };
}

const noRow: AppendedRow = { isWritten: false, wasThere: false, missing: [] };

async function update(
  { spreadsheetId }: SheetEffect,
  { filter, cells }: Act<"update">,
  { session, tab }: Acting,
): Promise<SheetReport | Failed> {
  const values = await readTab(session, { spreadsheetId, tab });
  if ("failure" in values) return values;
  const at = columnsOf(values.header);
  const missing = missingIn(
    [...cells, ...filter.comparisons].map(({ column }) => column),
    at,
  );
  const matching = values.rows.filter(({ cells: row }) => matchesRow(filter, (column) => cellAt(row, at.get(column))));
  const data = matching.flatMap(({ number }) =>
    cells.flatMap(({ column, value }) => {
      const index = at.get(column);
      return index === undefined ? [] : [{ range: cellName(tab, { index, number }), values: [[value]] }];
    }),
  );
  const report: SheetReport = { kind: "sheet", place: placeOf(tab), written: matching.length, ...missing };
  if (data.length === 0) return report;
  const answer = await session.call({
    url: `${spreadsheets}/${encodeURIComponent(spreadsheetId)}/values:batchUpdate`,
    method: "POST",
    body: { valueInputOption: "USER_ENTERED", data },
    // The request is repeatable because a repeated call writes the same texts to the same cells.
    isRepeatable: true,
  });
  return "failure" in answer ? answer : report;
}

/**
 * Returns the text of a cell, or undefined for a missing column. Google omits empty cells at the end of a row, so a
 * missing cell of an existing column is empty.
 */
function cellAt(cells: readonly string[], index: number | undefined): string | undefined {
  return index === undefined ? undefined : (cells[index] ?? "");
}

function missingIn(wanted: readonly string[], at: ReadonlyMap<string, number>): { missing?: readonly string[] } {
  const missing = [...new Set(wanted)].filter((column) => !at.has(column));
  return missing.length > 0 ? { missing } : {};
}

/**
 * Converts a failure to a report. If the account cannot access the spreadsheet, the details contain the address with
 * which the spreadsheet must be shared.
 */
function reportOf({ isDoubtful: _, ...failure }: GoogleFailure, session: GoogleSession | undefined): SheetReport {
  const isHidden = failure.status === 403 || failure.status === 404;
  if (!isHidden || !session?.address) return { kind: "sheet", failure };
  const said = failure.details?.replace(/\.?$/, ". ") ?? "";
  return { kind: "sheet", failure: { ...failure, details: `${said}Share the spreadsheet with ${session.address}` } };
}
