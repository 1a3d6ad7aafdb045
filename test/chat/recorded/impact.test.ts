import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listHeldChats, readHeldSteps } from "../../../src/chat/recorded/held-chats.sql.ts";
import type { StoredStep } from "../../../src/core/replay/chat.ts";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { equalSteps } from "../../support/held-chats.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { runCommand } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let outside: OutsideServer;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  outside = await startOutside(({ path }, response) => {
    response.end(JSON.stringify({ word: path === "/large" ? "x".repeat(300_000) : `called ${path}` }));
  });
});
afterAll(async () => {
  await outside.close();
  await threads.close();
  await api.close();
});

const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);
const change = (botId: string, flow: object) =>
  api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });
const impact = (botId: string, body: object = {}, token = owner.token) =>
  api.client.post(`/api/v1/bots/${botId}/impact`, { token, body });

type Chat = { readonly sessionId: string; readonly resultId: string };

async function chat(publicId: string, words: readonly unknown[], body: object = {}): Promise<Chat> {
  const started = await start(api.client, publicId, body);
  const sessionId = started.text("sessionId");
  for (const word of words) expect((await say(api.client, sessionId, word)).status).toBe(200);
  return { sessionId, resultId: started.text("resultId") };
}

async function equalStepsOf(botId: string) {
  const { sql } = api.deps;
  const rows = await listHeldChats(sql, { botId, after: undefined, limit: 100 });
  const stored: StoredStep[][] = JSON.parse(
    await readHeldSteps(
      sql,
      rows.flatMap(({ sessionId }) => sessionId ?? []),
    ),
  );
  const programs = await sql<{ key: string; botId: string; flow: string }[]>`
    select bot_id, encode(hash, 'hex') as key, content::text as flow from flows`;
  const named = programs.map((one) => ({ ...one, key: `${one.botId}:${one.key}` }));
  const counts = rows.map(({ sessionId, id: resultId, dialect, flowHash, isEnded }, index) =>
    equalSteps({
      chat: {
        ...{ sessionId: sessionId ?? "", resultId, botId, dialect: dialect ?? "bot", flowHash: flowHash ?? "" },
        ...{ isEnded: isEnded ?? false, isCut: false },
      },
      steps: stored[index] ?? [],
      programs: named,
    }),
  );
  return { steps: stored.flat().length, equal: counts.reduce((sum, count) => sum + count, 0) };
}

