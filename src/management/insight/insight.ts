import { blocks } from "../../core/blocks/index.ts";
import { outletsOfBlock } from "../../core/editing/references/outlets.ts";
import { inWalkingOrder } from "../../core/editing/references/walk.ts";
import { type FlowDocument, textAt } from "../../core/interpreter/flow.ts";
import { quantile } from "../../core/measures/histogram.ts";
import type { Kind } from "../../core/measures/measures.ts";
import { paidIn } from "../../core/measures/paid.ts";
import { type CountedWindow, spansOf } from "../../core/measures/spans.ts";
import { wholeUnits } from "../../core/payments/currencies.ts";
import { AppError } from "../../errors.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { findPublication, findPublishedFlow } from "../bots/versions/publications.sql.ts";
import { sumChannelCounts } from "../counts/channel-counts.sql.ts";
import { findCountedUntil } from "../counts/count-state.sql.ts";
import { type Sum, sumCounts } from "../counts/counts.sql.ts";
import { sumPageViews } from "../counts/page-views.sql.ts";
import { sumPayments } from "../payments/payments.sql.ts";
import { arePaymentsCounted } from "./counted-payments.ts";
import { readCountedWindow, type WindowRequest, windowBefore } from "./windows.ts";

export type InsightRequest = WindowRequest & {
  readonly version?: number | undefined;
  /** If given, only chats of this messenger are counted. */
  readonly channel?: string | undefined;
  /** Whether the figures of the previous window are also requested. */
  readonly withBefore?: boolean | undefined;
};

type Flow = Pick<FlowDocument, "groups" | "edges" | "events">;

/**
 * Returns the measures of a bot's results that started in a window. Reads counts that a job updates with a short delay.
 */
export async function getInsight(deps: ManagementDependencies, caller: Caller, botId: string, request: InsightRequest) {
  await requireBot(deps, caller, botId, "read");
  const { version, channel, withBefore = false } = request;
  // Checked before the sums are read, so that the sums contain the payments if the check succeeds.
  const hasPayments = await arePaymentsCounted(deps);
  const { window, sums, asOf } = await readSums(deps, botId, request);
  const before = withBefore ? await windowBefore(deps, request, window) : undefined;
  const [figures, figuresBefore] = await Promise.all([
    figuresOf(deps, { botId, version, channel, window, hasPayments, sums }),
    before && readFigures(deps, { botId, version, channel, window: before, hasPayments }),
  ]);
  const found = await (version === undefined
    ? findPublishedFlow(deps.sql, botId)
    : findPublication(deps.sql, { botId, number: version }));
  const flow: Flow = found?.flow ?? { groups: [], edges: [] };
  const walked = inWalkingOrder(flow);
  return {
    asOf,
    ...window,
    ...figures,
    ...(withBefore && { before: before && figuresBefore ? { ...before, ...figuresBefore } : null }),
    blocks: blocksOf(walked, sums),
    edges: edgesInOrder(walked, edgesOf(flow, sums)),
  };
}

type FigureRequest = {
  readonly botId: string;
  readonly version: number | undefined;
  readonly channel: string | undefined;
  readonly window: CountedWindow;
};

type Figures = FigureRequest & {
  /** Whether the sums contain the payments. */
  readonly hasPayments: boolean;
};

async function readFigures(deps: ManagementDependencies, request: Figures) {
  return figuresOf(deps, { ...request, sums: await sumsOf(deps, request) });
}

function sumsOf({ sql }: ManagementDependencies, { botId, version, channel, window }: FigureRequest): Promise<Sum[]> {
  if (channel !== undefined) return sumChannelCounts(sql, { botId, version, channel, ...window });
  return sumCounts(sql, { botId, version, spans: spansOf(window) });
}

/** Returns the page views, totals, times and payments of a window. */
async function figuresOf(
  deps: ManagementDependencies,
  { botId, version, channel, window, hasPayments, sums }: Figures & { readonly sums: readonly Sum[] },
) {
  const [pageViews, paid] = await Promise.all([
    // Visitors on a messenger do not open the chat page.
    channel === undefined ? sumPageViews(deps.sql, { botId, spans: spansOf(window), version }) : 0,
    hasPayments ? paidIn(sums) : sumPayments(deps.sql, { botId, version, channel, ...window }),
  ]);
  const times = sums
    .filter(({ kind }) => kind === "time")
    .map(({ value, chats }) => ({ bucket: Number(value), count: chats }));
  return {
    pageViews,
    ...totalsOf(sums),
    medianSeconds: seconds(quantile(times, 0.5)),
    p90Seconds: seconds(quantile(times, 0.9)),
    payments: paid.map(({ currency, units, count }) => ({ currency, count, amount: wholeUnits({ currency, units }) })),
  };
}

/** Returns the totals of a published bot, in the format for existing clients. Throws `bot.not_published`. */
export async function getStats(deps: ManagementDependencies, caller: Caller, botId: string, request: WindowRequest) {
  await requirePublished(deps, caller, botId);
  const { sums } = await readSums(deps, botId, request);
  const { views, starts, completions } = totalsOf(sums);
  return { totalViews: views, totalStarts: starts, totalCompleted: completions };
}

/**
 * Returns answers and edges of a published bot, in the format for existing clients. All answers count, including
 * several answers of one chat. Throws `bot.not_published`.
 */
