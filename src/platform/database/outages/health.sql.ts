import { limits } from "../../../limits/index.ts";
import { type Clock, pause, systemClock } from "../../concurrency/clock.ts";
import { codeOf, reasonOf } from "../../thrown.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import { outageOf } from "../primary/outage.ts";
import type { Sql } from "../sql.ts";

/**
 * The errors of a server that is starting or recovering, of a machine that is too busy to respond, and of a forwarded
 * port without a server.
 */
const passing: readonly unknown[] = ["57P03", "CONNECTION_CLOSED", "CONNECT_TIMEOUT", "ECONNRESET"];
const pollMs = 250;
/** A database usually responds within milliseconds. After this time, the operator sees why the start waits. */
const noteMs = 2_000;

/**
 * Resolves if the database accepts a chat's writes, and rejects otherwise. The statement tests the rights on tables of
 * a step, whether the server is read-only, the disk of the tables and the disk of the log. A sort of 100 kB with the
 * minimum memory of 64 kB uses a temporary file, and a transaction number is committed to the log. The test leaves no
 * data behind and takes 3 ms (PostgreSQL 15).
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

/** Returns the size of the database in bytes. */
export async function askSize(sql: Sql): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: string }]>`
    select pg_database_size(current_database()) as bytes`;
  return Number(bytes);
}

/** Returns the server's version, time and role. */
export async function askServer(sql: Sql): Promise<{ version: string; now: Date; isStandby: boolean }> {
  const [server] = await sql<[{ version: string; now: Date; isStandby: boolean }]>`
    select
      split_part(current_setting('server_version'), ' ', 1) as version,
      clock_timestamp() as now,
      pg_is_in_recovery() as is_standby`;
  return server;
}

/**
 * Resolves when a database that is starting or unavailable responds. `onWait` is called once if the function has to
 * wait. Rejects with the database's error if the database takes too long, and immediately for any other error.
 */
export async function untilStarted(sql: Sql, onWait: (why: string) => void, clock: Clock = systemClock): Promise<void> {
  const deadline = clock.now() + limits.database.startMs;
  let hasNoted = false;
  const note = (why: string): void => {
    if (!hasNoted) onWait(why);
    hasNoted = true;
  };
  for (;;) {
    const stopNote = clock.startTimer(noteMs, () => note("it has not responded yet"));
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
