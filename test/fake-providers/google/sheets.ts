import type { Answer, Asked } from "../kit.ts";
import type { Grant } from "./accounts.ts";
import { problem } from "./wire.ts";

/** A cell as stored by Sheets: the input, parsed as a number, a boolean or a formula, and the displayed text. */
type Cell = { readonly entered: string | number | boolean; readonly shown: string };

type SheetTab = { readonly sheetId: number; title: string; rows: (Cell | undefined)[][] };
type Document = { readonly title: string; readonly tabs: SheetTab[]; readonly sharedWith: ReadonlySet<string> };

export type Sheets = {
  /** Creates a spreadsheet with one tab. Returns its id. */
  make(options: {
    readonly title?: string;
    readonly tab?: string;
    readonly sheetId?: number;
    readonly rows: readonly (readonly string[])[];
    readonly sharedWith: readonly string[];
  }): string;
  /** Returns the displayed cells of the first tab. */
  rowsOf(spreadsheetId: string): string[][];
  /** Returns the cells as entered, with formulas and numbers. */
  enteredIn(spreadsheetId: string): unknown[][];
  rename(spreadsheetId: string, title: string): void;
  /** Overrides the quota of 60 reads and 60 writes a minute for each user. */
  allow(perMinute: number): void;
  answer(asked: Asked, grant: Grant): Answer | undefined;
  /** The calls that counted for the quota, and the rejected calls. */
  readonly counted: { reads: number; writes: number; refused: number };
};

const minuteMs = 60_000;

/** Creates spreadsheets, based on https://developers.google.com/workspace/sheets/api/reference/rest. */
export function createSheets({ now }: { now: () => number }): Sheets {
  const documents = new Map<string, Document>();
  let perMinute = 60;
  const counted = { reads: 0, writes: 0, refused: 0 };
  const windows = new Map<string, { from: number; count: number }>();

  /** Counts a call. Returns an error response if the user has exceeded the quota of the minute. */
  const exceeds = (account: string, kind: "Read" | "Write"): Answer | undefined => {
    const key = `${account} ${kind}`;
    const last = windows.get(key);
    const window = last && now() - last.from < minuteMs ? last : { from: now(), count: 0 };
    windows.set(key, window);
    if (++window.count > perMinute) {
      counted.refused++;
      const metric = `quota metric '${kind} requests' and limit '${kind} requests per minute per user'`;
      return problem(429, "RESOURCE_EXHAUSTED", `Quota exceeded for ${metric} of service 'sheets.googleapis.com'.`);
    }
    counted[kind === "Read" ? "reads" : "writes"]++;
    return undefined;
  };

  return {
    counted,
    allow(calls) {
      perMinute = calls;
    },
    make({ title = "Leads", tab = "Sheet1", sheetId = 0, rows, sharedWith }) {
      const id = `spreadsheet-${documents.size + 1}`;
      const tabs = [{ sheetId, title: tab, rows: rows.map((row) => row.map(typed)) }];
      documents.set(id, { title, tabs, sharedWith: new Set(sharedWith) });
      return id;
    },
    rowsOf: (id) => (documents.get(id)?.tabs[0]?.rows ?? []).map((row) => row.map((cell) => cell?.shown ?? "")),
    enteredIn: (id) => (documents.get(id)?.tabs[0]?.rows ?? []).map((row) => row.map((cell) => cell?.entered ?? "")),
    rename(id, title) {
      const [tab] = documents.get(id)?.tabs ?? [];
      if (tab) tab.title = title;
    },
    answer({ path, query, method, json }, { account, scope }) {
      const [, id = "", rest = ""] = /^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(decodeURIComponent(path)) ?? [];
      if (id === "") return undefined;
      if (!scope.split(" ").includes("https://www.googleapis.com/auth/spreadsheets")) {
        return problem(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.");
      }
      const refusal = exceeds(account, method === "GET" ? "Read" : "Write");
      if (refusal) return refusal;
      const document = documents.get(id);
      if (!document) return problem(404, "NOT_FOUND", "Requested entity was not found.");
      if (!document.sharedWith.has(account)) {
        return problem(403, "PERMISSION_DENIED", "The caller does not have permission");
      }
      if (method === "GET" && rest === "") return described(id, document);
      const isAppend = rest.endsWith(":append");
      const [, range = ""] = /^\/values\/(.+?)(?::append)?$/.exec(rest) ?? [];
      if (method === "GET" && range !== "") return readValues(document, range, query);
      if (method === "POST" && isAppend) return append(document, { range, query, body: json });
      if (method === "POST" && rest === "/values:batchUpdate") return batchUpdate(document, json);
      return problem(404, "NOT_FOUND", "Requested entity was not found.");
    },
  };
}

function described(id: string, { title, tabs }: Document): Answer {
  const sheets = tabs.map((tab) => ({ properties: { sheetId: tab.sheetId, title: tab.title } }));
  return { status: 200, json: { spreadsheetId: id, properties: { title }, sheets } };
}

type Place = { readonly tab: SheetTab; readonly column: number; readonly row: number; readonly isFirstRow: boolean };

/** Parses a range such as `'Title'`, `'Title'!1:1` or `'Title'!C5`. */
function placeOf({ tabs }: Document, range: string): Place | undefined {
  const [, quoted, plain, cells = ""] = /^(?:'((?:[^']|'')+)'|([^'!]+))(?:!(.+))?$/.exec(range) ?? [];
  const title = quoted?.replaceAll("''", "'") ?? plain;
  const tab = tabs.find((one) => one.title === title);
  if (!tab) return undefined;
  const [, letters = "A", number = "1"] = /^([A-Z]+)(\d+)$/.exec(cells) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { tab, column, row: Number(number) - 1, isFirstRow: cells === "1:1" };
}

