import type { XlsxStreamRow } from "hucre/xlsx";
import type { Column, TableResult } from "./result-tables.ts";

/**
 * Excel's limits for the columns of a sheet and the characters of a cell. Rows that do not fit in a sheet continue in
 * the next sheet.
 */
const maxColumns = 16_384;
const maxCharacters = 32_767;

/** The maximum number of digits with which a cell stores a number. */
const maxDigits = 15;

const momentFormat = "yyyy-mm-dd hh:mm:ss";
const momentWidth = 20;

/**
 * Returns the results as an Excel workbook, which is created while it is read. Texts are stored in text cells,
 * regardless of their first character, so that no text becomes a formula. Columns of numbers contain numbers where
 * possible, and times are dates in UTC.
 */
export async function sheetOf(
  columns: readonly Column[],
  pages: AsyncIterable<readonly TableResult[]>,
): Promise<ReadableStream<Uint8Array>> {
  // The library is loaded on demand, because most processes never write a sheet.
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

/** Whether a text is a plain decimal number with no more digits than a cell stores. */
function isNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replaceAll(/\D/g, "").length <= maxDigits;
}

/**
 * Returns the content of a text cell, cut to Excel's limit. Excel would read `_x0041_` as the character that it
 * encodes, so this form is escaped. U+FFFE and U+FFFF are encoded in this form, because Excel rejects a workbook that
 * contains these characters.
 */
function textCell(text: string): string {
  const fitting = text.length > maxCharacters ? `${cut(text)}…` : text;
  return fitting
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
    .replaceAll("\ufffe", "_xFFFE_")
    .replaceAll("\uffff", "_xFFFF_");
}

/** Returns the start of a text, with room for the ellipsis. Does not split a surrogate pair. */
function cut(text: string): string {
  const most = maxCharacters - 1;
  const isHalved = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, isHalved ? most - 1 : most);
}
