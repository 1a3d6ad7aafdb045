import type { Input } from "../api/index.ts";

/**
 * The selection of figures: their period, version, messenger and comparison. It is in the URL, so that a link shows the
 * same figures.
 */
export type Window = {
  readonly time: TimeName;
  /**
   * The first and last day in the zone, both included, such as `2026-11-05`. Empty for no limit. They override `time`.
   */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** The version number; undefined for all versions. */
  readonly version: number | undefined;
  /** The type of messenger; undefined for all chats. */
  readonly channel: string | undefined;
  /** The comparison with the previous period or another version; undefined for the default. */
  readonly beside: "before" | number | undefined;
};

export const timeNames = [
  "today",
  "last7Days",
  "last30Days",
  "monthToDate",
  "lastMonth",
  "yearToDate",
  "allTime",
] as const;
export type TimeName = (typeof timeNames)[number];

const usualTime: TimeName = "last30Days";

/** Returns the time zone of this browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Reads the settings from a URL and ignores invalid values. */
export function readWindow(query: URLSearchParams): Window {
  const day = (name: string) => {
    const given = query.get(name) ?? "";
    return /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : "";
  };
  const [from, to] = [day("from"), day("to")];
  const isTurned = from !== "" && to !== "" && from > to;
  const version = query.get("version") ?? "";
  const channel = query.get("channel") ?? "";
  const beside = query.get("beside") ?? "";
  return {
    time: timeNames.find((time) => time === query.get("time")) ?? usualTime,
    ...(isTurned ? { from: to, to: from } : { from, to }),
    zone: namedZone(query.get("zone")) ?? ownZone(),
    version: versionIn(version),
    channel: /^[a-z]{1,50}$/.test(channel) ? channel : undefined,
    beside: beside === "before" ? beside : versionIn(beside),
  };
}

function versionIn(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Returns the zone if it is a valid time zone; otherwise undefined. */
export function namedZone(zone: string | null): string | undefined {
  if (zone === null || !/^[A-Za-z]/.test(zone)) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}

/** Returns the settings as URL parameters, without default values. */
export function writeWindow({ time, from, to, zone, version, channel, beside }: Window): URLSearchParams {
  const query = new URLSearchParams();
  const isByDays = from !== "" || to !== "";
  if (!isByDays && time !== usualTime) query.set("time", time);
  if (from !== "") query.set("from", from);
  if (to !== "") query.set("to", to);
  if (zone !== ownZone()) query.set("zone", zone);
  if (version !== undefined) query.set("version", String(version));
  if (channel !== undefined) query.set("channel", channel);
  if (beside !== undefined) query.set("beside", String(beside));
  return query;
}

export function addressPartOf(query: URLSearchParams): string {
  return query.size === 0 ? "" : `?${query}`;
}

type Query = NonNullable<Input<"GET /api/v1/bots/:botId/insight">["query"]>;

/** Returns the settings as query parameters of the API. */
export function queryOf({ time, from, to, zone, version, channel }: Window): Query {
  return {
    timeZone: zone,
    ...(from === "" && to === "" ? { timeFilter: time } : { timeFilter: "allTime" as const }),
    ...(from !== "" && { from: momentOf(from, 0, zone) }),
    ...(to !== "" && { to: momentOf(to, 1, zone) }),
    ...(version !== undefined && { version }),
    ...(channel !== undefined && { channel }),
  };
}

/** Returns the start of a day in a zone, plus `further` days. */
export function momentOf(day: string, further: number, zone: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const wall = Date.UTC(year, month - 1, date + further);
  // `wall` is local time read as UTC, so the offset there may differ from the offset at the actual moment. The offset
  // is therefore calculated again at the first estimate.
  const first = wall - offsetAt(wall, zone);
  return new Date(wall - offsetAt(first, zone)).toISOString();
}

/** Returns the offset of a zone from UTC at a moment. */
function offsetAt(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second")) - moment;
}

/** Returns the URL of the results that began in the period, with further filters. */
export function resultsAddress(botId: string, window: Window, filters: Readonly<Record<string, string>>): string {
  const { time, from, to, zone, version, channel } = window;
  const isByDays = from !== "" || to !== "";
  const query = new URLSearchParams(filters);
  if (from !== "") query.set("from", from);
  if (to !== "") query.set("to", to);
  if (!isByDays && time !== "allTime") query.set("time", time);
  if (zone !== ownZone() && (isByDays || time !== "allTime")) query.set("zone", zone);
  if (version !== undefined) query.set("version", String(version));
  if (channel !== undefined) query.set("channel", channel);
  return `/bots/${botId}/results${addressPartOf(query)}`;
}

/** Returns the URL of the flow at a block, with the figures shown on the flow. These figures are for all channels. */
export function flowAddress(botId: string, window: Window, blockId?: string): string {
  const query = writeWindow({ ...window, channel: undefined });
  query.set("insight", "on");
  if (blockId !== undefined) query.set("at", blockId);
  return `/bots/${botId}${addressPartOf(query)}`;
}

/** Returns the URL of the screen with all figures. */
export function insightAddress(botId: string, window: Window): string {
  return `/bots/${botId}/insight${addressPartOf(writeWindow(window))}`;
}
