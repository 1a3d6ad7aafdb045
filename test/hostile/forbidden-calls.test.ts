import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { nocodb } from "../../src/core/credentials/nocodb.ts";
import { type AddressRule, isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import { performFetch } from "../../src/effects/fetch.ts";
import { fetchBytes } from "../../src/effects/fetch-bytes.ts";
import { performHttp } from "../../src/effects/http-request.ts";
import type { Payment } from "../../src/effects/payments/payment-store.ts";
import { createPaymentProvider } from "../../src/effects/payments/stripe.ts";
import { createProviderMetrics } from "../../src/effects/providers/provider-metrics.ts";
import { callService } from "../../src/effects/providers/service-call.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch, RefusedCall, type SafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import type { Resolve } from "../../src/effects/safe-fetch/safe-fetch-exchange.ts";
import { createSafeStream } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { startEventDispatch } from "../../src/management/events/delivery/dispatch.ts";
import { createOutageWatch } from "../../src/platform/database/outages/outage-watch.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { flowOf, publish, start } from "../support/chat.ts";
import { createTestDatabase } from "../support/database.ts";
import { putAnswer, putEndpoint, testKey, testSecrets } from "../support/events.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";
import { forbiddenNames, forbiddenTargets, type Target } from "./forbidden-targets.ts";

/** A listener on a port of this machine, which sends nothing and counts its connections. */
type Witness = { readonly port: number; connections(): number; close(): void };

let witness: Witness;
let targets: readonly Target[];
let safeFetch: SafeFetch;
let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  witness = await startWitness({ host: "::" });
  targets = forbiddenTargets(witness.port);
  safeFetch = createSafeFetch({ resolve });
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch, config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  witness.close();
  await threads.close();
  await api.close();
});

