import { afterAll, beforeAll, expect, test } from "bun:test";
import { findIndexedUntil } from "../../../src/management/counts/count-state.sql.ts";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { startNoteWriter } from "../../../src/management/insight/insight-notes.ts";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { inTurn } from "../../../src/platform/database/turns.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import type { Answer } from "../../support/client.ts";
import { noteError } from "../../support/contract.ts";
import { makeExport, runExport } from "../../support/exports.ts";
import { createHastenedClock } from "../../support/hastened-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
const clock = createHastenedClock();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, clock });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const email = { id: idOf("Email"), name: "Email" };
const flow = {
  ...flowOf([asks("text input", { variableId: email.id }), asks("text input", { variableId: email.id }, { id: "2" })]),
  variables: [email],
  settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } },
};
const ada = { "variables.Email": "ada" };

test("lists and totals are exact once the bot's index has caught up", async () => {
  const bot = await makeBot();
  const other = await makeBot();
  await readValues();
  for (const { botId } of [bot, other]) expect(await stateOf(botId)).toEqual({ isExact: true });

  const before = Date.now();
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "ada");

  const { isExact, asOf } = await stateOf(bot.botId);
  expect(isExact).toBe(false);
  expect(Date.parse(String(asOf))).toBeLessThanOrEqual(before);
  expect(await stateOf(other.botId)).toEqual({ isExact: true });
  const unfiltered = await list(bot.botId, {});
  expect(unfiltered.at("totals")).toEqual({
    ...{ results: 1, started: 1, completed: 0 },
    ...{ isExact: true, isLowerBound: false },
  });
  expect(unfiltered.body).not.toHaveProperty("isExact");
  expect((await preview("ada")).body).toMatchObject({
    ...{ isExact: false, asOf: expect.any(String) },
    personErasure: { results: 1 },
  });

  await readValues();
  expect(await stateOf(bot.botId)).toEqual({ isExact: true });
  expect((await preview("ada")).body).toMatchObject({ isExact: true });
  expect((await preview("ada")).body).not.toHaveProperty("asOf");

  // If the same chat continues, its result is read again soon, although the next check was planned later.
  await api.deps.sql`update results_to_read set next_at = clock() + interval '30 minutes'`;
  await say(api.client, chat.text("sessionId"), "ben");
  expect((await stateOf(bot.botId)).isExact).toBe(false);
  await startNoteWriter(api.deps.sql, api.deps.insightNotes, { onFailure: fail }).stop();
  await readValues();
  expect(await stateOf(bot.botId)).toEqual({ isExact: true });
});

test("a list is not exact after a visitor returns to an old result", async () => {
  const bot = await makeBot();
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "ada");
  await readValues();
  // Make the result old, so that no search for new results finds it, and delete its chat, so that the chat cannot
  // continue.
  await api.deps.sql`delete from results_to_read where result_id = ${chat.text("resultId")}`;
  await api.deps.sql`delete from sessions where result_id = ${chat.text("resultId")}`;
  await api.deps.sql`update results set created_at = '2026-01-01' where id = ${chat.text("resultId")}`;
  expect(await stateOf(bot.botId)).toEqual({ isExact: true });

  const again = await start(api.client, bot.publicId, { resultId: chat.text("resultId") });
  expect(again.text("resultId")).toBe(chat.text("resultId"));
  await say(api.client, again.text("sessionId"), "ben");
  expect((await stateOf(bot.botId)).isExact).toBe(false);
  await readValues();
  expect(await stateOf(bot.botId)).toEqual({ isExact: true });
});

test("asOf precedes the first unread result while imported results are read", async () => {
  const bot = await makeBot();
  await readValues();
  await bring(bot.botId, ["2024-03-01T00:00:00.000Z", "2024-04-01T00:00:00.000Z"]);

  const { isExact, asOf } = await stateOf(bot.botId);
  expect(isExact).toBe(false);
  expect(String(asOf).slice(0, 7)).toBe("2024-02");
  const counted = async () =>
    (await api.client.get(`/api/v1/bots/${bot.botId}/insight`, { token: owner.token })).text("insight.asOf");
  expect((await counted()).slice(0, 7)).toBe("2024-02");

  await readValues();
  const job = insight(api.deps.sql);
  while ((await job.removeSome()) > 0);
  expect(await stateOf(bot.botId)).toEqual({ isExact: true });
  expect(Date.now() - Date.parse(await counted())).toBeLessThan(120_000);
});

test("asOf is the time of the first unread result of an earlier release", async () => {
  const bot = await makeBot();
  const empty = await makeBot();
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "ada");
  await readValues();
  const zero = "00000000-0000-0000-0000-000000000000";
  await api.deps.sql`update results set created_at = '2025-06-01' where id = ${chat.text("resultId")}`;
  await api.deps.sql`update result_walks set answers_from = ${zero}`;

  expect(await stateOf(bot.botId)).toEqual({ isExact: false, asOf: "2025-06-01T00:00:00.000Z" });
  expect(await stateOf(empty.botId)).toEqual({ isExact: true });

  // Create the state after a long time without a search for new results, for example after an upgrade from an old
  // release.
  await api.deps.sql`update result_walks set answers_from = null, result_id = ${zero}`;
  await api.deps.sql`delete from results_to_read where result_id = ${chat.text("resultId")}`;
  await api.deps.sql`update insight_progress set found_until = null`;
  expect(await stateOf(bot.botId)).toEqual({ isExact: false, asOf: "2025-06-01T00:00:00.000Z" });
  await readValues();
  expect(await stateOf(bot.botId)).toEqual({ isExact: true });
});

