import type { Dialect } from "../core/flow/dialect.ts";
import { limits } from "../limits/index.ts";

/** A list's query. Existing clients know lists that come whole, so what says no size gets a large page there. */
export function pageFor<Query extends { readonly limit?: number }>(dialect: Dialect, query: Query): Query {
  if (dialect === "bot" || query.limit !== undefined) return query;
  return { ...query, limit: limits.lists.compatibleSize };
}

/** A query for results. Existing clients say 0 for the first page, and know only results whose visitors answered. */
export function resultsQueryFor<Query extends { readonly cursor?: string }>(dialect: Dialect, query: Query) {
  const isCompatible = dialect === "typebot";
  const { cursor, ...rest } = query;
  const isFirst = cursor === undefined || (isCompatible && cursor === "0");
  return { ...rest, ...(!isFirst && { cursor }), isStartedOnly: isCompatible };
}

/** The flow that a preview is given. Existing clients that were only given a bot's name send that name in its place. */
export function suppliedFlow(dialect: Dialect, flow: unknown): unknown {
  return dialect === "typebot" && typeof flow === "string" ? undefined : flow;
}
