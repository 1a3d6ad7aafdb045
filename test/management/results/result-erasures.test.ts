import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { uploadedFiles } from "../../../src/management/files/uploads.job.ts";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { retention } from "../../../src/management/results/retention.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { makeExport } from "../../support/exports.ts";
import { countContent, putResult } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { fileNameIn, upload } from "../../support/uploads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe("a bot that retains results for some days", () => {
  test("a retention period deletes exactly the older results of its bot", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const botId = await makeBot(workspaceId);
    const put = async (days: number) =>
      (await putResult(api.deps.sql, botId, { createdAt: daysAgo(days), answers: [{ content: "Secret" }] })).resultId;
    const [old, binned, young] = [await put(10.01), await put(20), await put(9.99)];
    await api.client.delete(`/api/v1/bots/${botId}/results/${binned}`, { token: owner.token });
    const other = await makeBot(workspaceId);
    const { resultId: kept } = await putResult(api.deps.sql, other, { createdAt: daysAgo(1_000) });
    await putFile(botId, old);

    const said = await setDays(botId, 10);
    expect(said.body).toEqual({ retention: { days: 10, outdatedResults: 1 } });
    await runRetention();

    expect(await ids(botId)).toEqual([young]);
    expect(await ids(other)).toEqual([kept]);
    expect((await api.client.get(`/api/v1/bots/${botId}/results/bin`, { token: owner.token })).at("results")).toEqual(
      [],
    );
    expect(await countContent(api.deps.sql, botId)).toMatchObject({ sessions: 1, answers: 1, steps: 1, logs: 1 });
    const [file] = await api.deps.sql`select is_removed, name from files where result_id = ${old}`;
    expect(file).toEqual({ isRemoved: true, name: "" });
    expect((await setDays(botId, null)).body).toEqual({ retention: { days: null, outdatedResults: 0 } });
    await runRetention();
    expect(await ids(botId)).toEqual([young]);
  });

  test("a retention period applies even while the bot is in the bin", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const botId = await makeBot(workspaceId);
    await setDays(botId, 5);
    const { resultId } = await putResult(api.deps.sql, botId, { createdAt: daysAgo(6) });
    const copy = await api.client.post(`/api/v1/bots/${botId}/duplicate`, { token: owner.token, body: {} });
    const copied = await api.client.get(`/api/v1/bots/${copy.text("bot.id")}/results/retention`, {
      token: owner.token,
    });
    expect(copied.at("retention.days")).toBe(5);
    for (const days of [0, -1, 1.5, 3_651, "7", undefined]) {
      expect((await setDays(botId, days)).at("data.issues.0.path")).toBe("days");
    }
    const [entry] = (await api.client.get(`/api/v1/workspaces/${workspaceId}/audit`, { token: owner.token }))
      .list("entries")
      .filter((found) => Object(found).operation.includes("retention"));
    expect(entry).toMatchObject({ subjectIds: [botId], changedPaths: ["resultsRetentionDays"] });

    await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
    await runRetention();
    await api.client.post(`/api/v1/bots/${botId}/restore`, { token: owner.token, body: {} });
    expect(await ids(botId)).toEqual([]);
    const rows = await api.deps.sql`select is_archived from results where id = ${resultId}`;
    expect([...rows]).toEqual([{ isArchived: true }]);
  });

  async function runRetention(): Promise<void> {
    const task = retention(api.deps.sql);
    while ((await task.removeSome()) > 0);
  }

  function setDays(botId: string, days: unknown) {
    const options = { token: owner.token, body: { days } };
    return api.client.put(`/api/v1/bots/${botId}/results/retention`, options);
  }

  async function putFile(botId: string, resultId: string): Promise<void> {
    await api.deps.sql`
      insert into files (
        shard, id, session_id, number, result_id, bot_id, block_id, name, extension, type, is_public, max_bytes, bytes, hash, stored_at,
        url_expires_at
      )
      select shard, gen_random_uuid(), id, 1, result_id, ${botId}, 'b', 'letter.pdf', 'pdf', 'application/pdf', false, 10, 10, '\\x00', clock(),
        clock()
      from sessions
      where result_id = ${resultId}`;
  }
});

