import type { Sql } from "../../platform/database/sql.ts";

export type TimeWindow = { readonly from: Date; readonly to: Date };

/**
 * Returns the window before a given window, on the wall clock of a time zone. It is earlier by `period` or, without
 * `period`, by the length of the given window. If `to` is null, the given window lasts until now. The two windows never
 * overlap.
 */
export async function findWindowBefore(
  sql: Sql,
  { from, to, period, timeZone }: { from: Date; to: Date | null; period: string | undefined; timeZone: string },
): Promise<TimeWindow> {
  const [row] = await sql<[TimeWindow]>`
    select
      (begins - period) at time zone ${timeZone}::text as "from",
      least((ends - period) at time zone ${timeZone}::text, ${from}::timestamptz) as "to"
    from (
      select
        ${from}::timestamptz at time zone ${timeZone}::text as begins,
        coalesce(${to}::timestamptz, clock()) at time zone ${timeZone}::text as ends
    ) as wall
    cross join lateral (select coalesce(${period ?? null}::interval, ends - begins) as period) as earlier`;
  return row;
}

export const steps = ["hour", "day", "week", "month"] as const;
export type Step = (typeof steps)[number];

/**
 * Returns the parts of a window that start with each hour, day, week (Monday) or month of a time zone, in order. The
 * first and the last part may be shorter. All borders between parts are whole quarters of an hour.
 */
export async function listPoints(
  sql: Sql,
  { from, to, step, timeZone, limit }: TimeWindow & { step: Step; timeZone: string; limit: number },
): Promise<TimeWindow[]> {
  // Hours are counted by elapsed time, because the wall clock repeats or skips some hours.
  const starts =
    step === "hour"
      ? sql`
        select starts_at, starts_at + interval '1 hour' as ends_at
        from generate_series(
          ${from}::timestamptz - (wall - date_trunc('hour', wall)),
          ${to}::timestamptz,
          interval '1 hour'
        ) as starts_at`
      : sql`
        select starts at time zone ${timeZone}::text as starts_at, (starts + length) at time zone ${timeZone}::text as ends_at
        from (select ${`1 ${step}`}::interval as length) as one
        cross join generate_series(
          date_trunc(${step}::text, wall),
          ${to}::timestamptz at time zone ${timeZone}::text,
          length
        ) as starts`;
  return sql<TimeWindow[]>`
    select greatest(point.starts_at, ${from}::timestamptz) as "from", least(point.ends_at, ${to}::timestamptz) as "to"
    from (select ${from}::timestamptz at time zone ${timeZone}::text as wall) as here
    cross join lateral (${starts}) as whole
    cross join lateral (
      select date_bin('15 minutes', whole.starts_at, 'epoch') as starts_at, date_bin('15 minutes', whole.ends_at, 'epoch') as ends_at
    ) as point
    where point.ends_at > ${from}::timestamptz
      and point.starts_at < ${to}::timestamptz
    order by 1
    limit ${limit}`;
}
