import type { Sql } from "./sql.ts";

type Part = ReturnType<Sql>;

/**
 * Returns the SQL condition that a time span of `seconds`, which ends at `end`, has not ended yet. If the clock was set
 * back, the end can be further away than `seconds`. Such a span counts as ended. A claim of a step must not end during
 * the step's work, so it is shortened instead (`shortenClaim`).
 */
export function lasts(sql: Sql, end: Part, seconds: number): Part {
  return sql`coalesce(${end} > clock() and ${end} <= clock() + make_interval(secs => ${seconds}), false)`;
}

/**
 * Returns the SQL condition that a time is less than `seconds` ago. A time in the future, after the clock was set back,
 * is not recent.
 */
export function isRecent(sql: Sql, moment: Part, seconds: number): Part {
  return sql`coalesce(${moment} <= clock() and ${moment} > clock() - make_interval(secs => ${seconds}), false)`;
}
