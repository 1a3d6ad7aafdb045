import { limits } from "../../limits/index.ts";
import { bulk, double, text, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { newId } from "../../platform/ids.ts";
import type { StepToSave } from "./records.ts";

/**
 * The open timers of steps. `due` is the time of an earlier step's timer; `in_seconds` applies to a timer that starts
 * with this save.
 */
const openTimers = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  due: double(({ timer }) => (timer?.open?.inMs === undefined ? (timer?.open?.due ?? 0) / 1_000 : null)),
  in_seconds: double(({ timer }) => wholeSeconds(timer)),
});

function wholeSeconds(timer: StepToSave["timer"]): number | null {
  const inMs = timer?.open?.inMs;
  return inMs === undefined ? null : inMs / 1_000;
}

type TimedSessions = Readonly<Record<"list" | "atLeast" | "untilTime" | "untilHour", Fragment>>;

/** The fragments for batches without timers, so that the statement can be reused. */
export const untimed: TimedSessions = { list: nothing, atLeast: nothing, untilTime: nothing, untilHour: nothing };

/**
 * Returns the parts of a save that keep sessions a day longer than their timers. `atLeast`, `untilTime` and `untilHour`
 * wrap the end that the session would otherwise have.
 */
export function timedSessions(steps: readonly StepToSave[], idColumn: "s.id" | "id"): TimedSessions {
  const timed = steps.filter(({ timer }) => timer?.open !== undefined);
  const hours = limits.timers.sessionHours;
  const lasts = (sql: Sql, extra: number) =>
    sql`select coalesce(to_timestamp(t.due), clock() + make_interval(secs => t.in_seconds)) + make_interval(hours => ${hours + extra}::integer) from open_timers t where t.session_id = ${sql.unsafe(idColumn)}`;
  return {
    list: (sql) => sql`
    open_timers as (
      select *
      from ${openTimers(sql, timed)} as i
    ),`,
    atLeast: (sql) => sql`greatest(`,
    untilTime: (sql) => sql`, (${lasts(sql, 0)}))`,
    untilHour: (sql) => sql`, date_trunc('hour', (${lasts(sql, 1)})))`,
  };
}

type Ended = { readonly step: StepToSave; readonly visit?: string | undefined; readonly id?: string | undefined };

const endedRows = bulk<Ended>({
  session_id: uuid(({ step }) => step.sessionId),
  visit: text(({ visit }) => visit),
  id: uuid(({ id }) => id ?? null),
});

const begunRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  id: uuid(() => newId()),
  kind: text(({ timer }) => timer?.open?.kind),
  visit: text(({ timer }) => timer?.open?.visit),
  in_seconds: double(({ timer }) => wholeSeconds(timer)),
});

/**
 * Returns the part of a save that writes the rows of new timers. It also deletes the timers of visits that have ended,
 * and the row that caused the step.
 */
export function savedTimers(steps: readonly StepToSave[]): Fragment {
  const ended = steps.flatMap((step): Ended[] => [
    ...(step.timer?.ended === undefined ? [] : [{ step, visit: step.timer.ended }]),
    ...(step.dueId === undefined ? [] : [{ step, id: step.dueId }]),
  ]);
  const begun = steps.filter(({ timer }) => timer?.open?.inMs !== undefined);
  return (sql) => sql`
    ${ended.length > 0 ? endedTimers(sql, ended) : nothing(sql)}
    ${begun.length > 0 ? begunTimers(sql, begun) : nothing(sql)}`;
}

function endedTimers(sql: Sql, ended: readonly Ended[]) {
  return sql`,
    ended_timers as (
      select *
      from ${endedRows(sql, ended)} as i
    ),
    ended_timer_rows as (
      delete from due_steps d
      using ended_timers e
      join saved s on s.id = e.session_id
      where d.shard = s.shard
        and d.session_id = s.id
        and (d.visit = e.visit or d.id = e.id)
    )`;
}

function begunTimers(sql: Sql, begun: readonly StepToSave[]) {
  return sql`,
    begun_timers as (
      select *
      from ${begunRows(sql, begun)} as i
    ),
    begun_timer_rows as (
      insert into due_steps (shard, session_id, id, bot_id, kind, visit, due, held_until)
      select shard, session_id, id, bot_id, kind, visit, due, due
      from (
        select s.shard, s.id as session_id, b.id, s.bot_id, b.kind, b.visit,
          -- From the moment in which the row is written: the statement may have waited for the session's row. Cut, as our clock is.
          date_trunc('milliseconds', clock() + (clock_timestamp() - statement_timestamp()) + make_interval(secs => b.in_seconds)) as due
        from begun_timers b
        join saved s on s.id = b.session_id
      ) as t
    )`;
}
