import { useState } from "preact/hooks";
import { Bar } from "../../insight/bars.tsx";
import { type Insight, passingOf, questionsOf, shareOf, silentOf } from "../../insight/rates.ts";
import { percentText } from "../../insight/texts.ts";
import { Button, type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, useWords } from "../../words/index.ts";
import type { Names } from "./names.ts";

type FunnelProps = { readonly insight: Insight; readonly names: Names };
type Row = {
  readonly key: string;
  readonly name: string;
  readonly note?: string;
  readonly reached: number;
  readonly answered: number;
  readonly left: number;
};

const firstRows = 20;
const furtherRows = 200;

/** The questions as a chat walks them. It begins with the opening, where those left who never answered. */
export function Funnel({ insight, names }: FunnelProps) {
  const words = useWords(insightWords);
  const [count, setCount] = useState(firstRows);
  const { views, starts } = insight;
  const { standing, gone } = questionsOf(insight);
  const rowOf = (block: Insight["blocks"][number], note?: string): Row => ({
    ...{ key: block.blockId, name: names(block), ...passingOf(block) },
    ...(note !== undefined && { note }),
  });
  const rows: readonly Row[] = [
    { key: "", name: words.openingRow, reached: views, answered: starts, left: silentOf(insight) },
    ...standing.map((block) => rowOf(block)),
    ...gone.map((block) => rowOf(block, words.goneText)),
  ];
  const most = Math.max(1, ...rows.map(({ reached }) => reached));
  const columns: readonly Column<Row>[] = [
    {
      ...{ id: "name", label: words.question, isMain: true },
      cell: ({ name, note, reached, left }) => (
        <span class="insight-question">
          <span class="insight-name" dir="auto" title={name}>
            {name}
          </span>
          {note !== undefined && <span class="insight-muted">{note}</span>}
          <Bar share={shareOf(reached - left, most)} rest={shareOf(left, most)} />
        </span>
      ),
    },
    { id: "reached", label: words.reached, align: "end", cell: ({ reached }) => numberText(reached) },
    {
      ...{ id: "answered", label: words.answered, align: "end", from: "medium" },
      cell: ({ answered }) => numberText(answered),
    },
    {
      ...{ id: "left", label: words.left, align: "end" },
      cell: ({ left, reached }) =>
        left === 0 ? "0" : words.leftShare({ count: left, share: percentText(shareOf(left, reached)) }),
    },
  ];
  return (
    <section class="insight-card insight-funnel">
      <h2>{words.funnel}</h2>
      <p class="insight-muted">{words.funnelText}</p>
      <div class="insight-table">
        <Table label={words.funnel} columns={columns} rows={rows.slice(0, count)} keyOf={({ key }) => key} />
      </div>
      {rows.length > count && (
        <Button
          label={rows.length > count + furtherRows ? words.showMore : words.showAll({ count: rows.length })}
          onPress={() => setCount(count + furtherRows)}
        />
      )}
    </section>
  );
}