const refused =
  /(This is not a valid URL|Only http and https can be called|This host cannot be called|The URL has no host|Port \d+ cannot be called|This spelling of an IP address cannot be called|This address is not public|The host's address is not public)/;

test("at least 150 forbidden targets are tested", async () => {
  process.stdout.write(`${targets.length} forbidden targets\n`);
  expect(targets.length).toBeGreaterThanOrEqual(150);
  const careless = createSafeFetch({ resolve, permits: () => true });
  const hosts = ["127.0.0.1", "127.0.0.2", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "inner-0.example"];
  const other = await startWitness({ host: "::" });
  for (const host of hosts) {
    await careless(plain(`http://${host}:${other.port}/`)).catch(() => {});
  }
  expect(other.connections()).toBe(hosts.length);
  other.close();
});

/** Blocks that make calls from the server, each with an address from a visitor. */
const calling = [
  ...["Webhook", "Zapier", "Make.com", "Pabbly"].map((type) => ({
    id: type,
    type,
    options: { webhook: { url: "{{Target}}" } },
  })),
  { id: "Code", type: "Code", options: { isExecutedOnClient: false, content: "await fetch({{Target}})" } },
  {
    id: "Set",
    type: "Set variable",
    options: { variableId: idOf("B"), expressionToEvaluate: "await fetch({{Target}})", isCode: true },
  },
];

test("no block of a chat calls a forbidden target", async () => {
  const variables = ["Target", "B"].map((name) => ({ id: idOf(name), name }));
  const flow = { ...flowOf(calling), variables };
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const results = await inTurns(targets, async ({ title, url }) => {
    const started = await start(api.client, bot.publicId, { prefilledVariables: { Target: url } });
    return { title, resultId: started.text("resultId") };
  });

  const rows = await api.deps.sql<{ resultId: string; said: string }[]>`
    select result_id, concat_ws(' ', description, details) as said
    from logs`;
  const said = Map.groupBy(rows, ({ resultId }) => resultId);
  const silent = results.filter(({ resultId }) => {
    const logs = said.get(resultId) ?? [];
    return logs.length !== calling.length || !logs.every((log) => hasReason(log.said));
  });
  expect(silent.map(({ title, resultId }) => [title, said.get(resultId)])).toEqual([]);
  expect(witness.connections()).toBe(0);
}, 180_000);

test("no file for a model is downloaded from a forbidden target", async () => {
  const safeStream = createSafeStream({ resolve });
  const context = { safeStream, hops: noHops, maxBytes: 1_000, timeoutMs: 10_000 };
  const found = await inTurns(targets, async ({ title, url }) => ({ title, ...(await fetchBytes(url, context)) }));

  expect(found.filter((one) => !("problem" in one && hasReason(one.problem)))).toEqual([]);
  expect(witness.connections()).toBe(0);
}, 180_000);

test("no forbidden target is used as a proxy or requested through a proxy", async () => {
  const calling = createSafeFetch({
    resolve: async (host) => (host === "public.example" ? found(["93.184.215.14"]) : resolve(host)),
  });
  const said = await inTurns(targets, async ({ title, url }) => {
    const calls = [
      { ...plain("http://public.example/"), proxy: { url } },
      // If a tunnel were requested, the call would wait for the proxy.
      { ...plain(url), timeoutMs: 60_000, proxy: { url: "http://public.example:3128" } },
    ].map((call) => calling(call).then(String, ({ message }: Error) => message));
    return { title, messages: await Promise.all(calls) };
  });
  expect(said.filter(({ messages }) => !messages.every(hasReason))).toEqual([]);
  expect(witness.connections()).toBe(0);
}, 180_000);

test("no model is called at a forbidden target", async () => {
  const modelServers = new Set(["http://10.0.0.5:8000", "http://localhost:11434", "http://models.example"]);
  const calling = createSafeStream({ resolve, modelServers });
  const times = { firstByteMs: 10_000, silenceMs: 10_000, timeoutMs: 10_000 };
  const call = { ...times, method: "POST", headers: [], hops: noHops, trusted: "models" } as const;
  const said = await inTurns(targets, async ({ title, url }) => {
    const why = await calling({ ...call, url }).then(
      () => "It was called",
      (error: Error) => error.message,
    );
    return { title, why };
  });

  expect(said.filter(({ why }) => !hasReason(why))).toEqual([]);
  expect(witness.connections()).toBe(0);
}, 180_000);

test("no service is called at a forbidden target", async () => {
  const urls = new Map([["stripe", `http://127.0.0.1:${witness.port}`]]);
  const calling = createSafeFetch({ resolve, providerServers: new Set(urls.values()) });
  const providers = { urls, metrics: createProviderMetrics() };
  const request = { method: "GET", path: "/records" } as const;
  // Credentials without an address use the provider's own cloud, so targets without an address are skipped.
  const named = targets.filter(({ url }) => url !== "");
  const said = await inTurns(named, async ({ title, url }) => {
    const data = { apiKey: "key", baseUrl: url };
    const call = { kind: nocodb, data, request, retries: 0, timeoutMs: 10_000 };
    const report = await callService(call, { safeFetch: calling, hops: noHops, providers });
    return { title, why: "failure" in report ? (report.failure.details ?? "") : "It was called" };
  });

  expect(said.filter(({ why }) => !hasReason(why) && why !== elsewhere)).toEqual([]);
  expect(witness.connections()).toBe(0);
}, 180_000);

test("no payment is created at a forbidden target", async () => {
  const urls = new Map([["nocodb", `http://127.0.0.1:${witness.port}`]]);
  const providers = { urls, metrics: createProviderMetrics() };
  const said = await inTurns([...forbiddenNames], async ([name, addresses]) => {
    const calling = createSafeFetch({
      resolve: async () => found(addresses),
      providerServers: new Set(urls.values()),
    });
    const provider = await createPaymentProvider("sk_live_1", { safeFetch: calling, hops: noHops, providers });
    const why = await provider.createIntent(payment).then(
      () => "It was called",
      (error: Error) => Bun.inspect(error),
    );
    return { name, why };
  });

  expect(said.filter(({ why }) => !hasReason(why))).toEqual([]);
  expect(witness.connections()).toBe(0);
}, 180_000);

const payment: Payment = {
  ...{ id: newId(), sessionId: newId(), botId: newId(), resultId: null, blockId: "b", credentialsId: newId() },
  ...{ isTest: false, amount: 500, currency: "EUR", details: null, status: "open" },
  ...{ attempt: 1, isCheckout: false, intentId: null, checkoutId: null, takenRevision: null },
};

/** The error for an invalid base address, such as an address with a query. */
const elsewhere = "The path leads outside the service's base URL";

describe("an event endpoint", () => {
  test("an event endpoint whose URL is forbidden without a DNS lookup is rejected", async () => {
    const path = `/api/v1/workspaces/${workspaceId}/event-endpoints`;
    const taken = await inTurns(targets, async ({ title, url }) => {
      const answer = await api.client.post(path, { token: owner.token, body: { url } });
      if (answer.status === 200) {
        await api.client.delete(`${path}/${answer.text("eventEndpoint.id")}`, { token: owner.token });
        return [{ title, host: new URL(url).hostname }];
      }
      expect([title, answer.at("code")]).toEqual([title, "request.invalid"]);
      return [];
    });

    expect(taken.flat().map(({ host }) => host)).toEqual([...forbiddenNames.keys()]);
  });

  test("an event endpoint at a forbidden target gets no event", async () => {
    const { sql, close } = await createTestDatabase();
    const log = createLog("silent");
    const outage = createOutageWatch(sql, log);
    await inTurns(targets, async ({ url }) => {
      const { endpointId } = await putEndpoint(sql, { url });
      await putAnswer(sql, { endpointId, sessionId: newId(), content: "x" });
    });
    const dispatch = startEventDispatch({ sql, safeFetch, secrets: testSecrets, log, outage });
    const untried = () => sql`select from event_deliveries where attempts = 0`;
    await waitFor(async () => (await untried()).length === 0, { what: "every event to be tried" });
    await dispatch.stop();

    const rows = await sql<{ url: string; status: string; said: string | null }[]>`
      select url, status, last_error as said
      from event_deliveries
      join event_endpoints on event_endpoints.id = endpoint_id`;
    await close();
    expect(rows).toHaveLength(targets.length);
    expect(rows.filter((row) => row.status !== "pending" || !hasReason(row.said))).toEqual([]);
    expect(witness.connections()).toBe(0);
  }, 180_000);
});

describe("an allowed server", () => {
  /** The only address of this machine that counts as public in this test. */
  const outside = "127.0.0.3";
  const permits: AddressRule = (address, rules) => address === outside || isPublicAddress(address, rules);

  test("an allowed server cannot redirect a call to a forbidden target", async () => {
    const server = Bun.serve({
      hostname: outside,
      port: 0,
      fetch({ url }) {
        const { pathname } = new URL(url);
        const [, status, index] = pathname.split("/");
        const location = targets[Number(index)]?.url ?? "";
        return new Response(null, { status: Number(status), headers: { Location: location } });
      },
    });
    const base = `http://redirects.example:${server.port}`;
    const call = createSafeFetch({
      permits,
      resolve: async (host) => (host === "redirects.example" ? found([outside]) : resolve(host)),
    });
    const context = { safeFetch: call, hops: noHops, idempotencyKey: "the-key", timeLeftMs: 60_000 };
    const safeStream = createSafeStream({
      permits,
      resolve: async (host) => (host === "redirects.example" ? found([outside]) : resolve(host)),
    });
    const ofModels = { safeStream, hops: noHops, maxBytes: 1_000, timeoutMs: 5_000 };
    // A header can contain only visible ASCII, and a text that is not an absolute address is a path of the same server.
    const led = targets.flatMap(({ title, url }, index) =>
      /^[\x20-\x7e]+$/.test(url) && URL.parse(url, base)?.origin !== base ? [{ title, index }] : [],
    );
    process.stdout.write(`${led.length} of them by redirects\n`);
    expect(led.length).toBeGreaterThanOrEqual(150);

    // Each target is called in one of these ways, or in the long run in all of them.
    const said = await inTurns(led, async ({ title, index }) => {
      const status = [301, 302, 303, 307, 308][index % 5];
      const url = `${base}/${status}/${index}`;
      const http = { kind: "http", url, method: "POST", headers: [], body: "x", timeoutMs: 5_000, retries: 2 } as const;
      const calls = [
        () => performHttp(http, context),
        () => performFetch({ kind: "fetch", url, init: {} }, context),
        () => fetchBytes(url, ofModels),
      ];
      const reports = await inTurns(
        calls.filter((_, at) => isLong || at === index % calls.length),
        (call): Promise<unknown> => call(),
      );
      return { title, said: reports.map((report) => JSON.stringify(report)) };
    });

    expect(said.filter((one) => !one.said.every(hasReason))).toEqual([]);
    expect(witness.connections()).toBe(0);
    await server.stop(true);
  });

  test("an allowed server is called only at checked addresses", async () => {
    const asked: string[] = [];
    const server = Bun.serve({
      hostname: outside,
      port: 0,
      fetch({ url }) {
        const { pathname } = new URL(url);
        asked.push(pathname);
        return pathname === "/again" ? Response.redirect("/inner", 307) : new Response("ok");
      },
    });
    const inner = await startWitness({ host: "127.0.0.1", port: server.port ?? 0 });
    const base = `http://rebinds.example:${server.port}`;
    let lookups = 0;
    /** Creates calls whose resolver gives an honest answer only the first time. */
    const rebinding = () => {
      lookups = 0;
      return createSafeFetch({ permits, resolve: async () => found([lookups++ === 0 ? outside : "127.0.0.1"]) });
    };

    const first = rebinding();
    expect(await first(plain(`${base}/once`))).toMatchObject({ text: "ok" });
    expect(lookups).toBe(1);
    await expect(first(plain(`${base}/twice`))).rejects.toThrow(RefusedCall);
    await expect(rebinding()(plain(`${base}/again`))).rejects.toThrow(RefusedCall);
    // A reused connection still leads to its checked address.
    const kept = rebinding();
    for (const path of ["/kept", "/kept", "/kept"]) {
      expect(await kept({ ...plain(base + path), keepAliveKey: "one" })).toMatchObject({ text: "ok" });
    }
    expect(lookups).toBe(1);
    await expect(kept({ ...plain(`${base}/other`), keepAliveKey: "other" })).rejects.toThrow(RefusedCall);

    expect(asked).toEqual(["/once", "/again", "/kept", "/kept", "/kept"]);
    expect(inner.connections()).toBe(0);
    inner.close();
    await server.stop(true);
  });
});

test("only the listed files of the service open connections", async () => {
  const found: string[] = [];
  for await (const file of new Bun.Glob("src/**/*.{ts,tsx}").scan(".")) {
    // These folders are harmless. Code in browsers makes its calls from the visitor's network, the sandbox's fetch only
    // sends a request to the service, and commands belong to the operator.
    if (/^src\/(?:web\/(?:app|preview|browser|embed|components|conversation)|platform\/sandbox|commands)\//.test(file))
      continue;
    if (opensConnections(await Bun.file(file).text())) found.push(file);
  }
  expect(found.sort()).toEqual([
    "src/effects/mail/email.ts",
    "src/effects/mail/workspace-mail.ts",
    "src/effects/safe-fetch/connection-pool.ts",
    "src/effects/safe-fetch/proxy-tunnel.ts",
    "src/effects/safe-fetch/safe-fetch-connections.ts",
    "src/effects/safe-fetch/safe-fetch-exchange.ts",
    "src/platform/database/primary/server-socket.ts",
    "src/platform/observing/exporter.ts",
    "src/platform/storage/storage-s3.ts",
  ]);
});

function opensConnections(code: string): boolean {
  const imported = [...code.matchAll(/import \{([^}]*)\} from "node:(?:http|https|http2|net|tls|dgram)"/g)];
  const names = imported.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
  const harmless = /^(?:type .*|isIP(?:v[46])?|BlockList|)$/;
  // A stream transport composes mails, but does not send them.
  const isCalling =
    /\bawait fetch\(|\bnew (?:S3Client|WebSocket|EventSource)\b|\bcreateTransport\((?!\{ streamTransport: true)|\bBun\.(?:connect|udpSocket|FetchSession)\b/;
  return isCalling.test(code) || names.some((name) => !harmless.test(name));
}

async function resolve(host: string): ReturnType<Resolve> {
  const addresses = forbiddenNames.get(host);
  if (!addresses) throw new Error(`Nobody was to look up ${host}`);
  return found(addresses);
}

function found(addresses: readonly string[]) {
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

function plain(url: string) {
  return { url, method: "GET", headers: [], timeoutMs: 5_000, hops: noHops };
}

function hasReason(text: string | null | undefined): boolean {
  return refused.test(text ?? "");
}

async function inTurns<From, To>(from: readonly From[], work: (one: From) => Promise<To>): Promise<To[]> {
  const done: To[] = [];
  for (let at = 0; at < from.length; at += 8) done.push(...(await Promise.all(from.slice(at, at + 8).map(work))));
  return done;
}

function startWitness({ host, port = 0 }: { host: string; port?: number }): Promise<Witness> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    socket.destroy();
  });
  return new Promise((started) => {
    server.listen({ host, port }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("The witness does not listen on a port");
      started({ port: address.port, connections: () => connections, close: () => void server.close() });
    });
  });
}
