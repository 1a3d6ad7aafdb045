import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { textAt } from "../../interpreter/flow.ts";
import { cleanText } from "../../interpreter/language/values.ts";
import { type BlockBase, defineIntegration } from "../../interpreter/program/block.ts";
import type { SheetCell, SheetEffect, SheetReport } from "../../interpreter/program/google.ts";
import type { Job } from "../../interpreter/program/job.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { failedWith, logged } from "../logged.ts";
import { serviceFailureLog } from "../service-answer.ts";
import examples from "./examples.json";
import { sheetFields } from "./sheet-fields.ts";
import {
  filterOf,
  isSpreadsheetId,
  placeOf,
  type SheetOptions,
  type SheetPlace,
  sheetActions,
  sheetOptions,
} from "./sheet-options.ts";

const schema = Type.Object({ options: Type.Optional(sheetOptions) });

type SheetBlock = BlockBase & { readonly options?: SheetOptions };

const context = "Google Sheets";

export const googleSheets = defineIntegration({
  type: "Google Sheets",
  summary: "Reads rows of a spreadsheet, adds a row, or changes rows. The first row contains the names of the columns.",
  schema,
  remoteFields: sheetFields,
  callsOut: ({ options }) => ({ writes: textAt(options, "action") !== sheetActions.get }),
  run(block, view) {
    const { options = {} } = block;
    const { credentialsId = "" } = options;
    if (!isAction(options.action)) return continueAfter(block);
    const place = placeOf(options, view);
    if (credentialsId === "" || place.spreadsheetId === "") {
      const description = "Missing credentialsId or spreadsheetId";
      return failedWith(block, { description, ...(credentialsId === "" && { reason: "credentials" }) });
    }
    if (!isSpreadsheetId(place.spreadsheetId)) {
      return failedWith(block, { description: "This is not the id or the URL of a spreadsheet", context });
    }
    if (place.sheetId === "") return failedWith(block, { description: "Missing sheetId", context });
    const { act, log } = wantedOf(options, view);
    if (!act) return { ...continueAfter(block), ...(log && { logs: [log] }) };
    const job = options.isLater ? jobOf(block, { credentialsId, ...place, act }, view) : undefined;
    if (job) return { ...continueAfter(block), jobs: [job] };
    const seconds = Math.min(Math.max(options.timeout ?? limits.sheets.seconds, 1), limits.sheets.mostSeconds);
    const effect = { kind: "sheet", credentialsId, ...place, timeoutMs: seconds * 1_000, act } as const;
    return { kind: "perform", effect };
  },
  report(block, view, report) {
    if (report.kind === "refused") return logged(block, { status: "info", description: report.reason, context });
    if (report.kind !== "sheet") return failedWith(block, { description: "The sheet could not be accessed", context });
    return handleReport(block, view, report);
  },
  editor: {
    name: "Google Sheets",
    icon: "sheet",
    words: ["spreadsheet", "table", "row", "excel", "database", "lead"],
    row: ["{options.action}"],
    related: [],
  },
  examples: examples["Google Sheets"],
});

function isAction(action: string | undefined): boolean {
  return Object.values(sheetActions).some((known) => known === action);
}

/**
 * The request to Google, or a log entry with the reason why no request is sent. Both are absent if the block has
 * nothing to read or write.
 */
type Wanted = { readonly act?: SheetEffect["act"]; readonly log?: StepLog };

function wantedOf(options: SheetOptions, view: View): Wanted {
  const filter = filterOf(options, view);
  switch (options.action) {
    case sheetActions.insert: {
      const { cells } = cellsOf(options.cellsToInsert, view);
      return cells.length === 0 ? {} : { act: { kind: "insert", cells } };
    }
    case sheetActions.update: {
      if (!filter) return { log: { description: "The update requires a filter", context } };
      const { cells } = cellsOf(options.cellsToUpsert, view);
      return cells.length === 0 ? {} : { act: { kind: "update", filter, cells } };
    }
    default: {
      const columns = extractedOf(options, view).map(({ column }) => column);
      if (columns.length === 0) return {};
      const { totalRowsToExtract: take = "All" } = options;
      const rows = take === "Random" ? { take, at: view.random.next() } : { take };
      return { act: { kind: "get", ...(filter && { filter }), columns, rows } };
    }
  }
}

type Later = SheetPlace & { readonly credentialsId: string; readonly act: SheetEffect["act"] };

/** Returns a job that inserts a row after the step, or undefined if the action must be performed within the step. */
function jobOf(block: SheetBlock, { act, credentialsId, ...place }: Later, view: View): Job | undefined {
  const { resultId } = view;
  if (act.kind !== "insert" || !view.isLive || resultId === null) return undefined;
  const content = { ...place, cells: act.cells };
  if (Buffer.byteLength(JSON.stringify(content)) > limits.deferredCalls.bytes) return undefined;
  const left = view.soFar.jobs.filter(({ queue }) => queue === "calls").length;
  if (left >= limits.deferredCalls.perStep) return undefined;
  const { botId } = view.program;
  const data = { type: "google sheets", credentialsId, blockId: block.id, content, resultId, botId };
  return { queue: "calls", data };
}

