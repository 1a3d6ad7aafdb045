import { useState } from "preact/hooks";
import { Bar } from "../../../insight/bars.tsx";
import { percentText } from "../../../insight/texts.ts";
import { Button, type Column, Table } from "../../../ui/index.ts";
import resultWords from "../../../words/en/result.json";
import { numberText, useWords } from "../../../words/index.ts";
import type { ColumnSummary } from "./use-summary.ts";

type Props = { readonly name: string; readonly column: ColumnSummary };
type Value = NonNullable<ColumnSummary["values"]>[number];

const firstValues = 8;
const furtherValues = 200;

/** Shows the values of a column as bars, in a table with their numbers. */
export function Values({ name, column: { kind, values = [], answered } }: Props) {
  const { summary: words } = useWords(resultWords);
  // A scale from 0 to 10 has eleven values.
  const [count, setCount] = useState(kind === "ratings" ? 11 : firstValues);
  const share = ({ results }: Value) => (answered === 0 ? 0 : results / answered);
  const columns: readonly Column<Value>[] = [
    {
      ...{ id: "value", label: words.value, isMain: true },
      cell: (value) => (
        <span class="results-summed">
          <span class="results-summed-name" dir="auto" title={value.value ?? undefined}>
            {value.value ?? words.others}
          </span>
          <Bar share={share(value)} />
        </span>
      ),
    },
    { id: "results", label: words.results, align: "end", cell: ({ results }) => numberText(results) },
    { id: "share", label: words.share, align: "end", cell: (value) => percentText(share(value)) },
  ];
  return (
    <>
      <div class="results-summed-table">
        <Table
          label={name}
          columns={columns}
          rows={values.slice(0, count)}
          keyOf={({ value }) => (value === null ? "null" : `=${value}`)}
        />
      </div>
      {values.length > count && (
        <Button
          size="s"
          label={words.showMore({ count: values.length - count })}
          onPress={() => setCount(count + furtherValues)}
        />
      )}
    </>
  );
}
