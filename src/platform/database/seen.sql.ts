import type { Statements } from "./sql.ts";

/** The condition that a row is one of the versions that its writer has read; empty if any version is accepted. */
export function andSeen(sql: Statements, seen: readonly Date[] | undefined) {
  if (!seen) return sql``;
  return sql`and updated_at = any(${seen.map((time) => time.toISOString())}::timestamptz[])`;
}