describe("a replay with the chat's own version", () => {
  const script = (code: string, id = `sets ${code}`) => ({
    ...{ id, type: "Set variable" },
    options: { variableId: idOf("Email"), expressionToEvaluate: code },
  });
  const calls = () => ({
    ...{ id: "call", type: "Webhook" },
    options: {
      webhook: { url: outside.url("/word") },
      responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.word" }],
    },
  });
  const remembers = { settings: { general: { isGoBackEnabled: true, rememberUser: { isEnabled: true } } } };

  test("a replay reproduces random values and calls", async () => {
    const flow = {
      ...flowOf([
        script("Math.random() + new Date().toISOString()"),
        says("{{Email}} {{Name}}"),
        asks("email input"),
        calls(),
        script(`(await (await fetch({{Name}} ? "http://outside.example:${outside.port}/fetched" : "")).json()).word`),
        says("It says {{Name}}, {{Email}}"),
        asks("text input"),
        says("Bye"),
      ]),
      ...remembers,
    };
    const { botId, publicId } = await published(flow);
    await chat(publicId, ["no address", "ana@example.com", "one"]);
    await chat(publicId, ["bob@example.com"], {
      textBubbleContentFormat: "markdown",
      prefilledVariables: { Name: "Bob" },
    });
    const first = await chat(publicId, ["eve@example.com"], { isOnlyRegistering: true });
    await chat(publicId, ["eve@example.com", "two"], { resultId: first.resultId });
    const before = await chat(publicId, ["ivy@example.com", "three"]);
    expect((await api.client.post(`/api/v1/sessions/${before.sessionId}/goBack`, {})).status).toBe(200);
    await say(api.client, before.sessionId, "four");
    const other = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    await say(api.client, other.text("sessionId"), "max@example.com");
    const asked = outside.requests.length;

    const { steps, equal } = await equalStepsOf(botId);
    expect(steps).toBeGreaterThan(15);
    expect(equal).toBe(steps);
    const report = await impact(botId, { version: "1" });
    expect(report.body).toEqual({
      ...{ results: 5, same: 5, changed: 0, diverging: 0 },
      ...{ notReplayable: [], isComplete: true, places: [], hasMorePlaces: false },
    });
    expect((await impact(botId)).at("same")).toBe(5);
    expect(outside.requests.length).toBe(asked);
  });

  test("a replay reproduces a chat with a linked bot", async () => {
    const inner = await published(
      flowOf([says("Inner: your name?"), asks("text input", { variableId: idOf("Name") })]),
    );
    const link = { id: "link", type: "Typebot link", options: { typebotId: inner.botId, mergeResults: true } };
    const outer = await published(flowOf([asks("text input"), link, says("Outer says {{Name}}")]));
    await chat(outer.publicId, ["Go", "Ana"]);
    await change(inner.botId, flowOf([says("Inner: who?"), asks("text input")]));
    expect(await equalStepsOf(outer.botId)).toEqual({ steps: 3, equal: 3 });
    expect((await impact(outer.botId)).body).toMatchObject({ same: 1, places: [] });

    const { botId, publicId } = await published(nameAndEmail);
    const { sessionId } = await chat(publicId, ["Ana"]);
    await change(botId, {
      ...flowOf([says("Your name, please?"), ...(nameAndEmail.groups[0]?.blocks.slice(1) ?? [])]),
    });
    const again = { token: owner.token, body: { force: true, runningChats: "move" } };
    expect((await api.client.post(`/api/v1/bots/${botId}/publish`, again)).status).toBe(200);
    await say(api.client, sessionId, "ana@example.com");
    expect(await equalStepsOf(botId)).toEqual({ steps: 3, equal: 3 });
    expect((await impact(botId)).body).toMatchObject({
      ...{ same: 0, changed: 1, diverging: 0 },
      places: [{ kind: "bubbles", wasNext: idOf("says Your name?"), next: idOf("says Your name, please?"), chats: 1 }],
    });
  });
});

