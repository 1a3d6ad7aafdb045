import type { Tools } from "../command.ts";

/**
 * Prints rows in columns below their titles. An empty cell is printed as a dash, so that scripts find a word in every
 * column.
 */
export function printTable(
  { print }: Pick<Tools, "print">,
  titles: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): void {
  const cells = [titles, ...rows.map((row) => row.map((cell) => oneLine(String(cell ?? "")) || "-"))];
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => Bun.stringWidth(row[column] ?? ""))));
  for (const row of cells) {
    const padded = row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)));
    print(`${padded.join("  ").trimEnd()}\n`);
  }
}

const shownCharacters = 80;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line;
}

/** Formats a time for a terminal: in UTC, to the second. */
export function timeText(iso: string): string {
  return iso.slice(0, 19).concat("Z");
}