function unknownRange(range: string): Answer {
  return problem(400, "INVALID_ARGUMENT", `Unable to parse range: ${range}`);
}

function readValues(document: Document, range: string, query: URLSearchParams): Answer {
  const place = placeOf(document, range);
  if (!place) return unknownRange(range);
  const isEntered = query.get("valueRenderOption") === "FORMULA";
  const rows = place.isFirstRow ? place.tab.rows.slice(0, 1) : place.tab.rows;
  // Trailing empty cells and rows are omitted.
  const values = rows.map((row) => withoutEnd(row.map((cell) => (isEntered ? cell?.entered : cell?.shown) ?? "")));
  const end = values.findLastIndex((row) => row.length > 0) + 1;
  return { status: 200, json: { range, majorDimension: "ROWS", ...(end > 0 && { values: values.slice(0, end) }) } };
}

function withoutEnd(row: readonly (string | number | boolean)[]): (string | number | boolean)[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== "") + 1);
}

type Appending = {
  readonly range: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * Inserts or overwrites rows at the first blank row of the tab, or at its end. The values start at the first column of
 * the range.
 */
function append(document: Document, { range, query, body }: Appending): Answer {
  const place = placeOf(document, range);
  if (!place) return unknownRange(range);
  const entered = rowsIn(body["values"], query.get("valueInputOption"));
  if (!("rows" in entered)) return entered;
  const { tab, column } = place;
  const blank = tab.rows.findIndex((row) => row.every((cell) => (cell?.shown ?? "") === ""));
  const end = blank === -1 ? tab.rows.length : blank;
  const added = entered.rows.map((row) => [...Array.from({ length: column }, () => undefined), ...row]);
  const isInserting = query.get("insertDataOption") === "INSERT_ROWS";
  tab.rows.splice(end, isInserting ? 0 : added.length, ...added);
  const updatedRange = `'${tab.title}'!A${end + 1}`;
  return { status: 200, json: { tableRange: range, updates: { updatedRange, updatedRows: added.length } } };
}

function batchUpdate(document: Document, { data, valueInputOption }: Readonly<Record<string, unknown>>): Answer {
  for (const one of Array.isArray(data) ? data : []) {
    const { range, values } = one;
    const place = placeOf(document, String(range));
    if (!place) return unknownRange(String(range));
    const entered = rowsIn(values, valueInputOption);
    if (!("rows" in entered)) return entered;
    entered.rows.forEach((row, down) => {
      row.forEach((cell, across) => {
        const target = place.tab.rows[place.row + down] ?? [];
        place.tab.rows[place.row + down] = target;
        if (cell) target[place.column + across] = cell;
      });
    });
  }
  return { status: 200, json: { totalUpdatedRows: 1 } };
}

function rowsIn(values: unknown, option: unknown): { readonly rows: (Cell | undefined)[][] } | Answer {
  if (option !== "USER_ENTERED" && option !== "RAW") {
    return problem(400, "INVALID_ARGUMENT", "'valueInputOption' is required but not specified");
  }
  const rows: (Cell | undefined)[][] = [];
  for (const row of Array.isArray(values) ? values : []) {
    const cells: (Cell | undefined)[] = [];
    for (const value of Array.isArray(row) ? row : []) {
      if (typeof value === "string" && value.length > 50_000) {
        return problem(
          400,
          "INVALID_ARGUMENT",
          "Your input contains more than the maximum of 50000 characters in a single cell.",
        );
      }
      cells.push(value === null ? undefined : typed(String(value)));
    }
    rows.push(cells);
  }
  return { rows };
}

/**
 * Parses a text as if a person had typed it: formulas and numbers are recognised, and a leading apostrophe makes any
 * input a text.
 */
function typed(text: string): Cell {
  if (text.startsWith("'")) return { entered: text.slice(1), shown: text.slice(1) };
  if (text.startsWith("=") || /^[+-](?!\d+(?:\.\d+)?$)/.test(text)) {
    return { entered: text.replace(/^[+-]/, "=$&"), shown: "#FORMULA" };
  }
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return { entered: Number(text), shown: String(Number(text)) };
  if (/^(?:true|false)$/i.test(text)) return { entered: text.toLowerCase() === "true", shown: text.toUpperCase() };
  return { entered: text, shown: text };
}
