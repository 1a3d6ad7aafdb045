import { type CountedWindow, roundedOut } from "../../core/measures/spans.ts";
import { limits } from "../../limits/index.ts";
import { readClock } from "../../platform/database/clock.sql.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { sumChannelTotals } from "../counts/channel-counts.sql.ts";
import { findCountedUntil } from "../counts/count-state.sql.ts";
import { type FirstAndLast, findFirstAndLast, type PointSum, sumTotals, type TotalKind } from "../counts/points.sql.ts";
import { listPoints, type Step, steps, type TimeWindow } from "../counts/windows.sql.ts";
import { readTimeZone } from "../results/time-windows.ts";
import { readCountedWindow, type WindowRequest } from "./windows.ts";

export type { Step };
export { steps };

export type SeriesRequest = WindowRequest & {
  readonly step?: Step | undefined;
  readonly version?: number | undefined;
  readonly channel?: string | undefined;
};

/** Returns the totals of a bot's results by the hour, day, week or month in which they started. */
export async function getSeries(deps: ManagementDependencies, caller: Caller, botId: string, request: SeriesRequest) {
  await requireBot(deps, caller, botId, "read");
  const whose = { botIds: [botId] };
  const { window, step, points } = await pointsOf(deps, request, () => findFirstAndLast(deps.sql, whose));
  const asOf = await findCountedUntil(deps.sql, whose);
  const { version, channel } = request;
  const wanted = { windows: points, version };
  const sums = await (points.length === 0
    ? []
    : channel === undefined
      ? sumTotals(deps.sql, { ...whose, ...wanted })
      : sumChannelTotals(deps.sql, { botId, channel, ...wanted }));
  return { asOf, ...window, step, points: pointsWith(points, sums) };
}

/** Returns the points with their totals. `point` in a sum is the index of its point. */
export function pointsWith(points: readonly TimeWindow[], sums: readonly PointSum[]) {
  const byPoint = Map.groupBy(sums, ({ point }) => point);
  return points.map((point, index) => ({ ...point, ...totalsIn(byPoint.get(index) ?? []) }));
}

export function totalsIn(sums: readonly PointSum[]) {
  const total = (kind: TotalKind) => sums.find((sum) => sum.kind === kind)?.chats ?? 0;
  return {
    views: total("view"),
    starts: total("start"),
    completions: total("completion"),
    failedChats: total("failed"),
  };
}

type Points = {
  readonly window: CountedWindow;
  readonly step: Step;
  readonly points: readonly TimeWindow[];
};

/**
 * Returns the points of a window, by the calendar of the request's time zone. A window without a start begins with the
 * first result, and a window without an end ends now. If a window has too many points, the points before the first
 * result and after the present are left out. Throws `request.invalid` if there are still too many.
 */
export async function pointsOf(
  deps: Pick<ManagementDependencies, "sql">,
  request: Pick<SeriesRequest, keyof WindowRequest | "step">,
  findReach: () => Promise<FirstAndLast>,
): Promise<Points> {
  const timeZone = readTimeZone(request.timeZone);
  const window = await readCountedWindow(deps, request);
  const { first, last } = await findReach();
  const end = laterOf(roundedOut({ from: null, to: await readClock(deps.sql) }).to, last);
  const from = window.from ?? first;
  const to = window.to ?? end;
  const none = { window, step: request.step ?? "day", points: [] };
  if (from === null || to === null || end === null || from >= to) return none;
  const isLong = isTooLong({ from, to }, request.step ?? stepFor({ from, to }));
  // No result was counted yet.
  if (isLong && first === null) return none;
  const shown = isLong
    ? { from: laterOf(from, first) ?? from, to: new Date(Math.min(end.getTime(), to.getTime())) }
    : { from, to };
  if (shown.from >= shown.to) return none;
  const step = request.step ?? stepFor(shown);
  const points = await listPoints(deps.sql, { ...shown, step, timeZone, limit: limits.insight.points + 1 });
  if (points.length > limits.insight.points) {
    const message = `must be longer, or the window must be shorter: a series has at most ${limits.insight.points} points`;
    throw invalidInput([{ path: "step", message }]);
  }
  return { window, step, points };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const leastMs = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 28 * dayMs } as const;
/** The maximum length of windows that are divided into hours, days and weeks. */
const longestMs = { hour: 2 * dayMs, day: 120 * dayMs, week: 800 * dayMs } as const;

function isTooLong({ from, to }: TimeWindow, step: Step): boolean {
  return (to.getTime() - from.getTime()) / leastMs[step] > limits.insight.points;
}

/** Returns a suitable step for a window of this length. */
function stepFor({ from, to }: TimeWindow): Step {
  const length = to.getTime() - from.getTime();
  return (["hour", "day", "week"] as const).find((step) => length <= longestMs[step]) ?? "month";
}

function laterOf(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b);
}
