import type { XlsxStreamRow } from "hucre/xlsx";
import type { Column, TableResult } from "./result-tables.ts";

/** Excel's limits: columns of a sheet, and characters of a cell. More rows continue in the next sheet. */
const maxColumns = 16_384;
const maxCharacters = 32_767;

/** The number of digits that a cell stores of a number. */
const maxDigits = 15;

const momentFormat = "yyyy-mm-dd hh:mm:ss";
const momentWidth = 20;

/**
 * Results as an Excel workbook, made while it is read. Texts are cells of text with any first character: none becomes a
 * formula, and none is changed. Answers to questions for numbers and computed values are numbers, moments are dates (in
 * UTC).
 */
export async function sheetOf(
  columns: readonly Column[],
  pages: AsyncIterable<readonly TableResult[]>,
): Promise<ReadableStream<Uint8Array>> {
  // Loaded on demand: most processes never write a sheet.
  const { writeXlsxStream } = await import("hucre/xlsx");
  const shown = columns.slice(0, maxColumns);
  return writeXlsxStream(rowsOf(shown, pages), {
    name: "Results",
    columns: shown.map(({ title, kind }) => ({
      header: textCell(title),
      ...(kind === "moment" && { numFmt: momentFormat, width: momentWidth }),
    })),
    freezePane: { rows: 1 },
    zip64: true,
  });
}

async function* rowsOf(
  columns: readonly Column[],
  pages: AsyncIterable<readonly TableResult[]>,
): AsyncGenerator<XlsxStreamRow> {
  for await (const results of pages) {
    for (const result of results) yield columns.map(({ kind, cell }) => cellOf(kind, cell(result)));
  }
}

function cellOf(kind: Column["kind"], text: string): string | number | Date | null {
  if (text === "") return null;
  if (kind === "moment") return new Date(text);
  return kind === "number" && isNumber(text) ? Number(text) : textCell(text);
}

/** Whether a text stays the same when a cell stores it as a number. */
function isNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replaceAll(/\D/g, "").length <= maxDigits;
}

/**
 * Excel would read `_x0041_` as the character that it names. U+FFFE and U+FFFF are written so: Excel refuses a workbook
 * that contains them.
 */
function textCell(text: string): string {
  const fitting = text.length > maxCharacters ? `${cut(text)}…` : text;
  return fitting
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
    .replaceAll("\ufffe", "_xFFFE_")
    .replaceAll("\uffff", "_xFFFF_");
}

/**
 * The beginning of a text, leaving room for one more character in a cell. A character of two units is left out rather
 * than halved.
 */
function cut(text: string): string {
  const most = maxCharacters - 1;
  const isHalved = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, isHalved ? most - 1 : most);
}
