import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { inflateRawSync } from "node:zlib";
import { queueNames } from "../../src/platform/queue/queues.ts";
import { type ArrowWorld, createArrowWorld } from "../chaos/arrows/arrow-world.ts";
import { searchPath } from "../fake-providers/address-search.ts";
import { type FakeProxy, startFakeProxy } from "../fake-providers/connect-proxy.ts";
import { ownClient, person, serviceAccount } from "../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../fake-providers/google/server.ts";
import { fakes as startFakes } from "../fake-providers/index.ts";
import type { FakeProvider } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { valueAt } from "../support/client.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const keyed = ["blink", "chat-node", "dify-ai", "elevenlabs", "nocodb", "segment", "posthog"] as const;
const planted: Readonly<Record<string, string>> = {
  ...Object.fromEntries(keyed.map((type) => [type, `planted-key-of-${type}-5e1c`])),
  "stripe, live": "sk_live_planted_3f81",
  "stripe, test": "sk_test_planted_3f82",
  "reports of stripe": "whsec_planted_3f83",
  "address search": "planted-key-of-address-search-5e1c",
  zendesk: "planted-zendesk-secret-planted-zendesk",
  proxy: "planted-password-of-the-proxy",
  "refresh token": person.refreshToken,
  "client of Google": ownClient.secret,
  "access token": "ya29.planted-access-token",
  "service account": serviceAccount.privateKey.split("\n")[3] ?? "",
};

let providers: readonly FakeProvider[];
let google: FakeGoogle;
let stripe: FakeStripe;
let proxy: FakeProxy;
let receiver: OutsideServer;
let world: ArrowWorld;

