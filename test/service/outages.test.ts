import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Clock, systemClock } from "../../src/platform/concurrency/clock.ts";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { openQueue, type Queue } from "../../src/platform/queue/queue.sql.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createBoard } from "../../src/service/job-board.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Answer, type Client, createClient, valueAt } from "../support/client.ts";
import { type DatabaseProxy, openDatabaseProxy, type StatementFault } from "../support/database-proxy.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { askToUpload } from "../support/uploads.ts";
import { waitFor } from "../support/wait.ts";

/**
 * A clock that runs twenty times as fast, because an uncertain step is retried for seconds, and a claim lasts even
 * longer.
 */
const hasty: Clock = {
  ...systemClock,
  now: () => systemClock.now() * 20,
  startTimer: (ms, callback) => systemClock.startTimer(ms / 20, callback),
};

type Failure =
  | Omit<Extract<StatementFault, { kind: "error" }>, "statement">
  | { kind: "cut"; when: "before" | "after" };

/**
 * `test/platform/database/primary/outage.test.ts` tests all codes of an outage. This list has some codes of each kind.
 */
const errors = [
  ...["53100", "40001"],
  ...(isLong ? ["25006", "57014", "53200", "53300", "42501", "58030", "55P03", "55006", "40P01"] : []),
];
const lastWords = ["57P01", ...(isLong ? ["28P01", "57P03", "53300", "28000"] : [])];

const failures: readonly (readonly [string, Failure])[] = [
  ...errors.map((sqlState) => [sqlState, { kind: "error", sqlState }] as const),
  ...lastWords.map(
    (sqlState) => [`${sqlState} and the end of the connection`, { kind: "error", sqlState, isFatal: true }] as const,
  ),
  ["a connection that is cut before the execution", { kind: "cut", when: "before" }],
  ["a connection that is cut after the execution", { kind: "cut", when: "after" }],
];

let proxy: DatabaseProxy;
let api: TestApi;
/** A client through the proxy, to nodes that have not read the database yet. */
let client: Client;
/** A direct connection to the database, which never fails. */
let sql: Sql;
let queue: Queue;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let outside: OutsideServer;
let bots: Record<"plain" | "calling" | "filing", { botId: string; publicId: string }>;
const written: string[] = [];

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  outside = await startOutside((_, response) => response.end(JSON.stringify({ word: "done" })));
  const note = (level: string) => (message: string, facts?: object) => {
    const show = (_: string, value: unknown) => (value instanceof Error ? value.stack : value);
    written.push(`${level}: ${message} ${JSON.stringify(facts, show)}`);
  };
  api = await createTestApi({
    threads,
    safeFetch: outsideFetch(),
    log: { ...createLog("silent"), warn: note("warn"), error: note("error") },
    async through(url) {
      sql = connect(url, { connections: 2 });
      proxy = await openDatabaseProxy(url);
      queue = await openQueue({ url: proxy.url, log: createLog("silent") });
      return proxy.url;
    },
  });
  owner = await api.makeUser({ scope: "admin" });
  workspaceId = await api.makeWorkspace(owner);
  const publishIn = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);
  const name = asks("text input", { variableId: idOf("Name") });
  const calls = {
    id: "calls",
    type: "Webhook",
    options: {
      isAdvancedConfig: true,
      isCustomBody: true,
      webhook: { url: outside.url(), method: "POST", body: "{}" },
    },
  };
  bots = {
    plain: await publishIn(flowOf([says("Name?"), name, says("And?"), { ...name, id: "else" }])),
    calling: await publishIn(flowOf([says("Name?"), name, calls, says("And?"), { ...name, id: "else" }])),
    filing: await publishIn(flowOf([says("File?"), asks("file input"), says("Thanks")])),
  };
});
afterAll(async () => {
  await queue.stop();
  await sql.end();
  await api.close();
  await threads.close();
  await outside.close();
  await proxy.close();
});
beforeEach(() => {
  const deps = createDependencies({
    ...api.deps,
    claimTimes: { seconds: 1, renewMs: 5_000 },
    board: async () => createBoard({ sql: api.deps.sql, queue, retries: api.deps.config.EVENT_RETRY_SECONDS }),
  });
  const app = createApp({ ...deps, clock: hasty });
  client = createClient({ handle: (request) => app.handle(request) });
  handle = (request) => app.handle(request);
  written.length = 0;
});
afterEach(() => {
  proxy.thaw();
  expect(written.filter((line) => line.startsWith("error"))).toEqual([]);
});

