import { call, useQuery } from "../../api/index.ts";
import { type Filter, isNarrowed, noFilter, queryOf } from "./filter.ts";

/**
 * Whether the insight figures are available for the filter. They are if the filter contains only times and versions.
 */
export function isCounted(filter: Filter): boolean {
  const { time, from, to, version } = noFilter;
  return !isNarrowed({ ...filter, time, from, to, version });
}

/** Returns the insight figures for the filter; undefined until they are loaded. */
export function useInsight(botId: string, filter: Filter) {
  const { publicationNumber: version, order: _, ...window } = queryOf({ ...filter, order: noFilter.order });
  const query = { ...window, ...(version !== undefined && { version }) };
  const { value } = useQuery(`insight/${botId}/${JSON.stringify(query)}`, () =>
    call("GET /api/v1/bots/:botId/insight", { path: { botId }, query }),
  );
  return value?.insight;
}
