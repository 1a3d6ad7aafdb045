import { momentOf, namedZone, ownZone } from "../../insight/window.ts";
import { type FieldValues, fieldFilters, fieldQuery, readFieldValues } from "./shown-fields.ts";

/** The filter of the results. The filter is in the URL, so that a link shows the same results. */
export type Filter = FieldValues & {
  readonly state: StateFilter;
  readonly time: TimeFilter;
  /** The first and last day, both included, such as `2026-11-05`. Empty for no limit. They override `time`. */
  readonly from: string;
  readonly to: string;
  /** The zone of the days and times; empty for the browser's zone. */
  readonly zone: string;
  readonly text: string;
  readonly variables: readonly VariableFilter[];
  readonly order: Order;
};

/** A filter by the value of a variable, or by a prefix of the value. */
export type VariableFilter = { readonly name: string; readonly value: string; readonly isPrefix: boolean };

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
export const orders = ["newest", "oldest"] as const;
export type Order = (typeof orders)[number];

export const noFilter: Filter = {
  ...{ state: "all", time: "allTime", from: "", to: "", zone: "" },
  ...readFieldValues(new URLSearchParams()),
  ...{ text: "", variables: [], order: "newest" },
};

const isPrefix = "begins.";
const isValue = "is.";

export function readFilter(query: URLSearchParams): Filter {
  const day = (name: string) => {
    const given = query.get(name) ?? "";
    return /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : "";
  };
  return {
    state: stateFilters.find((state) => state === query.get("state")) ?? noFilter.state,
    time: timeFilters.find((time) => time === query.get("time")) ?? noFilter.time,
    from: day("from"),
    to: day("to"),
    zone: namedZone(query.get("zone")) ?? noFilter.zone,
    ...readFieldValues(query),
    text: query.get("q") ?? "",
    variables: [...query].flatMap(([key, value]) => readVariable(key, value)),
    order: orders.find((order) => order === query.get("order")) ?? noFilter.order,
  };
}

function readVariable(key: string, value: string): readonly VariableFilter[] {
  if (key.startsWith(isValue)) return [{ name: key.slice(isValue.length), value, isPrefix: false }];
  if (key.startsWith(isPrefix)) return [{ name: key.slice(isPrefix.length), value, isPrefix: true }];
  return [];
}

/** Returns the filter as a query string; empty for the default filter. */
export function addressPartOf({ state, time, from, to, zone, text, variables, order, ...fields }: Filter): string {
  const query = new URLSearchParams();
  if (state !== noFilter.state) query.set("state", state);
  if (from !== "") query.set("from", from);
  if (to !== "") query.set("to", to);
  const isByDays = from !== "" || to !== "";
  if (time !== noFilter.time && !isByDays) query.set("time", time);
  if (zone !== noFilter.zone && (isByDays || time !== noFilter.time)) query.set("zone", zone);
  for (const { name, value } of fieldFilters(fields)) if (value !== "") query.set(name, value);
  if (text !== "") query.set("q", text);
  for (const { name, value, isPrefix: begins } of variables) query.append((begins ? isPrefix : isValue) + name, value);
  if (order !== noFilter.order) query.set("order", order);
  return query.size === 0 ? "" : `?${query}`;
}

/** Whether the filter excludes any results. The order does not exclude results. */
export function isNarrowed(filter: Filter): boolean {
  return addressPartOf({ ...filter, order: noFilter.order }) !== "";
}

/** Returns the filter as query parameters of the API. */
export function queryOf({ state, time, from, to, zone: named, text, variables, order, ...fields }: Filter) {
  const zone = named || ownZone();
  return {
    timeFilter: from === "" && to === "" ? time : ("allTime" as const),
    timeZone: zone,
    ...(from !== "" && { from: momentOf(from, 0, zone) }),
    ...(to !== "" && { to: momentOf(to, 1, zone) }),
    ...(state === "completed" && { isCompleted: true }),
    ...(state === "open" && { isCompleted: false, hasStarted: true }),
    ...(state === "silent" && { hasStarted: false }),
    ...fieldQuery(fields),
    ...(text !== "" && { answer: text }),
    ...(order !== noFilter.order && { order }),
    ...Object.fromEntries(
      variables.map(({ name, value, isPrefix: begins }) => [
        `${begins ? "variablePrefixes" : "variables"}.${name}`,
        value,
      ]),
    ),
  };
}
