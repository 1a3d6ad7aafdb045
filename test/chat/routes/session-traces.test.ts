import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let stranger: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey },
    safeFetch: async () => ({ status: 201, text: '{ "city": "Lyon" }' }),
  });
  owner = await api.makeUser();
  stranger = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const traced = (botId: string, body: object = {}, token: string | undefined = owner.token) =>
  api.client.post(`/api/v1/bots/${botId}/preview/startChat`, {
    ...(token !== undefined && { token }),
    body: { isTraced: true, ...body },
  });
const traceOf = (sessionId: string, after = 0, token = owner.token) =>
  api.client.get(`/api/v1/sessions/${sessionId}/trace?after=${after}`, { token });
const set = (sessionId: string, variables: object, token = owner.token) =>
  api.client.send("PUT", `/api/v1/sessions/${sessionId}/variables`, { token, body: { variables } });
const botOf = async (flow: object) => (await publish(api.client, { token: owner.token, workspaceId }, flow)).botId;

const http = (id: string, url: string, mapping: readonly object[] = []) => ({
  id,
  type: "Webhook",
  options: {
    webhook: { url, method: "POST", headers: [{ id: "h", key: "X-Key", value: "not for traces" }], body: "{}" },
    isCustomBody: true,
    responseVariableMapping: mapping,
  },
});
const setsName = (expression: string, id = "set") => ({
  id,
  type: "Set variable",
  options: { variableId: idOf("Name"), type: "Custom", expressionToEvaluate: expression },
});

