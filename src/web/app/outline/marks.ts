import type { Row } from "./rows.ts";

/** The selection beside the active row: the rows from it to another one. */
export type Marks = { readonly anchor: string | undefined; readonly keys: ReadonlySet<string> };

export const noMarks: Marks = { anchor: undefined, keys: new Set() };

/** All rows between the anchor and a row, of the anchor's kind: blocks are not mixed with groups. */
export function marksTo(
  rows: readonly Row[],
  { anchor, active, to }: { readonly anchor: string | undefined; readonly active: Row | undefined; readonly to: Row },
): Marks {
  const from = anchor ?? active?.key ?? to.key;
  const [a, b] = [rows.findIndex(({ key }) => key === from), rows.indexOf(to)];
  const kind = rows[a]?.kind ?? to.kind;
  const between = rows.slice(Math.min(a, b), Math.max(a, b) + 1).filter((row) => row.kind === kind);
  return { anchor: from, keys: new Set(between.map(({ key }) => key)) };
}

/** All that lies in the same one, and a second time all groups. */
export function markAll(rows: readonly Row[], active: Row | undefined, now: Marks): Marks {
  const siblings =
    active?.kind === "block" ? rows.filter(({ kind, groupId }) => kind === "block" && groupId === active.groupId) : [];
  const isDone = siblings.length <= now.keys.size;
  const marked = siblings.length > 0 && !isDone ? siblings : rows.filter(({ kind }) => kind === "group");
  return { anchor: active?.key, keys: new Set(marked.map(({ key }) => key)) };
}

/** The rows that a command is about. */
export function chosenRows(rows: readonly Row[], active: Row | undefined, { keys }: Marks): readonly Row[] {
  if (!active) return [];
  return keys.has(active.key) ? rows.filter(({ key }) => keys.has(key)) : [active];
}
