import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { saveSteps } from "../../src/chat/saves/save-steps.sql.ts";
import { createMailer } from "../../src/effects/mail/email.ts";
import { newId, shardOf } from "../../src/platform/ids.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { openQueue } from "../../src/platform/queue/queue.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { startMailServer } from "../support/mail-server.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { startTestJobs } from "../support/queue.ts";
import { putSession } from "../support/results.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let wake = (): void => {};
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch: outsideFetch(), onJobs: () => wake() });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await api.deps.sql`delete from outbox`;
});

async function outside(answer: (request: OutsideRequest, response: ServerResponse) => void): Promise<OutsideServer> {
  const server = await startOutside(answer);
  cleanups.push(server.close);
  return server;
}

/** Returns a block that calls the URL, and stores `data.word` or else `data.message` as the visitor's name. */
function calls(url: string, webhook: object = {}) {
  return {
    id: "call",
    type: "Webhook",
    options: {
      webhook: { url, ...webhook },
      responseVariableMapping: [
        { id: "m1", variableId: idOf("Name"), bodyPath: "data.word ?? data.message" },
        { id: "m2", variableId: idOf("Email"), bodyPath: "statusCode" },
      ],
    },
  };
}

const sendsMail = (subject: string) => ({
  id: `mail ${subject}`,
  type: "Email",
  options: { credentialsId: "default", recipients: ["team@example.com"], subject, body: "Hello" },
});

const published = (...blocks: readonly object[]) =>
  publish(api.client, { token: owner.token, workspaceId }, flowOf(blocks));
const preview = (botId: string, body: object, token?: string) =>
  api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { body, ...(token !== undefined && { token }) });
const outboxRows = () => api.deps.sql<{ data: { subject: string }; orderKey: string }[]>`
  select data, order_key
  from outbox
  order by id`;

async function logsOf(botId: string, resultId: string): Promise<unknown> {
  const answer = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token: owner.token });
  return answer.at("logs.*.description");
}

