import { afterAll, beforeAll, expect, test } from "bun:test";
import { endSessionsOfResults, eraseResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import { contentTables } from "../../../src/platform/database/deleted.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createExplainer } from "../../support/plans.ts";
import { countContent, putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a step that is being saved during the erasure of its result stores nothing", async () => {
  const { sql } = database;
  const botId = newId();
  const { resultId, sessionId } = await putResult(sql, botId, { answers: [{ content: "before" }] });
  const saving = Promise.withResolvers<void>();
  const isSaved = sql.begin(async (step) => {
    await step`update sessions set revision = revision + 1 where shard = ${shardOf(sessionId)} and id = ${sessionId}`;
    await step`
      insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, content)
      values (${shardOf(resultId)}, ${resultId}, ${sessionId}, 2, 0, ${botId}, 'b', 'g', 'while')`;
    await saving.promise;
  });

  const erasing = endSessionsOfResults(sql, [resultId]).then(() => eraseResults(sql, { botId, resultIds: [resultId] }));
  await waitFor(() => isWaiting("update sessions"), { what: "the erasure to meet the save" });
  saving.resolve();
  await isSaved;

  expect(await erasing).toBe(1);
  expect(await countContent(sql, botId)).toEqual({ sessions: 0, steps: 0, answers: 0, logs: 0, visited_edges: 0 });
});

test("every table that references results is either erased or a known exception", async () => {
  const rows = await database.sql<{ name: string }[]>`
    select table_name as name
    from information_schema.columns
    where table_schema = 'public'
      and column_name = 'result_id'`;
  const others = rows.map(({ name }) => name).filter((name) => !contentTables.some((table) => table === name));
  expect(others.toSorted()).toEqual(
    [
      ...["event_deliveries", "files", "mails", "sessions"],
      // The clean-up of old messages deletes contacts without a recent message.
      "channel_contacts",
      // These tables contain only ids and counts, and their rows are deleted with the counted rows.
      ...["insight_results", "problem_examples", "result_walks", "results_to_read"],
    ].toSorted(),
  );
});

test("a session that is ended with its result keeps no state", async () => {
  const { sql } = database;
  const { resultId, sessionId } = await putResult(sql, newId());
  await endSessionsOfResults(sql, [resultId]);
  const [session] = await sql`select is_ended, state from sessions where id = ${sessionId}`;
  expect(session).toEqual({ isEnded: true, state: "" });
});

test("an erasure does not count a result that is already erased", async () => {
  const { sql } = database;
  const botId = newId();
  const { resultId } = await putResult(sql, botId);
  expect(await eraseResults(sql, { botId, resultIds: [resultId] })).toBe(1);
  expect(await eraseResults(sql, { botId, resultIds: [resultId] })).toBe(0);
});

test("an erasure does not affect results of another bot", async () => {
  const { sql } = database;
  const botId = newId();
  const { resultId } = await putResult(sql, botId, { answers: [{ content: "kept" }] });
  expect(await eraseResults(sql, { botId: newId(), resultIds: [resultId] })).toBe(0);
  expect(await countContent(sql, botId)).toMatchObject({ answers: 1, sessions: 1 });
});

async function isWaiting(statement: string): Promise<boolean> {
  const waiting = await database.sql`
    select 1
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${statement}%`}`;
  return waiting.length > 0;
}

test("erasures lock results and sessions in the order of their ids", async () => {
  const explainer = createExplainer(database.url);
  const inOrder =
    /-> {2}LockRows\n(?:\s+InitPlan \d+\n\s+-> {2}Result\n)*\s+-> {2}Sort\n\s+Sort Key: ([a-z]+)(?:_\d)?\.id\n/g;

  await endSessionsOfResults(explainer.sql, [newId()]);
  const ending = [...(await explainer.plan()).matchAll(inOrder)].map(([, table]) => table);
  await eraseResults(explainer.sql, { botId: newId(), resultIds: [newId()] });
  const erasing = [...(await explainer.plan()).matchAll(inOrder)].map(([, table]) => table);
  await explainer.close();

  expect(ending).toEqual(["sessions"]);
  expect(erasing).toEqual(["results", "sessions"]);
});
