import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { StoredFlow } from "../../../src/core/flow/document.ts";
import { factsOf } from "../../../src/core/flow/facts.ts";
import { limits } from "../../../src/limits/index.ts";
import { chatsOfDeletedBots, emptyBin } from "../../../src/management/bin/bin.job.ts";
import { keepFlow } from "../../../src/management/bots/versions/flows.sql.ts";
import { eraseResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import { forgottenFlows } from "../../../src/management/row-erasure/forgotten-flows.job.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type CleanUp, cleanUp, scheduleCleanUps } from "../../../src/platform/queue/clean-up.ts";
import { oldRows } from "../../../src/service/old-rows.ts";
import { createTestQueue, startTestJobs, type TestQueue } from "../../support/queue.ts";
import { countContent, putResult, putSession } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let tested: TestQueue;
let sql: Sql;

beforeAll(async () => {
  tested = await createTestQueue();
  ({ sql } = tested);
});
afterAll(() => tested.close());
afterEach(async () => {
  await sql`truncate sessions, steps, results, answers, logs, visited_edges, start_keys, mails, deferred_calls, outbox, flows, files, job_logs, anonymous_previews`;
  await sql`truncate workspaces cascade`;
});

async function run(name: string): Promise<string> {
  const tasks: readonly CleanUp[] = [...oldRows(sql), forgottenFlows(sql), chatsOfDeletedBots(sql), emptyBin(sql)];
  const outcome = await cleanUp(tasks, { isAhead: () => false })({
    id: newId(),
    data: { task: name },
    signal: new AbortController().signal,
  });
  return outcome.message;
}

const idsOf = async (table: string) => {
  const rows = await sql<{ id: string }[]>`select id from ${sql(table)}`;
  return rows.map(({ id }) => id).toSorted();
};

async function putBot({ deletedDays = -1, workspaceDeletedDays = -1 } = {}): Promise<string> {
  const workspaceId = newId();
  const botId = newId();
  const before = (days: number) => (days < 0 ? null : sql`clock() - make_interval(days => ${days})`);
  const due = (days: number) =>
    days < 0 ? null : sql`clock() + make_interval(days => ${limits.erasure.graceDays - days})`;
  await sql`
    insert into workspaces (id, name, deleted_at, erase_after)
    values (${workspaceId}, 'W', ${before(workspaceDeletedDays)}, ${due(workspaceDeletedDays)})`;
  await sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings, is_archived, deleted_at, erase_after, ends_chats)
    values (
      ${botId}, ${workspaceId}, '6', 'B', '[]', '[]', '[]', '{}', '{}', ${deletedDays >= 0},
      ${before(deletedDays)}, ${due(deletedDays)}, ${deletedDays >= 0}
    )`;
  return botId;
}

describe("expired sessions", () => {
  const expire = (sessionId: string, ago: string) => sql`
    update sessions
    set expires_at = clock() - ${ago}::interval,
      expires_hour = date_trunc('hour', clock() - ${ago}::interval)
    where id = ${sessionId}`;

  test("the removal of an expired session keeps its answers", async () => {
    const botId = newId();
    const { sessionId } = await putResult(sql, botId, { answers: [{ content: "Ada" }] });
    await expire(sessionId, "2 hours");

    expect(await run("expired-sessions")).toBe("Removed 1");

    expect(await countContent(sql, botId)).toEqual({ sessions: 0, steps: 0, answers: 1, logs: 1, visited_edges: 1 });
    expect(await idsOf("results")).toHaveLength(1);
  });

  test("sessions that have not expired or have just expired stay", async () => {
    const botId = newId();
    const living = await putSession(sql, botId);
    const expiring = await putSession(sql, botId);
    await expire(expiring, "0 minutes");

    expect(await run("expired-sessions")).toBe("Removed 0");

    expect(await idsOf("sessions")).toEqual([living, expiring].toSorted());
    expect(await countContent(sql, botId)).toMatchObject({ sessions: 2, steps: 2 });
  });

  test("an expired session stays while a step performs effects in the session", async () => {
    const sessionId = await putSession(sql, newId());
    await expire(sessionId, "1 day");
    await sql`update sessions set claim_until = clock() + interval '10 seconds'`;

    expect(await run("expired-sessions")).toBe("Removed 0");
  });

  test("expired sessions stay while they are being written", async () => {
    const sessionId = await putSession(sql, newId());
    await expire(sessionId, "1 day");
    await sql.begin(async (writer) => {
      await writer`select from sessions where id = ${sessionId} for update`;
      expect(await run("expired-sessions")).toBe("Removed 0");
    });

    expect(await run("expired-sessions")).toBe("Removed 1");
  });

  test("all expired sessions are removed, even if they exceed two batches", async () => {
    const count = limits.cleanUp.batch * 2 + 7;
    await sql`
      insert into sessions (shard, id, bot_id, flow_hash, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
      select 1, gen_random_uuid(), gen_random_uuid(), '\\x00', 1, '', 60, clock() - interval '1 day', clock() - interval '1 day', 'bot'
      from generate_series(1, ${count}::int)`;

    expect(await run("expired-sessions")).toBe(`Removed ${count}`);
    expect(await idsOf("sessions")).toHaveLength(0);
  });
});

describe("keys of starts", () => {
  const putKey = (key: string, age: string, claim: string | null = null) => sql`
    insert into start_keys (scope, key, request_hash, session_id, response, claim_until, created_at)
    values ('bot', ${key}, '\\x00', ${newId()}, '{}', clock() + ${claim}::interval, clock() - ${age}::interval)`;
  const keys = async () => (await sql<{ key: string }[]>`select key from start_keys`).map(({ key }) => key).toSorted();

  test("a start key is removed after a day, unless a start still uses it", async () => {
    await putKey("old", "24 hours");
    await putKey("held", "25 hours", "10 seconds");
    await putKey("held in a future that the clock has stepped back from", "25 hours", "10 minutes");
    await putKey("let go", "25 hours", "-1 minute");
    await putKey("new", "23 hours");

    expect(await run("old-start-keys")).toBe("Removed 3");

    expect(await keys()).toEqual(["held", "new"]);
  });

  test("deleting a result deletes the key of its start", async () => {
    const botId = newId();
    const erased = await putResult(sql, botId);
    const other = await putResult(sql, botId);
    await putKey("erased", "1 minute");
    await sql`update start_keys set session_id = ${erased.sessionId}`;
    await putKey("other", "1 minute");
    await sql`update start_keys set session_id = ${other.sessionId} where key = 'other'`;

    await eraseResults(sql, { botId, resultIds: [erased.resultId] });

    expect(await keys()).toEqual(["other"]);
  });
});

describe("flows", () => {
  const flow: StoredFlow = {
    version: "6",
    groups: [],
    edges: [],
    variables: [],
    theme: {},
    settings: {},
    events: null,
  };
  const facts = factsOf(flow);
  const hash = (digit: string) => Buffer.from(digit.repeat(64), "hex");

  async function putFlow(botId: string, digit: string, age = "2 days"): Promise<void> {
    await sql`
      insert into flows (bot_id, hash, content, facts, used_at)
      values (${botId}, ${hash(digit)}, ${JSON.stringify(flow)}::text::json, ${JSON.stringify(facts)}::text::json, clock() - ${age}::interval)`;
  }
  const flows = async () => {
    const rows = await sql<{ digit: string }[]>`select left(encode(hash, 'hex'), 1) as digit from flows`;
    return rows
      .map(({ digit }) => digit)
      .toSorted()
      .join("");
  };

  test("flows without a reference are deleted, and recent or referenced flows stay", async () => {
    const botId = await putBot();
    await putFlow(botId, "a");
    await putFlow(botId, "b");
    await sql`insert into publications (bot_id, number, id, flow_hash) values (${botId}, 1, ${newId()}, ${hash("b")})`;
    await putFlow(botId, "c");
    const sessionId = await putSession(sql, botId);
    await sql`update sessions set flow_hash = ${hash("c")} where id = ${sessionId}`;
    await putFlow(botId, "d", "23 hours");
    await putFlow(newId(), "e");

    expect(await run("forgotten-flows")).toBe("Removed 2");

    expect(await flows()).toBe("bcd");
  });

  test("flows stay while an open chat refers to them", async () => {
    const botId = newId();
    await putFlow(botId, "a");
    await putFlow(botId, "b");
    const sessionId = await putSession(sql, newId());
    const state = { format: 1, queue: [{ program: `${botId}:${"a".repeat(64)}` }, { program: "other:00" }] };
    await sql`update sessions set state = ${JSON.stringify(state)} where id = ${sessionId}`;

    expect(await run("forgotten-flows")).toBe("Removed 1");
    expect(await flows()).toBe("a");

    await sql`update sessions set is_ended = true`;
    expect(await run("forgotten-flows")).toBe("Removed 1");
  });

  test("flows are retained if they are previewed again", async () => {
    const botId = newId();
    await putFlow(botId, "a");

    await keepFlow(sql, { botId, hash: hash("a"), flow, facts });

    expect(await run("forgotten-flows")).toBe("Removed 0");
  });

  test("flows stay if they are published concurrently", async () => {
    const botId = newId();
    await putFlow(botId, "a");
    const cleaning = await sql.begin(async (publishing) => {
      await publishing`update flows set used_at = clock()`;
      // The task has read the flow in its old state, and waits for the lock on the row of the flow.
      const ran = run("forgotten-flows");
      await waitFor(async () => {
        const waiting = await sql`
          select
          from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      return { ran };
    });

    expect(await cleaning.ran).toBe("Removed 0");
    expect(await flows()).toBe("a");
  });
});

