import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import type { Operation } from "../../src/management/operations/operation.ts";
import { createDatabasePlaces, type DatabasePlaces } from "../../src/platform/database/database-places.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createApp } from "../../src/service/app.ts";
import { operations } from "../../src/service/operations.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { outsideFetch, startOutside } from "../support/outside.ts";
import { cleanupStack } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

/**
 * The test's node has 8 connections and shares 5 of them. A single workspace may use 3 of the 5, and two thirds of the
 * slots in the queue.
 */
const connections = 8;
const places = 5;
const share = 3;
const shareOfLine = (2 * limits.database.placeQueue) / 3;

type Team = TestUser & { readonly workspaceId: string; readonly botId: string; readonly publicId: string };

let api: TestApi;
let threads: Threads;
let attacker: Team;
let victim: Team;
const cleanups = cleanupStack();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  const makeTeam = async (): Promise<Team> => {
    const user = await api.makeUser();
    const workspaceId = await api.makeWorkspace(user);
    const flow = flowOf([says("Hi"), asks("text input"), says("And?"), asks("email input")]);
    return { ...user, workspaceId, ...(await publish(api.client, { token: user.token, workspaceId }, flow)) };
  };
  attacker = await makeTeam();
  victim = await makeTeam();
});
afterEach(cleanups.run);
afterAll(async () => {
  await threads.close();
  await api.close();
});

type Serving = { readonly client: Client; readonly clock: VirtualClock; readonly shared: DatabasePlaces };

function serve(): Serving & { told(what: string): Promise<number> } {
  const clock = createVirtualClock();
  const shared = createDatabasePlaces({ connections, clock });
  const app = createApp({ ...api.deps, databasePlaces: shared });
  return {
    client: createClient({ handle: (request) => app.handle(request) }),
    clock,
    shared,
    async told(what) {
      const { token } = await api.makeUser({ scope: "admin" });
      const headers = { Authorization: `Bearer ${token}` };
      const text = await (await app.handle(new Request("http://localhost/metrics", { headers }))).text();
      return Number(new RegExp(`^parley_places_${what}\\{of="database"\\} (\\d+)`, "m").exec(text)?.[1]);
    },
  };
}

