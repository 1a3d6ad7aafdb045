import { afterAll, beforeAll, expect, test } from "bun:test";
import { readClock } from "../../src/platform/database/clock.sql.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { moveClock } from "./moved-clock.ts";
import { createTestQueue, type TestQueue } from "./queue.ts";

let queue: TestQueue;
beforeAll(async () => {
  queue = await createTestQueue();
});
afterAll(() => queue.close());

test("moving a database's clocks also affects open connections", async () => {
  const { database, sql } = queue;
  const other = connect(database.url, { connections: 1 });
  const behind = async () => {
    const [row] = await other<[{ ours: number; queue: number; stored: number }]>`
      with stored as (insert into job_logs (job_id, line) values (gen_random_uuid(), '') returning at)
      select
        extract(epoch from statement_timestamp() - clock())::float8 as ours,
        extract(epoch from statement_timestamp() - pgboss.job_now())::float8 as queue,
        extract(epoch from statement_timestamp() - at)::float8 as stored
      from stored`;
    return Object.values(row).map((seconds) => Math.round(seconds));
  };
  for (const seconds of [0, 600, 86_400, -60, 0]) {
    await moveClock(sql, -seconds);
    expect(await behind()).toEqual([seconds, seconds, seconds]);
  }
  await moveClock(sql, 3_600);
  expect((await readClock(sql)).getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  await other.end();
});