describe("a traced preview", () => {
  test("a trace of a preview lists each step's blocks in order", async () => {
    await api.client.send("PUT", `/api/v1/workspaces/${workspaceId}/secrets/API_KEY`, {
      token: owner.token,
      body: { value: "a secret that nobody reads" },
    });
    const call = http("call", "https://ada:pass@api.example.com/{{secret.API_KEY}}?q={{Name}}", [
      { id: "m", variableId: idOf("Email"), bodyPath: "data.city" },
    ]);
    const botId = await botOf(flowOf([says("Hi", "hi"), asks("text input", { variableId: idOf("Name") })]));
    const flow = flowOf([says("Hi", "hi"), asks("text input", { variableId: idOf("Name") }), call, says("Bye", "bye")]);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });

    const started = await traced(botId, { prefilledVariables: { Email: "a@example.com" } });
    const sessionId = started.text("sessionId");
    await say(api.client, sessionId, "Ada");
    const all = await traceOf(sessionId);

    expect(all.status).toBe(200);
    expect(all.at("steps.0")).toMatchObject({
      revision: 1,
      entries: [
        { kind: "variable", variableId: idOf("Email"), name: "Email", value: "a@example.com" },
        { kind: "block", blockId: "hi", edgeId: idOf("e0") },
        { kind: "block", blockId: idOf("asks text input") },
      ],
      waitsAt: idOf("asks text input"),
      isEnded: false,
      isCut: false,
      wentBackTo: null,
    });
    const entries = all.at("steps.1.entries");
    // Variables come before logs of the same block.
    expect(entries).toEqual([
      { kind: "reply", blockId: idOf("asks text input") },
      { kind: "variable", variableId: idOf("Name"), name: "Name", value: "Ada" },
      { kind: "block", blockId: "call" },
      {
        kind: "effect",
        blockId: "call",
        effect: "http",
        method: "POST",
        address: "https://api.example.com/{{secret.API_KEY}}?q=Ada",
        status: 201,
        milliseconds: expect.any(Number),
      },
      { kind: "variable", variableId: idOf("Email"), name: "Email", value: "Lyon" },
      expect.objectContaining({ kind: "log", status: "success" }),
      { kind: "block", blockId: "bye" },
    ]);
    expect(all.at("steps.1.isEnded")).toBe(true);
    expect(JSON.stringify(all.body)).not.toContain("not for traces");
    expect(JSON.stringify(all.body)).not.toContain("a secret that nobody reads");
    expect((await traceOf(sessionId, 1)).at("steps.*.revision")).toEqual([2]);
    expect(await traceOf(sessionId, 2)).toMatchObject({ status: 200, body: { steps: [], hasMore: false } });
  });

  test("a traced preview starts at the block in the request", async () => {
    const botId = await botOf(flowOf([says("First", "one"), says("Second", "two"), asks("text input")]));
    const started = await traced(botId, { startFrom: { type: "block", blockId: "two" } });

    expect(started.at("messages.*.content.plainText")).toEqual(["Second"]);
    expect((await traceOf(started.text("sessionId"))).at("steps.0.entries.*.blockId")).toEqual([
      "two",
      idOf("asks text input"),
    ]);
    expect(await traced(botId, { startFrom: { type: "block", blockId: "none" } })).toMatchObject({
      status: 400,
      body: { code: "flow.start_block_not_found", data: { blockId: "none" } },
    });
  });

  test("a traced preview marks each truncation", async () => {
    const many = Array.from({ length: limits.traces.entries + 5 }, (_, index) => says("x", `b${index}`));
    const long = setsName(`return "x".repeat(5_000)`);
    const list = { ...setsName(`return Array(3_000).fill("y")`, "list") };
    const botId = await botOf(flowOf([long, asks("text input"), list, asks("number input"), ...many]));
    const sessionId = (await traced(botId)).text("sessionId");
    await say(api.client, sessionId, "go");
    await say(api.client, sessionId, "1");
    const trace = await traceOf(sessionId);
    const variable = (step: number) =>
      [trace.at(`steps.${step}.entries`)].flat().find((entry) => JSON.stringify(entry).includes('"variable"'));

    expect(variable(0)).toMatchObject({ value: "x".repeat(limits.traces.valueCharacters), isCut: true });
    expect(variable(1)).toMatchObject({ isCut: true });
    expect(JSON.stringify(variable(1)).length).toBeLessThan(2 * limits.traces.valueCharacters);
    expect(trace.at("steps.2.isCut")).toBe(true);
    expect(trace.at("steps.2.entries")).toHaveLength(limits.traces.entries);
  });

  test("a traced preview names the linked bot of each block and variable", async () => {
    const linked = await botOf(flowOf([setsName(`return "Grace"`)]));
    const botId = await botOf(
      flowOf([
        { id: "link", type: "Typebot link", options: { typebotId: linked, mergeResults: true } },
        asks("text input"),
      ]),
    );
    const sessionId = (await traced(botId)).text("sessionId");
    const entries = JSON.stringify((await traceOf(sessionId)).at("steps.0.entries"));

    expect(entries).toContain(`{"kind":"block","blockId":"set","botId":"${linked}"}`);
    expect(entries).toContain(`"name":"Name","value":"Grace","botId":"${linked}"`);
    expect(entries).toContain(`{"kind":"variable","variableId":"${idOf("Name")}","name":"Name","value":"Grace"}`);
  });

  test("a trace requires read access to the bot", async () => {
    const botId = await botOf(flowOf([says("Hi"), asks("text input")]));
    const flow = flowOf([says("Sent"), asks("text input")]);
    const reading = await api.makeToken(owner.userId, { scope: "read" });
    const started = await traced(botId, { bot: flow });

    expect(started.at("messages.*.content.plainText")).toEqual(["Sent"]);
    expect((await traceOf(started.text("sessionId"))).at("steps.0.entries")).toHaveLength(2);
    expect((await traced(botId, {}, reading)).status).toBe(200);
    expect((await traced(botId, { bot: flow }, reading)).at("code")).toBe("token.scope");
    expect((await traced(botId, { bot: flow }, stranger.token)).at("code")).toBe("bot.not_found");
    expect(
      (await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { body: { isTraced: true, bot: flow } })).at(
        "code",
      ),
    ).toBe("token.missing");
    expect((await traceOf(started.text("sessionId"), 0, stranger.token)).at("code")).toBe("session.not_found");
    expect((await traceOf(newId())).at("code")).toBe("session.not_found");
  });

  test("only a traced preview has a trace", async () => {
    const flow = flowOf([says("Hi"), asks("text input", { variableId: idOf("Name") }), says("{{Name}}")]);
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const visitor = await start(api.client, publicId);
    const plain = await traced(botId, { isTraced: false });
    const withTrace = await traced(botId);
    const [answer, tracedAnswer] = [
      await say(api.client, plain.text("sessionId"), "Ada"),
      await say(api.client, withTrace.text("sessionId"), "Ada"),
    ];

    expect(tracedAnswer.body).toEqual(answer.body);
    for (const chat of [visitor, plain]) {
      expect((await traceOf(chat.text("sessionId"))).at("code")).toBe("session.not_traced");
    }
    await api.deps.sql`update sessions set expires_at = clock() - interval '1 minute'`;
    expect((await traceOf(withTrace.text("sessionId"))).at("code")).toBe("session.expired");
  });
});

