import type { Dialect } from "../core/flow/dialect.ts";
import { limits } from "../limits/index.ts";

/** A list's query. Existing clients expect whole lists, so their queries without a size get a large page. */
export function pageFor<Query extends { readonly limit?: number }>(dialect: Dialect, query: Query): Query {
  if (dialect === "bot" || query.limit !== undefined) return query;
  return { ...query, limit: limits.lists.compatibleSize };
}

/** A query for results. Existing clients send 0 for the first page, and expect only results whose visitors answered. */
export function resultsQueryFor<Query extends { readonly cursor?: string }>(dialect: Dialect, query: Query) {
  const isCompatible = dialect === "typebot";
  const { cursor, ...rest } = query;
  const isFirst = cursor === undefined || (isCompatible && cursor === "0");
  return { ...rest, ...(!isFirst && { cursor }), isStartedOnly: isCompatible };
}

/** The flow of a preview. Existing clients without a flow send the bot's name in its place. */
export function suppliedFlow(dialect: Dialect, flow: unknown): unknown {
  return dialect === "typebot" && typeof flow === "string" ? undefined : flow;
}
