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
  option.remote("The column's name in the first row. Blanks around it do not count.", [
    "credentialsId",
    "spreadsheetId",
    "sheetId",
  ]),
);
const cells = (description: string) =>
  option.list(description, {
    column,
    value: helped(
      "As you would type it; values of variables are never formulas.",
      option.text(
        "The text of the cell, as you would type it. If it has variables it is never a formula, and a phone number keeps its zero.",
      ),
    ),
  });
const [whenGet, whenInsert, whenUpdate] = [sheetActions.get, sheetActions.insert, sheetActions.update];

export const sheetOptions = Type.Object({
  credentialsId: titled(
    "Google account",
    option.credentials("The account whose spreadsheets the block reads and changes.", {
      credentialsType: "google sheets",
    }),
  ),
  spreadsheetId: marked(
    { title: "Spreadsheet", help: "Choose one, or paste its address." },
    option.remote("Address of the spreadsheet, or its id. Those of other blocks of the workspace are offered.", [
      "credentialsId",
    ]),
  ),
  sheetId: titled(
    "Sheet",
    option.remote("Id of the sheet in it: the number behind `gid=` in its address. Absent: the one in the address.", [
      "credentialsId",
      "spreadsheetId",
    ]),
  ),
  action: titled(
    "Action",
    option.chosen(Object.values(sheetActions), "The action. Without it, and with any other, the block does nothing."),
  ),
  cellsToInsert: shownWhen({ action: [whenInsert] }, titled("Cells", cells("Cells of the new row, by their columns."))),
  filter: shownWhen(
    { action: [whenGet, whenUpdate] },
    helped(
      "Without one, all rows are read, and none is changed.",
      option.part("The rows that are meant. Absent: all when rows are read, none when they are updated.", {
        logicalOperator: titled(
          "Rows match",
          option.word(["AND", "OR"], "Whether all comparisons must hold (`AND`), or one.", "OR"),
        ),
        comparisons: option.list("Comparisons of a row's cells. One without a column does not count.", {
          column,
          comparisonOperator: titled(
            "Comparison",
            option.chosen(rowOperators, "The operator; without it, and with any other, the comparison never holds."),
          ),
          value: option.text("The text to compare with."),
        }),
      }),
    ),
  ),
  cellsToUpsert: shownWhen(
    { action: [whenUpdate] },
    titled("Cells to change", cells("Cells that are changed in all rows that match, by their columns.")),
  ),
  cellsToExtract: shownWhen(
    { action: [whenGet] },
    marked(
      { title: "Save in variables", help: "Several rows become a list." },
      option.list("Columns that variables take: the cell of one row, or a list of the cells of several.", {
        column,
        variableId: option.writtenVariable("Id of the variable that is set."),
      }),
    ),
  ),
  totalRowsToExtract: shownWhen(
    { action: [whenGet] },
    titled("Rows", option.word(["All", "First", "Last", "Random"], "Which of the rows that match are taken.", "All")),
  ),
  isLater: marked(
    {
      title: "Write it after the step",
      isAdvanced: true,
      shownWhen: { action: [whenInsert] },
      help: "The flow does not wait, and many chats stay below Google's quota.",
    },
    option.flag(
      "Whether the row is written after the step, together with the rows of other chats: many chats then stay below Google's quota, and the flow does not wait. The result's log has the outcome.",
    ),
  ),
  referenceCell: Type.Optional(
    Type.Object(
      { id: itemId("Id of the cell."), column: option.kept("Its column."), value: option.kept("Its text.") },
      { description: "The filter of older flows: the cell that must be equal.", widget: "kept", isAdvanced: true },
    ),
  ),
  failure: option.failure,
  timeout: advanced(
    helped(
      `In seconds, up to ${limits.sheets.mostSeconds}.`,
      option.number(
        `Seconds to wait for Google, pauses included, at most ${limits.sheets.mostSeconds}.`,
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

/** Returns the spreadsheet and sheet of a stored block. Variables are not replaced. */
export function placeIn(block: FlowBlock): SheetPlace {
  const known = (name: string): string => {
    const text = textAt(block, "options", name) ?? "";
    return text.includes("{{") ? "" : text;
  };
  return placeBy(known("spreadsheetId"), known("sheetId"));
}

/**
 * Whether the text contains only characters that occur in Google's ids and therefore cannot change the path of a
 * request.
 */
export function isSpreadsheetId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** Returns the spreadsheet id from a spreadsheet URL. Any other text is returned unchanged. */
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
