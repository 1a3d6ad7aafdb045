import { limits } from "../../../limits/index.ts";
import { type Clock, pause, systemClock } from "../../concurrency/clock.ts";
import { codeOf, reasonOf } from "../../thrown.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import { outageOf } from "../primary/outage.ts";
import type { Sql } from "../sql.ts";

/**
 * The errors of a server that starts up or recovers, of one whose machine is too busy to answer, and of a forwarded
 * port without a server yet.
 */
const passing: readonly unknown[] = ["57P03", "CONNECTION_CLOSED", "CONNECT_TIMEOUT", "ECONNRESET"];
const pollMs = 250;
/** A database answers within milliseconds: after this time the operator reads why the start waits. */
const noteMs = 2_000;

/**
 * Resolves when the database accepts a chat's writes. It tests the rights on every table of a step, a server that is
 * read-only, the disk of the tables (a sort of 100 kB with only 64 kB of memory, the minimum, uses a file) and the disk
 * of the log (a transaction number, which is committed), and leaves nothing behind. It takes 3 ms (PostgreSQL 15).
 */
export async function tryWrite(sql: Sql): Promise<void> {
  await sql`
    with session_updates as (update sessions set revision = revision where false),
    result_updates as (update results set has_started = has_started where false),
    session_rows as (insert into sessions (id) select null::uuid where false),
    start_rows as (insert into start_keys (session_id) select null::uuid where false),
    step_rows as (insert into steps (id) select null::uuid where false),
    result_rows as (insert into results (id) select null::uuid where false),
    answer_rows as (insert into answers (session_id) select null::uuid where false),
    edge_rows as (insert into visited_edges (edge_id) select null where false),
    log_rows as (insert into logs (id) select null::uuid where false),
    job_rows as (insert into outbox (id) select null::uuid where false),
    event_rows as (insert into event_deliveries (id) select null::uuid where false),
    memory as materialized (
      select length(set_config('work_mem', '64kB', true)) as length
    )
    select pg_current_xact_id(), count(*)
    from memory
    cross join lateral (
      select number
      from generate_series(1, 1500 + memory.length) as number
      order by md5(number::text)
    ) as sorted`;
}

/** The size of the database in bytes. */
export async function askSize(sql: Sql): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: string }]>`
    select pg_database_size(current_database()) as bytes`;
  return Number(bytes);
}

/** The server's facts about itself; `now` is the clock of all stored times. */
export async function askServer(sql: Sql): Promise<{ version: string; now: Date; isStandby: boolean }> {
  const [server] = await sql<[{ version: string; now: Date; isStandby: boolean }]>`
    select
      split_part(current_setting('server_version'), ' ', 1) as version,
      clock_timestamp() as now,
      pg_is_in_recovery() as is_standby`;
  return server;
}

/**
 * Resolves when a database that is starting up, or does not answer yet, answers; `onWait` is called once if it has to
 * wait. Rejects as the database does if it takes too long, and at once for any other reason.
 */
export async function untilStarted(sql: Sql, onWait: (why: string) => void, clock: Clock = systemClock): Promise<void> {
  const deadline = clock.now() + limits.database.startMs;
  let hasNoted = false;
  const note = (why: string): void => {
    if (!hasNoted) onWait(why);
    hasNoted = true;
  };
  for (;;) {
    const stopNote = clock.startTimer(noteMs, () => note("it has not answered yet"));
    try {
      await boundAnswers()(sql`select 1`);
      return;
    } catch (error) {
      if (!passing.includes(codeOf(error)) || clock.now() >= deadline) throw error;
      note(outageOf(error)?.says ?? reasonOf(error));
    } finally {
      stopNote();
    }
    await pause(clock, pollMs);
  }
}