test("a filtered export includes results that are not indexed yet", async () => {
  const bot = await makeBot();
  await readValues();
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "ada");

  const response = await exportOf(bot.botId, ada);
  expect(response.headers.get("Parley-As-Of")).toBeNull();
  expect(await response.text()).toContain(chat.text("resultId"));
  // Other requests do not wait.
  expect((await exportOf(bot.botId, { isCompleted: "false" })).status).toBe(200);
});

test("an export is refused if a result is not indexed within a minute", async () => {
  const bot = await makeBot();
  const chat = await start(api.client, bot.publicId);
  const resultId = chat.text("resultId");
  await say(api.client, chat.text("sessionId"), "ada");
  const job = (await makeRequest(bot.botId, {})).text("resultExport.id");
  const read = async (id: string) =>
    (await api.client.get(`/api/v1/bots/${bot.botId}/result-exports/${id}`, { token: owner.token })).at("resultExport");
  const partialJob = (await makeRequest(bot.botId, { allowPartial: true })).text("resultExport.id");

  await inTurn(api.deps.sql, async (transaction) => {
    // The result is not indexed while it is being erased or restored.
    await transaction`select from results where id = ${resultId} for update`;
    const begun = clock.now();
    const refused = await clock.hasten(exportOf(bot.botId, ada));
    expect(refused.status).toBe(409);
    expect(clock.now() - begun).toBeGreaterThanOrEqual(60_000);
    noteError("results.not_counted");
    expect(await refused.json()).toMatchObject({ code: "results.not_counted", data: { asOf: expect.any(String) } });

    for (const format of ["csv", "xlsx", "ndjson"]) {
      const partial = await exportOf(bot.botId, { ...ada, format, allowPartial: "true" });
      expect(partial.status).toBe(200);
      const asOf = partial.headers.get("Parley-As-Of");
      expect(Date.parse(String(asOf))).toBeLessThan(Date.now());
      const text = await partial.text();
      if (format === "ndjson") expect(JSON.parse(text)).toEqual({ meta: { asOf } });
    }
    await makeExport(api, partialJob);

    // A job waits equally long unless its process stops. The job is retried several times.
    expect(await runExport(api, job, AbortSignal.abort())).toMatchObject({ kind: "failed", isRetryable: true });
    const given = (await makeRequest(bot.botId, {})).text("resultExport.id");
    const failed = await clock.hasten(runExport(api, given, new AbortController().signal, { clock }));
    if (failed.kind !== "failed") throw new Error("The export was expected to fail");
    expect(failed).toMatchObject({ isRetryable: true, message: expect.stringContaining("allowPartial") });
    await failed.onGivenUp?.();
    expect(await read(given)).toMatchObject({ status: "failed", problem: expect.stringContaining("allowPartial") });
  });
  expect(await read(partialJob)).toMatchObject({
    status: "ready",
    writtenResults: 0,
    meta: { asOf: expect.any(String) },
  });
  await makeExport(api, job);
  expect(await read(job)).toMatchObject({ status: "ready", writtenResults: 1, meta: { asOf: null } });
});

test("a result that changes after it was indexed still counts as indexed", async () => {
  const bot = await makeBot();
  const { sql } = api.deps;
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "ada");
  const at = new Date();
  await say(api.client, chat.text("sessionId"), "ben");
  await readValues();
  await sql`update results set updated_at = clock() + interval '1 second' where id = ${chat.text("resultId")}`;

  expect(await findIndexedUntil(sql, { botIds: [bot.botId], at })).toBeNull();
  expect(await findIndexedUntil(sql, { botIds: [bot.botId] })).not.toBeNull();
});

async function makeBot(): Promise<{ botId: string; publicId: string }> {
  return publish(api.client, { token: owner.token, workspaceId }, flow);
}

async function list(botId: string, query: Record<string, string>): Promise<Answer> {
  const all = { timeFilter: "allTime", withTotals: "true", ...query };
  return api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query: all });
}

async function stateOf(botId: string): Promise<{ isExact: unknown; asOf?: unknown }> {
  const page = await list(botId, ada);
  const { isExact, asOf } = Object(page.body);
  expect(page.at("totals")).toMatchObject({ isExact, ...(asOf !== undefined && { asOf }) });
  return { isExact, ...(asOf !== undefined && { asOf }) };
}

async function preview(value: string): Promise<Answer> {
  const path = `/api/v1/workspaces/${workspaceId}/person-erasures`;
  return api.client.post(path, { token: owner.token, body: { variable: "Email", value, isDryRun: true } });
}

async function exportOf(botId: string, query: Record<string, string>): Promise<Response> {
  const address = `http://localhost/api/v1/bots/${botId}/results/export?${new URLSearchParams(query)}`;
  return api.handle(new Request(address, { headers: { Authorization: `Bearer ${owner.token}` } }));
}

async function makeRequest(botId: string, more: object): Promise<Answer> {
  const body = { format: "csv", variables: { Email: "ada" }, ...more };
  return api.client.post(`/api/v1/bots/${botId}/result-exports`, { token: owner.token, body });
}

async function bring(botId: string, times: readonly string[]): Promise<void> {
  const results = times.map((createdAt, index) => ({
    ...{ id: `r${index}`, createdAt },
    variables: [{ ...email, value: "ada" }],
  }));
  const path = `/api/v1/bots/${botId}/results/import`;
  const answer = await api.client.post(path, { token: owner.token, body: { source: "elsewhere", results } });
  expect(answer.status).toBe(200);
}

async function readValues(): Promise<void> {
  for (const task of resultValues(api.deps.sql)) while ((await task.removeSome()) > 0);
}

function fail(error: unknown): never {
  throw error;
}
