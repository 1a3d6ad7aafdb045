import { limits } from "../../../limits/index.ts";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../../interpreter/flow.ts";
import { type CallRequest, segment } from "../../interpreter/program/call.ts";
import type { RemoteFields, RemoteOption, RemoteStep } from "../../interpreter/program/remote-field.ts";
import { isSpreadsheetId, placeIn, spreadsheetIn } from "./sheet-options.ts";

const credentialsType = "google sheets";

const columnFields = [
  "cellsToInsert.column",
  "cellsToUpsert.column",
  "cellsToExtract.column",
  "filter.comparisons.column",
] as const;

/**
 * The editor's suggestions: spreadsheets that the workspace's blocks use, the sheets of a spreadsheet, and the columns
 * in the first row of a sheet.
 */
export const sheetFields: RemoteFields = {
  spreadsheetId: {
    ...{ credentialsType, recent: "spreadsheetId" },
    next: (block, answers, recent) => spreadsheetsOf(textAt(block, "options", "spreadsheetId") ?? "", answers, recent),
  },
  sheetId: { credentialsType, next: (block, [listed]) => sheetsOf(block, listed) },
  ...Object.fromEntries(
    columnFields.map((field) => [
      field,
      {
        credentialsType,
        next: (block: FlowBlock, [listed, values]: readonly unknown[]) => columnsOf(block, listed, values),
      },
    ]),
  ),
};

/**
 * Lists the spreadsheets that the account can read and that blocks of the workspace use. For the block's own
 * spreadsheet, the value of the option is the text stored in the block.
 */
function spreadsheetsOf(own: string, answers: readonly unknown[], recent: readonly string[]): RemoteStep {
  const values = new Map<string, string>();
  for (const value of [own, ...recent]) {
    const id = spreadsheetIn(value);
    if (isSpreadsheetId(id) && !values.has(id)) values.set(id, value === own ? value : id);
  }
  const asked = [...values].slice(0, limits.credentials.recentValues);
  const next = asked[answers.length];
  if (next) return { ask: namesRequest(next[0], "properties.title"), mayFail: true };
  const options = asked.flatMap(([, value], index) => {
    const label = textAt(answers[index], "properties", "title");
    return label === undefined ? [] : [{ value, label }];
  });
  return { options };
}

function sheetsOf(block: FlowBlock, listed: unknown): RemoteStep {
  const { spreadsheetId } = placeIn(block);
  if (!isSpreadsheetId(spreadsheetId)) return { missing: "spreadsheetId" };
  if (listed === undefined) return { ask: sheetsRequest(spreadsheetId) };
  const options = sheetsIn(listed);
  return options ? { options } : { unreadable: true };
}

function columnsOf(block: FlowBlock, listed: unknown, values: unknown): RemoteStep {
  const { spreadsheetId, sheetId } = placeIn(block);
  const sheets = sheetsOf(block, listed);
  if (!("options" in sheets)) return sheets;
  const title = sheets.options.find(({ value }) => value === sheetId)?.label;
  if (title === undefined) return { missing: "sheetId" };
  if (values === undefined) return { ask: headerRequest(spreadsheetId, title) };
  // Google omits `values` for an empty sheet.
  const [header] = Object(valueAt(values, "values") ?? []);
  const names = new Set((Array.isArray(header) ? header : []).map((cell: unknown) => String(cell).trim()));
  return { options: [...names].filter((name) => name !== "").map((name) => ({ value: name, label: name })) };
}

function sheetsRequest(spreadsheetId: string): CallRequest {
  return namesRequest(spreadsheetId, "properties.title,sheets.properties(sheetId,title)");
}

function namesRequest(spreadsheetId: string, fields: string): CallRequest {
  return { method: "GET", path: `/v4/spreadsheets/${segment(spreadsheetId)}`, query: [["fields", fields]] };
}

function headerRequest(spreadsheetId: string, title: string): CallRequest {
  const range = segment(`'${title.replaceAll("'", "''")}'!1:1`);
  return {
    ...{ method: "GET", path: `/v4/spreadsheets/${segment(spreadsheetId)}/values/${range}` },
    query: [
      ["majorDimension", "ROWS"],
      ["valueRenderOption", "FORMATTED_VALUE"],
    ],
  };
}

function sheetsIn(listed: unknown): readonly RemoteOption[] | undefined {
  const sheets = valueAt(listed, "sheets");
  if (!Array.isArray(sheets)) return undefined;
  return sheets.flatMap((sheet: unknown) => {
    const properties = valueAt(sheet, "properties");
    const label = textAt(properties, "title");
    // Google omits `sheetId` if it is 0.
    return isJsonObject(properties) && label !== undefined
      ? [{ value: String(properties["sheetId"] ?? 0), label }]
      : [];
  });
}
