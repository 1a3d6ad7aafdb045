import { newId, shardOf } from "../../src/ids.ts";
import { saveSteps } from "../../src/store/chat/save-steps.ts";
import { connect, type Sql } from "../../src/store/database/sql.ts";
import { cpuMs } from "./cpu.ts";
import { type Latencies, summarise } from "./numbers.ts";
import { firstStep, type StepOfSession, stateOfChat } from "./saved-step.ts";

/** How fast the database itself does something, and the processor time that it and its client took meanwhile. */
export type Floor = {
  readonly perSecond: number;
  readonly latencies: Latencies;
  readonly cpuMs: { readonly database: number; readonly client: number };
};

export type FloorOrder = { readonly concurrency: number; readonly seconds: number; readonly warmUpSeconds: number };

/** Statements hammered at the database by as many at once as there are visitors, over the service's number of connections. */
export type Floors = {
  readonly sql: Sql;
  /** One row a statement, 1 kB of state, 100,000 rows, prepared, fsync on. No later change of ours moves it. */
  fixed(order: FloorOrder): Promise<Floor>;
  /** Our own save, one step a statement. */
  save(order: FloorOrder): Promise<Floor>;
  /** Any statement. */
  measure(order: FloorOrder, once: (worker: number) => Promise<unknown>): Promise<Floor>;
  close(): Promise<void>;
};

const fixedRows = 100_000;

export function openFloors(database: { url: string; pid: number }, connections: number): Floors {
  const sql = connect(database.url, { connections });
  const botId = newId();
  const revisions = new Int32Array(fixedRows + 1).fill(1);
  const state = "y".repeat(1024);
  let isFixedTableMade = false;
  const measure: Floors["measure"] = (order, once) => hammer(order, database.pid, once);
  return {
    sql,
    async fixed(order) {
      if (!isFixedTableMade) await makeFixedTable(sql);
      isFixedTableMade = true;
      return measure(order, (worker) => {
        const id = 1 + ((worker * 7919 + Math.floor(Math.random() * 1_000_000) * order.concurrency) % fixedRows);
        const revision = revisions[id] ?? 1;
        revisions[id] = revision + 1;
        return sql`update floor set revision = revision + 1, state = ${state} where id = ${id} and revision = ${revision}`;
      });
    },
    save(order) {
      const steps: (StepOfSession | undefined)[] = [];
      return measure(order, async (worker) => {
        const step = steps[worker] ?? (await newSession(sql, botId));
        await saveSteps(sql, [step]);
        steps[worker] = step.revision < 5 ? { ...step, revision: step.revision + 1, stepId: newId() } : undefined;
      });
    },
    measure,
    async close() {
      await sql`drop table if exists floor`;
      await sql.end();
    },
  };
}

async function makeFixedTable(sql: Sql): Promise<void> {
  await sql`drop table if exists floor`;
  await sql`create table floor (id integer primary key, revision integer not null, state text not null) with (fillfactor = 70)`;
  await sql`insert into floor select id, 1, repeat('x', 1024) from generate_series(1, ${fixedRows}) as id`;
  await sql`vacuum analyze floor`;
}

async function hammer(
  { concurrency, seconds, warmUpSeconds }: FloorOrder,
  databasePid: number,
  once: (worker: number) => Promise<unknown>,
): Promise<Floor> {
  const begin = performance.now() + warmUpSeconds * 1_000;
  const end = begin + seconds * 1_000;
  const taken: number[] = [];
  let before: ReturnType<typeof used> | undefined;
  const used = () => {
    const own = process.cpuUsage();
    return { database: cpuMs(databasePid, { withChildren: true }), client: (own.user + own.system) / 1_000 };
  };
  const work = async (_: unknown, worker: number): Promise<void> => {
    for (;;) {
      let from = performance.now();
      if (from >= end) return;
      if (from >= begin && !before) {
        before = used();
        from = performance.now();
      }
      await once(worker);
      const to = performance.now();
      if (from >= begin && to <= end) taken.push(to - from);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const after = used();
  return {
    perSecond: taken.length / seconds,
    latencies: summarise(taken),
    cpuMs: {
      database: after.database - (before?.database ?? 0),
      client: after.client - (before?.client ?? 0),
    },
  };
}

/** A session as a chat of five questions leaves it; its insert counts to the first of its five saves. */
async function newSession(sql: Sql, botId: string): Promise<StepOfSession> {
  const resultId = newId();
  const sessionId = newId(shardOf(resultId));
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    values (${shardOf(sessionId)}, ${sessionId}, ${botId}, '\\x00', ${resultId}, 1, ${stateOfChat}, 1440,
      date_trunc('minute', clock()) + interval '1441 minutes', date_trunc('hour', clock() + interval '1501 minutes'), 'bot')`;
  return firstStep({ sessionId, resultId, botId });
}
