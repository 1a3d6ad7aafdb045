import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createAccessLines } from "../../../src/management/operations/access-lines.ts";
import { createLineWriter } from "../../../src/platform/observing/log-lines.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { nameAndEmail, publish, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { createTestDatabase } from "../../support/database.ts";
import { cleanupStack, endService, startService } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

type Line = Readonly<Record<string, unknown>>;

let threads: Threads;
let api: TestApi;
let user: TestUser;
let published: { botId: string; publicId: string };
const cleanups = cleanupStack();
afterEach(cleanups.run);

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  user = await api.makeUser();
  published = await publish(api.client, { ...user, workspaceId: await api.makeWorkspace(user) }, nameAndEmail);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

function logging(ACCESS_LOG = "on"): { client: Client; lines: Line[] } {
  const lines: Line[] = [];
  const note =
    (level: string) =>
    (message: string, facts: object = {}) =>
      void lines.push({ level, message, ...facts });
  const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const app = createApp({ ...api.deps, log, config: { ...api.deps.config, ACCESS_LOG } });
  return { client: createClient({ handle: (request) => app.handle(request) }), lines };
}

test("the access line of a step contains no text of the visitor", async () => {
  const { client, lines } = logging();
  const started = await start(client, published.publicId);
  const sessionId = started.text("sessionId");
  await client.post(`/api/v1/sessions/${sessionId}/continueChat?secret=in-the-query`, {
    body: { message: "A very private name" },
    headers: { "X-Request-Id": "my-own-id" },
    token: user.token,
  });

  expect(lines).toEqual([
    expect.objectContaining({ operation: "POST /api/v1/bots/:botId/startChat", status: 200 }),
    {
      level: "info",
      message: "request",
      requestId: "my-own-id",
      operation: "POST /api/v1/sessions/:sessionId/continueChat",
      status: 200,
      ms: expect.any(Number),
      bot: published.botId.slice(0, 8),
      session: sessionId.slice(0, 8),
    },
  ]);
  expect(lines[0]).toMatchObject({ bot: published.botId.slice(0, 8), session: sessionId.slice(0, 8) });
  const text = JSON.stringify(lines);
  for (const secret of ["private", "in-the-query", user.token, sessionId]) expect(text).not.toContain(secret);
});

test("a refused request has an access line", async () => {
  const { client, lines } = logging();
  await client.get("/api/v1/workspaces", { headers: { "X-Request-Id": "without-token" } });
  await client.get("/api/v1/no-such-thing/at-all", { headers: { "X-Request-Id": "nowhere" } });

  expect(lines).toMatchObject([
    { level: "info", requestId: "without-token", operation: "GET /api/v1/workspaces", status: 401 },
    { level: "info", requestId: "nowhere", operation: "GET unknown", status: 404 },
  ]);
});

test("probes of load balancers are logged at the level debug", async () => {
  const { client, lines } = logging();
  await client.get("/api/healthz");
  expect(lines).toMatchObject([{ level: "debug", operation: "GET /api/healthz" }]);
});

test("ACCESS_LOG=0% logs only failed requests, and ACCESS_LOG=off logs none", async () => {
  const few = logging("0%");
  const none = logging("off");
  for (const { client } of [few, none]) {
    await client.get("/api/healthz");
    await client.get("/api/v1/no-such-thing");
  }

  expect(few.lines).toMatchObject([{ status: 404 }]);
  expect(none.lines).toEqual([]);
});

test("every slow or failed request is logged, and a random share of all others", () => {
  const written: number[] = [];
  const log = { ...api.deps.log, info: () => void written.push(1) };
  const chances = [0.05, 0.95, 0.95, 0.95];
  const write = createAccessLines({ ACCESS_LOG: "10%" }, log, () => chances.shift() ?? Number.NaN);
  const answered = { method: "GET", route: "/", operation: "GET /", status: 200, ms: 1, isStep: false };
  const counts = [answered, answered, { ...answered, ms: 1_000 }, { ...answered, status: 503 }].map((one) => {
    write(one, { requestId: "one" });
    return written.length;
  });
  expect(counts).toEqual([1, 1, 2, 3]);
});

test("a request's id identifies its access line and its warnings", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const token = "an administrator's token";
  const closed = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  closed.stop(true);
  const service = await startService({
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: token,
      SMTP_URL: `smtp://bots%40example.com@127.0.0.1:${closed.port}`,
    },
  });
  cleanups.add(() => endService(service));
  const client = createClient({ baseUrl: service.url });
  const workspace = await client.post("/api/v1/workspaces", { token, body: { name: "Seen" } });
  const answer = await client.post(`/api/v1/workspaces/${workspace.text("workspace.id")}/invitations`, {
    token,
    body: { email: "ana@example.com", role: "MEMBER" },
    headers: { "X-Request-Id": "find-me" },
  });
  expect(answer.at("code")).toBe("invitation.not_mailed");
  await client.get("/api/v1/no-such-thing", { headers: { "X-Request-Id": "the-last" } });
  service.signal("SIGTERM");
  await service.exited;

  const lines = service
    .stderr()
    .trim()
    .split("\n")
    .map((line): Line => JSON.parse(line));
  expect(lines.filter(({ requestId }) => requestId === "find-me")).toMatchObject([
    { level: "warn", message: "An invitation could not be mailed" },
    { message: "request", status: answer.status },
  ]);
  expect(lines.filter(({ requestId }) => requestId === "the-last")).toHaveLength(1);
  expect(lines.filter(({ message }) => String(message).startsWith("Stopping"))).toEqual([
    expect.not.objectContaining({ requestId: expect.anything() }),
  ]);
});

test.each([
  { isShared: true, groupBytes: 4_096 },
  { isShared: false, groupBytes: 32_768 },
])("a log without a reader blocks nothing, uses limited memory, and counts the lost lines (%o)", (writing) => {
  const pieces: string[] = [];
  let read: (() => void)[] = [];
  const stream = {
    write(text: string, onWritten: () => void) {
      pieces.push(text);
      read.push(onWritten);
    },
  };
  const writer = createLineWriter(stream, writing);
  const line = `${"x".repeat(1_023)}\n`;
  for (let index = 0; index < 5_000; index++) writer.write(line, { isUrgent: false });
  expect(pieces.join("").length).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(writing.groupBytes);

  for (const onWritten of read) onWritten();
  read = [];
  pieces.length = 0;
  writer.write("the next\n", { isUrgent: true });
  const last = pieces.join("").trim().split("\n").slice(-2);
  expect(JSON.parse(last[0] ?? "")).toMatchObject({ level: "warn", lines: 5_000 - 4_096 });
  expect(last[1]).toBe("the next");
});
