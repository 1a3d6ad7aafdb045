import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { type FlowBlock, textAt } from "../../interpreter/flow.ts";
import { type RowFilter, rowOperators } from "../../interpreter/language/row-filter.ts";
import type { View } from "../../interpreter/program/view.ts";
import { advanced, helped, itemId, marked, option, shownWhen, titled } from "../options.ts";

export const sheetActions = {
  get: "Get data from sheet",
  insert: "Insert a row",
  update: "Update a row",
} as const;

const column = titled(
  "Column",
  option.remote("Name of the column in the first row. Blanks around it are ignored.", [
    "credentialsId",
    "spreadsheetId",
    "sheetId",
  ]),
);
const cells = (description: string) =>
  option.list(description, {
    column,
    value: helped(
      "Written as you would type it; values of variables are never formulas.",
      option.text(
        "Text of the cell, as you would type it. If the text contains variables, it is never treated as a formula, and a phone number keeps its leading zero.",
      ),
    ),
  });
const [whenGet, whenInsert, whenUpdate] = [sheetActions.get, sheetActions.insert, sheetActions.update];

export const sheetOptions = Type.Object({
  credentialsId: titled(
    "Google account",
    option.credentials("Id of the credentials for the account whose spreadsheets the block reads and changes.", {
      credentialsType: "google sheets",
    }),
  ),
  spreadsheetId: marked(
    { title: "Spreadsheet", help: "Choose a spreadsheet, or paste its URL." },
    option.remote(
      "URL or id of the spreadsheet. Editors also offer the spreadsheets of other blocks in the workspace.",
      ["credentialsId"],
    ),
  ),
  sheetId: titled(
    "Sheet",
    option.remote(
      "Id of the sheet, which is the number after `gid=` in its URL. Defaults to the sheet in the spreadsheet's URL.",
      ["credentialsId", "spreadsheetId"],
    ),
  ),
  action: titled(
    "Action",
    option.chosen(
      Object.values(sheetActions),
      "The action. Without an action, or with an unknown action, the block has no effect.",
    ),
  ),
  cellsToInsert: shownWhen({ action: [whenInsert] }, titled("Cells", cells("Cells of the new row, by column."))),
  filter: shownWhen(
    { action: [whenGet, whenUpdate] },
    helped(
      "Without a filter, all rows are read and none are changed.",
      option.part("The rows to read or update. Without a filter, all rows are read and no rows are updated.", {
        logicalOperator: titled(
          "Rows match",
          option.word(["AND", "OR"], "Whether all comparisons must be true (`AND`), or only one.", "OR"),
        ),
        comparisons: option.list("Comparisons with a row's cells. A comparison without a column is ignored.", {
          column,
          comparisonOperator: titled(
            "Comparison",
            option.chosen(
              rowOperators,
              "The operator. Without an operator, or with an unknown operator, the comparison is never true.",
            ),
          ),
          value: option.text("The text to compare with."),
        }),
      }),
    ),
  ),
  cellsToUpsert: shownWhen(
    { action: [whenUpdate] },
    titled("Cells to change", cells("Cells to change in all matching rows, by column.")),
  ),
  cellsToExtract: shownWhen(
    { action: [whenGet] },
    marked(
      { title: "Save in variables", help: "Several rows are saved as a list." },
      option.list("Columns to save in variables: the cell of one row, or a list with the cells of several rows.", {
        column,
        variableId: option.writtenVariable("Id of the variable to set."),
      }),
    ),
  ),
  totalRowsToExtract: shownWhen(
    { action: [whenGet] },
    titled("Rows", option.word(["All", "First", "Last", "Random"], "Which of the matching rows to use.", "All")),
  ),
  isLater: marked(
    {
      title: "Write after the step",
      isAdvanced: true,
      shownWhen: { action: [whenInsert] },
      help: "The flow does not wait, and many chats together stay below Google's quota.",
    },
    option.flag(
      "Whether the row is written after the step, together with the rows of other chats. The flow then does not wait, and many chats together stay below Google's quota. The result's log contains the outcome.",
    ),
  ),
  referenceCell: Type.Optional(
    Type.Object(
      {
        id: itemId("Id of the cell."),
        column: option.kept("Column of the cell."),
        value: option.kept("Text of the cell."),
      },
      {
        description: "The filter of older flows: the cell whose value must be equal.",
        widget: "kept",
        isAdvanced: true,
      },
    ),
  ),
  failure: option.failure,
  timeout: advanced(
    helped(
      `In seconds, up to ${limits.sheets.mostSeconds}.`,
      option.number(
        `Maximum number of seconds to wait for Google, including pauses, up to ${limits.sheets.mostSeconds}.`,
        limits.sheets.seconds,
      ),
    ),
  ),
});

export type SheetOptions = Static<typeof sheetOptions>;

export type SheetPlace = { readonly spreadsheetId: string; readonly sheetId: string };

/** Returns the spreadsheet and sheet of a block. Authors may enter ids or the URL from the browser's address bar. */
export function placeOf({ spreadsheetId, sheetId }: SheetOptions, view: View): SheetPlace {
  return placeBy(view.text(spreadsheetId), view.text(sheetId));
}

/** Returns the spreadsheet and sheet of a stored block. An option that contains variables is treated as empty. */
export function placeIn(block: FlowBlock): SheetPlace {
  const known = (name: string): string => {
    const text = textAt(block, "options", name) ?? "";
    return text.includes("{{") ? "" : text;
  };
  return placeBy(known("spreadsheetId"), known("sheetId"));
}

/**
 * Returns whether the text contains only characters that occur in Google's ids. Such a text cannot change the path of a
 * request.
 */
export function isSpreadsheetId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** Returns the spreadsheet id from a spreadsheet URL. Returns any other text trimmed. */
export function spreadsheetIn(text: string): string {
  const named = text.trim();
  return /\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(named)?.[1] ?? named;
}

function placeBy(spreadsheet: string, sheet: string): SheetPlace {
  const [, gid = ""] = /[?#&]gid=(\d+)/.exec(spreadsheet) ?? [];
  return { spreadsheetId: spreadsheetIn(spreadsheet), sheetId: sheet.trim() || gid };
}

/** Returns the row filter, or undefined if no comparison names a column. */
export function filterOf({ filter }: SheetOptions, view: View): RowFilter | undefined {
  const comparisons = (filter?.comparisons ?? []).flatMap(({ column: named, comparisonOperator, value }) => {
    const column = view.text(named).trim();
    if (column === "") return [];
    return [
      { column, ...(comparisonOperator !== undefined && { operator: comparisonOperator }), value: view.text(value) },
    ];
  });
  if (comparisons.length === 0) return undefined;
  return { ...(filter?.logicalOperator && { logicalOperator: filter.logicalOperator }), comparisons };
}
