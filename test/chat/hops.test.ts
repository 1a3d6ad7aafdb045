import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createHopsCodec, type HopsCodec } from "../../src/effects/hops.ts";
import type { SafeFetch } from "../../src/effects/safe-fetch.ts";
import { newId } from "../../src/ids.ts";
import { createRateLimits } from "../../src/rate-limits/rate-limits.ts";
import { rulesOf } from "../../src/rate-limits/rules.ts";
import { listen } from "../../src/serving.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { cleanupStack } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
const cleanups = cleanupStack();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterEach(cleanups.run);
afterAll(async () => {
  await threads.close();
  await api.close();
});

type Service = { readonly client: Client; url(path: string): string };

/** The service on the loopback address, which chats reach as `outside.example`, with rate limits that never let go. */
function serve(limits = "off"): Service {
  const rateLimits = createRateLimits(rulesOf(limits), { clock: createVirtualClock() });
  let codec: HopsCodec = createHopsCodec({});
  let fetchOut: SafeFetch = outsideFetch();
  const safeFetch: SafeFetch = (request) => fetchOut(request);
  const hops: HopsCodec = { write: (...given) => codec.write(...given), read: (headers) => codec.read(headers) };
  const config = { ...api.deps.config, HOST: "127.0.0.1" };
  const server = listen({ ...api.deps, safeFetch, hops, config, rateLimits }, { port: 0, isShared: false });
  cleanups.add(server.drain);
  const origin = `http://outside.example:${server.port}`;
  codec = createHopsCodec({ ENCRYPTION_KEY: "k".repeat(32), CHAT_URL: origin });
  fetchOut = outsideFetch({ hops: codec });
  return { client: createClient({ baseUrl: `http://127.0.0.1:${server.port}` }), url: (path) => origin + path };
}

/** A server that notes what it is asked, and answers as this address does, which hears nothing of `Parley-Hops`. */
async function relayTo(url?: string): Promise<OutsideServer> {
  const server = await startOutside(async ({ headers: given, body }, response) => {
    const target = url?.replace("outside.example", "127.0.0.1");
    const headers = { "Content-Type": "application/json", "Idempotency-Key": String(given["idempotency-key"]) };
    const answer = target && (await fetch(target, { method: "POST", headers, body }));
    response.statusCode = answer ? answer.status : 200;
    response.end(answer ? await answer.text() : "{}");
  });
  cleanups.add(server.close);
  return server;
}

const calls = (url: string, id = "call") => ({
  id,
  type: "Webhook",
  options: {
    webhook: { url, headers: [{ id: "h", key: "parley-hops", value: "0" }] },
    timeout: 120,
    isCustomBody: true,
  },
});
const asksByScript = (url: string) => ({
  id: "script",
  type: "Code",
  options: {
    isExecutedOnClient: false,
    content: `await fetch(${JSON.stringify(url)}, { method: "POST", headers: { "Parley-Hops": "0", "Content-Type": "application/json" }, body: "{}" })`,
  },
});
const startPath = (publicId: string): string => `/api/v1/bots/${publicId}/startChat`;
const publishIn = (workspace: string, flow: object) =>
  publish(api.client, { token: owner.token, workspaceId: workspace }, flow);

async function startsOf(botId: string): Promise<number | undefined> {
  const [row] = await api.deps.sql<{ count: number }[]>`
    select count(*)::int as count
    from sessions
    where bot_id = ${botId}`;
  return row?.count;
}

async function logsOf(botId: string): Promise<string[]> {
  const rows = await api.deps.sql<{ text: string }[]>`
    select concat(description, ' ', details) as text
    from logs
    where bot_id = ${botId}`;
  return rows.map(({ text }) => text);
}

test.each([
  ["an HTTP block", calls],
  ["a script", asksByScript],
])("a flow that starts itself by %s ends after five calls, and its author reads why", async (_, call) => {
  const { client, url } = serve();
  const publicId = `loop-${newId()}`;
  const { botId } = await publishIn(workspaceId, { ...flowOf([call(url(startPath(publicId)))]), publicId });

  await start(client, publicId);

  expect(await startsOf(botId)).toBe(6);
  const refused = (await logsOf(botId)).filter((text) => text.includes("Chats called each other 5 times in a row"));
  expect(refused).toHaveLength(1);
});

test("through a relay that drops the header the workspace's limit of starts ends it", async () => {
  const { client, url } = serve("workspace.starts=12/24h");
  const publicId = `loop-${newId()}`;
  const relay = await relayTo(url(startPath(publicId)));
  const { botId } = await publishIn(workspaceId, { ...flowOf([calls(relay.url())]), publicId });

  await start(client, publicId);

  expect(await startsOf(botId)).toBe(12);
  expect(relay.requests).toHaveLength(12);
});

test("a chat that another one takes on counts its calls from there, also those of linked bots", async () => {
  const { client } = serve();
  const server = await relayTo();
  const linked = await publishIn(workspaceId, flowOf([calls(server.url())]));
  const { publicId } = await publishIn(
    workspaceId,
    flowOf([
      asks("text input"),
      calls(server.url()),
      { id: "l", type: "Typebot link", options: { typebotId: linked.botId } },
    ]),
  );
  const headers = { "Parley-Hops": "3" };
  const started = await start(client, publicId, {}, { headers });

  await say(client, started.text("sessionId"), "hi", { headers });
  expect(server.requests.map((request) => request.headers["parley-hops"])).toEqual(["4", "4"]);
  const other = await start(client, publicId, {}, { headers });
  await say(client, other.text("sessionId"), "hi");
  expect(server.requests.slice(2).map((request) => request.headers["parley-hops"])).toEqual(["1", "1"]);
});

test("a start that a chat of another workspace makes counts for that one", async () => {
  const { client, url } = serve("workspace.starts=4/24h,bot.starts=4/24h");
  const theirs = await publishIn(await api.makeWorkspace(owner), flowOf([says("Hello")]));
  const caller = await publishIn(
    await api.makeWorkspace(owner),
    flowOf([calls(url(startPath(theirs.publicId))), calls(url(startPath(theirs.publicId)), "again")]),
  );

  for (let turn = 0; turn < 2; turn++) await start(client, caller.publicId);
  expect(await startsOf(theirs.botId)).toBe(2);

  const forged = { "Parley-Hops": `1 ${workspaceId} ${"A".repeat(43)}`, "Idempotency-Key": crypto.randomUUID() };
  const own = [];
  for (let turn = 0; turn < 4; turn++) own.push((await start(client, theirs.publicId)).status);
  expect(own).toEqual([200, 200, 200, 200]);
  expect((await start(client, theirs.publicId, {}, { headers: forged })).status).toBe(429);
});
