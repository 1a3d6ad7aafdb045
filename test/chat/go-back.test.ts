import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import type { Statements } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient, type RequestOptions } from "../support/client.ts";
import { putEndpoint } from "../support/events.ts";
import { type OutsideRequest, outsideFetch, startOutside } from "../support/outside.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
/** A second node on the same database. */
let otherNode: Client;

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const other = createApp(createDependencies(api.deps));
  otherNode = createClient({ handle: (request) => other.handle(request) });
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const mayGoBack = { settings: { general: { isGoBackEnabled: true } } };
const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, { ...flow, ...mayGoBack });
const key = (value: string) => ({ headers: { "Idempotency-Key": value } });
const back = (sessionId: string, options: RequestOptions = {}, client = api.client) =>
  client.post(`/api/v1/sessions/${sessionId}/goBack`, options);
const resultOf = async (botId: string, resultId: string) =>
  (await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token })).at("result");
const historyOf = async (sessionId: string) => await api.client.get(`/api/v1/sessions/${sessionId}`);
const saidIn = async (sessionId: string) =>
  (await historyOf(sessionId)).at("session.steps.*.messages.*.content.plainText");
const chatWith = async (flow: object) => {
  const { botId, publicId } = await published(flow);
  const started = await start(api.client, publicId);
  return { botId, publicId, resultId: started.text("resultId"), sessionId: started.text("sessionId") };
};
const answerRows = (resultId: string) =>
  api.deps.sql<{ content: string; isReplaced: boolean }[]>`
    select content, replaced_at is not null as is_replaced
    from answers
    where result_id = ${resultId}
    order by revision`;
const keptStates = async (sessionId: string) => {
  const rows = await api.deps.sql<{ revision: number }[]>`
    select revision
    from steps
    where session_id = ${sessionId} and state_before is not null
    order by revision`;
  return rows.map(({ revision }) => revision);
};

