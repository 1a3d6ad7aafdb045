import { useMemo } from "preact/hooks";
import { call, useQuery } from "../../api/index.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { type Beside, isWithoutChats, useBeside } from "../../insight/beside.ts";
import { comparisonOf } from "../../insight/comparison.ts";
import { AsOf, Figures } from "../../insight/figures.tsx";
import type { Insight } from "../../insight/rates.ts";
import { SeriesChart } from "../../insight/series-chart.tsx";
import { useVersions } from "../../insight/use-versions.ts";
import { insightAddress, queryOf, readWindow, type Window } from "../../insight/window.ts";
import { WindowControls } from "../../insight/window-controls.tsx";
import { answersOnMessengers, readChannelKinds } from "../../page-parts/channels/kinds.ts";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { go, Link, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { Button, EmptyState, Skeleton } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { useWords } from "../../words/index.ts";
import { Choices } from "./choices.tsx";
import { comparisonChoice } from "./comparison-choice.ts";
import { Drops } from "./drops.tsx";
import { figuresOf } from "./figures-of.ts";
import { Funnel } from "./funnel.tsx";
import { type Names, namesOf } from "./names.ts";
import { Durations, Payments, Ratings } from "./others.tsx";
import "./insight.css";

/** Shows the figures of a bot, which describe how visitors used the published bot. */
export default function InsightScreen({ params: { botId = "" } }: ScreenProps) {
  const window = readWindow(route.value.query);
  return (
    <BotFrame botId={botId} part="insight">
      <BotInsight key={botId} botId={botId} window={window} />
    </BotFrame>
  );
}

type Shown = { readonly botId: string; readonly window: Window };

function BotInsight({ botId, window }: Shown) {
  const words = useWords(insightWords);
  const path = { botId };
  const query = queryOf(window);
  const key = JSON.stringify(query);
  const insight = useQuery(`insight/${botId}/with-before/${key}`, async () => {
    const answer = await call("GET /api/v1/bots/:botId/insight", { path, query: { ...query, withBefore: true } });
    return answer.insight;
  });
  const { value: series } = useQuery(`insight/${botId}/series/${key}`, async () => {
    return (await call("GET /api/v1/bots/:botId/insight/series", { path, query })).series;
  });
  const { list: versions, older } = useVersions(botId);
  const comparison = comparisonOf(window, { versions: versions ?? [], window: insight.value });
  const compared = useBeside(botId, window, comparison);
  const beside = compared.filter((one) => !isWithoutChats(one));
  const isBefore = compared.length === 0;
  // The bot bar uses an equal key, so that both share one request.
  const { value: bot } = useQuery(`bots/${botId}/for-bar`, async () => {
    return (await call("GET /api/v1/bots/:botId", { path })).bot;
  });
  const blocks = insight.value?.blocks;
  const names = useMemo(() => namesOf(bot, blocks ?? [], words), [bot, blocks, words]);
  const isOnMessengers = answersOnMessengers(bot);
  const { value: channels } = useQuery(`channel-kinds/${isOnMessengers}`, () => readChannelKinds(isOnMessengers));
  const show = (next: Window) => go(insightAddress(botId, next), { isReplacing: true });
  return (
    <div class="insight-page">
      <header class="insight-head">
        <h1>{words.title}</h1>
        {insight.value && <AsOf asOf={insight.value.asOf} />}
        <WindowControls
          window={window}
          versions={versions?.map(({ number }) => number) ?? []}
          onOlder={older}
          beside={versions && comparisonChoice({ window, versions, comparison, words, onChange: show })}
          channels={channels ?? []}
          onChange={show}
        />
      </header>
      {compared.filter(isWithoutChats).map(({ number }) => (
        <p key={number} class="insight-muted">
          {words.noChatsOf({ number })}
        </p>
      ))}
      <QueryState query={insight} rows={9}>
        {(value) =>
          value.views === 0 && value.pageViews === 0 ? (
            <Nothing {...{ botId, window }} onChange={show} />
          ) : (
            <>
              <Figures label={words.figures} figures={figuresOf({ insight: value, isBefore, beside, words })} />
              <section class="insight-card">
                {series ? <SeriesChart {...series} zone={window.zone} /> : <Skeleton rows={6} />}
              </section>
              <Parts {...{ botId, window, names, beside, isBefore }} insight={value} />
            </>
          )
        }
      </QueryState>
    </div>
  );
}

type PartsProps = Shown & {
  readonly insight: Insight;
  readonly names: Names;
  readonly beside: readonly Beside[];
  /** Whether the figures are compared with the previous period instead of a version. */
  readonly isBefore: boolean;
};

function Parts(props: PartsProps) {
  return (
    <>
      <div class="insight-two">
        <Funnel {...props} />
        <Drops {...props} />
      </div>
      <Choices {...props} />
      <div class="insight-three">
        <Durations {...props} />
        <Ratings {...props} />
        <Payments {...props} />
      </div>
    </>
  );
}

type NothingProps = Shown & { readonly onChange: (next: Window) => void };

/** Shown if there were no chats: the first steps, or a note that there were none in the period. */
function Nothing({ botId, window, onChange }: NothingProps) {
  const words = useWords(insightWords);
  const isAll =
    window.time === "allTime" &&
    window.from === "" &&
    window.to === "" &&
    window.version === undefined &&
    window.channel === undefined;
  if (isAll) {
    return (
      <EmptyState drawing={<EmptyDrawing of="figures" />} title={words.emptyTitle} text={words.emptyText}>
        <Link class="app-button is-primary is-m" to={`/bots/${botId}/share`}>
          {words.toShare}
        </Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState drawing={<EmptyDrawing of="search" />} title={words.emptyWindow} text={words.emptyWindowText}>
      <Button
        label={words.showAllTime}
        onPress={() =>
          onChange({
            ...window,
            ...{ time: "allTime", from: "", to: "", version: undefined, channel: undefined, beside: undefined },
          })
        }
      />
    </EmptyState>
  );
}
