export type Align = "left" | "center" | "right" | undefined;

/** Returns the texts of a row's cells. An escaped vertical bar is part of the cell's text, even in code. */
export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  const trimmed = row.trim();
  for (let at = trimmed.startsWith("|") ? 1 : 0; at < trimmed.length; at++) {
    const character = trimmed[at] ?? "";
    if (character === "|") {
      cells.push(cell.trim());
      cell = "";
    } else if (character === "\\" && at + 1 < trimmed.length) {
      at += 1;
      cell += trimmed[at] === "|" ? "|" : character + (trimmed[at] ?? "");
    } else cell += character;
  }
  if (cell.trim() !== "" || cells.length === 0) cells.push(cell.trim());
  return cells;
}

/** Returns the alignment of the columns, or undefined if the row is not a delimiter row. */
export function delimiterRow(row: string): readonly Align[] | undefined {
  if (!/^[|:\- \t]+$/.test(row) || !/[|:]/.test(row)) return undefined;
  const cells = cellsOf(row);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
    return cell.startsWith(":") ? "left" : undefined;
  });
}

/**
 * Returns the header of a table whose delimiter row is still missing or incomplete, and the lines above the header.
 * Returns undefined if the lines contain no such header.
 */
export function begunTable(lines: readonly string[]) {
  const last = lines.at(-1) ?? "";
  const isDelimiter = lines.length > 1 && /^[|:\- \t]+$/.test(last);
  const above = isDelimiter ? lines.slice(0, -1) : lines;
  const head = above.at(-1) ?? "";
  if (!head.startsWith("|")) return undefined;
  return { lines: above.slice(0, -1), head: cellsOf(head), aligns: isDelimiter ? (delimiterRow(last) ?? []) : [] };
}