beforeAll(async () => {
  stripe = await startFakeStripe();
  google = await startFakeGoogle();
  proxy = await startFakeProxy({ user: `ana:${planted["proxy"]}` });
  const others = await Promise.all(
    startFakes.filter((starts) => starts !== startFakeStripe).map((starts) => starts({ port: 0 })),
  );
  providers = [...others, google, stripe];
  google.sheets.allow(10_000);
  receiver = await startOutside((_, response) => void response.end('{"word":"yes"}'));
  world = await createArrowWorld({
    fakes: providers,
    holds: {},
    settings: { LOG_LEVEL: "debug", OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}` },
  });
});
afterAll(async () => {
  await world.close();
  for (const { close } of [...providers, proxy, receiver]) await close();
});

/** One output of the service. */
type Output = { readonly place: string; readonly text: string };
type Secrets = ReadonlyMap<string, string>;

/** Returns the forms in which a secret could appear. */
const formsOf = (text: string): readonly string[] => [
  text,
  encodeURIComponent(text),
  JSON.stringify(text).slice(1, -1),
  Buffer.from(text).toString("base64").replace(/=+$/, ""),
  Buffer.from(text).toString("hex"),
];

function foundIn({ place, text }: Output, secrets: Secrets): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    formsOf(secret).some((form) => text.includes(form)) ? [`${name} in ${place}`] : [],
  );
}

const addressesAt = () => `${providers.find(({ name }) => name === "address-search")?.origin}${searchPath}`;

async function makeAccounts(): Promise<ReadonlyMap<string, string>> {
  const data: Readonly<Record<string, object>> = {
    ...Object.fromEntries(keyed.map((type) => [type, { apiKey: planted[type] }])),
    stripe: {
      ...{ liveSecretKey: planted["stripe, live"], livePublicKey: "pk_live_1" },
      ...{ testSecretKey: planted["stripe, test"], testPublicKey: "pk_test_1" },
      ...{ liveWebhookSecret: planted["reports of stripe"] },
    },
    "address-search": { url: addressesAt(), header: "X-Key", key: planted["address search"] },
    "google sheets": serviceAccount,
    gmail: { ...person, clientId: ownClient.id, clientSecret: ownClient.secret },
    zendesk: { conversationsKeyId: "app_1", conversationsSecretKey: planted["zendesk"] },
    "http proxy": { url: `http://proxy.example:${proxy.port}`, username: "ana", password: planted["proxy"] },
  };
  const made = await Promise.all(
    Object.entries(data).map(async ([type, kept]) => [type, await world.makeCredentials(type, kept)] as const),
  );
  return new Map(made);
}

function flowOfAll(accounts: ReadonlyMap<string, string>) {
  const rows = google.sheets.make({
    rows: [["Name"], ["Cy"]],
    sharedWith: [serviceAccount.clientEmail],
  });
  const block = (id: string, type: string, options: object, kind = type) => ({
    ...{ id, type },
    options: { credentialsId: accounts.get(kind), ...options },
  });
  const sheet = (id: string, options: object) =>
    block(id, "Google Sheets", { spreadsheetId: rows, sheetId: "0", ...options }, "google sheets");
  const cell = { id: "c", column: "Name", value: "{{Name}}" };
  const answer = idOf("Email");
  const mail = { action: "Send email", to: "team@example.com", subject: "{{Name}}", body: "Hello" };
  const acting = [
    block("nocodb", "nocodb", {
      action: "Create Record",
      tableId: "table",
      fields: [{ key: "Name", value: "{{Name}}" }],
    }),
    block("elevenlabs", "elevenlabs", {
      ...{ action: "Convert text to speech", text: "{{Name}}", voiceId: "voice1", saveUrlInVariableId: answer },
    }),
    block("dify", "dify-ai", {
      ...{ action: "Create Chat Message", query: "{{Name}}", responseMapping: [{ variableId: answer }] },
    }),
    block("chat-node", "chat-node", { action: "Send Message", botId: "known-bot", message: "{{Name}}" }),
    block("segment", "segment", { action: "Track", eventName: "{{Name}}", userId: "u" }),
    block("posthog", "posthog", { action: "Capture", event: "{{Name}}", distinctId: "u" }),
    block("blink", "blink", { action: "Get Users", filter: { by: "User ID", value: "u-1" } }),
    block("gmail", "gmail", mail),
    block("gmail now", "gmail", { ...mail, responseMapping: [{ item: "Thread ID", variableId: answer }] }),
    sheet("insert", { action: "Insert a row", cellsToInsert: [cell] }),
    sheet("insert later", { action: "Insert a row", cellsToInsert: [cell], isLater: true }),
    sheet("get", { action: "Get data from sheet", cellsToExtract: [{ id: "x", column: "Name", variableId: answer }] }),
    sheet("update", {
      action: "Update a row",
      filter: { comparisons: [{ id: "f", column: "Name", comparisonOperator: "Equal to", value: "Cy" }] },
      cellsToUpsert: [{ ...cell, value: "Cy" }],
    }),
    block("zendesk", "zendesk", { action: "Open Web Widget", webWidgetKey: "widget", userId: "u-1", name: "{{Name}}" }),
    {
      ...{ id: "proxied", type: "Webhook" },
      options: {
        ...{ isAdvancedConfig: true, proxyCredentialsId: accounts.get("http proxy") },
        webhook: { url: receiver.url("/proxied"), method: "POST" },
      },
    },
  ];
  return {
    acting: acting.map(({ id }) => id),
    flow: flowOf([
      asks(
        "address input",
        { variableId: idOf("Name"), credentialsId: accounts.get("address-search") },
        { id: "address" },
      ),
      ...acting,
      says("{{Name}} went on"),
      asks("payment input", {
        ...{ credentialsId: accounts.get("stripe"), amount: "12.50", currency: "EUR" },
        failure: { isSkipOffered: true },
      }),
      says("{{Name}} is done"),
    ]),
  };
}

test("no response of a provider makes Parley reveal a key", async () => {
  const { sql, token, workspaceId, dying: node } = world;
  const accounts = await makeAccounts();
  const { flow, acting } = flowOfAll(accounts);
  const { botId, publicId } = await world.publish(flow);
  const endpoint = await node.client.post(`/api/v1/workspaces/${workspaceId}/event-endpoints`, {
    token,
    body: {
      url: receiver.url("/events"),
      eventTypes: ["result.started", "result.answered", "result.completed", "credentials.failing", "payment.succeeded"],
    },
  });
  const outputs: Output[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${node.url}${path}`, {
      method,
      headers: {
        ...(/\/(startChat|continueChat|suggestions)$/.test(path) && !path.includes("preview")
          ? {}
          : { Authorization: `Bearer ${token}` }),
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.subarray(0, 2).toString() === "PK" ? unzipped(bytes) : bytes.toString();
    outputs.push({
      place: `${method} ${path}`,
      text: `${withoutOwnSecret(text)}${JSON.stringify([...response.headers])}`,
    });
    const at = (where: string): unknown => valueAt(text.startsWith("{") ? JSON.parse(text) : {}, where);
    return { status: response.status, at, text };
  };
  const visit = async (name: string) => {
    const started = await call("POST", `/api/v1/bots/${publicId}/startChat`, {});
    const sessionId = String(started.at("sessionId"));
    const continued = `/api/v1/sessions/${sessionId}/continueChat`;
    const looked = await call("POST", `/api/v1/sessions/${sessionId}/suggestions`, {
      blockId: "address",
      text: "Downing",
    });
    expect(looked.status).toBe(200);
    const answer = await call("POST", continued, { message: name });
    expect([name, answer.status]).toEqual([name, 200]);
    return { sessionId, resultId: String(started.at("resultId")), continued, answer };
  };
  const preview = async (name: string) => {
    const started = await call("POST", `/api/v1/bots/${botId}/preview/startChat`, { isTraced: true });
    const session = `/api/v1/sessions/${String(started.at("sessionId"))}`;
    expect((await call("POST", `${session}/continueChat`, { message: name })).status).toBe(200);
    const trace = await call("GET", `${session}/trace`);
    expect(trace.text).toContain('"kind":"effect"');
  };

  // First every service succeeds. Then each service rejects the call and quotes the key.
  const paid = await visit("Ana");
  const clientSecret = String(paid.answer.at("input.runtimeOptions.paymentIntentSecret"));
  stripe.confirm(clientSecret);
  const [intent] = stripe.intents.values();
  const report = stripe.report(intent?.id ?? "", { secret: planted["reports of stripe"] ?? "" });
  const reported = await node.client.post(`/api/v1/payments/stripe/${accounts.get("stripe")}`, {
    rawBody: report.body,
    headers: { "stripe-signature": report.signature },
  });
  expect(reported.status).toBe(200);
  expect((await call("POST", paid.continued, { message: "Success" })).status).toBe(200);
  await preview("Pia");
  for (const id of acting) await call("POST", `/api/v1/bots/${botId}/blocks/${encodeURIComponent(id)}/testCall`, {});
  for (const fault of isLong ? (["401", "403", "500"] as const) : (["401"] as const)) {
    for (const provider of providers) provider.fail(fault, { times: 1_000 });
    await visit(`Met by ${fault}`);
    await preview(`Traced at ${fault}`);
    for (const credentialsId of accounts.values())
      await call("POST", `/api/v1/workspaces/${workspaceId}/credentials/${credentialsId}/test`, {});
    for (const provider of providers) provider.recover();
  }
  await waitFor(async () => (await sql`select from outbox limit 1`).length === 0, { withinMs: 60_000 });
  const arrived = (path: string) => receiver.requests.filter((request) => request.path.startsWith(path));
  await waitFor(
    () =>
      arrived("/v1/traces").length > 0 &&
      ["result.completed", "payment.succeeded", "credentials.failing"].every((type) =>
        arrived("/events").some(({ body }) => body.includes(type)),
      ),
    { withinMs: 60_000 },
  );

  const bot = `/api/v1/bots/${botId}`;
  const place = `/api/v1/workspaces/${workspaceId}`;
  const results = await sql<{ id: string }[]>`select id from results`;
  for (const { id } of results) {
    for (const path of ["", "/logs", "/transcript", "/transcript?format=text", "/model-calls"])
      await call("GET", `${bot}/results/${id}${path}`);
  }
  for (const path of [
    ...["csv", "ndjson", "xlsx"].map((format) => `${bot}/results/export?format=${format}`),
    ...queueNames.map((name) => `/admin/queues/api/queues?activeQueue=${name}&status=latest&page=1`),
    ...["/metrics", "/docs/json", "/api/readyz", `/api/v1/sessions/${paid.sessionId}`, "/api/v1/credential-types"],
    ...[`${place}/credentials`, ...[...accounts.values()].map((id) => `${place}/credentials/${id}`)],
    ...[`${place}/audit?limit=100`, `${place}/audit/export`, `${place}/event-endpoints`, `${place}/model-usage`],
    ...[bot, `${bot}/export`, `${bot}/results?limit=100`, `${bot}/insight`, `${bot}/publication`],
  ])
    await call("GET", path);
  await call("POST", `${bot}/lint`, {});
  const page = await call("GET", `/${publicId}`);
  const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThan(0);
  for (const path of [...new Set(files)]) await call("GET", path);
  outputs.push(
    { place: "what the node printed", text: node.output() },
    ...arrived("/events").map(({ headers, body }) => ({ place: "an event", text: JSON.stringify(headers) + body })),
    ...arrived("/v1/traces").map(({ headers, body }) => ({ place: "a trace", text: JSON.stringify(headers) + body })),
    ...arrived("/proxied").map(({ headers, body }) => ({
      place: "a call by the proxy",
      text: JSON.stringify(headers) + body,
    })),
  );
  const instanceKeys = await sql<{ name: string; key: Uint8Array }[]>`select name, key from instance_keys`;
  const secrets = new Map([
    ...Object.entries(planted),
    ["a client's secret", clientSecret],
    ["a report's signature", report.signature.split("v1=")[1] ?? ""],
    ["the secret of an event endpoint", endpoint.text("eventEndpoint.secret")],
    ["the key of this instance", "k".repeat(40)],
    ["the administrator", token],
  ]);
  for (const { name, key } of instanceKeys) secrets.set(`address key ${name}`, Buffer.from(key).toString("hex"));
  const tables = await sql<{ name: string }[]>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
    from pg_tables
    where schemaname in ('public', 'pgboss') and tablename <> 'instance_keys'`;
  for (const { name } of tables) {
    const rows = JSON.stringify([...(await sql.unsafe(`select t::text from ${name} t`))]);
    // A step's stored response contains the secret for the visitor's page, which may request the response again.
    outputs.push({ place: name, text: name === "public.steps" ? withoutOwnSecret(rows) : rows });
  }

  expect(outputs.flatMap((output) => foundIn(output, secrets))).toEqual([]);
  // Check that the outputs and the calls contain the expected texts. Otherwise the search would cover nothing.
  const isIn = (text: string) => outputs.filter((output) => output.text.includes(text)).map((output) => output.place);
  expect(isIn("Ana went on")).toEqual(expect.arrayContaining([expect.stringMatching(/transcript$/), "public.steps"]));
  for (const format of ["csv", "ndjson", "xlsx"])
    expect(isIn("Met by 401")).toContain(`GET ${bot}/results/export?format=${format}`);
  expect(isIn("parley_provider_calls_total")).toContain("GET /metrics");
  expect(isIn("•••").length).toBeGreaterThan(5);
  const least = isLong ? 3 : 1;
  for (const { name, asked } of providers) expect([name, asked.length >= least]).toEqual([name, true]);
  for (const type of keyed)
    expect(providers.some(({ asked }) => asked.some((one) => holds(one, planted[type] ?? "")))).toBe(true);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(arrived("/proxied").length).toBeGreaterThan(0);
  expect(stripe.taken()).toBe(1_250);
});

function holds({ headers, text }: { headers: object; text: string }, key: string): boolean {
  const all = JSON.stringify(headers) + text;
  return all.includes(key) || all.includes(Buffer.from(`${key}:`).toString("base64"));
}

/** Removes the secret of an intent, which is meant for the visitor's own page. */
function withoutOwnSecret(text: string): string {
  return text.replaceAll(/paymentIntentSecret[\\":]+\w+/g, "");
}

function unzipped(archive: Buffer): string {
  const texts: string[] = [];
  for (let at = archive.indexOf("PK\u0003\u0004"); at >= 0; at = archive.indexOf("PK\u0003\u0004", at + 4)) {
    const data = archive.subarray(at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28));
    texts.push(archive.readUInt16LE(at + 8) === 8 ? inflateRawSync(data).toString() : data.toString());
  }
  return texts.join("\n");
}