export async function getInDepthData(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  request: WindowRequest,
) {
  const flow = await requirePublished(deps, caller, botId);
  const { sums } = await readSums(deps, botId, request);
  return {
    totalAnswers: blocksOf(flow.groups, sums)
      .filter(({ type }) => isInput(type))
      .map(({ blockId, answers }) => ({ blockId, total: answers })),
    offDefaultPathVisitedEdges: edgesOf(flow, sums).map(({ edgeId, times, to }) => ({
      id: edgeId,
      total: times,
      to: to && { groupId: to.groupId, ...(to.blockId !== null && { blockId: to.blockId }) },
    })),
  };
}

async function requirePublished(deps: ManagementDependencies, caller: Caller, botId: string): Promise<Flow> {
  await requireBot(deps, caller, botId, "read");
  const published = await findPublishedFlow(deps.sql, botId);
  if (!published) throw new AppError("bot.not_published");
  return published.flow;
}

async function readSums(deps: ManagementDependencies, botId: string, request: InsightRequest) {
  const { version, channel } = request;
  const window = await readCountedWindow(deps, request);
  const asOf = await findCountedUntil(deps.sql, { botIds: [botId] });
  return { window, asOf, sums: await sumsOf(deps, { botId, version, channel, window }) };
}

function totalsOf(sums: readonly Sum[]) {
  const total = (kind: Kind) => sums.find((sum) => sum.kind === kind)?.chats ?? 0;
  return { views: total("view"), starts: total("start"), completions: total("completion") };
}

/**
 * Returns the questions of these groups and other reached blocks, in the order of the flow. Reached blocks that the
 * flow no longer contains follow at the end.
 */
function blocksOf(groups: Flow["groups"], sums: readonly Sum[]) {
  const bySubject = Map.groupBy(
    sums.filter(({ kind }) => kind !== "edge" && kind !== "time" && kind !== "failure"),
    ({ subject }) => subject,
  );
  bySubject.delete("");
  const standing = groups.flatMap(({ id: groupId, title, blocks }) =>
    (blocks ?? []).map(({ id: blockId, type }) => ({ blockId, groupId, groupTitle: title ?? "", type })),
  );
  const known = new Set(standing.map(({ blockId }) => blockId));
  const others = [...bySubject.keys()].filter((blockId) => !known.has(blockId)).toSorted();
  return [
    ...standing.filter(({ blockId, type }) => bySubject.has(blockId) || isInput(type)),
    ...others.map((blockId) => ({ blockId, groupId: null, groupTitle: null, type: null })),
  ].map((block) => {
    const ofBlock = bySubject.get(block.blockId) ?? [];
    const sum = (kind: Kind) => ofBlock.find((one) => one.kind === kind);
    return {
      ...block,
      reached: sum("reached")?.chats ?? 0,
      answered: sum("answered")?.chats ?? 0,
      answers: sum("answered")?.times ?? 0,
      left: sum("left")?.chats ?? 0,
      silent: sum("silent")?.chats ?? 0,
      good: sum("good")?.times ?? 0,
      bad: sum("bad")?.times ?? 0,
      values: ofBlock
        .filter(({ kind }) => kind === "value")
        .map(({ value, chats, times }) => ({ value: value === "" ? null : value, chats, answers: times }))
        .toSorted((a, b) => b.chats - a.chats || compare(a.value ?? "", b.value ?? "")),
    };
  });
}

function edgesOf(flow: Flow, sums: readonly Sum[]) {
  const targets = new Map(flow.edges.map(({ id, to }) => [id, to]));
  return sums
    .filter(({ kind }) => kind === "edge")
    .map(({ subject: edgeId, chats, times }) => {
      const to = targets.get(edgeId);
      const groupId = textAt(to, "groupId");
      return {
        edgeId,
        chats,
        times,
        to: groupId === undefined ? null : { groupId, blockId: textAt(to, "blockId") ?? null },
      };
    })
    .toSorted((a, b) => compare(a.edgeId, b.edgeId));
}

/**
 * Returns the edges in the order of the blocks that they start from, with the titles of groups. Edges that the flow no
 * longer contains follow at the end.
 */
function edgesInOrder(groups: Flow["groups"], edges: ReturnType<typeof edgesOf>) {
  const titles = new Map(groups.map(({ id, title }) => [id, title ?? ""]));
  const places = groups.flatMap(({ id: groupId, title, blocks }) =>
    (blocks ?? []).flatMap((block) =>
      outletsOfBlock(block).map(({ edgeId, itemId = null }) => ({
        edgeId,
        from: { groupId, groupTitle: title ?? "", blockId: block.id, itemId },
      })),
    ),
  );
  // If several blocks share an edge, the first block determines the order.
  const ranks = new Map(places.map(({ edgeId }, index) => [edgeId, index] as const).toReversed());
  const rankOf = (edgeId: string) => ranks.get(edgeId) ?? places.length;
  return edges
    .toSorted((a, b) => rankOf(a.edgeId) - rankOf(b.edgeId))
    .map(({ to, ...edge }) => ({
      ...edge,
      from: places[rankOf(edge.edgeId)]?.from ?? null,
      to: to && { ...to, groupTitle: titles.get(to.groupId) ?? "" },
    }));
}

function isInput(type: string | null): boolean {
  return type !== null && blocks.get(type)?.family === "input";
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds) / 1000;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
