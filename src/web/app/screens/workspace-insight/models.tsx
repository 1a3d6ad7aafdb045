import { type Answer, call, useQuery } from "../../api/index.ts";
import { type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, useWords } from "../../words/index.ts";
import { dayText } from "../../words/language.ts";
import type { WorkspaceInsight } from "./totals.ts";

type Usage = Answer<"GET /api/v1/workspaces/:workspaceId/model-usage">;
type Row = Pick<Usage["usage"][number], "type" | "model" | "calls" | "tokensIn" | "tokensOut" | "money">;

type ModelsProps = { readonly workspaceId: string; readonly insight: WorkspaceInsight };

/** The longest period for which usage can be requested. */
const mostDays = 366;
const dayMs = 86_400_000;

/**
 * Shows the cost of language models in the same period, in whole days in UTC. Hidden from people without the right to
 * see it.
 */
export function Models({ workspaceId, insight }: ModelsProps) {
  const words = useWords(insightWords);
  const days = daysOf(insight);
  const { value, failure } = useQuery(days && `model-usage/${workspaceId}/${days.from}/${days.to}`, () =>
    call("GET /api/v1/workspaces/:workspaceId/model-usage", {
      path: { workspaceId },
      query: { ...days, groupBy: "model" },
    }),
  );
  if (!value || failure) return null;
  const { usage, total } = value;
  const rows: readonly Row[] = usage.length > 1 ? [...usage, { ...total, type: null, model: null }] : usage;
  const columns: readonly Column<Row>[] = [
    {
      ...{ id: "model", label: words.model, isMain: true },
      cell: ({ model, type }) => model ?? (type === null ? <strong>{words.total}</strong> : type),
    },
    { id: "calls", label: words.calls, align: "end", cell: ({ calls }) => numberText(calls) },
    {
      ...{ id: "tokens", label: words.tokens, align: "end", from: "medium" },
      cell: ({ tokensIn, tokensOut }) => numberText(tokensIn + tokensOut),
    },
    {
      ...{ id: "money", label: words.money, align: "end" },
      cell: ({ money }) => (money === null ? words.noPrice : numberText(Math.round(money * 10_000) / 10_000)),
    },
  ];
  return (
    <section class="insight-card">
      <h2>{words.models}</h2>
      {rows.length === 0 ? (
        <p class="insight-muted">{words.modelsNone}</p>
      ) : (
        <>
          <p class="insight-muted">{words.modelsText({ from: dayText(total.from), to: dayText(total.to) })}</p>
          <div class="insight-table">
            <Table label={words.models} columns={columns} rows={rows} keyOf={({ type, model }) => `${type} ${model}`} />
          </div>
        </>
      )}
    </section>
  );
}

function daysOf({ points }: WorkspaceInsight): { readonly from: string; readonly to: string } | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  // The end of the period is exclusive.
  const to = new Date(last.to).getTime() - 1;
  const from = Math.max(new Date(first.from).getTime(), to - (mostDays - 1) * dayMs);
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: day(from), to: day(to) };
}