describe("an impact report", () => {
  let bot: { botId: string; publicId: string };
  const [question, name, hello, email, thanks] = nameAndEmail.groups[0]?.blocks ?? [];
  const draft = (...blocks: readonly (object | undefined)[]) => flowOf(blocks.map((block) => block ?? {}));
  const greeting = { ...says("Dear {{Name}}, and your e-mail?", textId(hello)) };

  beforeAll(async () => {
    bot = await published(nameAndEmail);
    await chat(bot.publicId, ["Ana", "ana@example.com"]);
    await chat(bot.publicId, ["Bob"]);
    await chat(bot.publicId, []);
  });

  test("an impact report lists a changed text of the draft with examples from chats", async () => {
    await change(bot.botId, draft(question, name, greeting, email, thanks));
    const { body } = await impact(bot.botId);

    expect(body).toMatchObject({ results: 2, same: 0, changed: 2, diverging: 0, isComplete: true });
    expect(body).toMatchObject({
      places: [
        {
          ...{ kind: "words", blockId: textId(hello), groupId: idOf("g0"), groupTitle: "Group 0", chats: 2 },
          examples: [
            {
              ...{ step: 2, reply: "Bob", was: { shows: ["Hello Bob, and your e-mail?"], asks: "email input" } },
              wouldBe: { shows: ["Dear Bob, and your e-mail?"] },
            },
            { reply: "Ana" },
          ],
        },
      ],
    });
    expect((await impact(bot.botId, { last: 1 })).at("results")).toBe(1);
  });

  test("an impact report accepts either a version or a flow", async () => {
    expect((await impact(bot.botId, { version: "1" })).at("same")).toBe(2);
    const without = draft(question, name, hello, thanks);
    const { body } = await impact(bot.botId, { bot: without });
    expect(body).toMatchObject({
      diverging: 2,
      places: [{ kind: "way", wasNext: textId(email), next: textId(thanks) }],
    });
    expect((await impact(bot.botId, { version: "99" })).at("code")).toBe("publication.not_found");
    expect((await impact(bot.botId, { version: "1", bot: without })).at("code")).toBe("request.invalid");
    expect((await impact(bot.botId, { bot: { groups: 1 } })).at("code")).toBe("request.invalid");
    for (const last of [0, limits.replay.last + 1]) {
      expect((await impact(bot.botId, { last })).at("code")).toBe("request.invalid");
    }
  });

  test("an impact report states for each reason how many chats cannot be replayed", async () => {
    const { sql } = api.deps;
    const { botId, publicId } = await published(
      flowOf([
        asks("text input", { variableId: idOf("Name") }),
        { id: "call", type: "Webhook", options: { webhook: { url: outside.url("/{{Name}}") } } },
        asks("email input"),
      ]),
    );
    const [expired, old, , gone, , much] = [
      await chat(publicId, ["one"]),
      await chat(publicId, ["two"]),
      await chat(publicId, ["large"]),
      await chat(publicId, ["four"]),
      await chat(publicId, ["five"]),
      await chat(publicId, ["six"]),
    ];
    await sql`delete from sessions where id = ${expired.sessionId}`;
    await sql`update steps set inputs = null where session_id = ${old.sessionId}`;
    await sql`update sessions set flow_hash = '\\x00' where id = ${gone?.sessionId ?? ""}`;
    await sql`
      update steps
      set inputs = inputs || repeat(' ', ${limits.replay.chatBytes}::integer)
      where session_id = ${much?.sessionId ?? ""}
        and revision = 2`;

    const { body } = await impact(botId);
    expect(body).toMatchObject({ results: 6, same: 1, changed: 0, diverging: 0, isComplete: true });
    expect(body).toMatchObject({
      notReplayable: [
        { reason: "expired", chats: 1 },
        { reason: "inputs_not_kept", chats: 1 },
        { reason: "report_cut", chats: 1 },
        { reason: "too_large", chats: 1 },
        { reason: "version_gone", chats: 1 },
      ],
    });
  });

  test("a preview stores no inputs for later replays", async () => {
    const path = `/api/v1/bots/${bot.botId}/preview/startChat`;
    const preview = await api.client.post(path, { token: owner.token, body: {} });
    const rows = await api.deps.sql`select inputs from steps where session_id = ${preview.text("sessionId")}`;
    expect([...rows]).toEqual([{ inputs: null }]);
  });

  test("an impact report counts a replay above the budget as too large", async () => {
    const with_ = (more: object) =>
      createClient({ handle: (request) => createApp({ ...api.deps, ...more }).handle(request) });
    const ask = (more: object) =>
      with_(more).post(`/api/v1/bots/${bot.botId}/impact`, { token: owner.token, body: { version: "1" } });
    const replay = () => Promise.reject(new AppError("step.over_budget"));
    expect((await ask({ threads: { ...threads, replay } })).body).toMatchObject({
      ...{ results: 2, same: 0, isComplete: true },
      notReplayable: [{ reason: "too_large", chats: 2 }],
    });
    let now = 0;
    const clock = { ...api.deps.clock, now: () => (now += limits.replay.runMs + 1) };
    expect((await ask({ clock })).body).toMatchObject({ results: 0, isComplete: false });
  });

  test("parley impact prints an impact report", async () => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
    const environment = { PARLEY_URL: server.url.href, PARLEY_TOKEN: owner.token };
    await change(bot.botId, draft(question, name, greeting, email, thanks));
    const words = await runCommand(["impact", bot.botId], { environment });
    await change(bot.botId, draft(question, name, hello, thanks));
    const way = await runCommand(["impact", bot.botId, "--last", "1"], { environment });
    const json = await runCommand(["impact", bot.botId, "--number", "1", "--json"], { environment });
    const none = await runCommand(["impact", bot.botId, "--flow", "/nowhere.json"], { environment });
    await server.stop(true);

    expect(words).toMatchObject({ exitCode: 0 });
    expect(words.stdout).toContain(
      "2 chats: 0 have the same outcome, 2 follow the same path with other content or calls, 0 follow another path\n",
    );
    expect(words.stdout).toContain(`Block ${textId(hello)} (Group 0) has other content: 2 chats\n`);
    expect(words.stdout).toContain('was:      "Hello Bob, and your e-mail?" (email input)\n');
    expect(way).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("is followed by another path: 1 chat\n"),
    });
    expect(JSON.parse(json.stdout)).toMatchObject({ same: 2, places: [] });
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("/nowhere.json cannot be read") });
  });
});

function textId(block: object | undefined): string {
  return block && "id" in block ? String(block.id) : "";
}