describe("the erasure of a person", () => {
  test("an erasure removes all texts of the person in the workspace's bots", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const flow = {
      ...flowOf([
        asks("text input", { variableId: idOf("Email") }),
        asks("file input", {}, { id: "file" }),
        asks("text input", {}, { id: "last" }),
      ]),
      settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } },
    };
    const live = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const chat = async (email: string) => {
      const started = await start(api.client, live.publicId);
      const sessionId = started.text("sessionId");
      await say(api.client, sessionId, email);
      const fileUrl = await upload(api.client, sessionId, "%PDF-1.7");
      await say(api.client, sessionId, fileUrl);
      return { resultId: started.text("resultId"), sessionId, file: fileNameIn(fileUrl).split(".")[0] ?? "" };
    };
    const ada = await chat("ada@example.com");
    const ben = await chat("ben@example.com");
    const archived = await makeBot(workspaceId);
    const said = (value: unknown) => ({
      variables: [{ id: idOf("e"), name: "Email", value }],
      answers: [{ content: "Hi" }],
    });
    const old = await putResult(api.deps.sql, archived, said(["x", "ada@example.com"]));
    const binned = await putResult(api.deps.sql, archived, said("ada@example.com"));
    const alike = await putResult(api.deps.sql, archived, said("ada@example.com.au"));
    await readValues();
    await api.client.delete(`/api/v1/bots/${archived}/results/${binned.resultId}`, { token: owner.token });
    await api.client.post(`/api/v1/bots/${archived}/archive`, { token: owner.token, body: {} });
    const elsewhere = await makeBot(await api.makeWorkspace(owner));
    const foreign = await putResult(api.deps.sql, elsewhere, said("ada@example.com"));
    const asked = await api.client.post(`/api/v1/bots/${live.botId}/result-exports`, { token: owner.token, body: {} });
    const exportId = await makeExport(api, asked.text("resultExport.id"));
    // Start another chat, whose values are not indexed yet.
    const late = await chat("ada@example.com");

    const erased = await erase(workspaceId, { variable: "Email", value: "ada@example.com" });

    const receipt = Object(erased.at("personErasure"));
    expect(receipt).toMatchObject({ workspaceId, userId: owner.userId, variable: "Email", isComplete: true });
    const salted = createHash("sha256").update(Buffer.from(receipt.salt, "hex")).update("ada@example.com");
    expect(receipt.valueHash).toBe(salted.digest("hex"));
    expect(new Map(receipt.bots.map((bot: { botId: string }) => [bot.botId, bot]))).toEqual(
      new Map([
        [live.botId, expect.objectContaining({ results: 2, answers: 4, sessions: 2, files: 2 })],
        [archived, expect.objectContaining({ results: 2, answers: 2, sessions: 2, files: 0 })],
      ]),
    );
    const hashes = receipt.bots.flatMap((bot: { resultHashes: string[] }) => bot.resultHashes);
    const gone = [ada, late, old, binned].map(({ resultId }) => resultId);
    expect(hashes.toSorted()).toEqual(gone.map((id) => createHash("sha256").update(id).digest("hex")).toSorted());
    expect(JSON.stringify(receipt)).not.toContain("ada@example.com");

    const { sql, storage } = api.deps;
    expect(await ids(live.botId)).toEqual([ben.resultId]);
    expect(await ids(elsewhere)).toEqual([foreign.resultId]);
    expect([...(await sql`select from sessions where result_id = any(${gone}::uuid[])`)]).toEqual([]);
    expect([...(await sql`select from answers where result_id = any(${gone}::uuid[])`)]).toEqual([]);
    expect([...(await sql`select id from results where bot_id = ${archived} and not is_archived`)]).toEqual([
      { id: alike.resultId },
    ]);
    expect((await say(api.client, ada.sessionId, "Still here?")).at("code")).toBe("session.not_found");
    expect((await say(api.client, ben.sessionId, "Fine")).status).toBe(200);
    for (const task of uploadedFiles(sql, storage)) while ((await task.removeSome()) > 0);
    expect(await storage.read(ada.file, undefined)).toBeUndefined();
    expect(await storage.read(ben.file, undefined)).toBeDefined();
    const file = `/api/v1/bots/${live.botId}/result-exports/${exportId}`;
    expect((await api.client.get(file, { token: owner.token })).at("code")).toBe("result_export.not_found");

    const again = await erase(workspaceId, { variable: "Email", value: "ada@example.com" });
    expect(again.at("personErasure.bots")).toEqual([]);
    const path = `/api/v1/workspaces/${workspaceId}/person-erasures`;
    const first = await api.client.get(path, { token: owner.token, query: { limit: 1 } });
    const next = { limit: 1, cursor: first.text("nextCursor") };
    expect((await api.client.get(path, { token: owner.token, query: next })).at("personErasures")).toEqual([receipt]);
    const entries = await api.client.get(`/api/v1/workspaces/${workspaceId}/audit`, { token: owner.token });
    expect(entries.at("entries.0")).toMatchObject({
      operation: "POST /api/v1/workspaces/{workspaceId}/person-erasures",
      outcome: "done",
      userId: owner.userId,
    });
    expect(JSON.stringify(await sql`select * from audit_entries`)).not.toContain("ada@");
    expect(JSON.stringify(await sql`select * from person_erasures`)).not.toContain("ada@");
  });

  test("an erasure does not find a person by previous values", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const botId = await makeBot(workspaceId);
    const long = "l".repeat(300);
    const put = async (value: string) =>
      (await putResult(api.deps.sql, botId, { variables: [{ id: idOf("e"), name: "Email", value }] })).resultId;
    const [first, second, changed] = [await put(`${long}1`), await put(`${long}2`), await put("ada")];
    await readValues();
    await api.deps.sql`
      update results
      set variables = json_build_array(json_build_object('id', ${idOf("e")}::text, 'name', 'Email', 'value', 'ben')), updated_at = clock()
      where id = ${changed}`;

    const counts = async (value: string) =>
      (await erase(workspaceId, { variable: "Email", value })).at("personErasure.bots.*.results");
    expect(await counts("ada")).toEqual([]);
    expect(await counts(`${long}2`)).toEqual([1]);
    expect((await ids(botId)).toSorted()).toEqual([first, changed].toSorted());
    expect(second).toBeString();
  });

  test("an erasure finds several spellings of a phone number", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const flow = flowOf([
      asks("text input", { variableId: idOf("Email") }),
      asks("text input", { variableId: idOf("Name") }, { id: "name" }),
      asks("text input", {}, { id: "last" }),
    ]);
    const live = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const chat = async (phone: string) => {
      const started = await start(api.client, live.publicId);
      await say(api.client, started.text("sessionId"), phone);
      return started.text("resultId");
    };
    const read = [await chat("+49 170 1234567"), await chat("+49170 1234567"), await chat("+49 170 1234568")];
    await readValues();
    const late = await chat("0049 (0)170 / 123 45 67\u200e");
    const asked = await api.client.post(`/api/v1/bots/${live.botId}/result-exports`, { token: owner.token, body: {} });
    const exportId = await makeExport(api, asked.text("resultExport.id"));
    const person = { variable: "Email", value: " +491701234567 ", match: "folded" };
    const found = { match: "folded", results: 3, isComplete: true };
    const bots = [expect.objectContaining({ botId: live.botId, results: 3, answers: 3, sessions: 3 })];
    const exports = [expect.objectContaining({ id: exportId, botId: live.botId, userId: owner.userId, format: "csv" })];

    const exact = await erase(workspaceId, { ...person, match: "exact" });
    expect(exact.at("personErasure")).toMatchObject({ outcome: "nothing_found", results: 0, bots: [], exports: [] });
    const counted = await erase(workspaceId, { ...person, isDryRun: true });
    expect(counted.at("personErasure")).toMatchObject({ ...found, isDryRun: true, outcome: "counted", bots, exports });
    expect(counted.at("comparedValue")).toBe("+491701234567");
    expect(counted.list("spellings")).toHaveLength(3);
    expect(counted.list("spellings")).toContainEqual({ value: "+49170 1234567", results: 1 });
    expect((await ids(live.botId)).toSorted()).toEqual([...read, late].toSorted());

    const erased = await erase(workspaceId, person);
    const receipt = Object(erased.at("personErasure"));
    expect(receipt).toMatchObject({ ...found, isDryRun: false, outcome: "erased", bots, exports });
    const salted = createHash("sha256").update(Buffer.from(receipt.salt, "hex")).update("+491701234567");
    expect(receipt.valueHash).toBe(salted.digest("hex"));
    expect(erased.body).not.toHaveProperty("spellings");
    expect(await ids(live.botId)).toEqual([read.at(-1)]);
    const file = `/api/v1/bots/${live.botId}/result-exports/${exportId}`;
    expect((await api.client.get(file, { token: owner.token })).at("code")).toBe("result_export.not_found");

    for (const isDryRun of [true, false]) {
      const none = await erase(workspaceId, { ...person, isDryRun });
      expect(none.at("personErasure")).toMatchObject({ outcome: "nothing_found", results: 0, bots: [], exports: [] });
    }
    const path = `/api/v1/workspaces/${workspaceId}/person-erasures`;
    const kept = (await api.client.get(path, { token: owner.token })).list("personErasures");
    expect(kept.map((row) => Object(row).results)).toEqual([0, 3, 0]);
    expect(kept).toContainEqual(receipt);
    const log = await api.client.get(`/api/v1/workspaces/${workspaceId}/audit`, { token: owner.token });
    const entries = log.list("entries").filter((entry) => Object(entry).operation.endsWith("/person-erasures"));
    expect(entries).toHaveLength(3);
  });

  test("an erasure first removes exports that may contain the person's data", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const botId = await makeBot(workspaceId);
    await putResult(api.deps.sql, botId, { variables: [{ id: idOf("e"), name: "Email", value: "ada" }] });
    await api.client.post(`/api/v1/bots/${botId}/result-exports`, { token: owner.token, body: {} });
    await api.deps.sql.unsafe(`
      create function die() returns trigger language plpgsql as $$ begin raise exception 'The node died'; end $$;
      create trigger dies before update on results for each row execute function die()`);

    // The test client throws on status 500.
    await expect(erase(workspaceId, { variable: "Email", value: "ada" })).rejects.toThrow("server.internal");
    await api.deps.sql.unsafe("drop function die cascade");

    expect(await ids(botId)).toHaveLength(1);
    const exports = await api.client.get(`/api/v1/bots/${botId}/result-exports`, { token: owner.token });
    expect(exports.at("resultExports")).toEqual([]);
  });

  test("an invalid erasure request is rejected, and erases nothing", async () => {
    const workspaceId = await api.makeWorkspace(owner);
    const botId = await makeBot(workspaceId);
    const { resultId } = await putResult(api.deps.sql, botId, {
      variables: [{ id: idOf("n"), name: "Name", value: "x" }],
    });
    const wrong: [object, string][] = [
      [{ variable: "Email", value: "" }, "value"],
      [{ variable: "", value: "x" }, "variable"],
      [{ variable: "Email" }, "value"],
      [{ variable: "Email", value: "v".repeat(1_000_000) }, "value"],
      [{ variable: "Nonsense", value: "x" }, "variable"],
      [{ variable: "__proto__", value: "x" }, "variable"],
      [{ variable: "Name", value: " \u200b", match: "folded" }, "value"],
      [{ variable: "Name", value: "x", match: "Folded" }, "match"],
      // If the misspelled `isDryRun` were ignored, this request would erase results.
      [{ variable: "Name", value: "x", isDryrun: true }, "isDryrun"],
    ];
    for (const [body, path] of wrong) expect((await erase(workspaceId, body)).at("data.issues.0.path")).toBe(path);
    expect(await ids(botId)).toEqual([resultId]);
    expect((await erase("nonsense", { variable: "Email", value: "x" })).at("code")).toBe("workspace.not_found");
  });

  function erase(workspaceId: string, body: object) {
    return api.client.post(`/api/v1/workspaces/${workspaceId}/person-erasures`, { token: owner.token, body });
  }

  async function readValues(): Promise<void> {
    for (const task of resultValues(api.deps.sql)) while ((await task.removeSome()) > 0);
  }
});

async function makeBot(workspaceId: string): Promise<string> {
  const bot = flowOf([asks("text input")]);
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

async function ids(botId: string): Promise<unknown[]> {
  const query = { timeFilter: "allTime" };
  const found = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query });
  return found.list("results").map((result) => Object(result).id);
}
