import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { queueNames } from "../../src/platform/queue/queues.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { valueAt } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const token = "the administrator of what is planted";
const key = "sk-planted-0123456789-4f2a";
const value = "planted-Value_0123456789";
const account = "planted-ana:planted pass/9876";
const prompt = "planted-prompt, which is the author's alone";
const note = "planted-code";

/** Returns the forms in which a secret could appear. */
const formsOf = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString("base64").replace(/=+$/, ""),
  Buffer.from(text).toString("hex"),
];
const secrets = [key, value, account].flatMap(formsOf);
/**
 * An output of the service. The `secrets` must not occur in any output. The `prompt` and the `note` may occur only in
 * outputs for the bot's author.
 */
type Output = { readonly place: string; readonly text: string; readonly isAuthors?: boolean };

function found({ place, text, isAuthors = false }: Output): string[] {
  const searched = isAuthors ? secrets : [...secrets, prompt, note];
  return searched.filter((one) => text.includes(one)).map((one) => `${one} in ${place}`);
}

function createCaller(service: Service, outputs: Output[]) {
  return async (method: string, path: string, options: { body?: unknown; isAuthors?: boolean } = {}) => {
    const { body, isAuthors = false } = options;
    const isVisitors = /startChat|continueChat/.test(path);
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        // Some responses to visitors are streamed.
        ...(isVisitors ? { Accept: outputs.length % 2 === 0 ? "text/event-stream" : "*/*" } : {}),
        ...(isVisitors ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const place = `${method} ${path}`;
    outputs.push({ place, text: `${text}${JSON.stringify([...response.headers])}`, isAuthors });
    const at = (where: string): unknown => valueAt(text.startsWith("{") ? JSON.parse(text) : {}, where);
    return { status: response.status, at, id: (where: string) => String(at(where)) };
  };
}

type Call = ReturnType<typeof createCaller>;

function flowWith(credentialsId: string, receiver: OutsideServer) {
  const call = {
    id: "call",
    type: "Webhook",
    options: {
      isAdvancedConfig: true,
      isCustomBody: true,
      webhook: {
        url: receiver.url("/echo/{{secret.KEY}}"),
        method: "POST",
        queryParams: [{ id: "q", key: "k", value: "{{secret.KEY}}" }],
        headers: [
          { id: "h1", key: "X-Key", value: "{{secret.KEY}}" },
          { id: "h2", key: "Authorization", value: "Basic {{secret.ACCOUNT}}" },
        ],
        body: '{"name":"{{Name}}","key":"{{secret.KEY}}"}',
      },
      responseVariableMapping: [{ id: "m1", variableId: idOf("Answer"), bodyPath: "data.word" }],
    },
  };
  const headers = '{ "X-Key": "{{secret.KEY}}", Authorization: "Basic {{secret.ACCOUNT}}" }';
  const code = `// ${note}\nreturn await fetch("${receiver.url("/tool")}", { method: "POST", headers: ${headers}, body: {{secret.KEY}} })`;
  const model = {
    id: "model",
    type: "openai",
    options: {
      action: "Create chat completion",
      credentialsId,
      model: "{{Name}}",
      messages: [
        { role: "system", content: `${prompt} {{secret.KEY}}` },
        { role: "user", content: "I am {{Name}}\ncall book {}" },
      ],
      tools: [{ name: "book", description: note, code }],
      fallbacks: [{ type: "openai", credentialsId, model: "fails-401" }],
      responseMapping: [{ variableId: idOf("Email") }],
    },
  };
  const script = {
    id: "script",
    type: "Code",
    options: { isExecutedOnClient: false, content: "throw new Error({{secret.KEY}})" },
  };
  const flow = flowOf([
    asks("text input", { variableId: idOf("Name") }),
    model,
    says("{{Email}} {{secret.KEY}}"),
    call,
    says("{{Answer}}"),
    script,
    { ...asks("text input", { variableId: idOf("Name") }), id: idOf("asks more") },
    { ...call, id: "call again" },
    says("{{Answer}}", idOf("says last")),
  ]);
  return { ...flow, variables: [...flow.variables, { id: idOf("Answer"), name: "Answer" }] };
}

async function plant(call: Call, { model, receiver }: { model: FakeModel; receiver: OutsideServer }) {
  const workspaceId = (await call("POST", "/api/v1/workspaces", { body: { name: "Planted" } })).id("workspace.id");
  const place = `/api/v1/workspaces/${workspaceId}`;
  const credentials = { type: "openai", name: "Ours", data: { apiKey: key, baseUrl: model.baseUrl } };
  const made = await call("POST", `${place}/credentials`, { body: credentials });
  const credentialsId = made.id("credentials.id");
  for (const [name, secret] of [
    ["KEY", value],
    ["ACCOUNT", account],
  ]) {
    await call("PUT", `${place}/secrets/${name}`, { body: { value: secret } });
  }
  await call("POST", `${place}/event-endpoints`, {
    body: { url: receiver.url("/events"), eventTypes: ["result.started", "result.answered", "result.completed"] },
  });
  const wrong: [string, string, unknown][] = [
    ["POST", "credentials", { ...credentials, type: "telepathy" }],
    ["POST", "credentials", { ...credentials, data: { apiKey: `${key}\n`, baseUrl: "nowhere" } }],
    ["POST", "credentials", { ...credentials, data: { apiKey: { key } } }],
    ["POST", "credentials", JSON.stringify(credentials).slice(0, -1)],
    ["PATCH", `credentials/${credentialsId}`, { data: { baseUrl: "https://elsewhere.example" } }],
    ["PATCH", `credentials/${credentialsId}`, { data: { password: key } }],
    ["PUT", "secrets/KEY", { value: [value] }],
    ["PUT", "secrets/lower", { value }],
    ["PUT", "secrets/KEY", `{"value":"${value}"`],
  ];
  const statuses = [];
  for (const [method, path, body] of wrong) statuses.push((await call(method, `${place}/${path}`, { body })).status);
  expect(new Set(statuses)).toEqual(new Set([400]));
  const refused = await call("POST", `${place}/credentials`, {
    body: { ...credentials, data: { apiKey: key, baseUrl: `http://127.0.0.1:${receiver.port}/v1` } },
  });
  for (const path of ["test", "models"]) {
    const where = `${place}/credentials/${refused.id("credentials.id")}/${path}`;
    await call(path === "test" ? "POST" : "GET", where, path === "test" ? { body: {} } : {});
  }
  const bot = { name: "Planted", ...flowWith(credentialsId, receiver) };
  const botId = (await call("POST", "/api/v1/bots", { body: { workspaceId, bot }, isAuthors: true })).id("bot.id");
  const published = await call("POST", `/api/v1/bots/${botId}/publish`, { body: { force: true }, isAuthors: true });
  return { place, credentialsId, botId, publicId: published.id("publicId") };
}

async function visit(call: Call, publicId: string, name: string): Promise<string> {
  const started = await call("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} });
  const path = `/api/v1/sessions/${started.id("sessionId")}/continueChat`;
  const answered = await call("POST", path, { body: { message: name } });
  expect([name, answered.status]).toEqual([name, 200]);
  expect((await call("POST", path, { body: { message: "{{secret.KEY}} parley_secret_" } })).status).toBe(200);
  return started.id("resultId");
}

async function readAll(
  call: Call,
  { place, credentialsId, botId, publicId }: Awaited<ReturnType<typeof plant>>,
  resultIds: readonly string[],
) {
  const bot = `/api/v1/bots/${botId}`;
  for (const id of resultIds) {
    for (const path of ["", "/logs", "/transcript", "/transcript?format=text"])
      await call("GET", `${bot}/results/${id}${path}`);
    await call("GET", `${bot}/results/${id}/model-calls`, { isAuthors: true });
  }
  const exports = ["csv", "ndjson", "xlsx"].map((format) => `${bot}/results/export?format=${format}`);
  const board = queueNames.map((name) => `/admin/queues/api/queues?activeQueue=${name}&status=latest&page=1`);
  const texts = [
    ...[`/${publicId}`, "/metrics", "/docs", "/docs/json", "/api/openapi.json", "/admin/queues", "/api/readyz"],
    ...[`${place}/credentials`, `${place}/credentials/${credentialsId}`, `${place}/secrets`, `${place}/secrets/KEY`],
    ...[`${place}/audit?limit=100`, `${place}/audit/export`, "/api/v1/audit", `${place}/event-endpoints`],
    ...[`${place}/model-usage?groupBy=model`, `${place}/model-budget`],
    ...[`${bot}/results?limit=100`, `${bot}/insight`, ...exports, ...board],
  ];
  for (const path of texts) await call("GET", path);
  await call("GET", `${bot}/export`, { isAuthors: true });
  await call("POST", `${bot}/lint`, { body: {} });
  await call("POST", `${bot}/blocks/call/testCall`, { body: {} });
}

async function storedIn({ sql }: TestDatabase): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select schemaname || '.' || tablename as name
    from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const places: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`
      select 1
      from ${sql(name)} as stored
      where exists (
        select 1
        from unnest(${secrets}::text[]) as one
        where strpos(row_to_json(stored)::text, one) > 0
      )`;
    if (rows.length > 0) places.push(name);
  }
  return places;
}

