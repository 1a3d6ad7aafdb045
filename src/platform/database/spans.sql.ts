import type { Sql } from "./sql.ts";

type Part = ReturnType<Sql>;

/**
 * Whether something that was set to end `seconds` later has not ended. An end that lies further away than that was set before the
 * clock stepped back, and counts as over: nothing lasts longer than its own length, however far the clock steps.
 * What must not be cut short while somebody works on it, the claims of steps, is shortened instead (`shortenClaim`).
 */
export function lasts(sql: Sql, end: Part, seconds: number): Part {
  return sql`coalesce(${end} > clock() and ${end} <= clock() + make_interval(secs => ${seconds}), false)`;
}

/** Whether something happened at most `seconds` ago. What was before the clock stepped back was not. */
export function isRecent(sql: Sql, moment: Part, seconds: number): Part {
  return sql`coalesce(${moment} <= clock() and ${moment} > clock() - make_interval(secs => ${seconds}), false)`;
}
