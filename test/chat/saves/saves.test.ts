import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { StartToSave, StepToSave } from "../../../src/chat/saves/records.ts";
import { saveStarts } from "../../../src/chat/saves/save-starts.sql.ts";
import { saveSteps } from "../../../src/chat/saves/save-steps.sql.ts";
import { createSaves } from "../../../src/chat/saves/saves.ts";
import type { Job } from "../../../src/core/interpreter/program/job.ts";
import type { SavedAnswer } from "../../../src/core/interpreter/step/step.ts";
import { createStatementGate } from "../../../src/platform/concurrency/statement-gate.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putEndpoint } from "../../support/events.ts";
import { putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/**
 * Creates a session, and returns its next step, which changes the session's result. `more` overrides fields of the
 * step.
 */
async function nextStep(more: Partial<StepToSave> = {}): Promise<StepToSave & { readonly resultId: string }> {
  const botId = newId();
  const { resultId, sessionId } = await putResult(database.sql, botId);
  return {
    ...{ sessionId, botId, revision: 1, stepId: newId(), key: null, requestHash: "00", reply: null },
    ...{ response: "{}", state: "{}", isEnded: false, answers: [], logs: [], jobs: [], visitedEdgeIds: [] },
    results: [{ resultId, botId, variables: '["changed"]', hasStarted: true, isCompleted: true }],
    ...{ visitedBefore: 0, wasRead: true, hasEventEndpoints: false, ...more },
    resultId,
  };
}

async function nextStart(): Promise<StartToSave & { readonly resultId: string }> {
  const step = await nextStep();
  await database.sql`update results set has_started = true where id = ${step.resultId}`;
  return {
    ...step,
    sessionId: newId(shardOf(step.resultId)),
    ...{ flowHash: "00", publicationNumber: 1, allowedOrigins: null, lifetimeMinutes: 60, dialect: "bot" },
    ...{ isAnonymous: false, previewedBy: null, scope: "", publicId: null, cachedPublicId: null },
  };
}

function answerOf({ botId, resultId }: { botId: string; resultId: string }): SavedAnswer {
  const place = { blockId: "b", groupId: "g", variableId: null };
  return { botId, resultId, ...place, content: "Ana", attachedFileUrls: null };
}

function mailJob(subject = "s"): Job {
  const [resultId, botId] = [newId(), newId()];
  const data = {
    credentialsId: "c",
    to: ["a@b.co"],
    cc: [],
    bcc: [],
    subject,
    body: { text: "" },
    resultId,
    botId,
  };
  return { queue: "email", data };
}

describe("a batch of saves", () => {
  test("a batch of saves reports jobs if one of its steps created jobs", async () => {
    let told = 0;
    const { steps } = createSaves(database.sql, { onJobs: () => told++ });

    expect(await steps.save(await nextStep())).toBe(true);
    expect(told).toBe(0);
    const [plain, mailing] = [await nextStep(), await nextStep({ jobs: [mailJob()] })];
    expect(await Promise.all([steps.save(plain), steps.save(mailing)])).toEqual([true, true]);
    expect(told).toBe(1);
  });

  test("a save stores its jobs even if no endpoint exists", async () => {
    const { steps } = createSaves(database.sql);

    const step = await nextStep({ jobs: [mailJob()] });

    expect(await steps.save(step)).toBe(true);
    const saved = await database.sql`select queue from outbox where order_key = ${step.sessionId}`;
    expect([...saved]).toEqual([{ queue: "email" }]);
  });

  test("a batch of saves preserves the order of a step's jobs", async () => {
    const { steps } = createSaves(database.sql);
    const subjects = Array.from({ length: 20 }, (_, index) => `mail ${index}`);
    const step = await nextStep({ jobs: subjects.map((subject) => mailJob(subject)) });

    await steps.save(step);

    const saved = await database.sql`
      select data ->> 'subject' as subject from outbox where order_key = ${step.sessionId} order by id`;
    expect(saved.map(({ subject }) => subject)).toEqual(subjects);
  });

  test("only the failing step of a batch of saves gets an error", async () => {
    const { steps } = createSaves(database.sql);
    const given = [await nextStep(), await nextStep({ requestHash: "no digits" }), await nextStep()];

    const [first, broken, last] = await Promise.allSettled(given.map((step) => steps.save(step)));

    expect([first, last]).toMatchObject([{ value: true }, { value: true }]);
    expect(broken).toMatchObject({ reason: { code: "22023" } });
  });

  test("the save of a step acquires the shared statement gate once", async () => {
    let passed = 0;
    const gate = createStatementGate();
    const acquire = () => {
      passed++;
      return gate.acquire();
    };
    const { steps } = createSaves(database.sql, { gate: { ...gate, acquire } });

    await steps.save(await nextStep());

    expect(passed).toBe(1);
  });

  test("a batch of saves locks its sessions in the order of their ids", async () => {
    const { sql } = database;
    const [one, other] = [await nextStep(), await nextStep()];
    const [first, last] = one.sessionId < other.sessionId ? [one, other] : [other, one];

    const { saving, free } = await sql.begin(async (transaction) => {
      await transaction`select from sessions where id = ${last.sessionId} for update`;
      const saving = saveSteps(sql, [last, first]);
      await waitFor(isAnyWaiting);
      return { saving, free: await sql`select from sessions where id = ${first.sessionId} for update skip locked` };
    });

    expect(free).toHaveLength(0);
    expect(await saving).toEqual(new Set([first.sessionId, last.sessionId]));
  });
});

test("an archived result is not changed by a later step", async () => {
  const { sql } = database;
  const [deleted, kept] = [await nextStep(), await nextStep()];
  await sql`update results set is_archived = true where id = ${deleted.resultId}`;

  await saveSteps(sql, [deleted, kept]);

  expect(await resultOf(deleted)).toEqual({ variables: [], hasStarted: false, isCompleted: false });
  expect(await resultOf(kept)).toEqual({ variables: ["changed"], hasStarted: true, isCompleted: true });
});

test("a step changes only its own result, not other results of its shard", async () => {
  const { sql } = database;
  const step = await nextStep();
  const neighbour = { resultId: newId(shardOf(step.resultId)) };
  await sql`
    insert into results (shard, id, bot_id)
    values (${shardOf(step.resultId)}, ${neighbour.resultId}, ${step.botId})`;

  await saveSteps(sql, [step]);

  expect(await resultOf(neighbour)).toEqual({ variables: [], hasStarted: false, isCompleted: false });
});

test("a step that missed a new endpoint of its workspace is not saved", async () => {
  const { sql } = database;
  const [told, untold] = [await nextStep(), await nextStep()];
  const workspaceId = await putBotOf(told);
  await putBotOf(untold);
  await putEndpoint(sql, { url: "https://hooks.example/", workspaceId });

  expect(await saveSteps(sql, [told, untold])).toEqual(new Set([untold.sessionId]));
});

test.each([[["one"]], [["one", "two"]]])(
  "the edges that a step visits are stored after the earlier edges: %p",
  async (visitedEdgeIds) => {
    const { sql } = database;
    const step = await nextStep({ visitedEdgeIds, visitedBefore: 1 });

    await saveSteps(sql, [step]);

    const rows = await sql`
    select position, edge_id
    from visited_edges
    where session_id = ${step.sessionId} and position > 0
    order by position`;
    expect([...rows]).toEqual(visitedEdgeIds.map((edgeId, index) => ({ position: index + 1, edgeId })));
  },
);

test("a start without an answer keeps the variables of a started result", async () => {
  const { sql } = database;
  const [silent, answering] = [await nextStart(), await nextStart()];

  await saveStarts(sql, [silent, { ...answering, answers: [answerOf(answering)] }]);

  expect(await resultOf(silent)).toMatchObject({ variables: [] });
  expect(await resultOf(answering)).toMatchObject({ variables: ["changed"] });
});

test("an answer is stored in the result and under the bot that the answer names", async () => {
  const { sql } = database;
  const [step, merged, elsewhere] = [await nextStep(), await nextStep(), await nextStep()];
  const answers = [
    answerOf({ botId: step.botId, resultId: elsewhere.resultId }),
    answerOf({ botId: elsewhere.botId, resultId: merged.resultId }),
  ];

  await saveSteps(
    sql,
    [step, merged].map((given, index) => ({ ...given, answers: answers.slice(index, index + 1) })),
  );

  const rows = await sql`
    select bot_id, result_id
    from answers
    where session_id = any(${[step.sessionId, merged.sessionId]}::uuid[])
    order by session_id = ${merged.sessionId}`;
  expect([...rows]).toEqual(answers.map(({ botId, resultId }) => ({ botId, resultId })));
});

async function resultOf({ resultId }: { resultId: string }) {
  const [row] = await database.sql`
    select variables, has_started, is_completed
    from results
    where id = ${resultId}`;
  return row;
}

async function isAnyWaiting(): Promise<boolean> {
  const waiting = await database.sql`
    select
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

async function putBotOf({ botId }: StepToSave): Promise<string> {
  const workspaceId = newId();
  await database.sql`insert into workspaces (id, name) values (${workspaceId}, 'One')`;
  await database.sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings)
    values (${botId}, ${workspaceId}, '6.1', 'One', '[]', '[]', '[]', '{}', '{}')`;
  return workspaceId;
}
