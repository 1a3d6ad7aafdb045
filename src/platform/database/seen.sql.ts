import type { Statements } from "./sql.ts";

/**
 * Returns the condition that a row is still one of the versions that the writer has read. The condition is empty if any
 * version is accepted.
 */
export function andSeen(sql: Statements, seen: readonly Date[] | undefined) {
  if (!seen) return sql``;
  return sql`and updated_at = any(${seen.map((time) => time.toISOString())}::timestamptz[])`;
}
