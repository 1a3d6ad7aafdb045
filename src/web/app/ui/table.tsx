/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useWords } from "../words/index.ts";
import { Checkbox } from "./choice.tsx";
import { Icon } from "./icon.tsx";
import "./table.css";

export type Column<Row> = {
  readonly id: string;
  /** Its heading; only read out where `isHeadHidden`. */
  readonly label: string;
  readonly isHeadHidden?: boolean | undefined;
  readonly align?: "start" | "end" | undefined;
  /** Whether the order follows it when its heading is pressed. */
  readonly isSortable?: boolean | undefined;
  /** `wide`: only where there is room; `medium`: not on phones. */
  readonly from?: "medium" | "wide" | undefined;
  /** What names the row: it heads it, and is as wide as can be. */
  readonly isMain?: boolean | undefined;
  readonly cell: (row: Row) => ComponentChildren;
};

export type Sort = { readonly column: string; readonly isDescending: boolean };

export type TableProps<Row> = {
  /** What it is a table of: read out, and shown nowhere. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf?: ((row: Row) => string) | undefined;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  /** With it each row has a box to tick; shift ticks all between. */
  readonly selection?: ReadonlySet<string> | undefined;
  readonly onSelect?: ((keys: ReadonlySet<string>) => void) | undefined;
  /** Further attributes of a row: drag and drop, the context menu. */
  readonly rowAttributes?: ((row: Row) => Readonly<Record<string, unknown>>) | undefined;
};

/** Rows and columns. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  nameOf,
  sort,
  onSort,
  selection,
  onSelect,
  rowAttributes,
}: TableProps<Row>) {
  const words = useWords();
  const keys = rows.map(keyOf);
  const chosen = keys.filter((key) => selection?.has(key));
  let last: string | undefined;
  const choose = (key: string, isChecked: boolean, isRange: boolean) => {
    const next = new Set(selection);
    const [from, to] = [keys.indexOf(last ?? key), keys.indexOf(key)];
    const range = isRange && from !== -1 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
    for (const each of range) {
      if (isChecked) next.add(each);
      else next.delete(each);
    }
    last = key;
    onSelect?.(next);
  };
  return (
    <table class={`app-table ${chosen.length > 0 ? "has-chosen" : ""}`} aria-label={label}>
      <thead>
        <tr>
          {onSelect && (
            <th scope="col" class="app-table-tick">
              <Checkbox
                label={words.selectAll}
                isLabelHidden
                isChecked={keys.length > 0 && chosen.length === keys.length}
                isMixed={chosen.length > 0 && chosen.length < keys.length}
                onChange={(isChecked) => onSelect(new Set(isChecked ? keys : []))}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row);
          const isChosen = selection?.has(key) ?? false;
          return (
            <tr key={key} class={isChosen ? "is-chosen" : ""} {...rowAttributes?.(row)}>
              {onSelect && (
                <td class="app-table-tick">
                  <Checkbox
                    label={words.select(nameOf?.(row) ?? key)}
                    isLabelHidden
                    isChecked={isChosen}
                    onChange={(isChecked, event) =>
                      choose(key, isChecked, "shiftKey" in event && event.shiftKey === true)
                    }
                  />
                </td>
              )}
              {columns.map((column) =>
                column.isMain ? (
                  <th key={column.id} scope="row" class={cellClass(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} class={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type HeadProps<Row> = { readonly column: Column<Row> } & Pick<TableProps<Row>, "sort" | "onSort">;

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { id, label, isHeadHidden, isSortable } = column;
  const direction = sort?.column === id ? (sort.isDescending ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" class={cellClass(column)} aria-sort={isSortable ? (direction ?? "none") : undefined}>
      {isSortable && onSort ? (
        <button
          type="button"
          class="app-table-sort"
          onClick={() => onSort({ column: id, isDescending: direction === "ascending" })}
        >
          {label}
          {direction && <Icon name={direction === "ascending" ? "arrow-up" : "arrow-down"} size={13} />}
        </button>
      ) : (
        <span class={isHeadHidden ? "visually-hidden" : ""}>{label}</span>
      )}
    </th>
  );
}

function cellClass<Row>({ align, from, isMain }: Column<Row>): string {
  return [align === "end" ? "is-end" : "", from ? `from-${from}` : "", isMain ? "is-main" : ""]
    .filter(Boolean)
    .join(" ");
}
