import type { Dialect } from "../core/flow/dialect.ts";
import { limits } from "../limits/index.ts";

/** Returns a list's query. Existing clients expect complete lists, so their queries without a size get a large page. */
export function pageFor<Query extends { readonly limit?: number }>(dialect: Dialect, query: Query): Query {
  if (dialect === "bot" || query.limit !== undefined) return query;
  return { ...query, limit: limits.lists.compatibleSize };
}

/**
 * Returns a query for results. Existing clients send 0 for the first page, and expect only results whose visitors
 * answered.
 */
export function resultsQueryFor<Query extends { readonly cursor?: string }>(dialect: Dialect, query: Query) {
  const isCompatible = dialect === "typebot";
  const { cursor, ...rest } = query;
  const isFirst = cursor === undefined || (isCompatible && cursor === "0");
  return { ...rest, ...(!isFirst && { cursor }), isStartedOnly: isCompatible };
}

/** Returns the flow of a preview request. Existing clients that send no flow send the bot's name instead. */
export function suppliedFlow(dialect: Dialect, flow: unknown): unknown {
  return dialect === "typebot" && typeof flow === "string" ? undefined : flow;
}
