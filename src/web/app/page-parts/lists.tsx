import type { ComponentChildren } from "preact";
import type { Query } from "../api/index.ts";
import { type Column, Menu, type MenuItem, Table, type TableProps } from "../ui/index.ts";
import { timeText, useWords, whenText } from "../words/index.ts";
import { QueryState } from "./states.tsx";

export type ListTableProps<Row> = Omit<TableProps<Row>, "rows"> & {
  readonly query: Query<readonly Row[]>;
  /** The number of grey bars while the list is loading. */
  readonly bars?: number;
  /** Shown instead of an empty table. */
  readonly empty?: ComponentChildren;
  /** Renders the last cell of a row, with its actions. */
  readonly acts?: (row: Row) => ComponentChildren;
};

/** A requested list as a table, or its state: loading, failed or empty. */
export function ListTable<Row>({ query, bars = 3, empty, acts, columns, ...table }: ListTableProps<Row>) {
  const { more } = useWords();
  const last: readonly Column<Row>[] = acts
    ? [{ id: "acts", label: more, isHeadHidden: true, align: "end", cell: acts }]
    : [];
  return (
    <QueryState query={query} rows={bars}>
      {(rows) => (rows.length === 0 ? empty : <Table {...table} columns={[...columns, ...last]} rows={rows} />)}
    </QueryState>
  );
}

/** Shows the time since something happened, with the full date in a tooltip. Null is shown as "never". */
export function When({ at }: { readonly at: string | null }) {
  const words = useWords();
  return at === null ? <>{words.never}</> : <span title={timeText(at)}>{whenText(at)}</span>;
}

export function MoreMenu({ name, items }: { readonly name: string; readonly items: () => readonly MenuItem[] }) {
  return <Menu isIconOnly kind="quiet" size="s" label={useWords().moreOf({ name })} items={items} />;
}

type TwoLinesProps = {
  readonly detail: ComponentChildren;
  /** The full text for the tooltip. */
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
};

/** The main cell of a row, with the name and a smaller line below it. */
export function TwoLines({ detail, title, children }: TwoLinesProps) {
  return (
    <span class="app-cell-text">
      {children}
      <span class="app-cell-detail" title={title}>
        {detail}
      </span>
    </span>
  );
}
