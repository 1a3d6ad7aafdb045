import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { noteFoundUntil } from "../../../src/management/counts/count-state.sql.ts";
import { takeDue } from "../../../src/management/counts/turns.sql.ts";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { shardedIds } from "../../../src/platform/database/bulk.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish } from "../../support/chat.ts";
import { putResults } from "../../support/results.ts";

let api: TestApi;
let owner: TestUser;
/** Bots of two workspaces. */
const bots: string[] = [];

const many = 20_000;
const few = 95;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  const workspaceIds = [await api.makeWorkspace(owner), await api.makeWorkspace(owner)].toSorted();
  for (const workspaceId of workspaceIds) {
    const { botId } = await publish(api.client, { token: owner.token, workspaceId }, flowOf([asks("text input")]));
    bots.push(botId);
  }
});
afterAll(() => api.close());

test("a small workspace waits for at most two turns of a large one", async () => {
  const [large = "", small = ""] = bots;
  await putResults(api.deps.sql, large, many);
  await queueAll(large);
  await putResults(api.deps.sql, small, few);
  await queueAll(small);
  await noteFoundUntil(api.deps.sql, new Date());

  const job = insight(api.deps.sql);
  let counted = new Map<string, number>();
  for (let batches = 0; (counted.get(small) ?? 0) < few && batches < 20; batches++) {
    expect(await job.removeSome()).toBeGreaterThan(0);
    counted = await countedOf();
  }

  expect(counted.get(small)).toBe(few);
  // Counting runs in turns: one turn is done, and at most one more has started.
  expect(counted.get(large)).toBeGreaterThan(0);
  expect(counted.get(large)).toBeLessThan(limits.insight.perTurn + 250);
  const [asOfSmall, asOfLarge] = [await asOf(small), await asOf(large)];
  // All results of the small bot are counted, because it does not wait for the large bot.
  expect(Date.parse(asOfSmall)).toBeGreaterThan(Date.parse(asOfLarge));
  // The results that are not counted yet are older.
  const [first] = await api.deps.sql<{ createdAt: Date }[]>`
    select min(results.created_at) as created_at
    from results
    join insight_results on insight_results.shard = results.shard and insight_results.result_id = results.id
    where results.bot_id = ${large}
      and not insight_results.is_counted`;
  expect(Date.parse(asOfLarge)).toBeLessThanOrEqual(Number(first?.createdAt));
}, 60_000);

test("a workspace gets at most two thirds of the reads while another waits", async () => {
  const [large = "", small = ""] = bots;
  const { sql } = api.deps;
  await sql`delete from results_to_read`;
  await putResults(sql, small, 5_000);
  for (const bot of [large, small]) {
    await sql`insert into results_to_read (shard, result_id, bot_id) select shard, id, bot_id from results where bot_id = ${bot}`;
  }
  const owners = new Map<string, string>();
  for (const { id, workspaceId } of await sql<{ id: string; workspaceId: string }[]>`
    select id, workspace_id from bots where id = any(${bots}::uuid[])`)
    owners.set(workspaceId, id);

  const taken: string[] = [];
  for (let batch = 0; batch < 32; batch++) {
    const due = await takeDue(sql, "results_to_read", 250);
    taken.push(...due.map(({ workspaceId }) => owners.get(workspaceId) ?? workspaceId));
    await sql`
      delete from results_to_read
      using ${shardedIds(
        sql,
        due.map(({ resultId }) => resultId),
      )} as read
      where results_to_read.shard = read.shard and results_to_read.result_id = read.id`;
  }

  expect(taken).toHaveLength(8_000);
  const runs = runsOf(taken);
  expect(Math.max(...runs.map(({ length }) => length))).toBe(limits.insight.perTurn);
  const share = taken.filter((bot) => bot === large).length / taken.length;
  expect(share).toBeGreaterThan(1 / 3);
  expect(share).toBeLessThanOrEqual(2 / 3);
  // If no other bot is waiting, all results of the bot are counted without a postponement.
  await sql`delete from results_to_read where bot_id = ${small}`;
  expect(await takeDue(sql, "results_to_read", 3_000)).toHaveLength(3_000);
});

test("results queued by a node of an earlier release are read", async () => {
  const { sql } = api.deps;
  await sql`delete from results_to_read`;
  await sql`insert into results_to_read (shard, result_id, next_at) select shard, id, 'infinity' from results limit 10`;
  await sql`insert into results_to_read (shard, result_id) values (0, '00000000-0000-0000-0000-000000000400')`;
  const [, reading] = resultValues(sql);
  expect(await reading?.removeSome()).toBe(1);
  expect(await reading?.removeSome()).toBe(0);
});

function runsOf(list: readonly string[]): { readonly of: string; readonly length: number }[] {
  const runs: { of: string; length: number }[] = [];
  for (const of of list) {
    const last = runs.at(-1);
    if (last?.of === of) last.length += 1;
    else runs.push({ of, length: 1 });
  }
  return runs;
}

/** Queues the results as an import does. */
async function queueAll(botId: string): Promise<void> {
  await api.deps.sql`
    insert into insight_results (shard, result_id, bot_id, next_at)
    select shard, id, bot_id, created_at
    from results
    where bot_id = ${botId}`;
}

async function countedOf(): Promise<Map<string, number>> {
  const rows = await api.deps.sql<{ botId: string; count: number }[]>`
    select bot_id, count(*)::integer as count
    from insight_results
    where is_counted
    group by bot_id`;
  return new Map(rows.map(({ botId, count }) => [botId, count]));
}

async function asOf(botId: string): Promise<string> {
  return (await api.client.get(`/api/v1/bots/${botId}/insight`, { token: owner.token })).text("insight.asOf");
}
