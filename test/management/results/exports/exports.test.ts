import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import { endedExports } from "../../../../src/management/results/exports/result-exports.job.ts";
import { eraseSomeOfBot } from "../../../../src/management/row-erasure/bin-erasure.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { openStorage } from "../../../../src/platform/storage/open-storage.ts";
import { createApp } from "../../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import type { Answer } from "../../../support/client.ts";
import { noteOperation } from "../../../support/contract.ts";
import { dueMessages, putEndpoint } from "../../../support/events.ts";
import { makeExport, runExport } from "../../../support/exports.ts";
import { endCells } from "../../../support/result-fields.ts";
import { putResult, putResults } from "../../../support/results.ts";
import { startS3 } from "../../../support/s3.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

test("an export that a job creates equals the streamed export", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId, { answers: [{ content: "=1+1" }] });
  await putResults(api.deps.sql, botId, 250);
  const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://receiver.example", workspaceId });

  const asked = await ask(botId, { format: "csv", order: "oldest" });
  expect(asked.body).toMatchObject({
    resultExport: { botId, userId: owner.userId, format: "csv", status: "waiting", writtenResults: 0, bytes: null },
  });
  const id = asked.text("resultExport.id");
  const [waiting] = await api.deps.sql`select queue, data from outbox where id = ${id}`;
  expect(waiting).toEqual({ queue: "exports", data: { botId } });
  expect((await read(botId, id)).status).toBe(409);
  expect((await get(botId, `${id}/file`)).body).toMatchObject({ code: "result_export.not_ready" });

  await makeExport(api, id);

  const made = await get(botId, id);
  const streamed = await fetchText(`/api/v1/bots/${botId}/results/export?format=csv&order=oldest`);
  const kept = await read(botId, id);
  noteOperation({ method: "GET", path: "/api/v1/bots/:botId/result-exports/:exportId/file" });
  expect(await kept.text()).toBe(streamed);
  expect(streamed).toContain(resultId);
  expect(made.at("resultExport")).toMatchObject({
    status: "ready",
    writtenResults: 251,
    expectedResults: 251,
    bytes: streamed.length,
    problem: null,
  });
  expect(Date.parse(made.text("resultExport.expiresAt")) - Date.parse(made.text("resultExport.readyAt"))).toBe(
    limits.resultExports.hours * 3_600_000,
  );
  expect(kept.headers.get("content-disposition")).toStartWith(`attachment; filename="results-${botId}-`);
  expect(kept.headers.get("content-security-policy")).toContain("sandbox");
  expect((await list(botId)).at("resultExports.*.id")).toEqual([id]);
  const told = await dueMessages(api.deps.sql, endpointId);
  expect(told.sort((one, other) => other.type.localeCompare(one.type))).toMatchObject([
    { type: "results.exported", botId, content: { exportId: id, format: "csv", results: 251, bytes: streamed.length } },
    {
      type: "export.finished",
      botId,
      content: { exportId: id, format: "csv", status: "ready", results: 251, problem: null },
    },
  ]);
});

test("a job writes CSV without the formula guard on request", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId);
  const body = { note: "=1+1" };
  await api.client.patch(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token, body });

  const asked = await ask(botId, { format: "csv", guard: "off", bom: "on" });
  await makeExport(api, asked.text("resultExport.id"));

  expect(asked.text("resultExport.fileName")).toEndWith("-unguarded.csv");
  const bytes = Buffer.from(await (await read(botId, asked.text("resultExport.id"))).arrayBuffer());
  expect(bytes.subarray(0, 3).toString("hex")).toBe("efbbbf");
  const text = bytes.subarray(3).toString();
  expect(text).toEndWith(`,${endCells({ Note: "=1+1" })}\r\n`);
  expect(text).toBe(await fetchText(`/api/v1/bots/${botId}/results/export?format=csv&guard=off`));
});

