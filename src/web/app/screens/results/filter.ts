/** What of the results is shown: it stands in the address, so that a link shows the same. */
export type Filter = { readonly state: StateFilter; readonly time: TimeFilter; readonly text: string };

export const stateFilters = ["all", "completed", "open", "silent"] as const;
export type StateFilter = (typeof stateFilters)[number];
export const timeFilters = [
  "allTime",
  "today",
  "last7Days",
  "last30Days",
  "monthToDate",
  "lastMonth",
  "yearToDate",
] as const;
export type TimeFilter = (typeof timeFilters)[number];

export const noFilter: Filter = { state: "all", time: "allTime", text: "" };

export function readFilter(query: URLSearchParams): Filter {
  return {
    state: stateFilters.find((state) => state === query.get("state")) ?? noFilter.state,
    time: timeFilters.find((time) => time === query.get("time")) ?? noFilter.time,
    text: query.get("q") ?? "",
  };
}

/** The filter as the end of an address; empty where all is shown. */
export function addressPartOf({ state, time, text }: Filter): string {
  const query = new URLSearchParams();
  if (state !== noFilter.state) query.set("state", state);
  if (time !== noFilter.time) query.set("time", time);
  if (text !== "") query.set("q", text);
  return query.size === 0 ? "" : `?${query}`;
}

/** The filter as the service takes it. */
export function queryOf({ state, time, text }: Filter) {
  return {
    timeFilter: time,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(state === "completed" && { isCompleted: true }),
    ...(state === "open" && { isCompleted: false, hasStarted: true }),
    ...(state === "silent" && { hasStarted: false }),
    ...(text !== "" && { answer: text }),
  };
}
