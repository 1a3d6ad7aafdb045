import type { Sql } from "./sql.ts";

type Part = ReturnType<Sql>;

/**
 * Whether a span that was set to end `seconds` later has not ended. An end further away than that was set before the
 * clock stepped back, and counts as over: a span never lasts longer than its length, however far the clock steps. A
 * claim of a step, which must not be cut short during the step's work, is shortened instead (`shortenClaim`).
 */
export function lasts(sql: Sql, end: Part, seconds: number): Part {
  return sql`coalesce(${end} > clock() and ${end} <= clock() + make_interval(secs => ${seconds}), false)`;
}

/** Whether a time is at most `seconds` ago. A time before the clock stepped back counts as longer ago. */
export function isRecent(sql: Sql, moment: Part, seconds: number): Part {
  return sql`coalesce(${moment} <= clock() and ${moment} > clock() - make_interval(secs => ${seconds}), false)`;
}