test("a job applies an export's filter to a workbook and to NDJSON", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId, { isCompleted: true, version: 2 });
  await putResult(api.deps.sql, botId, { version: 1 });

  const asked = await ask(botId, { format: "xlsx", isCompleted: true, version: 2, from: "2020-01-01T00:00:00Z" });
  const id = await makeExport(api, asked.text("resultExport.id"));

  const file = await read(botId, id);
  expect(file.headers.get("content-disposition")).toContain(".xlsx");
  expect(await file.text()).toStartWith("PK");
  expect((await get(botId, id)).at("resultExport")).toMatchObject({ writtenResults: 1, expectedResults: 1 });
  const asNdjson = await ask(botId, { format: "ndjson", isCompleted: true });
  const lines = await read(botId, await makeExport(api, asNdjson.text("resultExport.id")));
  expect(JSON.parse(await lines.text())).toMatchObject({ id: resultId });
});

test("the file of an export is stored in the configured S3-compatible storage", async () => {
  const s3 = startS3();
  const config = {
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: "eu-west-1",
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
  const deps = { ...api.deps, storage: openStorage({ ...api.deps.config, ...config }) };
  const botId = await makeBot();
  await putResults(api.deps.sql, botId, 3);
  const id = await makeExport({ ...api, deps }, (await ask(botId, { format: "ndjson" })).text("resultExport.id"));

  expect([...s3.objects.keys()]).toEqual([`${id.slice(-2)}/${id}`]);
  const path = `/api/v1/bots/${botId}/result-exports/${id}/file`;
  const headers = { Authorization: `Bearer ${owner.token}`, Range: "bytes=0-1" };
  const part = await createApp(deps).handle(new Request(`http://localhost${path}`, { headers }));
  expect([part.status, await part.text()]).toEqual([206, '{"']);
  await remove(botId, id);
  await sweep(deps.storage);
  expect(s3.objects.size).toBe(0);
  await s3.stop();
});

test("an interrupted export is completed after a restart", async () => {
  const botId = await makeBot();
  await putResults(api.deps.sql, botId, 450);
  const id = (await ask(botId, { format: "ndjson" })).text("resultExport.id");
  const stopping = new AbortController();
  stopping.abort();

  expect(await runExport(api, id, stopping.signal)).toMatchObject({ kind: "failed", isRetryable: true });
  expect((await get(botId, id)).at("resultExport.status")).toBe("running");
  const { sql } = api.deps;
  const seen: unknown[] = [];
  const { storage } = api.deps;
  const watched: TestApi = {
    ...api,
    deps: {
      ...api.deps,
      storage: {
        ...storage,
        async keep(...kept) {
          seen.push((await get(botId, id)).at("resultExport"));
          await storage.keep(...kept);
        },
      },
    },
  };
  await makeExport(watched, id);
  expect(seen).toMatchObject([{ status: "running", writtenResults: 450, expectedResults: 450 }]);
  expect(await runExport(api, id)).toMatchObject({ kind: "done" });
  await sql`update result_exports set status = 'running' where id = ${id}`;
  await makeExport(api, id);
  expect((await (await read(botId, id)).text()).trimEnd().split("\n")).toHaveLength(450);
});

test("an export whose job has failed permanently is marked as failed", async () => {
  const botId = await makeBot();
  const id = (await ask(botId, {})).text("resultExport.id");
  const { storage } = api.deps;
  const full = () => Promise.reject(new Error("No space"));
  const outcome = await runExport({ ...api, deps: { ...api.deps, storage: { ...storage, keep: full } } }, id);
  expect(outcome).toMatchObject({ kind: "failed", message: "No space", isRetryable: true });
  if (outcome.kind === "failed") await outcome.onGivenUp?.();

  expect((await get(botId, id)).at("resultExport")).toMatchObject({
    status: "failed",
    problem: expect.stringContaining("Request it again"),
  });
  expect((await remove(botId, id)).body).toEqual({ message: "success" });
  expect((await get(botId, id)).at("code")).toBe("result_export.not_found");
  expect((await remove(botId, id)).at("code")).toBe("result_export.not_found");
});

test("an export that expired or was deleted cannot be read", async () => {
  const { sql, storage } = api.deps;
  const ends: ((botId: string, id: string) => Promise<unknown>)[] = [
    (_, id) => sql`update result_exports set expires_at = clock() where id = ${id}`,
    (botId, id) => remove(botId, id),
    async (botId) => {
      const options = { token: owner.token, body: { all: true } };
      await api.client.delete(`/api/v1/bots/${botId}/results`, options);
      return api.client.post(`/api/v1/bots/${botId}/results/erase`, options);
    },
  ];
  for (const end of ends) {
    const botId = await makeBot();
    await putResult(sql, botId);
    const id = await makeExport(api, (await ask(botId, {})).text("resultExport.id"));
    await end(botId, id);
    expect((await read(botId, id)).status).toBe(404);
    expect((await list(botId)).at("resultExports")).toEqual([]);
    await sweep();
    expect(await storage.read(id, undefined)).toBeUndefined();
    expect([...(await sql`select from result_exports where id = ${id}`)]).toEqual([]);
  }
});

test("the files of an export are removed with the export or its bot", async () => {
  const { sql, storage } = api.deps;
  const botId = await makeBot();
  await putResults(sql, botId, 10);
  const id = (await ask(botId, {})).text("resultExport.id");
  const late: TestApi["deps"] = {
    ...api.deps,
    storage: {
      ...storage,
      async keep(...kept) {
        await storage.keep(...kept);
        await remove(botId, id);
        await sweep();
      },
    },
  };
  expect(await runExport({ ...api, deps: late }, id)).toMatchObject({
    kind: "done",
    message: "The export was deleted",
  });
  expect(await storage.read(id, undefined)).toBeUndefined();

  const next = await makeExport(api, (await ask(botId, {})).text("resultExport.id"));
  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
  expect((await read(botId, next)).status).toBe(404);
  await sql`update bots set erase_after = clock() where id = ${botId}`;
  while ((await eraseSomeOfBot(sql, botId)) > 0);
  await sweep();
  expect(await storage.read(next, undefined)).toBeUndefined();
});

test("an export is available only to readers of its bot", async () => {
  const [botId, other] = [await makeBot(), await makeBot()];
  const id = (await ask(botId, {})).text("resultExport.id");
  expect((await get(other, id)).at("code")).toBe("result_export.not_found");
  expect((await get(botId, newId())).at("code")).toBe("result_export.not_found");
  expect((await get(botId, "..%2f..%2fx")).at("code")).toBe("result_export.not_found");
  const reader = await api.makeUser();
  const { sql } = api.deps;
  await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${reader.userId}, 'READ')`;
  const own = await ask(botId, {}, reader.token);
  expect((await remove(botId, id, reader.token)).at("code")).toBe("workspace.forbidden");
  expect((await remove(botId, own.text("resultExport.id"), reader.token)).status).toBe(200);
  await sql`delete from collaborators where user_id = ${reader.userId}`;
  expect((await get(botId, id, reader.token)).at("code")).toBe("bot.not_found");

  let refused: Answer = await ask(botId, {});
  for (let count = 0; count < limits.resultExports.waiting && refused.status === 200; count++)
    refused = await ask(other, {});
  expect(refused.at("code")).toBe("result_export.too_many");
  expect((await ask(botId, { format: "exe" })).at("data.issues.0.path")).toBe("format");
  expect((await ask(botId, { from: "never" })).at("data.issues.0.path")).toBe("from");
});

test("waiting exports of a bot in the bin fail with a message", async () => {
  const { sql } = api.deps;
  await sql`truncate result_exports`;
  const [botId, other] = [await makeBot(), await makeBot()];
  const ids: string[] = [];
  for (let count = 0; count < limits.resultExports.waiting; count++) {
    ids.push((await ask(botId, {})).text("resultExport.id"));
  }
  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });

  for (const id of ids) await makeExport(api, id);

  expect((await ask(other, {})).status).toBe(200);
  await api.client.post(`/api/v1/bots/${botId}/restore`, { token: owner.token });
  expect((await get(botId, ids[0] ?? "")).at("resultExport")).toMatchObject({
    status: "failed",
    problem: "The bot is in the bin. Restore it, and request the export again.",
  });
});

test.each(["csv", "ndjson", "xlsx"])(
  "an interrupted export continues after its last part, and equals an uninterrupted export byte for byte (%s)",
  async (format) => {
    const { sql, storage } = api.deps;
    await sql`truncate result_exports`;
    const botId = await makeBot();
    await putResults(sql, botId, 400);
    const undisturbed = (await ask(botId, { format })).text("resultExport.id");
    await makeExport(api, undisturbed);
    const id = (await ask(botId, { format })).text("resultExport.id");
    const kept: string[] = [];
    const breaking = {
      ...storage,
      async keep(...file: Parameters<typeof storage.keep>) {
        if (kept.length === 3) throw new Error("The process dies here");
        kept.push(file[0]);
        await storage.keep(...file);
      },
    };
    const partCharacters = 20_000;

    expect(await runExport(api, id, undefined, { storage: breaking, partCharacters })).toMatchObject({
      kind: "failed",
    });
    const read3 = await Promise.all(kept.map((part) => storage.read(part, undefined)));
    const linesOf = await Promise.all(read3.map((content) => new Response(content).text()));
    const results = linesOf
      .join("")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : JSON.parse(line))).length;
    const rowsRead: string[] = [];
    const reading = {
      ...storage,
      read: (...file: Parameters<typeof storage.read>) => {
        rowsRead.push(file[0]);
        return storage.read(...file);
      },
    };
    const [before] =
      await sql`select attempt, (parts ->> 'results')::int as results from result_exports where id = ${id}`;
    await runExport(api, id, undefined, { storage: reading, partCharacters });

    expect(before).toEqual({ attempt: 1, results });
    expect(results).toBeGreaterThan(100);
    expect(rowsRead).toEqual(kept);
    const [one, other] = await Promise.all(
      [read(botId, undisturbed), read(botId, id)].map(async (file) => (await file).bytes()),
    );
    expect(other).toEqual(one);
    expect((await get(botId, id)).at("resultExport.writtenResults")).toBe(400);
    for (const part of kept) expect(await storage.read(part, undefined)).toBeUndefined();
  },
);

test("a late process does not overwrite an export that another process finished", async () => {
  const { sql, storage } = api.deps;
  await sql`truncate result_exports`;
  const botId = await makeBot();
  await putResults(sql, botId, 200);
  const id = (await ask(botId, { format: "csv" })).text("resultExport.id");
  const standing = {
    ...storage,
    async keep(...file: Parameters<typeof storage.keep>) {
      await storage.keep(...file);
      // Another process takes over and finishes the export before this process continues.
      if (file[0] !== id) await makeExport(api, id);
    },
  };

  const late = await runExport(api, id, undefined, { storage: standing, partCharacters: 20_000 });

  expect(late).toEqual({ kind: "done", message: "Another process is creating this export" });
  expect((await get(botId, id)).at("resultExport.status")).toBe("ready");
  expect((await (await read(botId, id)).text()).split("\r\n").length).toBeGreaterThan(200);
});

test("parts of a deleted export are removed with the export", async () => {
  const { sql, storage } = api.deps;
  await sql`truncate result_exports`;
  const botId = await makeBot();
  await putResults(sql, botId, 200);
  const id = (await ask(botId, { format: "csv" })).text("resultExport.id");
  const kept: string[] = [];
  const breaking = {
    ...storage,
    async keep(...file: Parameters<typeof storage.keep>) {
      kept.push(file[0]);
      await storage.keep(...file);
      if (kept.length === 2) throw new Error("The process dies here");
    },
  };
  await runExport(api, id, undefined, { storage: breaking, partCharacters: 10_000 });
  await remove(botId, id);
  await sweep();

  expect(kept).toHaveLength(2);
  for (const part of kept) expect(await storage.read(part, undefined)).toBeUndefined();
});

async function sweep(storage = api.deps.storage): Promise<void> {
  const task = endedExports(api.deps.sql, storage);
  while ((await task.removeSome()) > 0);
}

async function makeBot(): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: {} } })).text("bot.id");
}

function ask(botId: string, body: object, token = owner.token) {
  return api.client.post(`/api/v1/bots/${botId}/result-exports`, { token, body });
}

function list(botId: string) {
  return api.client.get(`/api/v1/bots/${botId}/result-exports`, { token: owner.token });
}

function get(botId: string, id: string, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/result-exports/${id}`, { token });
}

function remove(botId: string, id: string, token = owner.token) {
  return api.client.delete(`/api/v1/bots/${botId}/result-exports/${id}`, { token });
}

function read(botId: string, id: string): Promise<Response> {
  return fetchPath(`/api/v1/bots/${botId}/result-exports/${id}/file`);
}

async function fetchText(path: string): Promise<string> {
  return (await fetchPath(path)).text();
}

function fetchPath(path: string): Promise<Response> {
  return api.handle(new Request(`http://localhost${path}`, { headers: { Authorization: `Bearer ${owner.token}` } }));
}
