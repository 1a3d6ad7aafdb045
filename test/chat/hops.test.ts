import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createHopsCodec, type HopsCodec } from "../../src/effects/safe-fetch/hops.ts";
import type { SafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { AppError } from "../../src/errors.ts";
import { rulesOf } from "../../src/limits/rate-rules.ts";
import { newId } from "../../src/platform/ids.ts";
import { createRateLimits } from "../../src/platform/rate-limits/rate-limits.ts";
import type { Dependencies } from "../../src/service/dependencies.ts";
import { listen } from "../../src/service/serving.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { cleanupStack } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

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
afterEach(async () => {
  await cleanups.run();
  await api.deps.sql`delete from nested_starts`;
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

type Service = { readonly client: Client; url(path: string): string; readonly signals: readonly AbortSignal[] };

/**
 * Starts the service on the loopback address, which chats reach as `outside.example`. Used-up rate limits never
 * recover.
 */
function serve(limits = "off", others: Partial<Dependencies> = {}, key: string | undefined = "k".repeat(32)): Service {
  const rateLimits = createRateLimits(rulesOf(limits), { clock: createVirtualClock() });
  let codec: HopsCodec = createHopsCodec({});
  let fetchOut: SafeFetch = outsideFetch();
  const safeFetch: SafeFetch = (request) => fetchOut(request);
  const signals: AbortSignal[] = [];
  const read: HopsCodec["read"] = (request) => {
    signals.push(request.signal);
    return codec.read(request);
  };
  const hops: HopsCodec = {
    write: (...given) => codec.write(...given),
    read,
    mark: (...given) => codec.mark(...given),
  };
  const config = { ...api.deps.config, HOST: "127.0.0.1" };
  const server = listen({ ...api.deps, safeFetch, hops, config, rateLimits, ...others }, { port: 0, isShared: false });
  cleanups.add(server.drain);
  const origin = `http://outside.example:${server.port}`;
  codec = createHopsCodec({ ...(key && { ENCRYPTION_KEY: key }), CHAT_URL: origin });
  fetchOut = outsideFetch({ hops: codec });
  return {
    client: createClient({ baseUrl: `http://127.0.0.1:${server.port}` }),
    url: (path) => origin + path,
    signals,
  };
}

/**
 * Starts a server that records each request, and forwards it to the URL without the `Parley-Hops` header. Without a
 * URL, the server responds with `{}`.
 */
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
])("a flow that starts itself by %s ends after five calls, and the log contains the reason", async (_, call) => {
  const { client, url } = serve();
  const publicId = `loop-${newId()}`;
  const { botId } = await publishIn(workspaceId, { ...flowOf([call(url(startPath(publicId)))]), publicId });

  await start(client, publicId);

  expect(await startsOf(botId)).toBe(6);
  const refused = (await logsOf(botId)).filter((text) => text.includes("Chats called each other 5 times in a row"));
  expect(refused).toHaveLength(1);
});

test.each([
  ["a signed root", "k".repeat(32)],
  ["the machine's address without a signature", ""],
])(
  "a flow that starts itself twice on two nodes stops at the limit of starts per visit, counted by %s",
  async (_, key) => {
    const nodes = [serve("off", {}, key), serve("off", {}, key)];
    const publicId = `tree-${newId()}`;
    const branches = nodes.map(({ url }, index) => calls(url(startPath(publicId)), `call${index}`));
    const { botId } = await publishIn(workspaceId, { ...flowOf([...branches]), publicId });
    const [first] = nodes;
    if (!first) throw new Error("There is no node");

    await start(first.client, publicId);
    const ofOneVisit = await startsOf(botId);
    // With a depth of five and no other limit there would be 63 starts.
    expect(ofOneVisit).toBe(51);
    expect((await logsOf(botId)).some((text) => text.includes("step.too_many_starts"))).toBe(true);

    await start(first.client, publicId);
    // A second visit has its own budget only if the root of the first visit is known.
    expect(await startsOf(botId)).toBe(key === "" ? 52 : 102);
  },
);

test("previews that a chat starts count toward the limit of starts per visit", async () => {
  const { client } = serve("off", { config: { ...api.deps.config, HOST: "127.0.0.1", NESTED_STARTS: 1 } });
  const { botId } = await publishIn(workspaceId, flowOf([says("Hello")]));
  const preview = async () => {
    const headers = { "Parley-Hops": "1" };
    return (await client.post(`/api/v1/bots/${botId}/preview/startChat`, { token: owner.token, body: {}, headers }))
      .status;
  };

  expect([await preview(), await preview()]).toEqual([200, 508]);
});

test("a step requested by another chat ends when the caller disconnects", async () => {
  for (const { headers, performed, end } of [
    { headers: { "Parley-Hops": "1" }, performed: ["/first"], end: "refused" },
    { headers: {}, performed: ["/first", "/second"], end: "saved" },
  ]) {
    const ends: string[] = [];
    const stepWatch = { ...api.deps.stepWatch, ended: (of: string) => void ends.push(of) };
    const { signals, url } = serve("off", { stepWatch });
    const came = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const server = await startOutside(async (request, response) => {
      if (request.path === "/first") {
        came.resolve();
        await held.promise;
      }
      response.end("{}");
    });
    cleanups.add(server.close);
    const { publicId, botId } = await publishIn(
      workspaceId,
      flowOf([calls(server.url("/first"), "first"), calls(server.url("/second"), "second"), says("Done")]),
    );
    const caller = new AbortController();
    const address = url(startPath(publicId)).replace("outside.example", "127.0.0.1");
    const begun = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: "{}" };
    const asking = fetch(address, { ...begun, signal: caller.signal }).catch(() => "gone");
    await came.promise;
    caller.abort();
    expect(await asking).toBe("gone");
    await waitFor(() => signals.some(({ aborted }) => aborted));
    held.resolve();
    await waitFor(() => ends.length > 0);
    expect(ends).toEqual([end]);
    expect(server.requests.map(({ path }) => path)).toEqual([...performed]);
    expect(await startsOf(botId)).toBe(performed.length - 1);
  }
});