test("a traced preview is served by the builder host, but its frame by the chat host", async () => {
  const settings = { PUBLIC_URL: "https://bots.example.com", CHAT_URL: "https://chat.example.com" };
  const app = createApp({ ...api.deps, config: { ...api.deps.config, ...settings } });
  const { botId, publicId } = await publish(
    api.client,
    { token: owner.token, workspaceId },
    flowOf([asks("text input")]),
  );
  const send = (host: string, path: string, body?: object) =>
    app.handle(
      new Request(`http://localhost${path}`, {
        headers: { Host: host, Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      }),
    );
  const [builder, chats] = ["bots.example.com", "chat.example.com"];
  const started = await send(builder, `/api/v1/bots/${botId}/preview/startChat`, { isTraced: true });
  const { sessionId } = await started.json();
  const frame = await send(chats, "/assets/preview");
  const policy = frame.headers.get("content-security-policy") ?? "";

  expect(started.status).toBe(200);
  expect((await send(builder, `/api/v1/sessions/${sessionId}/continueChat`, { message: "Ada" })).status).toBe(200);
  expect((await send(builder, `/api/v1/sessions/${sessionId}/trace`)).status).toBe(200);
  expect((await send(chats, `/api/v1/sessions/${sessionId}/trace`)).status).toBe(404);
  expect((await send(builder, `/api/v1/bots/${publicId}/startChat`, {})).status).toBe(404);
  expect((await send(builder, "/assets/preview")).status).toBe(404);
  expect(policy).toContain("; sandbox allow-scripts ");
  expect(policy).not.toContain("allow-same-origin");
  expect(policy).toEndWith("frame-ancestors https://bots.example.com");
});

describe("variables of a preview", () => {
  test("variables of a waiting preview can be set by name", async () => {
    const flow = flowOf([says("Hi"), asks("text input"), says("{{Name}} of {{Email}}")]);
    const sessionId = (await traced(await botOf(flow))).text("sessionId");
    const answer = await set(sessionId, { Name: "Grace", Email: ["a", null, "b"] });
    const said = await say(api.client, sessionId, "x");

    expect(answer.at("input.id")).toBe(idOf("asks text input"));
    expect(answer.at("messages")).toEqual([]);
    expect(said.at("messages.*.content.plainText")).toEqual(['Grace of ["a",null,"b"]']);
    expect((await traceOf(sessionId, 1)).at("steps.0.entries.*.name")).toEqual(["Name", "Email"]);
    expect((await set(sessionId, { Name: "late" })).at("code")).toBe("session.ended");
  });

  test("variables can be set only in previews", async () => {
    const flow = flowOf([says("Hi"), asks("text input")]);
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const visitor = (await start(api.client, publicId)).text("sessionId");
    const preview = (await traced(botId, { isTraced: false })).text("sessionId");

    expect((await set(visitor, { Name: "x" })).at("code")).toBe("session.not_preview");
    expect((await set(preview, { Name: "x" }, stranger.token)).at("code")).toBe("session.not_found");
    expect(await set(preview, { Nmae: "x" })).toMatchObject({
      status: 400,
      body: { code: "session.variable_not_found", data: { name: "Nmae" } },
    });
    expect((await set(preview, { Name: "x" })).status).toBe(200);
  });

  test("variables of a preview cannot exceed the size that a chat can store", async () => {
    const names = ["A", "B", "C", "D", "E", "F"];
    const flow = { ...flowOf([asks("text input")]), variables: names.map((name) => ({ id: idOf(name), name })) };
    const sessionId = (await traced(await botOf(flow))).text("sessionId");
    const outcomes: unknown[] = [];
    for (const name of names) outcomes.push((await set(sessionId, { [name]: "x".repeat(200_000) })).at("code"));

    expect(outcomes).toEqual([...Array(5).fill(undefined), "step.over_budget"]);
  });
});
