import { effect, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { call, useQuery } from "../../../api/index.ts";
import type { Mark, Overlay } from "../../../canvas/contract.ts";
import type { OpenView } from "../../../canvas/index.tsx";
import type { OpenBot } from "../../../editor/index.ts";
import { draftOf } from "../../../editor/service.ts";
import { oldestCounted } from "../../../insight/comparison.ts";
import { AsOf } from "../../../insight/figures.tsx";
import { useVersions } from "../../../insight/use-versions.ts";
import { flowAddress, insightAddress, queryOf, readWindow } from "../../../insight/window.ts";
import { WindowControls } from "../../../insight/window-controls.tsx";
import { go, Link, route } from "../../../routing/router.ts";
import { IconButton } from "../../../ui/index.ts";
import insightWords from "../../../words/en/insight.json";
import { useWords, type WordsOf } from "../../../words/index.ts";
import { figuresOverlay } from "./edge-numbers.tsx";
import { marksOf } from "./layer.ts";
import "./insight-bar.css";

/** The figures that the flow shows while the bar is open. */
export type InsightLayer = {
  readonly marks: Signal<ReadonlyMap<string, Mark>>;
  readonly overlays: Signal<readonly Overlay[]>;
};

type InsightBarProps = {
  readonly bot: OpenBot;
  readonly view: OpenView;
  readonly layer: InsightLayer;
  readonly onClose: () => void;
};

/** The controls for the period and version of the figures on a flow, with a legend. */
export function InsightBar({ bot, view, layer, onClose }: InsightBarProps) {
  const words = useWords(insightWords);
  const window = { ...readWindow(route.value.query), channel: undefined };
  const path = { botId: bot.id };
  const query = queryOf(window);
  const { value: insight } = useQuery(`insight/${bot.id}/on-flow/${JSON.stringify(query)}`, async () => {
    return (await call("GET /api/v1/bots/:botId/insight", { path, query })).insight;
  });
  const { list: versions, older } = useVersions(bot.id);
  const live = bot.bot.value.publicationNumber ?? undefined;
  // The figures of all versions go back to the oldest counted version, so changes are marked relative to that version.
  const oldest = insight && versions && (oldestCounted(insight.from, versions) ?? live);
  const number = window.version ?? oldest;
  const { value: version } = useQuery(
    number === undefined ? undefined : `versions/${bot.id}/flow/${number}`,
    async () => {
      const at = { ...path, number: String(number) };
      const asked = { path: at, query: { migrateToLatestVersion: true } };
      const { publication } = await call("GET /api/v1/bots/:botId/publications/:number", asked);
      const { events, groups, edges, variables, theme, settings } = publication;
      const draft = draftOf({
        version: publication.version,
        events,
        groups,
        edges,
        variables,
        theme,
        settings,
        editor: null,
      });
      return { number: publication.number, draft };
    },
    { isLasting: true },
  );
  const marks = useMemo(
    () => insight && marksOf({ store: bot.editor.store, insight, version, words }),
    [bot, insight, version, words],
  );
  useEffect(() => {
    layer.overlays.value = [figuresOverlay(view, layer.marks)];
    return () => {
      layer.overlays.value = [];
      layer.marks.value = new Map();
    };
  }, [view, layer]);
  // The canvas subscribes to a single signal for all kinds of figures.
  useEffect(() => {
    if (!marks) return undefined;
    return effect(() => {
      layer.marks.value = marks.value;
    });
  }, [marks, layer]);
  const legend =
    (window.version ?? live) === undefined
      ? words.notPublished
      : legendOf(
          {
            isRead: insight !== undefined,
            number: version?.number,
            isOlder: window.version === undefined && version?.number !== live,
          },
          words,
        );
  return (
    <section class="insight-strip" aria-label={words.onFlowTitle}>
      <WindowControls
        window={window}
        versions={versions?.map((one) => one.number) ?? []}
        onOlder={older}
        onChange={(next) => go(flowAddress(bot.id, next), { isReplacing: true })}
      />
      <p class="insight-muted insight-legend-text" aria-busy={!insight}>
        {legend}
      </p>
      {insight && <AsOf asOf={insight.asOf} />}
      <Link to={insightAddress(bot.id, window)}>{words.toInsight}</Link>
      <IconButton icon="x" label={words.onFlowOff} onPress={onClose} />
    </section>
  );
}

type Read = { readonly isRead: boolean; readonly number: number | undefined; readonly isOlder: boolean };

/** Returns the legend of the figures, or a note that the figures are loading. */
function legendOf({ isRead, number, isOlder }: Read, words: WordsOf<"insight">): string {
  if (!isRead) return words.reading;
  if (number === undefined) return words.legendLive;
  return isOlder ? words.legendOlder({ number }) : words.legend({ number });
}