test("a step continues for a second caller after the first disconnects", async () => {
  const { signals, url } = serve();
  const came = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const server = await startOutside(async (_, response) => {
    came.resolve();
    await held.promise;
    response.end("{}");
  });
  cleanups.add(server.close);
  const { publicId } = await publishIn(
    workspaceId,
    flowOf([calls(server.url(), "first"), calls(server.url(), "second")]),
  );
  const address = url(startPath(publicId)).replace("outside.example", "127.0.0.1");
  const headers = { "Content-Type": "application/json", "Parley-Hops": "1", "Idempotency-Key": crypto.randomUUID() };
  const caller = new AbortController();
  const ask = (signal?: AbortSignal) => fetch(address, { method: "POST", headers, body: "{}", signal: signal ?? null });
  const first = ask(caller.signal).catch(() => "gone");
  await came.promise;
  const second = ask();
  await waitFor(() => signals.length === 2);
  caller.abort();
  expect(await first).toBe("gone");
  await waitFor(() => signals[0]?.aborted);
  held.resolve();

  expect((await second).status).toBe(200);
  expect(server.requests).toHaveLength(2);
});

test("a call is not retried after an overload of the service itself", async () => {
  let asked = 0;
  const full = () => {
    asked++;
    throw new AppError("server.overloaded");
  };
  const { url } = serve("off", {
    reads: { ...api.deps.reads, publishedBots: { ...api.deps.reads.publishedBots, add: full } },
  });
  const { client } = serve();
  const theirs = await startOutside((_, response) => response.writeHead(503).end());
  cleanups.add(theirs.close);
  const leaf = await publishIn(workspaceId, flowOf([says("Hello")]));
  const gets = (address: string, id: string) => ({
    id,
    type: "Webhook",
    options: { webhook: { url: address, method: "GET" } },
  });
  const { publicId } = await publishIn(
    workspaceId,
    flowOf([gets(url(`/${leaf.publicId}`), "ours"), gets(theirs.url(), "theirs")]),
  );

  await start(client, publicId);
  expect(asked).toBe(1);
  expect(theirs.requests).toHaveLength(3);
});

test("a relay without `Parley-Hops` does not bypass the limit of starts", async () => {
  const { client, url } = serve("workspace.starts=12/24h");
  const publicId = `loop-${newId()}`;
  const relay = await relayTo(url(startPath(publicId)));
  const { botId } = await publishIn(workspaceId, { ...flowOf([calls(relay.url())]), publicId });

  await start(client, publicId);

  expect(await startsOf(botId)).toBe(12);
  expect(relay.requests).toHaveLength(12);
});

test("calls inherit the hop count of the request that continues the chat", async () => {
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

test("a start by another workspace's chat counts toward the calling workspace", async () => {
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