/** Holds a lock until `release` is called. `holding` resolves when a statement waits for the lock. */
async function holdBack(lock: (sql: Statements) => PromiseLike<unknown>) {
  const { sql } = api.deps;
  const [held, released] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const transaction = sql.begin(async (statements) => {
    const [row] = await statements<[{ pid: number }]>`select pg_backend_pid() as pid`;
    await lock(statements);
    held.resolve(row.pid);
    await released.promise;
  });
  const pid = await held.promise;
  const isWaiting = async () =>
    (await sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`).length > 0;
  return {
    holding: () => waitFor(isWaiting),
    release: () => {
      released.resolve();
      return transaction;
    },
  };
}

describe("going back to the last answer", () => {
  test("going back asks the question again", async () => {
    const { botId, resultId, sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    const before = await back(sessionId);

    expect(before).toMatchObject({
      status: 200,
      body: {
        messages: [],
        input: { id: idOf("asks text input"), type: "text input" },
        clientSideActions: [],
        takenBack: { steps: 1, reply: { type: "text", text: "Ana" } },
      },
    });
    expect(await resultOf(botId, resultId)).toMatchObject({ answers: [], variables: [], hasStarted: true });

    const next = await say(api.client, sessionId, "Bob");
    expect(next.at("messages.*.content.plainText")).toEqual(["Hello Bob, and your e-mail?"]);
    expect(await resultOf(botId, resultId)).toMatchObject({
      answers: [{ content: "Bob" }],
      variables: [{ name: "Name", value: "Bob" }],
    });
    expect([...(await answerRows(resultId))]).toEqual([
      { content: "Ana", isReplaced: true },
      { content: "Bob", isReplaced: false },
    ]);
  });

  test("going back reopens an ended chat", async () => {
    const { botId, resultId, sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "ana@example.com");
    expect(await resultOf(botId, resultId)).toMatchObject({ isCompleted: true });

    const before = await back(sessionId);

    expect(before.at("input.type")).toBe("email input");
    expect(before.at("progress")).toBeLessThan(100);
    expect(await resultOf(botId, resultId)).toMatchObject({ isCompleted: false, answers: [{ content: "Ana" }] });
    expect((await historyOf(sessionId)).at("session.isEnded")).toBe(false);
    await say(api.client, sessionId, "bob@example.com");
    expect(await resultOf(botId, resultId)).toMatchObject({
      isCompleted: true,
      answers: [{ content: "Ana" }, { content: "bob@example.com" }],
    });
    expect(await say(api.client, sessionId, "more")).toMatchObject({ status: 404, body: { code: "session.ended" } });
  });

  test("going back undoes one answer per request until no answer is left", async () => {
    const { botId, resultId, sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "ana@example.com");

    expect((await back(sessionId)).at("input.type")).toBe("email input");
    expect((await back(sessionId)).at("input.type")).toBe("text input");
    expect(await back(sessionId)).toMatchObject({ status: 409, body: { code: "session.nothing_before" } });
    expect(await resultOf(botId, resultId)).toMatchObject({ answers: [], isCompleted: false });
    expect(await keptStates(sessionId)).toEqual([]);
  });

  test("going back skips refused replies and reports from the page", async () => {
    const { sessionId } = await chatWith(
      flowOf([
        asks("email input"),
        {
          id: "b-set",
          type: "Set variable",
          options: { variableId: idOf("Name"), expressionToEvaluate: "1 + 1", isExecutedOnClient: true },
        },
        asks("text input"),
      ]),
    );
    await say(api.client, sessionId, "no address");
    await say(api.client, sessionId, "nor this");
    await say(api.client, sessionId, "ana@example.com");
    await say(api.client, sessionId, "2");

    const before = await back(sessionId);

    expect(before).toMatchObject({
      body: { input: { type: "email input" }, takenBack: { steps: 4, reply: { text: "ana@example.com" } } },
    });
    expect((await historyOf(sessionId)).list("session.steps")).toHaveLength(1);
  });

  test("going back removes the undone steps from the history and from transcripts", async () => {
    const transcript = {
      id: "b-set",
      type: "Set variable",
      options: { variableId: idOf("Email"), type: "Transcript" },
    };
    const { sessionId } = await chatWith(
      flowOf([
        says("Name?"),
        asks("text input"),
        says("Town?"),
        asks("text input", {}, { id: "town" }),
        transcript,
        says("{{Email}}"),
      ]),
    );
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "Oslo");
    await back(sessionId);
    await back(sessionId);

    expect(await saidIn(sessionId)).toEqual([["Name?"]]);
    await say(api.client, sessionId, "Bob");
    const end = await say(api.client, sessionId, "Rome");
    const said = 'Assistant: "Name?"\n\nUser: "Bob"\n\nAssistant: "Town?"\n\nUser: "Rome"';
    expect(end.at("messages.*.content.plainText")).toEqual([said]);
    const steps = (await historyOf(sessionId)).at("session.steps");
    expect(steps).toMatchObject([{ reply: null }, { reply: { text: "Bob" } }, { reply: { text: "Rome" } }]);
  });

  test("going back removes the visited edges of the undone answers", async () => {
    const item = (id: string, edge: string) => ({ id, content: id, outgoingEdgeId: edge });
    const choice = { id: "c", type: "choice input", items: [item("tea", idOf("e1")), item("milk", idOf("e2"))] };
    const { botId, resultId, sessionId } = await chatWith(
      flowOf([choice], [asks("text input")], [asks("text input", {}, { id: "other" })]),
    );
    const edges = async () => {
      const rows = await api.deps.sql<{ edgeId: string }[]>`
        select edge_id from visited_edges where bot_id = ${botId} and result_id = ${resultId} order by position`;
      return rows.map(({ edgeId }) => edgeId);
    };
    await say(api.client, sessionId, "tea");
    expect(await edges()).toEqual([idOf("e1")]);

    await back(sessionId);
    expect(await edges()).toEqual([]);
    await say(api.client, sessionId, "milk");
    expect(await edges()).toEqual([idOf("e2")]);
  });

  test("going back undoes the answers in a linked flow", async () => {
    const inner = await published(flowOf([asks("text input"), asks("text input", {}, { id: "last" })]));
    const link = { id: "link", type: "Typebot link", options: { typebotId: inner.botId, mergeResults: false } };
    const { botId, resultId, sessionId } = await chatWith(flowOf([link, asks("email input")]));
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "Oslo");
    const innerResult = async () =>
      (await api.client.get(`/api/v1/bots/${inner.botId}/results`, { token: owner.token })).at("results.0");
    expect(await innerResult()).toMatchObject({
      isCompleted: true,
      answers: [{ content: "Ana" }, { content: "Oslo" }],
    });

    expect((await back(sessionId)).at("input.id")).toBe("last");

    expect(await innerResult()).toMatchObject({ isCompleted: false, answers: [{ content: "Ana" }] });
    await say(api.client, sessionId, "Rome");
    await say(api.client, sessionId, "ana@example.com");
    expect(await innerResult()).toMatchObject({
      isCompleted: true,
      answers: [{ content: "Ana" }, { content: "Rome" }],
    });
    expect(await resultOf(botId, resultId)).toMatchObject({
      isCompleted: true,
      answers: [{ content: "ana@example.com" }],
    });
  });

  test("a call that is repeated after going back has another idempotency key", async () => {
    const calls: OutsideRequest[] = [];
    const server = await startOutside((request, response) => {
      calls.push(request);
      response.end("{}");
    });
    const call = { id: "call", type: "Webhook", options: { webhook: { url: server.url() } } };
    const { sessionId } = await chatWith(flowOf([asks("text input"), call, asks("email input")]));
    await say(api.client, sessionId, "Ana");
    await back(sessionId);
    await say(api.client, sessionId, "Ana");
    await server.close();

    expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
  });

  test("going back waits for a running step, and then undoes that step", async () => {
    let answer = (): void => {};
    const arrived = Promise.withResolvers<void>();
    const server = await startOutside((_, response) => {
      answer = () => response.end("{}");
      arrived.resolve();
    });
    const call = { id: "call", type: "Webhook", options: { webhook: { url: server.url() } } };
    const { botId, resultId, sessionId } = await chatWith(
      flowOf([asks("text input"), asks("text input", {}, { id: "second" }), call, asks("email input")]),
    );
    await say(api.client, sessionId, "Ana");
    const step = say(api.client, sessionId, "Oslo");
    await arrived.promise;
    const goingBack = back(sessionId, {}, otherNode);
    answer();

    expect((await step).at("input.type")).toBe("email input");
    expect((await goingBack).at("input.id")).toBe("second");
    expect(await resultOf(botId, resultId)).toMatchObject({ answers: [{ content: "Ana" }] });
    await server.close();
  });

  test("a result that another chat completed stays complete after going back", async () => {
    const remembers = { general: { isGoBackEnabled: true, rememberUser: { isEnabled: true } } };
    const owned = { token: owner.token, workspaceId };
    const { botId, publicId } = await publish(api.client, owned, { ...nameAndEmail, settings: remembers });
    const first = await start(api.client, publicId);
    const resultId = first.text("resultId");
    const second = await start(api.client, publicId, { resultId });
    for (const { sessionId } of [first, second].map((started) => ({ sessionId: started.text("sessionId") }))) {
      await say(api.client, sessionId, "Ana");
      await say(api.client, sessionId, "ana@example.com");
    }

    await back(second.text("sessionId"));
    expect(await resultOf(botId, resultId)).toMatchObject({ isCompleted: true });
    await back(first.text("sessionId"));
    expect(await resultOf(botId, resultId)).toMatchObject({ isCompleted: false });
  });

  test("going back works in previews, even without a token", async () => {
    const bot = { ...nameAndEmail, ...mayGoBack };
    const preview = (token?: string) =>
      api.client.post(`/api/v1/bots/${newId()}/preview/startChat`, { ...(token && { token }), body: { bot } });
    for (const started of [await preview(), await preview(owner.token)]) {
      const sessionId = started.text("sessionId");
      await say(api.client, sessionId, "Ana");
      await say(api.client, sessionId, "ana@example.com");
      expect((await back(sessionId)).at("input.type")).toBe("email input");
      const end = await say(api.client, sessionId, "bob@example.com");
      expect(end.at("messages.*.content.plainText")).toEqual(["Thank you"]);
    }
  });

  test("endpoints get no second completion event after going back", async () => {
    await putEndpoint(api.deps.sql, { url: "https://receiver.example/", workspaceId });
    const { sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "ana@example.com");
    await back(sessionId);
    await say(api.client, sessionId, "bob@example.com");

    const rows = await api.deps.sql<{ told: string }[]>`
      select concat_ws(' ', type, case type when 'result.answered' then content ->> 'content' end) as told
      from event_deliveries
      where session_id = ${sessionId}
      order by sequence`;
    await api.deps.sql`truncate event_deliveries, event_endpoints, event_lanes`;
    expect(rows.map(({ told }) => told)).toEqual([
      "result.started",
      "result.answered Ana",
      "result.answered ana@example.com",
      "result.completed",
      "result.answered bob@example.com",
    ]);
  });
});

describe("a visitor who may not go back", () => {
  test("a rejected request to go back returns the reason", async () => {
    const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, nameAndEmail);
    const closed = (await start(api.client, publicId)).text("sessionId");
    await say(api.client, closed, "Ana");
    const open = await chatWith(nameAndEmail);

    expect(await back(newId())).toMatchObject({ status: 404, body: { code: "session.not_found" } });
    expect(await back("nonsense")).toMatchObject({ status: 404, body: { code: "session.not_found" } });
    expect(await back(closed)).toMatchObject({ status: 403, body: { code: "session.go_back_not_allowed" } });
    expect(await back(open.sessionId)).toMatchObject({ status: 409, body: { code: "session.nothing_before" } });
  });

  test("going back is rejected once the session has expired", async () => {
    const late = await chatWith(nameAndEmail);
    const erased = await chatWith(nameAndEmail);
    for (const { sessionId } of [late, erased]) await say(api.client, sessionId, "Ana");
    await api.deps.sql`update sessions set expires_at = clock() where id = ${late.sessionId}`;
    const results = `/api/v1/bots/${erased.botId}/results?resultIds=${erased.resultId}`;
    await api.client.delete(results, { token: owner.token });

    expect(await back(late.sessionId)).toMatchObject({ status: 404, body: { code: "session.expired" } });
    // The result of this session is in the bin.
    expect(await back(erased.sessionId)).toMatchObject({ status: 404, body: { code: "session.expired" } });
  });

  test("a chat of a bot that does not allow going back stores no previous states", async () => {
    const written = async (flow: object) => {
      const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
      const sessionId = (await start(api.client, publicId)).text("sessionId");
      await say(api.client, sessionId, "Ana");
      await say(api.client, sessionId, "no address");
      await say(api.client, sessionId, "ana@example.com");
      return api.deps.sql`
        select revision, state_before is not null as keeps, went_back_to, octet_length(response::text) as size
        from steps
        where session_id = ${sessionId}
        order by revision`;
    };
    const plain = await written(nameAndEmail);
    const keeping = await written({ ...nameAndEmail, ...mayGoBack });

    expect(plain.map(({ keeps, wentBackTo }) => [keeps, wentBackTo])).toEqual(Array(4).fill([false, null]));
    expect(keeping.map(({ keeps }) => keeps)).toEqual([false, true, false, true]);
    expect(plain.slice(1).map(({ size }) => size)).toEqual(keeping.slice(1).map(({ size }) => size));
  });

  test("a visitor can undo at most twenty answers", async () => {
    const questions = Array.from({ length: limits.session.statesBefore + 3 }, (_, index) =>
      asks("text input", {}, { id: `q${index}` }),
    );
    const { sessionId } = await chatWith(flowOf(questions));
    for (const { id } of questions) await say(api.client, sessionId, `to ${id}`);

    expect(await keptStates(sessionId)).toEqual(Array.from({ length: 20 }, (_, index) => index + 5));
    for (const { id } of questions.slice(3).reverse()) expect((await back(sessionId)).at("input.id")).toBe(id);
    expect(await back(sessionId)).toMatchObject({ status: 409, body: { code: "session.nothing_before" } });
  });
});

describe("repeated and concurrent requests", () => {
  test("concurrent requests with one key on two nodes go back once", async () => {
    const { sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "ana@example.com");
    const clients = [api.client, otherNode, api.client, otherNode];
    const answers = await Promise.all(clients.map((client) => back(sessionId, key("once"), client)));

    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(answers[0]?.at("input.type")).toBe("email input");
    expect(answers.filter((answer) => answer.headers.get("idempotency-replayed") === null)).toHaveLength(1);
    expect(await say(api.client, sessionId, "Ana", key("once"))).toMatchObject({
      status: 422,
      body: { code: "idempotency.key_reused" },
    });
  });

  test("a request to go back takes effect once even if repeated during its save", async () => {
    const { sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    const { holding: saving, release: save } = await holdBack(
      (sql) => sql`select from sessions where id = ${sessionId} for update`,
    );
    const first = back(sessionId, key("between"), api.client);
    await saving();
    const { holding: reading, release: read } = await holdBack((sql) => sql`lock table flows in access exclusive mode`);
    const second = back(sessionId, key("between"), otherNode);
    await reading();
    await save();
    const answer = await first;
    await read();

    expect(answer).toMatchObject({ status: 200, body: { input: { type: "text input" } } });
    expect((await second).body).toEqual(answer.body);
  });

  test("two concurrent requests without a key go back twice", async () => {
    const { botId, resultId, sessionId } = await chatWith(nameAndEmail);
    await say(api.client, sessionId, "Ana");
    await say(api.client, sessionId, "ana@example.com");
    const answers = await Promise.all([back(sessionId), back(sessionId, {}, otherNode)]);

    expect(answers.map((answer) => answer.at("input.type")).sort()).toEqual(["email input", "text input"]);
    expect(await resultOf(botId, resultId)).toMatchObject({ answers: [] });
  });

  test("a reply and a concurrent request to go back run in sequence", async () => {
    const questions = Array.from({ length: 12 }, (_, index) => asks("text input", {}, { id: `q${index}` }));
    const { botId, resultId, sessionId } = await chatWith(flowOf(questions));
    await say(api.client, sessionId, "first");
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const reply = say(otherNode, sessionId, `reply ${round}`);
      const statuses = (await Promise.all([reply, back(sessionId)])).map(({ status }) => status);
      expect(statuses).toEqual([200, 200]);
    }

    // In either order, one answer is added and one is removed.
    expect(await resultOf(botId, resultId)).toHaveProperty("answers.length", 1);
    const [session] = await api.deps.sql<{ revision: number; steps: number }[]>`
      select revision, (select count(*)::int from steps where session_id = sessions.id) as steps
      from sessions
      where id = ${sessionId}`;
    expect(session?.steps).toBe(session?.revision ?? 0);
  });
});
