import type { CountedWindow } from "../../core/measures/spans.ts";
import { limits } from "../../limits/index.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { findCountedUntil } from "../counts/count-state.sql.ts";
import {
  type CountedBots,
  findFirstAndLast,
  listNames,
  listTrends,
  type PointSum,
  sumTotals,
} from "../counts/points.sql.ts";
import { pointsOf, pointsWith, type SeriesRequest, totalsIn } from "./series.ts";
import { windowBefore } from "./windows.ts";

/**
 * Returns the totals of all bots of a workspace, overall, by time and by bot, for the window and the previous window. A
 * GUEST gets the totals of the bots on which they collaborate.
 */
export async function getWorkspaceInsight(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: Omit<SeriesRequest, "version">,
) {
  const { role } = await requireWorkspace(deps, caller, workspaceId, "see");
  const whose: CountedBots = { workspaceId, userId: role === "GUEST" ? caller.userId : undefined };
  const { window, step, points } = await pointsOf(deps, request, () => findFirstAndLast(deps.sql, whose));
  const before = await windowBefore(deps, request, window);
  const sumIn = (windows: readonly CountedWindow[]) =>
    windows.length === 0 ? [] : sumTotals(deps.sql, { ...whose, windows });
  const sums = await sumIn(points);
  const sumsBefore = await sumIn(before ? [before] : []);
  const byBot = sumsByBot(sums);
  const byBotBefore = sumsByBot(sumsBefore);
  const viewsOf = (botId: string) => totalsIn(byBot.get(botId) ?? []).views;
  const busiest = [...byBot.keys()].toSorted((a, b) => viewsOf(b) - viewsOf(a)).slice(0, limits.insight.bots);
  const named = await listNames(deps.sql, { ...whose, botIds: busiest, limit: limits.insight.bots });
  const trends =
    points.length === 0 ? [] : await listTrends(deps.sql, { windows: points, botIds: named.map(({ id }) => id) });
  const trendOf = Map.groupBy(trends, ({ botId }) => botId);
  const bots = named.map(({ id, name, isArchived }) => {
    const trend = Array.from(points, () => 0);
    for (const { point, chats } of trendOf.get(id) ?? []) trend[point] = chats;
    return {
      ...{ botId: id, botName: name, isArchived, ...totalsIn(byBot.get(id) ?? []) },
      ...{ before: before ? totalsIn(byBotBefore.get(id) ?? []) : null, trend },
    };
  });
  return {
    asOf: await findCountedUntil(deps.sql, { workspaceId }),
    ...window,
    ...totalsOfAll(sums),
    before: before ? { ...before, ...totalsOfAll(sumsBefore) } : null,
    step,
    points: pointsWith(points, sums),
    // The sort is stable, so bots with the same number of chats remain sorted by name.
    bots: bots.toSorted((a, b) => b.views - a.views),
  };
}

function sumsByBot(sums: readonly PointSum[]): ReadonlyMap<string, readonly PointSum[]> {
  const all = new Map<string, PointSum[]>();
  for (const sum of sums) if (sum.botId !== null) all.set(sum.botId, [...(all.get(sum.botId) ?? []), sum]);
  return all;
}

function totalsOfAll(sums: readonly PointSum[]) {
  const all = { views: 0, starts: 0, completions: 0, failedChats: 0 };
  for (const part of sumsByBot(sums).values()) {
    const { views, starts, completions, failedChats } = totalsIn(part);
    all.views += views;
    all.starts += starts;
    all.completions += completions;
    all.failedChats += failedChats;
  }
  return all;
}