describe("the bin", () => {
  test("a chat locked by a save is ended by the next clean-up", async () => {
    const [young, old] = [await putBot({ deletedDays: 0 }), await putBot({ deletedDays: 1 })];
    const { sessionId } = await putResult(sql, old);
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const saving = sql.begin(async (transaction) => {
      await transaction`select from sessions where id = ${sessionId} for update`;
      locked.resolve();
      await held.promise;
    });
    await locked.promise;

    expect(await run("chats-of-deleted-bots")).toBe("Ended 0");
    held.resolve();
    await saving;
    await putResult(sql, young);
    expect(await run("chats-of-deleted-bots")).toBe("Ended 2");
    expect(await run("chats-of-deleted-bots")).toBe("Ended 0");
    expect(await sql`select id from bots where ends_chats`).toMatchObject([{ id: young }]);
  });

  test("the clean-up ends the open chats of deleted bots", async () => {
    const deleted = await putBot({ deletedDays: 3 });
    const { sessionId } = await putResult(sql, deleted, { answers: [{ content: "Ada" }] });
    const kept = await putBot();
    await putResult(sql, kept, { answers: [{ content: "Grace" }] });

    expect(await run("chats-of-deleted-bots")).toBe("Ended 1");
    expect(await run("chats-of-deleted-bots")).toBe("Ended 0");
    expect(await run("bin")).toBe("Erased 0");

    const ended = await sql`select id from sessions where is_ended`;
    expect(ended.map(({ id }) => id)).toEqual([sessionId]);
    expect(await countContent(sql, deleted)).toMatchObject({ answers: 1, logs: 1 });
    expect(await countContent(sql, kept)).toMatchObject({ sessions: 1, steps: 1, answers: 1 });
  });

  test("the bin erases a deleted workspace only after the grace period", async () => {
    const { graceDays } = limits.erasure;
    const gone = await putBot({ deletedDays: graceDays, workspaceDeletedDays: graceDays });
    await putResult(sql, gone, { answers: [{ content: "Ada" }] });
    const binned = await putResult(sql, gone, { answers: [{ content: "Bin" }] });
    await sql`
      update results set is_archived = true, erase_after = clock() + interval '1 day' where id = ${binned.resultId}`;
    await sql`insert into flows (bot_id, hash, content, facts) values (${gone}, '\\x01', '{}', '{}')`;
    const inGrace = await putBot({ deletedDays: graceDays - 1, workspaceDeletedDays: graceDays - 1 });
    const { resultId } = await putResult(sql, inGrace, { answers: [{ content: "Joan" }] });
    const kept = await putBot();

    await run("bin");

    expect(await idsOf("bots")).toEqual([inGrace, kept].toSorted());
    expect(await idsOf("workspaces")).toHaveLength(2);
    expect(await idsOf("results")).toEqual([resultId]);
    expect(await sql`select from flows`).toHaveLength(0);
    expect(Object.values(await countContent(sql, gone))).toEqual([0, 0, 0, 0, 0]);
    expect(await countContent(sql, inGrace)).toMatchObject({ sessions: 1, answers: 1 });
  });

  test("the bin erases results after their grace period, and keeps other results", async () => {
    const botId = await putBot();
    const [due, later, living] = [
      await putResult(sql, botId, { answers: [{ content: "due" }] }),
      await putResult(sql, botId, { answers: [{ content: "later" }] }),
      await putResult(sql, botId, { answers: [{ content: "living" }] }),
    ];
    await sql`update results set is_archived = true, erase_after = clock() where id = ${due.resultId}`;
    await sql`
      update results set is_archived = true, erase_after = clock() + interval '1 hour' where id = ${later.resultId}`;

    expect(await run("bin")).toBe("Erased 1");
    expect(await run("shells-of-results")).toBe("Removed 0");

    const answers = await sql<{ resultId: string }[]>`select result_id from answers`;
    expect(answers.map(({ resultId }) => resultId).toSorted()).toEqual([later.resultId, living.resultId].toSorted());
    await sql`update results set updated_at = clock() - interval '25 hours'`;
    expect(await run("shells-of-results")).toBe("Removed 1");
    expect(await idsOf("results")).toEqual([later.resultId, living.resultId].toSorted());
  });
});