let handle: (request: Request) => Promise<Response>;
const key = (value: string) => ({ headers: { "Idempotency-Key": value } });
const reply = (sessionId: string, options = {}) => say(client, sessionId, "Ana", options);

function expectRefusal({ status, headers, body }: Pick<Answer, "status" | "headers" | "body">): void {
  expect({ status, retryAfter: headers.get("retry-after"), body }).toMatchObject({
    status: 503,
    retryAfter: expect.stringMatching(/^\d+$/),
    body: {
      code: expect.stringMatching(/^server\.(unavailable|save_in_doubt)$/),
      status: 503,
      message: expect.any(String),
      requestId: expect.any(String),
    },
  });
}

/** Repeats the request as clients do, because closed connections may still be used for a moment after the fault. */
async function untilTaken(send: () => Promise<Answer>): Promise<Answer> {
  return await waitFor(async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });
}

async function read(response: Response): Promise<Pick<Answer, "status" | "headers" | "body">> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function fetched(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await handle(new Request(`http://localhost${path}`, { headers }));
}

describe.each(failures)("a database that fails every statement with %s", (_, failure) => {
  test("requests return 503 with Retry-After while the database fails", async () => {
    const { token } = owner;
    const [open, keyed, filing] = await Promise.all([
      start(client, bots.plain.publicId),
      start(client, bots.plain.publicId),
      start(client, bots.filing.publicId),
    ]);
    const upload = await askToUpload(client, filing.text("sessionId"));
    const fault = proxy.inject({ ...failure, statement: /./ });

    const answers = await Promise.all([
      start(client, bots.plain.publicId),
      start(client, bots.plain.publicId, {}, key(`start-${crypto.randomUUID()}`)),
      reply(open.text("sessionId")),
      reply(keyed.text("sessionId"), key("reply")),
      client.get(`/api/v1/sessions/${open.text("sessionId")}`),
      askToUpload(client, filing.text("sessionId")),
      client.put(new URL(upload.text("presignedUrl")).pathname, {
        rawBody: "x",
        headers: { "Content-Type": "application/pdf" },
      }),
      client.get("/api/v1/bots", { token, query: { workspaceId } }),
      client.get(`/api/v1/bots/${bots.plain.botId}/results`, { token }),
      client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "New" } } }),
      client.patch(`/api/v1/bots/${bots.plain.botId}`, { token, body: { bot: { name: "Renamed" } } }),
      client.post(`/api/v1/bots/${bots.plain.botId}/publish`, { token, body: {} }),
      client.get("/api/readyz"),
      fetched("/metrics", { authorization: `Bearer ${token}` }).then(read),
      fetched("/admin/queues/api/queues", { authorization: `Bearer ${token}` }).then(read),
    ]);
    const page = await fetched(`/${bots.plain.publicId}`, { accept: "text/html" });
    fault.end();

    for (const answer of answers) expectRefusal(answer);
    expect([page.status, page.headers.get("content-type"), page.headers.has("retry-after")]).toEqual([
      503,
      "text/html; charset=utf-8",
      true,
    ]);
    expect(written).toEqual([expect.stringMatching(/^warn: The database cannot be used \{"cause":/)]);
    expect(written.join()).not.toContain("    at ");
    expect((await client.get("/api/healthz")).status).toBe(200);
  });
});

