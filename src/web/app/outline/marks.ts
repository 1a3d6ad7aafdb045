import type { Row } from "./rows.ts";

/**
 * Returns all rows between two rows of the same kind, with the row `to` last. Returns only `to` if the kinds differ,
 * because blocks and groups are not selected together.
 */
export function rowsTo(rows: readonly Row[], from: Row | undefined, to: Row): readonly Row[] {
  if (from?.kind !== to.kind) return [to];
  const [a, b] = [rows.indexOf(from), rows.indexOf(to)];
  const between = rows.slice(Math.min(a, b), Math.max(a, b) + 1).filter(({ kind }) => kind === to.kind);
  return withLast(between, to);
}

/**
 * Returns all blocks in the group of the active block. If no block is active, or the group has no further blocks to
 * select, returns all groups. The active row or its group comes last.
 */
export function allRows(rows: readonly Row[], active: Row | undefined, chosen: number): readonly Row[] {
  const siblings =
    active?.kind === "block" ? rows.filter(({ kind, groupId }) => kind === "block" && groupId === active.groupId) : [];
  if (active && siblings.length > Math.max(1, chosen)) return withLast(siblings, active);
  const groups = rows.filter(({ kind }) => kind === "group");
  const focused = groups.find(({ id }) => id === active?.id || id === active?.groupId);
  return focused ? withLast(groups, focused) : groups;
}

function withLast(rows: readonly Row[], last: Row): readonly Row[] {
  return [...rows.filter((row) => row !== last), last];
}
