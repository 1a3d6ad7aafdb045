import { saveSteps } from "../../../src/chat/saves/save-steps.sql.ts";
import { createFixedFloor, type Floor, type FloorOrder, hammer } from "../../../src/commands/bench/floor.ts";
import { dropFloorTable } from "../../../src/commands/bench/leftovers.sql.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { firstStep, type StepOfSession, stateOfChat } from "./saved-step.ts";

export type { Floor, FloorOrder };

/**
 * Statements that are sent to the database by one worker per visitor, over the same number of connections as the
 * service uses.
 */
export type Floors = {
  readonly sql: Sql;
  /**
   * Measures inserts of one row per statement, with 1 kB of state, 100,000 rows, prepared statements and fsync. The
   * result is independent of changes to the service.
   */
  fixed(order: FloorOrder): Promise<Floor>;
  /** Measures the service's own save, with one step per statement. */
  save(order: FloorOrder): Promise<Floor>;
  /** Measures any statement. */
  measure(order: FloorOrder, once: (worker: number) => Promise<unknown>): Promise<Floor>;
  close(): Promise<void>;
};

export function openFloors(database: { url: string; pid: number }, connections: number): Floors {
  const sql = connect(database.url, { connections });
  const botId = newId();
  const measure: Floors["measure"] = (order, once) => hammer(order, database.pid, once);
  return {
    sql,
    fixed: createFixedFloor(sql, database.pid),
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
      await dropFloorTable(sql);
      await sql.end();
    },
  };
}

/**
 * Inserts a session in the state after a chat of five questions. The insert counts as part of the first of its five
 * saves.
 */
async function newSession(sql: Sql, botId: string): Promise<StepOfSession> {
  const resultId = newId();
  const sessionId = newId(shardOf(resultId));
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    values (${shardOf(sessionId)}, ${sessionId}, ${botId}, '\\x00', ${resultId}, 1, ${stateOfChat}, 1440,
      date_trunc('minute', clock()) + interval '1441 minutes', date_trunc('hour', clock() + interval '1501 minutes'), 'bot')`;
  return firstStep({ sessionId, resultId, botId });
}