describe("old rows", () => {
  test("rows of erased results are deleted after a day", async () => {
    const botId = newId();
    const living = await putResult(sql, botId, { createdAt: "2020-01-01T00:00:00Z" });
    const justErased = await putResult(sql, botId);
    await sql`update results set updated_at = clock() - interval '2 days'`;
    const longErased = await putResult(sql, botId);
    await eraseResults(sql, { botId, resultIds: [justErased.resultId, longErased.resultId] });
    await sql`update results set updated_at = clock() - interval '25 hours' where id = ${longErased.resultId}`;

    expect(await run("shells-of-results")).toBe("Removed 1");

    expect(await idsOf("results")).toEqual([living.resultId, justErased.resultId].toSorted());
  });

  test("rows written to a result during its erasure are deleted", async () => {
    const botId = newId();
    const { resultId } = await putResult(sql, botId, { answers: [{ content: "Ada" }] });
    // Simulates an erasure whose statement could not see the result yet.
    await sql`update results set is_archived = true, updated_at = clock() - interval '25 hours' where id = ${resultId}`;

    expect(await run("shells-of-results")).toBe("Removed 1");

    expect(Object.values(await countContent(sql, botId))).toEqual([0, 0, 0, 0, 0]);
  });

  test("old mails, calls, invitations and job logs are deleted", async () => {
    const workspaceId = newId();
    await sql`insert into workspaces (id, name) values (${workspaceId}, 'W')`;
    for (const days of [limits.erasure.graceDays, limits.erasure.graceDays - 1]) {
      await sql`
        insert into invitations (id, workspace_id, email, role, code_hash, expires_at)
        values (${newId()}, ${workspaceId}, ${`${days}@b.co`}, 'MEMBER', ${`hash ${days}`}, clock() - make_interval(days => ${days}))`;
    }
    for (const days of [limits.mails.keptDays, limits.mails.keptDays - 1]) {
      await sql`
        insert into mails (id, shard, result_id, bot_id, content, created_at)
        values (${newId()}, 1, ${newId()}, ${newId()}, '{}', clock() - make_interval(days => ${days}))`;
    }
    for (const days of [limits.deferredCalls.keptDays, limits.deferredCalls.keptDays - 1]) {
      await sql`
        insert into deferred_calls (id, shard, result_id, bot_id, content, created_at)
        values (${newId()}, 1, ${newId()}, ${newId()}, '{}', clock() - make_interval(days => ${days}))`;
    }
    for (const days of [limits.jobs.logDays + 1, limits.jobs.logDays - 1]) {
      await sql`insert into job_logs (job_id, line, at) values (${newId()}, 'x', clock() - make_interval(days => ${days}))`;
    }

    expect(await run("old-invitations")).toBe("Removed 1");
    expect(await run("old-mails")).toBe("Removed 1");
    expect(await run("old-deferred-calls")).toBe("Removed 1");
    expect(await run("old-job-logs")).toBe("Removed 1");
  });
});

