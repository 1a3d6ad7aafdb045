import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useWords } from "../words/index.ts";
import { Checkbox } from "./choice.tsx";
import { Icon } from "./icon.tsx";
import "./table.css";

export type Column<Row> = {
  readonly id: string;
  /** The column's heading. Only available to screen readers if `isHeadHidden` is set. */
  readonly label: string;
  readonly isHeadHidden?: boolean | undefined;
  /** Distinguishes the column from others with the same heading. Shown on hover if the heading is not a button. */
  readonly hint?: string | undefined;
  readonly align?: "start" | "end" | undefined;
  /** Whether a press on the heading sorts by the column. */
  readonly isSortable?: boolean | undefined;
  /** The smallest screen on which the column is shown. `medium` hides the column on phones. */
  readonly from?: "medium" | "wide" | undefined;
  /** The width in pixels; undefined for the width of the content. */
  readonly width?: number | undefined;
  /** Whether the column contains the row headers. The column is as wide as possible. */
  readonly isMain?: boolean | undefined;
  readonly cell: (row: Row) => ComponentChildren;
};

export type Sort = { readonly column: string; readonly isDescending: boolean };

export type TableProps<Row> = {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf?: ((row: Row) => string) | undefined;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  /** The keys of the selected rows. */
  readonly selection?: ReadonlySet<string> | undefined;
  /**
   * If given, each row has a checkbox. A press with Shift selects or deselects all rows up to the previously pressed
   * one.
   */
  readonly onSelect?: ((keys: ReadonlySet<string>) => void) | undefined;
  /** Called when a column was resized by dragging its edge. The caller must also offer a keyboard alternative. */
  readonly onResize?: ((column: string, width: number) => void) | undefined;
  /** Whether a press anywhere on a row follows the link in its main column. The keyboard uses the link itself. */
  readonly isPressed?: boolean | undefined;
  /** Additional attributes of a row, such as for drag and drop or the context menu. */
  readonly rowAttributes?: ((row: Row) => Readonly<Record<string, unknown>>) | undefined;
};

/** A table with sortable and resizable columns and selectable rows. */
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
  onResize,
  isPressed = false,
  rowAttributes,
}: TableProps<Row>) {
  const words = useWords();
  const keys = rows.map(keyOf);
  const chosen = keys.filter((key) => selection?.has(key));
  const last = useRef<string | undefined>(undefined);
  const choose = (key: string, isChecked: boolean, isRange: boolean) => {
    const next = new Set(selection);
    const [from, to] = [keys.indexOf(last.current ?? key), keys.indexOf(key)];
    const range = isRange && from !== -1 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
    for (const each of range) {
      if (isChecked) next.add(each);
      else next.delete(each);
    }
    last.current = key;
    onSelect?.(next);
  };
  return (
    <table
      class={`app-table ${chosen.length > 0 ? "has-chosen" : ""} ${isPressed ? "is-pressed" : ""}`}
      aria-label={label}
      {...(isPressed && { onClick: pressLink })}
    >
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
            <Head key={column.id} column={column} sort={sort} onSort={onSort} onResize={onResize} />
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
                    label={words.select({ name: nameOf?.(row) ?? key })}
                    isLabelHidden
                    isChecked={isChosen}
                    onChange={(isChecked, isShifted) => choose(key, isChecked, isShifted)}
                  />
                </td>
              )}
              {columns.map((column) =>
                column.isMain ? (
                  <th key={column.id} scope="row" class={cellClass(column)} style={widthOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} class={cellClass(column)} style={widthOf(column)}>
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

/**
 * The elements that handle their own presses. Includes the cell of the checkbox, because a press beside the checkbox
 * should toggle it.
 */
const own = "a, button, input, label, select, textarea, summary, [popover], dialog, .app-table-tick";

/**
 * Follows the link in the main column of the pressed row. Ignores presses on links and controls within the row, and the
 * selection of text.
 */
function pressLink(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  if (!(target instanceof Element) || button !== 0 || event.defaultPrevented) return;
  const isOwn = target.closest(own) !== null;
  if (isOwn || getSelection()?.isCollapsed === false) return;
  const link = target.closest("tbody tr")?.querySelector(".is-main a");
  // The press keeps its modifiers: with Ctrl or ⌘, the link opens in a new tab.
  link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

type HeadProps<Row> = { readonly column: Column<Row> } & Pick<TableProps<Row>, "sort" | "onSort" | "onResize">;

function Head<Row>({ column, sort, onSort, onResize }: HeadProps<Row>) {
  const { id, label, isHeadHidden, hint, isSortable } = column;
  const direction = sort?.column === id ? (sort.isDescending ? "descending" : "ascending") : undefined;
  return (
    <th
      scope="col"
      class={cellClass(column)}
      style={widthOf(column)}
      aria-sort={isSortable ? (direction ?? "none") : undefined}
    >
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
        <span class={isHeadHidden ? "visually-hidden" : ""} title={hint}>
          {label}
        </span>
      )}
      {onResize && <ResizeHandle onResize={(width) => onResize(id, width)} />}
    </th>
  );
}

const leastWidth = 64;
const mostWidth = 800;

/** The draggable edge of a heading. The column shows its new width during the drag and keeps it after the release. */
function ResizeHandle({ onResize }: { readonly onResize: (width: number) => void }) {
  const begin = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement) || event.button !== 0) return;
    const handle = event.currentTarget;
    const head = handle.closest("th");
    if (!head) return;
    event.preventDefault();
    const from = { x: event.clientX, width: head.getBoundingClientRect().width };
    const sign = getComputedStyle(head).direction === "rtl" ? -1 : 1;
    const widthAt = ({ clientX }: PointerEvent) =>
      Math.round(Math.min(mostWidth, Math.max(leastWidth, from.width + sign * (clientX - from.x))));
    const move = (moved: PointerEvent) => {
      const width = `${widthAt(moved)}px`;
      Object.assign(head.style, { width, minWidth: width, maxWidth: width });
    };
    const end = (last: PointerEvent) => {
      handle.removeEventListener("pointermove", move);
      if (last.clientX !== from.x) onResize(widthAt(last));
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end, { once: true });
  };
  return <span class="app-table-edge" aria-hidden="true" onPointerDown={begin} />;
}

function widthOf<Row>({ width }: Column<Row>) {
  return width === undefined ? undefined : { width, minWidth: width, maxWidth: width };
}

function cellClass<Row>({ align, from, isMain, width }: Column<Row>): string {
  return [
    align === "end" ? "is-end" : "",
    from ? `from-${from}` : "",
    isMain ? "is-main" : "",
    width === undefined ? "" : "has-width",
  ]
    .filter(Boolean)
    .join(" ");
}
