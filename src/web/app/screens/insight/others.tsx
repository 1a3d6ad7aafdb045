import { Bar } from "../../insight/bars.tsx";
import { type Beside, besideText } from "../../insight/beside.ts";
import { type BlockInsight, type Insight, shareOf } from "../../insight/rates.ts";
import { lengthText } from "../../insight/texts.ts";
import { type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { moneyText, numberText, useWords } from "../../words/index.ts";
import type { Names } from "./names.ts";

type BesideProps = { readonly insight: Insight; readonly beside: readonly Beside[] };

/** Shows how long completed chats took. */
export function Durations({ insight: { medianSeconds, p90Seconds }, beside }: BesideProps) {
  const words = useWords(insightWords);
  const isKnown = medianSeconds !== null && p90Seconds !== null;
  const rows = isKnown
    ? [
        { name: words.half, seconds: medianSeconds, key: "medianSeconds" as const },
        { name: words.nineOfTen, seconds: p90Seconds, key: "p90Seconds" as const },
      ]
    : [];
  return (
    <section class="insight-card">
      <h2>{words.durations}</h2>
      <p class="insight-muted">
        {isKnown
          ? words.durationsText({ median: lengthText(medianSeconds), most: lengthText(p90Seconds) })
          : words.durationsNone}
      </p>
      <ul class="insight-times">
        {rows.map(({ name, seconds, key }) => (
          <li key={name}>
            <span>{name}</span>
            <span>{lengthText(seconds)}</span>
            <Bar share={shareOf(seconds, p90Seconds ?? 0)} tone="connects" />
            {beside.map(({ number, insight: other }) => (
              <span key={number} class="insight-muted">
                {besideText(words, number, other && lengthOf(other[key]))}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function lengthOf(seconds: number | null): string {
  return seconds === null ? "–" : lengthText(seconds);
}

/** Shows how visitors rated the answers of language models, by block. */
export function Ratings({ insight, names }: { readonly insight: Insight; readonly names: Names }) {
  const words = useWords(insightWords);
  const rated = insight.blocks.filter(({ good, bad }) => good + bad > 0);
  if (rated.length === 0) return null;
  const columns: readonly Column<BlockInsight>[] = [
    {
      ...{ id: "block", label: words.block, isMain: true },
      cell: (block) => (
        <span class="insight-question">
          <span class="insight-name" dir="auto">
            {names(block)}
          </span>
          <Bar share={shareOf(block.good, block.good + block.bad)} tone="thinks" />
        </span>
      ),
    },
    { id: "good", label: words.good, align: "end", cell: ({ good }) => numberText(good) },
    { id: "bad", label: words.bad, align: "end", cell: ({ bad }) => numberText(bad) },
  ];
  return (
    <section class="insight-card">
      <h2>{words.ratings}</h2>
      <div class="insight-table">
        <Table label={words.ratings} columns={columns} rows={rated} keyOf={({ blockId }) => blockId} />
      </div>
    </section>
  );
}

type Payment = Insight["payments"][number];

/** Shows the payments of visitors, compared with the previous period or with other versions. */
export function Payments({ insight, beside, isBefore }: BesideProps & { readonly isBefore: boolean }) {
  const words = useWords(insightWords);
  const { payments } = insight;
  const before = isBefore ? insight.before : undefined;
  const others = before ? before.payments : beside.flatMap(({ insight: other }) => other?.payments ?? []);
  if (payments.length === 0 && others.length === 0) return null;
  const amountIn = (all: readonly Payment[], currency: string) =>
    moneyText(all.find((one) => one.currency === currency)?.amount ?? 0, currency);
  const gone = new Set(others.map(({ currency }) => currency));
  for (const { currency } of payments) gone.delete(currency);
  const rows = [...payments, ...[...gone].map((currency) => ({ currency, count: 0, amount: 0 }))];
  const columns: readonly Column<Payment>[] = [
    { id: "currency", label: words.currency, isMain: true, cell: ({ currency }) => currency },
    { id: "count", label: words.count, align: "end", cell: ({ count }) => numberText(count) },
    {
      ...{ id: "amount", label: words.amount, align: "end" },
      cell: ({ amount, currency }) => (
        <span class="insight-amount">
          {moneyText(amount, currency)}
          {before && <span class="insight-muted">{words.before({ value: amountIn(before.payments, currency) })}</span>}
          {beside.map(({ number, insight: other }) => (
            <span key={number} class="insight-muted">
              {besideText(words, number, other && amountIn(other.payments, currency))}
            </span>
          ))}
        </span>
      ),
    },
  ];
  return (
    <section class="insight-card">
      <h2>{words.payments}</h2>
      <div class="insight-table">
        <Table label={words.payments} columns={columns} rows={rows} keyOf={({ currency }) => currency} />
      </div>
    </section>
  );
}