describe("a clean-up run", () => {
  test("a clean-up run stops between batches when the process stops", async () => {
    const stopping = new AbortController();
    const task: CleanUp = {
      name: "endless",
      cron: "0 0 * * *",
      async removeSome() {
        stopping.abort();
        return 5;
      },
    };

    const outcome = await cleanUp([task], { isAhead: () => false })({
      id: "1",
      data: { task: "endless" },
      signal: stopping.signal,
    });

    expect(outcome).toEqual({ kind: "done", message: "Removed 5, and the next run continues" });
  });

  test("a run of an unknown task reports that this release does not have the task", async () => {
    expect(await run("from-the-future")).toBe('There is no task "from-the-future" in this release');
  });
});

describe("the schedule", () => {
  const task = (name: string, cron: string): CleanUp => ({ name, cron, removeSome: async () => 0 });
  const schedules = async () => {
    const found = await tested.queue.boss.getSchedules("clean-up");
    return found.map(({ key, cron, data }) => ({ key, cron, data })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  };

  test("the schedule of clean-ups has one entry per task", async () => {
    const { boss } = tested.queue;
    await scheduleCleanUps(boss, [task("a", "1 * * * *"), task("b", "2 * * * *")]);

    await Promise.all([1, 2].map(() => scheduleCleanUps(boss, [task("b", "3 * * * *"), task("c", "4 * * * *")])));

    expect(await schedules()).toEqual([
      { key: "b", cron: "3 * * * *", data: { task: "b" } },
      { key: "c", cron: "4 * * * *", data: { task: "c" } },
    ]);
  });

  test("a waiting or running task gets no second job", async () => {
    const { boss } = tested.queue;
    const send = (name: string) => boss.send("clean-up", { task: name }, { singletonKey: name });

    expect(await send("a")).toEqual(expect.any(String));
    expect(await send("a")).toBeNull();
    const [running] = await boss.fetch("clean-up");
    expect(await send("a")).toBeNull();
    expect(await send("b")).toEqual(expect.any(String));
    await boss.complete("clean-up", running ?? "");
    expect(await send("a")).toEqual(expect.any(String));
  });

  test("a running service completes a waiting clean-up job", async () => {
    const id = (await tested.queue.boss.send("clean-up", { task: "old-mails" }, { singletonKey: "old-mails" })) ?? "";

    const jobs = await startTestJobs(tested, { send: () => Promise.reject(new Error("There is no mail")) });
    expect((await schedules()).map(({ key }) => key)).toEqual(
      expect.arrayContaining(["old-mails", "custom-domains", "removed-files"]),
    );

    await waitFor(async () => {
      const [job] = await tested.queue.boss.findJobs("clean-up", { id });
      return job?.state === "completed";
    });
    await jobs.stop();
  });
});

test("removals wait while the database's clock may be ahead", async () => {
  let batches = 0;
  const task: CleanUp = { name: "counted", cron: "* * * * *", removeSome: async () => (batches++ === 0 ? 1 : 0) };
  const runWith = (isAhead: boolean) =>
    cleanUp([task], { isAhead: () => isAhead })({
      id: newId(),
      data: { task: "counted" },
      signal: new AbortController().signal,
    });

  const held = await runWith(true);

  expect(held.message).toBe("Nothing is removed, because the database's clock has stepped forward");
  expect(batches).toBe(0);
  expect((await runWith(false)).message).toBe("Removed 1");
});