test("failures reveal keys and secrets only to their own servers", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const model = await startFakeModel();
  cleanups.add(() => model.close());
  const receiver = await startOutside(({ path, headers, body }, response) => {
    if (path.startsWith("/v1/")) {
      response.writeHead(401, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Wrong: ${JSON.stringify(headers)}` } }));
      return;
    }
    response.end(JSON.stringify({ word: JSON.stringify({ path, headers, body }) }));
  });
  cleanups.add(() => receiver.close());
  const service = await startService({
    command: commandOf("test/support/held-service.ts"),
    environment: {
      DATABASE_URL: database.url,
      DATABASE_POOL: "6",
      DATA_DIR: cleanups.folder(),
      WORKER_THREADS: "1",
      LOG_LEVEL: "debug",
      RATE_LIMITS: "off",
      ADMIN_TOKEN: token,
      ENCRYPTION_KEY: "p".repeat(40),
      MODEL_SERVERS: `${model.origin},http://127.0.0.1:${receiver.port}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}`,
    },
  });
  cleanups.add(() => service.signal("SIGKILL"));
  const outputs: Output[] = [];
  const call = createCaller(service, outputs);
  const planted = await plant(call, { model, receiver });
  const listed = await fetch(`${model.baseUrl}/models`);
  const ids = valueAt(await listed.json(), "data.*.id");
  const names = Array.isArray(ids) ? ids.map(String).filter((name) => name !== "silent") : [];

  const resultIds = await Promise.all(
    [...names, "nobody-knows-it", "{{secret.KEY}}"].map((name) => visit(call, planted.publicId, name)),
  );
  const arrived = (path: string) => receiver.requests.filter((request) => request.path.startsWith(path));
  await waitFor(() => arrived("/events").length > 0 && arrived("/v1/traces").length > 0, { withinMs: 30_000 });
  await readAll(call, planted, resultIds);
  await endService(service);
  outputs.push(
    { place: "standard output", text: service.stdout() },
    { place: "standard error", text: service.stderr() },
    ...arrived("/events").map(({ headers, body }) => ({ place: "an event", text: JSON.stringify(headers) + body })),
    ...arrived("/v1/traces").map(({ body }) => ({ place: "a trace", text: body })),
    // Each server receives its own secrets, and no secret of another server.
    ...arrived("/echo").map(({ path, headers, body }) => ({
      place: "a call",
      text: JSON.stringify([path, headers, body])
        .replaceAll(value, "")
        .replaceAll(formsOf(account)[2] ?? "", ""),
    })),
    ...model.asked.map(({ headers, text }) => ({
      place: "a call of a model",
      text: JSON.stringify(headers).replaceAll(key, "") + text.replaceAll(prompt, "").replaceAll(note, ""),
    })),
  );

  expect(outputs.flatMap(found)).toEqual([]);
  expect(await storedIn(database)).toEqual([]);
  // All secrets were sent to their servers, so the search covered real secrets.
  expect(
    model.asked.some(({ headers, text }) => headers["authorization"] === `Bearer ${key}` && text.includes(prompt)),
  ).toBe(true);
  expect(
    arrived("/tool").map(({ headers, body }) => [headers["x-key"], headers["authorization"], body]),
  ).toContainEqual([value, `Basic ${Buffer.from(account).toString("base64")}`, value]);
  expect(arrived("/echo").every(({ path }) => path === `/echo/${value}?k=${value}`)).toBe(true);
  const all = outputs.map(({ text }) => text).join("\n");
  for (const sentence of [
    "The provider rejected the key",
    "Incorrect API key provided: •••",
    "{{secret.KEY}}",
    "You said: I am echo",
  ]) {
    expect(all).toContain(sentence);
  }
  expect(outputs.length).toBeGreaterThan(200);
});
