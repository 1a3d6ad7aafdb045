import { isRecord } from "../../api/index.ts";

/** The settings of the results table, which are stored with the bot for everybody who reads its results. */
export type TableSettings = {
  /** The ids of columns from left to right. Columns that are not listed follow. */
  readonly order: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly widths: ReadonlyMap<string, number>;
};

export const noSettings: TableSettings = { order: [], hidden: new Set(), widths: new Map() };

/** Reads stored settings and ignores invalid values. */
export function readSettings(kept: unknown): TableSettings {
  if (!isRecord(kept)) return noSettings;
  const { columnsOrder, columnsVisibility, columnsWidth } = kept;
  const visibility = isRecord(columnsVisibility) ? Object.entries(columnsVisibility) : [];
  const widths = isRecord(columnsWidth) ? Object.entries(columnsWidth) : [];
  return {
    order: Array.isArray(columnsOrder) ? columnsOrder.filter((id) => typeof id === "string") : [],
    hidden: new Set(visibility.flatMap(([id, isVisible]) => (isVisible === false ? [id] : []))),
    widths: new Map(widths.flatMap(([id, width]) => (typeof width === "number" ? [[id, width] as const] : []))),
  };
}

/** Returns the settings in their stored form; null if all settings have their default. */
export function storedSettings({ order, hidden, widths }: TableSettings) {
  if (order.length === 0 && hidden.size === 0 && widths.size === 0) return null;
  return {
    columnsOrder: [...order],
    columnsVisibility: Object.fromEntries([...hidden].map((id) => [id, false])),
    columnsWidth: Object.fromEntries(widths),
  };
}

/** Sorts columns in the selected order. Columns that are not part of it follow in their previous order. */
export function ordered<Column extends { readonly id: string }>(
  columns: readonly Column[],
  { order }: Pick<TableSettings, "order">,
): readonly Column[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Column) => places.get(id) ?? order.length + columns.findIndex((each) => each.id === id);
  return columns.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Returns the ids with one of them moved by one position; unchanged if this is not possible. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): readonly string[] {
  const at = ids.indexOf(id);
  const to = at + by;
  if (at === -1 || to < 0 || to >= ids.length) return ids;
  return ids.with(at, ids[to] ?? id).with(to, id);
}
