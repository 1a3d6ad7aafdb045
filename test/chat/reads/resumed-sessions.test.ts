import { afterAll, beforeAll, expect, test } from "bun:test";
import { keepResumedSession } from "../../../src/chat/reads/resumed-sessions.sql.ts";
import { claimStep, findSession } from "../../../src/chat/reads/sessions.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("marking a session as seen keeps the claim of a concurrent step", async () => {
  const { sql } = database;
  const { resultId, sessionId, lastStepId } = await putAnsweredSession();
  const stepId = newId();
  const claim = { sessionId, revision: 2, stepId, requestHash: "00", now: new Date(), seed: "seed", seconds: 60 };

  const marked = await sql.begin(async (transaction) => {
    await transaction`select from sessions where id = ${sessionId} for update`;
    // The claim waits for the row first, so it locks the row first.
    const claiming = claimStep(sql, claim);
    await waitFor(async () => (await countWaiting()) === 1);
    const marking = keepResumedSession(sql, { resultId, publicationNumber: 1 });
    await waitFor(async () => (await countWaiting()) === 2);
    return { claiming, marking };
  });

  expect(await marked.claiming).toBe(true);
  expect(await marked.marking).toBe(true);
  const session = await findSession(sql, sessionId, null);
  expect(session).toMatchObject({ lastStepId, claim: { stepId, isLive: true } });
});

test("reloading a page does not restore an expired chat", async () => {
  const { sql } = database;
  const { resultId, sessionId } = await putAnsweredSession();
  await sql`update sessions set expires_at = clock() - interval '1 minute' where id = ${sessionId}`;

  expect(await keepResumedSession(sql, { resultId, publicationNumber: 1 })).toBe(false);
  expect(await findSession(sql, sessionId, null)).toMatchObject({ isExpired: true, claim: null });
});

/** Stores a session whose last reply has just arrived. */
async function putAnsweredSession() {
  const { sql } = database;
  const botId = newId();
  const { resultId, sessionId } = await putResult(sql, botId);
  const lastStepId = newId();
  await sql`
    update sessions
    set revision = 2, last_step_id = ${lastStepId}, publication_number = 1
    where id = ${sessionId}`;
  await sql`
    insert into steps (shard, session_id, revision, id, bot_id, request_hash, response)
    values (${shardOf(sessionId)}, ${sessionId}, 2, ${lastStepId}, ${botId}, '\\x00', '{}')`;
  return { resultId, sessionId, lastStepId };
}

async function countWaiting(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::integer as count
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}
