/** A position in a line. Tab stops are every four columns. */
export type Cursor = {
  readonly line: string;
  at: number;
  column: number;
  /** The remaining columns of a partly consumed tab. */
  owed: number;
};

export function cursorOf(line: string): Cursor {
  return { line, at: 0, column: 0, owed: 0 };
}

/** Returns the width in columns of the spaces and tabs at the cursor, and the position after them. */
export function indentAt({ line, at, column, owed }: Cursor): { readonly width: number; readonly next: number } {
  let next = at;
  let end = column;
  for (; next < line.length; next++) {
    if (line[next] === " ") end += 1;
    else if (line[next] === "\t") end += 4 - (end % 4);
    else break;
  }
  return { width: owed + end - column, next };
}

/** Skips spaces and tabs, at most the given number of columns. */
export function skipColumns(cursor: Cursor, columns: number): void {
  let left = columns;
  const owed = Math.min(left, cursor.owed);
  cursor.owed -= owed;
  left -= owed;
  while (left > 0 && (cursor.line[cursor.at] === " " || cursor.line[cursor.at] === "\t")) {
    const width = cursor.line[cursor.at] === "\t" ? 4 - (cursor.column % 4) : 1;
    cursor.at += 1;
    cursor.column += width;
    cursor.owed = Math.max(0, width - left);
    left -= width;
  }
}

/** Moves the cursor forward to the position `at`, past spaces, tabs and a marker. */
export function skipTo(cursor: Cursor, at: number): void {
  const { width, next } = indentAt(cursor);
  cursor.column += width - cursor.owed + (at - next);
  cursor.owed = 0;
  cursor.at = at;
}

/** Returns the rest of the line, including the rest of a partly consumed tab. */
export function restOf({ line, at, owed }: Cursor): string {
  return " ".repeat(owed) + line.slice(at);
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}