const chats = [
  { bot: "plain", what: "a reply" },
  { bot: "calling", what: "a reply with an effect" },
] as const;

/** Two errors that end a connection are enough, because every such code causes the same uncertainty. */
const atSaves = failures.filter(
  ([what]) => !["57P03", "53300", "28000"].some((code) => what === `${code} and the end of the connection`),
);

describe.each(atSaves)("a save that fails with %s", (_, failure) => {
  const statement = /insert into steps/;
  const isDone = failure.kind === "cut" && failure.when === "after";

  test.each(chats)("$what counts once if it is retried with its key", async ({ bot }) => {
    const started = await start(client, bots[bot].publicId);
    const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
    const called = outside.requests.length;
    const fault = proxy.inject({ ...failure, statement });

    const refused = await reply(sessionId, key("reply"));
    fault.end();
    const taken = await untilTaken(() => reply(sessionId, key("reply")));
    const again = await reply(sessionId, key("reply"));

    if (!isDone) expectRefusal(refused);
    expect([taken.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(taken.body);
    expect(await counts(sessionId, resultId)).toEqual({ steps: 2, answers: ["Ana"] });
    // An effect whose response is lost is repeated with the same key, so the called server can count it once.
    const keys = outside.requests.slice(called).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(bot === "calling" ? 1 : 0);
  });

  test("a reply that failed without an idempotency key is saved once when sent again", async () => {
    // The pool may still contain connections that the previous test has cut.
    const started = await untilTaken(() => start(client, bots.plain.publicId));
    const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
    const fault = proxy.inject({ ...failure, statement });

    const refused = await reply(sessionId);
    fault.end();

    // If the response was lost, the saved step is looked up and returned, or remains uncertain.
    if (!isDone) {
      expectRefusal(refused);
      expect((await untilTaken(() => reply(sessionId))).status).toBe(200);
    } else if (refused.status !== 200) expect(refused.at("code")).toBe("server.save_in_doubt");
    expect(await counts(sessionId, resultId)).toEqual({ steps: 2, answers: ["Ana"] });
  });

  test("a start that is retried with its idempotency key creates one chat", async () => {
    const { botId, publicId } = bots.plain;
    const before = await results(botId);
    const keyed = key(`start-${crypto.randomUUID()}`);
    const fault = proxy.inject({ ...failure, statement });

    const refused = await start(client, publicId, {}, keyed);
    fault.end();
    const taken = await untilTaken(() => start(client, publicId, {}, keyed));

    if (!isDone) expectRefusal(refused);
    expect(taken.status).toBe(200);
    expect((await start(client, publicId, {}, keyed)).body).toEqual(taken.body);
    expect((await results(botId)) - before).toBe(1);
  });
});

test.each(["40001", "40P01"])(
  "a statement that conflicted with another statement is retried without an error: %s",
  async (sqlState) => {
    const started = await start(client, bots.plain.publicId);
    const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
    const saving = proxy.inject({ statement: /insert into steps/, kind: "error", sqlState, times: 1 });
    const answered = await reply(sessionId);
    const listing = proxy.inject({ statement: /from bots/, kind: "error", sqlState, times: 1 });
    const listed = await client.get("/api/v1/bots", { token: owner.token, query: { workspaceId } });

    expect([answered.status, listed.status]).toEqual([200, 200]);
    expect([saving.met(), listing.met()]).toEqual([1, 1]);
    expect(await counts(sessionId, resultId)).toEqual({ steps: 2, answers: ["Ana"] });
  },
);

async function counts(sessionId: string, resultId: string): Promise<{ steps: number; answers: unknown }> {
  const steps = await sql`select from steps where session_id = ${sessionId}`;
  const answers = await sql`select content from answers where result_id = ${resultId}`;
  return { steps: steps.length, answers: answers.map((row) => valueAt(row, "content")) };
}

async function results(botId: string): Promise<number> {
  return (await sql`select from results where bot_id = ${botId}`).length;
}