describe("a call within a chat", () => {
  test("a call within a chat fills variables", async () => {
    const { sql } = api.deps;
    const server = await outside(async (request, response) => {
      const [claimed] = await sql<{ count: number }[]>`
        select count(*)::int as count
        from sessions
        where claim_until > clock()`;
      response.end(JSON.stringify({ word: `${claimed?.count} ${JSON.parse(request.body).Name}` }));
    });
    const flow = [
      asks("text input", { variableId: idOf("Name") }),
      calls(server.url("/a")),
      says("{{Name}}, {{Email}}"),
    ];
    const { botId, publicId } = await published(...flow);
    const started = await start(api.client, publicId);

    const answer = await say(api.client, started.text("sessionId"), "Ana");

    expect(answer.at("messages.*.content.plainText")).toEqual(["1 Ana, 200"]);
    expect(answer.at("logs")).toEqual([]);
    expect(await logsOf(botId, started.text("resultId"))).toEqual(["Webhook successfuly executed."]);
    expect(server.requests[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
  });

  test("a call within a chat is not repeated when the same request is repeated", async () => {
    const server = await outside((_, response) => response.end('{"word":"once"}'));
    const { publicId } = await published(
      asks("text input"),
      calls(server.url()),
      says("{{Name}}"),
      asks("email input"),
    );
    const { text } = await start(api.client, publicId);
    const headers = { "Idempotency-Key": "the-same" };

    const first = await say(api.client, text("sessionId"), "hi", { headers });
    const second = await say(api.client, text("sessionId"), "hi", { headers });

    expect(second.body).toEqual(first.body);
    expect(server.requests).toHaveLength(1);
  });

  test("a call at the start of a chat is made once per idempotency key", async () => {
    const server = await outside((_, response) => response.end('{"word":"once"}'));
    const { publicId } = await published(calls(server.url()), says("{{Name}}"));
    const headers = { "Idempotency-Key": "a-key-of-a-start" };

    const first = await start(api.client, publicId, {}, { headers });
    const second = await start(api.client, publicId, {}, { headers });

    expect(first.at("messages.*.content.plainText")).toEqual(["once"]);
    expect(second.body).toEqual(first.body);
    expect(server.requests).toHaveLength(1);
  });

  test("a refused call is logged with its reason and does not fail the chat", async () => {
    const { botId, publicId } = await published(calls("http://localhost:1/"), says("{{Name}} ({{Email}})"));

    const answer = await start(api.client, publicId);

    expect(answer.at("messages.*.content.plainText")).toEqual([
      "Security validation failed: This host cannot be called (400)",
    ]);
    const logs = await api.client.get(`/api/v1/bots/${botId}/results/${answer.text("resultId")}/logs`, {
      token: owner.token,
    });
    expect(logs.at("logs.*.description")).toEqual(["Webhook returned an error."]);
    expect(logs.text("logs.0.details")).toContain("This host cannot be called");
  });

  test("a call within a chat can be made by a script", async () => {
    const server = await outside(({ method, path }, response) => response.end(`${method} ${path}`));
    const content = `setVariable("Name", await fetch("${server.url("/s")}", { method: "PUT" }))`;
    const script = { id: "script", type: "Code", options: { isExecutedOnClient: false, content } };
    const { publicId } = await published(script, says("{{Name}}"));

    expect((await start(api.client, publicId)).at("messages.*.content.plainText")).toEqual(["PUT /s"]);
  });

  test("a call within a chat is made in the owner's preview", async () => {
    const server = await outside((_, response) => response.end('{"word":"previewed"}'));
    const { botId } = await published(calls(server.url()), says("{{Name}}"));

    const answer = await preview(botId, {}, owner.token);

    expect(answer.at("messages.*.content.plainText")).toEqual(["previewed"]);
    expect(answer.at("logs.*.description")).toEqual(["Webhook successfuly executed."]);
  });

  test("a preview without a token makes no calls and sends no mails", async () => {
    const server = await outside((_, response) => response.end('{"word":"never"}'));
    const content = `setVariable("Name", await fetch("${server.url()}"))`;
    const script = { id: "script", type: "Code", options: { isExecutedOnClient: false, content } };
    const flow = flowOf([
      calls(server.url()),
      { ...calls(server.url()), id: "zap", type: "Zapier" },
      script,
      sendsMail("no"),
      says("on"),
    ]);

    const answer = await preview(newId(), { bot: flow });

    expect(answer.at("messages.*.content.plainText")).toEqual(["on"]);
    expect(answer.at("logs.*.description")).toEqual([
      "An anonymous preview performs no effects",
      "An anonymous preview performs no effects",
      expect.stringContaining("An anonymous preview performs no effects"),
      "Emails are not sent in preview mode",
    ]);
    expect(server.requests).toHaveLength(0);
    expect(await outboxRows()).toHaveLength(0);
  });
});

describe("a mail within a chat", () => {
  test("the mails of a step are stored in the outbox once", async () => {
    const { publicId } = await published(
      sendsMail("at the start"),
      asks("text input"),
      sendsMail("later"),
      sendsMail("last"),
    );
    const headers = { "Idempotency-Key": "another-key-of-a-start" };

    const started = await start(api.client, publicId, {}, { headers });
    await start(api.client, publicId, {}, { headers });
    expect((await outboxRows()).map(({ data }) => data.subject)).toEqual(["at the start"]);

    const sessionId = started.text("sessionId");
    await say(api.client, sessionId, "hi", { headers });
    await say(api.client, sessionId, "hi", { headers });
    const rows = await outboxRows();
    // The mails of one step have no fixed order.
    expect(rows.map(({ data }) => data.subject).toSorted()).toEqual(["at the start", "last", "later"]);
    expect(rows.map((row) => row.orderKey)).toEqual([sessionId, sessionId, sessionId]);
  });

  test("a step whose save is rejected leaves no mail in the outbox", async () => {
    const { sql } = api.deps;
    const resultId = newId();
    const sessionId = await putSession(sql, newId(), { sessionId: newId(shardOf(resultId)), resultId });
    const data = {
      credentialsId: "c",
      to: ["a@b.co"],
      cc: [],
      bcc: [],
      subject: "s",
      body: { text: "" },
      resultId,
      botId: newId(),
    };
    const step = (revision: number) => ({
      ...{ sessionId, botId: newId(), resultId, revision, stepId: newId(), key: null, requestHash: "00" },
      ...{ reply: null, response: "{}", state: "{}", isEnded: false, answers: [], results: [], logs: [] },
      ...{
        jobs: [{ queue: "email", data } as const],
        visitedEdgeIds: [],
        visitedBefore: 0,
        wasRead: true,
        hasEventEndpoints: false,
      },
    });

    expect(await saveSteps(sql, [step(7)])).toEqual(new Set());
    expect(await outboxRows()).toHaveLength(0);
    expect(await saveSteps(sql, [step(1)])).toEqual(new Set([sessionId]));
    expect(await outboxRows()).toHaveLength(1);
  });

  test("a chat's mail reaches the mail server", async () => {
    const mails = await startMailServer();
    cleanups.push(mails.close);
    const url = `smtp://127.0.0.1:${mails.port}`;
    const mailer = createMailer({ url, from: "Bots <bots@example.com>" });
    const queue = await openQueue({ url: api.databaseUrl, log: createLog("silent") });
    cleanups.push(queue.stop);
    const jobs = await startTestJobs({ sql: api.deps.sql, queue }, mailer);
    cleanups.push(jobs.stop);
    let wakes = 0;
    wake = () => {
      wakes++;
      jobs.wake();
    };
    const { botId, publicId } = await published(sendsMail("Grüße"), says("bye"));

    const answer = await start(api.client, publicId);

    expect(answer.at("logs")).toEqual([]);
    await waitFor(() => mails.mails.length === 1);
    expect(mails.mails[0]).toMatchObject({ from: "bots@example.com", to: ["team@example.com"], text: "Hello" });
    const told = await waitFor(async () => {
      const logs = await logsOf(botId, answer.text("resultId"));
      return Array.isArray(logs) && logs.length > 0 && logs;
    });
    expect(told).toEqual(["Email successfully sent"]);
    expect(wakes).toBe(1);
  });
});