type Cells = { readonly cells: readonly SheetCell[]; readonly logs: readonly StepLog[] };

function cellsOf(stored: SheetOptions["cellsToInsert"], view: View): Cells {
  const logs: StepLog[] = [];
  const cells = (stored ?? []).flatMap(({ column: named, value = "" }) => {
    const column = view.text(named).trim();
    if (column === "") return [];
    const { text, isCut } = cellText(value, view.text(value));
    if (isCut) {
      const description = `The text for the column "${column}" was truncated to ${limits.sheets.cellCharacters} characters`;
      logs.push({ status: "info", description, context });
    }
    return [{ column, value: text }];
  });
  return { cells, logs };
}

function cutLogs({ action, cellsToInsert, cellsToUpsert }: SheetOptions, view: View): readonly StepLog[] {
  if (action === sheetActions.get) return [];
  return cellsOf(action === sheetActions.insert ? cellsToInsert : cellsToUpsert, view).logs;
}

function extractedOf({ cellsToExtract = [] }: SheetOptions, view: View) {
  return cellsToExtract.flatMap(({ column: named, variableId }) => {
    const column = view.text(named).trim();
    return column === "" || !variableId ? [] : [{ column, variableId }];
  });
}

function handleReport(block: SheetBlock, view: View, report: SheetReport): Outcome {
  const { options = {} } = block;
  const logs = cutLogs(options, view);
  if ("failure" in report) {
    const entry = serviceFailureLog(block, report.failure, { service: "Google", context });
    const isStopping = options.action === sheetActions.get && entry.reason === "credentials";
    // A read with missing credentials stops the flow unless the author has connected the failure edge.
    if (isStopping && options.failure?.outgoingEdgeId === undefined) return { kind: "stop", logs: [...logs, entry] };
    return failedWith(block, ...logs, entry);
  }
  const entries = [...logs, ...(report.missing ?? []).map(missingColumn)];
  if (!("rows" in report)) return { ...continueAfter(block), logs: [...entries, ...writtenLogs(options, report)] };
  if (report.rows.length === 0) {
    const description = "Couldn't find any rows matching the filter";
    return { ...continueAfter(block), logs: [...entries, { status: "info", description }] };
  }
  const writes = extractedOf(options, view).flatMap(({ variableId }, index): Write[] => {
    const cells = report.rows.flatMap((row) => row[index] ?? []);
    const [only] = cells;
    if (only === undefined) return [];
    return [{ variableId, value: report.rows.length === 1 ? only : cells }];
  });
  return { ...continueAfter(block), writes, ...(entries.length > 0 && { logs: entries }) };
}

function writtenLogs(options: SheetOptions, report: Extract<SheetReport, { place: string }>): StepLog[] {
  const { place, written, wasThere } = report;
  if (options.action === sheetActions.update) {
    return written > 0
      ? [{ status: "success", description: "Succesfully updated matching rows" }]
      : [{ status: "info", description: "Could not find any row that matches the filter" }];
  }
  if (written === 0)
    return [{ description: "No row was inserted, because the sheet has none of the row's columns", context }];
  const inserted: StepLog = { status: "success", description: `Succesfully inserted row in ${place}` };
  if (!wasThere) return [inserted];
  return [
    inserted,
    { status: "info", description: "The row already existed, because an earlier attempt had written it" },
  ];
}

function missingColumn(column: string): StepLog {
  return { description: `The sheet has no column "${column}"`, context };
}

/**
 * Returns the value as a person would type it into a cell. A template without variables may be a formula. The text of a
 * template with variables gets a leading apostrophe if Sheets would otherwise change it. A text that is too long for a
 * cell is truncated (`isCut`).
 */
function cellText(template: string, value: string): { readonly text: string; readonly isCut: boolean } {
  const clean = cleanText(value);
  const isGuarded = template.includes("{{") && isChangedByTyping(clean);
  const text = isGuarded ? `'${clean}` : clean;
  if (text.length <= limits.sheets.cellCharacters) return { text, isCut: false };
  // The cut may leave half of a surrogate pair, which `cleanText` replaces.
  return { text: cleanText(text.slice(0, limits.sheets.cellCharacters)), isCut: true };
}

/**
 * Returns whether Sheets would change the text if a person typed it. Sheets reads some texts as formulas, removes
 * leading zeros, apostrophes and tabs, and rounds long numbers. Returns false for negative numbers.
 */
function isChangedByTyping(text: string): boolean {
  if (/^(?:[\t']|[\s\u200b]*[=@\uff1d\uff20])/.test(text)) return true;
  if (/^[\s\u200b]*[+\-\uff0b\uff0d]/.test(text)) return !/^-\d+(?:[.,]\d+)?$/.test(text);
  return /^0[\d ]*\d$/.test(text) || /^\d{16,}$/.test(text);
}
