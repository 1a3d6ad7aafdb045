import type { Dialect } from "../../compatibility/dialect.ts";
import { limits } from "../../limits.ts";

/** A list's query. Existing clients know lists that come whole, so what says no size gets a large page there. */
export function pageFor<Query extends { readonly limit?: number }>(dialect: Dialect, query: Query): Query {
  if (dialect === "bot" || query.limit !== undefined) return query;
  return { ...query, limit: limits.lists.compatibleSize };
}
