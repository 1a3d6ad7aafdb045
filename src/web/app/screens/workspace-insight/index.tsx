import { useEffect } from "preact/hooks";
import { call, useQuery } from "../../api/index.ts";
import { AsOf, type Figure, Figures } from "../../insight/figures.tsx";
import { completionOf } from "../../insight/rates.ts";
import { SeriesChart } from "../../insight/series-chart.tsx";
import { addressPartOf, queryOf, readWindow, type Window, writeWindow } from "../../insight/window.ts";
import { WindowControls } from "../../insight/window-controls.tsx";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { go, Link, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { EmptyState } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import { BotTable } from "./bot-table.tsx";
import { Models } from "./models.tsx";
import { Problems } from "./problems.tsx";
import type { WorkspaceInsight } from "./totals.ts";
import "../insight/insight.css";

/** Shows the figures of all bots of a workspace. */
export default function WorkspaceInsightScreen({ params: { workspaceId = "" } }: ScreenProps) {
  const words = useWords(insightWords);
  const shell = useWords();
  const window: Window = { ...readWindow(route.value.query), version: undefined, channel: undefined };
  const query = queryOf(window);
  const insight = useQuery(`workspace-insight/${workspaceId}/${JSON.stringify(query)}`, async () => {
    return (await call("GET /api/v1/workspaces/:workspaceId/insight", { path: { workspaceId }, query })).insight;
  });
  useEffect(() => {
    document.title = `${words.workspaceTitle} · Parley`;
  }, [words]);
  const show = (next: Window) =>
    go(`/w/${workspaceId}/insight${addressPartOf(writeWindow(next))}`, { isReplacing: true });
  return (
    <main class="insight-page" id="main" tabIndex={-1}>
      <header class="insight-head">
        <h1>{words.workspaceTitle}</h1>
        {insight.value && <AsOf asOf={insight.value.asOf} />}
        <WindowControls window={window} onChange={show} />
      </header>
      <QueryState query={insight} rows={9}>
        {(value) =>
          value.bots.length === 0 ? (
            <EmptyState
              drawing={<EmptyDrawing of="figures" />}
              title={words.workspaceEmptyTitle}
              text={words.workspaceEmptyText}
            >
              <Link class="app-button is-primary is-m" to={`/w/${workspaceId}`}>
                {shell.newBot}
              </Link>
            </EmptyState>
          ) : (
            <>
              <Figures label={words.figures} figures={figuresOf(value, words)} />
              <section class="insight-card">
                <SeriesChart step={value.step} points={value.points} zone={window.zone} />
              </section>
              <BotTable insight={value} window={window} />
              <Problems workspaceId={workspaceId} />
              <Models workspaceId={workspaceId} insight={value} />
            </>
          )
        }
      </QueryState>
    </main>
  );
}

function figuresOf(insight: WorkspaceInsight, words: WordsOf<"insight">): readonly Figure[] {
  const before = insight.before ?? undefined;
  return [
    { name: words.opened, help: words.openedHelp, value: insight.views, before: before?.views },
    { name: words.answered, help: words.answeredHelp, value: insight.starts, before: before?.starts },
    { name: words.completed, help: words.completedHelp, value: insight.completions, before: before?.completions },
    {
      ...{ name: words.completion, help: words.completionHelp, how: "share" },
      ...{ value: completionOf(insight), before: before && completionOf(before) },
    },
    { name: words.errors, help: words.errorsHelp, value: insight.failedChats, before: before?.failedChats },
  ];
}
