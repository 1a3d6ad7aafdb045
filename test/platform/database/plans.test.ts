import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findSessions } from "../../../src/chat/reads/sessions.sql.ts";
import type { StepToSave } from "../../../src/chat/saves/records.ts";
import { saveStarts } from "../../../src/chat/saves/save-starts.sql.ts";
import { saveSteps } from "../../../src/chat/saves/save-steps.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createExplainer, type Explainer } from "../../support/plans.ts";

// A connection caches its plans. A plan that was made while the tables were small must also suit large tables.
let database: TestDatabase;
let explainer: Explainer;
let filling: Promise<void> | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  explainer = createExplainer(database.url);
});
afterAll(async () => {
  await explainer.close();
  await database.close();
});

/** Fills the tables, once. */
const filled = () => (filling ??= fill());

describe.each(["empty", "filled"])("statements in a database that is %s", (state) => {
  beforeAll(async () => {
    if (state === "filled") await filled();
  });

  test("a batch of steps finds each session by key, in a nested loop", async () => {
    await saveSteps(explainer.sql, [stepOf(newId()), stepOf(newId())]);
    const plan = await explainer.plan();

    expect(plan).toMatch(
      /Update on sessions[\s\S]*?Nested Loop\n.*Subquery Scan on i\n[\s\S]*?Index Scan using sessions_pkey/,
    );
    expectKeyedSave(plan);
  });

  test("a single step finds its session by key, without a list", async () => {
    await saveSteps(explainer.sql, [stepOf(newId())]);
    const plan = await explainer.plan();

    expect(plan).toMatch(
      /Index Scan using sessions_pkey on sessions s\n.*Index Cond: \(\(shard = \$1\) AND \(id = \$2\)\)/,
    );
    expect(plan).not.toContain("unnest");
    expectKeyedSave(plan);
  });

  test("sessions and their steps are read by key", async () => {
    await findSessions(explainer.sql, [{ id: newId(), key: "a-key" }]);
    const plan = await explainer.plan();

    expect(plan).toContain("Index Scan using sessions_pkey on sessions");
    expect(plan).toMatch(/One-Time Filter: \(i.key IS NOT NULL\)\n.*Index Scan using steps_(key|pkey) on steps/);
    expect(plan).not.toMatch(/Seq Scan on (sessions|steps)/);
  });
});

// The tables are filled, because a full scan of a few bots would be just as good.
test("the statement that saves started chats finds bots and workspaces by key", async () => {
  await filled();
  const start = {
    flowHash: "00",
    publicationNumber: 1,
    allowedOrigins: null,
    lifetimeMinutes: 60,
    dialect: "bot" as const,
  };
  const rest = {
    isAnonymous: false,
    previewedBy: null,
    scope: "",
    publicId: null,
    seed: "",
    cachedPublicId: "bot",
    answers: [],
    results: [],
  };
  await saveStarts(explainer.sql, [{ ...stepOf(newId()), ...start, ...rest }]);
  const plan = await explainer.plan();

  expect(plan).toMatch(/Index Scan using bots_(pkey|public_id) on bots/);
  expect(plan).toContain("Index Scan using workspaces_pkey on workspaces");
});

/**
 * Expects that a save finds a suspended or listening workspace by the session's own bot, even with a plan from a time
 * when there were few such workspaces.
 */
function expectKeyedSave(plan: string): void {
  expect(plan).toContain("Index Scan using results_pkey on results");
  expect(plan.match(/Index Scan using bots_pkey on bots/g)).toHaveLength(2);
  expect(plan).not.toMatch(/Seq Scan on (sessions|results|steps|answers)|hashed SubPlan/);
}

function stepOf(sessionId: string): StepToSave {
  const botId = newId();
  const resultId = newId(shardOf(sessionId));
  const answer = {
    resultId,
    botId,
    blockId: "in",
    groupId: "gr",
    variableId: null,
    content: "Ana",
    attachedFileUrls: null,
  };
  return {
    ...{ sessionId, botId, resultId, revision: 1, stepId: newId(), key: null, requestHash: "00", reply: null },
    ...{ response: "{}", state: "{}", isEnded: false, answers: [answer], logs: [], jobs: [] },
    results: [{ resultId, botId, variables: "[]", hasStarted: true, isCompleted: false }],
    visitedEdgeIds: [],
    visitedBefore: 0,
    wasRead: true,
    hasEventEndpoints: false,
  };
}

async function fill(): Promise<void> {
  await database.sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    select index % 1024, gen_random_uuid(), ${newId()}::uuid, '', gen_random_uuid(), 1, '{}', 1440, clock(), clock(), 'bot'
    from generate_series(1, 20000) as index`;
  await database.sql`
    insert into results (shard, id, bot_id)
    select shard, result_id, bot_id
    from sessions`;
  await database.sql`
    insert into steps (shard, session_id, revision, id, bot_id, key, response)
    select shard, id, 1, gen_random_uuid(), bot_id, id::text, '{}'
    from sessions`;
  await database.sql`
    insert into workspaces (id, name)
    select gen_random_uuid(), 'One of many'
    from generate_series(1, 2000)`;
  await database.sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings)
    select gen_random_uuid(), id, '6.1', name, '[]', '[]', '[]', '{}', '{}'
    from workspaces`;
  await database.sql`analyze`;
}
