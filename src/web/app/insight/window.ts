import type { Input } from "../api/index.ts";

/** The time and version of the figures. They are in the address, so that a link shows the same. */
export type Window = {
  readonly time: TimeName;
  /** Whole days of the zone, such as `2026-11-05`, both inclusive; they override `time`. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** The number of a publication; undefined: all of them. */
  readonly version: number | undefined;
  /** The kind of messenger; undefined: all chats. */
  readonly channel: string | undefined;
  /** The comparison: the window before, or another version; undefined: the default for the version. */
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

/** The zone of this browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Reads an address, which may contain anything. */
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

/** The zone that an address names, if it exists. */
export function namedZone(zone: string | null): string | undefined {
  if (zone === null || !/^[A-Za-z]/.test(zone)) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}

/** The window as parts of an address; without default values. */
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

/** The window in the service's form. */
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

/** The beginning of a day in a zone; `further` days later. */
export function momentOf(day: string, further: number, zone: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const wall = Date.UTC(year, month - 1, date + further);
  // The zone's distance from UTC may differ between the two moments: the second calculation uses the right one.
  const first = wall - offsetAt(wall, zone);
  return new Date(wall - offsetAt(first, zone)).toISOString();
}

/** The offset of a zone's wall clock from UTC at a moment. */
function offsetAt(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second")) - moment;
}

/** The address of the results that began in the window, with further filters. */
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

/** The address of the flow with the figures on it, at a block. The flow shows the figures of all channels. */
export function flowAddress(botId: string, window: Window, blockId?: string): string {
  const query = writeWindow({ ...window, channel: undefined });
  query.set("insight", "on");
  if (blockId !== undefined) query.set("at", blockId);
  return `/bots/${botId}${addressPartOf(query)}`;
}

/** The address of the screen with all figures. */
export function insightAddress(botId: string, window: Window): string {
  return `/bots/${botId}/insight${addressPartOf(writeWindow(window))}`;
}