test("300 slow requests of one workspace use only 3 connections", async () => {
  const { client, told, shared } = serve();
  // A reader of the locked table waits in the database and occupies a connection.
  const locker = connect(api.databaseUrl, { connections: 1 });
  const opened = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = locker.begin(async (sql) => {
    await sql`lock table invitations in access exclusive mode`;
    locked.resolve();
    await opened.promise;
  });
  cleanups.add(async () => {
    opened.resolve();
    await lock;
    await locker.end();
  });
  await locked.promise;
  const list = ({ workspaceId, token }: Team) => client.get(`/api/v1/workspaces/${workspaceId}/invitations`, { token });

  const statuses: number[] = [];
  const lists = Array.from({ length: 300 }, async () => statuses.push((await list(attacker)).status));
  await waitFor(async () => (await told("refused_total")) === 300 - share - shareOfLine);
  expect([await told("taken"), await told("waiting")]).toEqual([share, shareOfLine]);
  expect(statuses).toEqual(Array(300 - share - shareOfLine).fill(503));

  for (let turn = 0; turn < 5; turn++) {
    const { token, botId, publicId } = victim;
    const answers = await Promise.all([
      client.get(`/api/v1/bots/${botId}/results`, { token }),
      client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body: {} }),
      start(client, publicId),
    ]);
    const sessionId = answers[2].text("sessionId");
    const reply = await say(client, sessionId, "Ada");
    const read = await client.get(`/api/v1/sessions/${sessionId}`);
    expect([...answers, reply, read].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }
  const [{ held } = { held: 0 }] = await api.deps.sql<{ held: number }[]>`
    select count(*)::int as held from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  expect(held).toBe(share);

  opened.resolve();
  await Promise.all(lists);
  expect(statuses.filter((status) => status === 200)).toHaveLength(share + shareOfLine);
  expect(shared.usage()).toEqual({ held: 0, waiting: 0, refused: 300 - share - shareOfLine });
});

/** Returns a call to an operation with ids of the workspace, so that the service looks up rights first. */
function callTo(operation: Operation, { workspaceId, botId }: Team, folderId: string) {
  const ids = new Map(
    Object.entries({ workspaceId, botId, typebotId: botId, folderId, number: "1", revision: "0", name: "CRM_KEY" }),
  );
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => ids.get(name) ?? newId());
  const named = Object.entries({ workspaceId, name: "a.png", after: "0" });
  const query = Object.fromEntries(named.filter(([name]) => Object.hasOwn(operation.query.properties, name)));
  const own = new Map<string, unknown>(Object.entries({ workspaceId, botIds: [botId] }));
  const body = JSON.parse(JSON.stringify(operation.bodyExample ?? null), (name, value) => own.get(name) ?? value);
  return { path, options: { query, ...(operation.method !== "GET" && body !== null && { body }) } };
}

test("operations of a workspace wait or are refused without a free database slot", async () => {
  const { client, clock, shared } = serve();
  const { token, workspaceId } = attacker;
  const folder = await client.post("/api/v1/folders", { token, body: { workspaceId, folderName: "Folder" } });
  const release = await shared.acquire({ sharer: workspaceId }, places);
  cleanups.add(release);
  const managing = operations.filter(({ auth }) => auth.kind === "token");

  const codes = new Map<string, unknown>();
  const calls = managing.map(async (operation) => {
    const { path, options } = callTo(operation, attacker, folder.text("folder.id"));
    const answer = await client.send(operation.method, path, { ...options, token });
    codes.set(`${operation.method} ${operation.path}`, answer.at("code") ?? answer.status);
  });
  await waitFor(() => codes.size + shared.usage().waiting === managing.length, {
    what: () => `all to wait: ${JSON.stringify([...codes])}`,
  });

  // If there are more operations than slots in a workspace's queue, the last operations are rejected immediately.
  const refused = [...codes].filter(([, code]) => code === "server.overloaded");
  const { waiting } = shared.usage();
  expect(waiting).toBe(Math.min(shareOfLine, waiting + refused.length));
  const others = [...codes].filter(([, code]) => code !== "server.overloaded");
  expect(others.map(([name]) => name).toSorted()).toEqual([
    "DELETE /api/v1/users/:userId/api-tokens/:tokenId",
    "DELETE /api/v1/users/me/api-tokens/:tokenId",
    "DELETE /api/v1/users/me/sign-ins/:signInId",
    "GET /api/users/me",
    "GET /api/v1/audit",
    // These operations belong to the service, not to a workspace.
    "GET /api/v1/block-types",
    "GET /api/v1/channel-types",
    "GET /api/v1/credential-types",
    "GET /api/v1/flow-schemas",
    // No chat has this id.
    "GET /api/v1/sessions/:sessionId/trace",
    "GET /api/v1/users",
    "GET /api/v1/users/:userId",
    "GET /api/v1/users/:userId/api-tokens",
    "GET /api/v1/users/me",
    "GET /api/v1/users/me/api-tokens",
    "GET /api/v1/users/me/sign-ins",
    "GET /api/v1/workspaces",
    "GET /api/v1/workspaces/bin",
    "GET /api/v1/workspaces/suspended",
    "PATCH /api/v1/users/:userId",
    "PATCH /api/v1/users/me",
    // No chat has this id.
    "POST /api/v1/sessions/:sessionId/passTime",
    "POST /api/v1/sessions/:sessionId/updateBot",
    "POST /api/v1/sessions/:sessionId/updateTypebot",
    "POST /api/v1/sign-out",
    "POST /api/v1/storage/check",
    "POST /api/v1/users",
    "POST /api/v1/users/:userId/activate",
    "POST /api/v1/users/:userId/deactivate",
    "POST /api/v1/users/me/api-tokens",
    "POST /api/v1/workspaces",
    "POST /api/v1/workspaces/:workspaceId/resume",
    "POST /api/v1/workspaces/:workspaceId/suspend",
    "PUT /api/v1/sessions/:sessionId/variables",
  ]);
  const waited = shared.usage().waiting;
  const answered = new Set(codes.keys());
  await clock.advance(limits.database.placeWaitMs);
  await Promise.all(calls);
  const unexpected = [...codes].filter(([name, code]) => !answered.has(name) && code !== "server.overloaded");
  expect(unexpected).toEqual([]);
  expect(shared.usage()).toEqual({ held: places, waiting: 0, refused: waited + refused.length });
});

test("a read of a chat's history waits for a database slot", async () => {
  const { client, shared } = serve();
  const [own, other] = [await start(client, attacker.publicId), await start(client, victim.publicId)];
  const read = (sessionId: string) => client.get(`/api/v1/sessions/${sessionId}`);
  const release = await shared.acquire({ sharer: attacker.workspaceId }, share);

  const waiting = read(own.text("sessionId"));
  await waitFor(() => shared.usage().waiting === 1);
  expect((await read(other.text("sessionId"))).status).toBe(200);
  expect((await say(client, own.text("sessionId"), "Ada")).status).toBe(200);
  release();

  expect((await waiting).status).toBe(200);
  expect(shared.usage()).toEqual({ held: 0, waiting: 0, refused: 0 });
});

test("an author's preview uses no database slot during a call", async () => {
  const { client, shared } = serve();
  const held = Promise.withResolvers<void>();
  const server = await startOutside(async (_, response) => {
    await held.promise;
    response.end("{}");
  });
  cleanups.add(server.close);
  const flow = flowOf([{ id: "call", type: "Webhook", options: { webhook: { url: server.url(), method: "GET" } } }]);
  const { token, botId } = victim;

  const body = { bot: { ...flow, id: botId } };
  const preview = client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body });
  await waitFor(() => server.requests.length === 1);
  expect(shared.usage().held).toBe(0);
  held.resolve();

  expect((await preview).status).toBe(200);
});

test("a shared bot can be read while its workspace has no free slot", async () => {
  const { client, shared } = serve();
  const { token, botId, workspaceId } = victim;
  await client.patch(`/api/v1/bots/${botId}`, {
    token,
    body: { bot: { settings: { publicShare: { isEnabled: true } } } },
  });
  cleanups.add(await shared.acquire({ sharer: workspaceId }, share));

  expect((await client.get(`/api/v1/bots/${botId}`, { token: attacker.token })).status).toBe(200);
});
