import { Sparkline } from "../../insight/bars.tsx";
import { completionOf } from "../../insight/rates.ts";
import { changeText, percentText } from "../../insight/texts.ts";
import { insightAddress, type Window } from "../../insight/window.ts";
import { Link } from "../../routing/router.ts";
import { Badge, type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, useWords, type WordsOf } from "../../words/index.ts";
import type { WorkspaceInsight } from "./totals.ts";

type BotRow = WorkspaceInsight["bots"][number];
type BotTableProps = { readonly insight: WorkspaceInsight; readonly window: Window };

/** Lists each bot with its totals and the totals of the previous period. The bot with the most chats comes first. */
export function BotTable({ insight, window }: BotTableProps) {
  const words = useWords(insightWords);
  return (
    <section class="insight-card">
      <h2>{words.bots}</h2>
      <div class="insight-table">
        <Table
          isPressed
          label={words.bots}
          columns={columnsOf(words, window)}
          rows={insight.bots}
          keyOf={({ botId }) => botId}
        />
      </div>
    </section>
  );
}

function columnsOf(words: WordsOf<"insight">, window: Window): readonly Column<BotRow>[] {
  return [
    {
      ...{ id: "bot", label: words.bot, isMain: true },
      cell: ({ botId, botName, isArchived }) => (
        <span class="app-cell">
          <Link class="app-cell-text" to={insightAddress(botId, window)}>
            {botName}
          </Link>
          {isArchived && <Badge label={words.archived} />}
        </span>
      ),
    },
    {
      ...{ id: "trend", label: words.trend, from: "medium" },
      cell: ({ botName: name, trend }) => (
        <Sparkline
          values={trend}
          label={words.trendOf({
            ...{ name, first: trend[0] ?? 0, last: trend.at(-1) ?? 0 },
            most: Math.max(0, ...trend),
          })}
        />
      ),
    },
    {
      ...{ id: "opened", label: words.opened, align: "end" },
      cell: ({ views, before }) => <Compared now={views} before={before?.views} />,
    },
    { id: "answered", label: words.answered, align: "end", from: "wide", cell: ({ starts }) => numberText(starts) },
    {
      ...{ id: "completion", label: words.completion, align: "end" },
      cell: (bot) => {
        const share = completionOf(bot);
        return share === undefined ? "–" : percentText(share);
      },
    },
    {
      id: "errors",
      label: words.errors,
      align: "end",
      from: "wide",
      cell: ({ failedChats }) => numberText(failedChats),
    },
  ];
}

function Compared({ now, before }: { readonly now: number; readonly before: number | undefined }) {
  const words = useWords(insightWords);
  if (before === undefined) return <>{numberText(now)}</>;
  const change = now === before ? undefined : changeText(now, before);
  return (
    <span title={words.before({ value: numberText(before) })}>
      {numberText(now)}
      {change !== undefined && <span class="insight-muted"> {change}</span>}
    </span>
  );
}
