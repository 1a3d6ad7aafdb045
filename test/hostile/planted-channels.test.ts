import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { textAt } from "../../src/core/interpreter/flow.ts";
import { queueNames } from "../../src/platform/queue/queues.ts";
import { failure, startFakeTelegram } from "../fake-channels/telegram.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { valueAt } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { startOutside } from "../support/outside.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, endService, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const admin = "the administrator of what is planted";
const secret = "AAplanted-secret-of-a-bot-account-9f31c7";
const botToken = `424242:${secret}`;

type Output = { readonly place: string; readonly text: string };

/** Returns the forms in which a secret could appear. */
const formsOf = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString("base64").replace(/=+$/, ""),
  Buffer.from(text).toString("hex"),
];

test("no response of Telegram makes the service reveal a token", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const telegram = await startFakeTelegram({ token: botToken });
  cleanups.add(() => telegram.close());
  const receiver = await startOutside((_, response) => void response.end("{}"));
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
      ADMIN_TOKEN: admin,
      ENCRYPTION_KEY: "p".repeat(40),
      TELEGRAM_API_URL: telegram.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}`,
    },
  });
  cleanups.add(() => service.signal("SIGKILL"));
  const outputs: Output[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${admin}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    outputs.push({ place: `${method} ${path}`, text: `${text}${JSON.stringify([...response.headers])}` });
    const json: unknown = text.startsWith("{") ? JSON.parse(text) : {};
    return { status: response.status, json, at: (where: string) => String(valueAt(json, where)) };
  };
  const echoed = `Bad Request: wrong call of /bot${botToken}/sendMessage`;
  const workspaceId = (await call("POST", "/api/v1/workspaces", { name: "Planted" })).at("workspace.id");
  const place = `/api/v1/workspaces/${workspaceId}`;
  const eventTypes = ["message.received", "message.sent", "message.failed"];
  const endpoint = { url: receiver.url("/events"), eventTypes };
  expect((await call("POST", `${place}/event-endpoints`, endpoint)).status).toBe(200);
  const flow = flowOf([says("Hello"), says("How are you?"), asks("text input"), says("Bye"), asks("email input")]);
  const bot = { ...flow, name: "Planted", settings: { messenger: { isEnabled: true } } };
  const botId = (await call("POST", "/api/v1/bots", { workspaceId, bot })).at("bot.id");
  expect((await call("POST", `/api/v1/bots/${botId}/publish`, {})).status).toBe(200);

  const connect = (token: string) =>
    call("POST", `${place}/channel-connections`, {
      ...{ channel: "telegram", name: "Planted", settings: { transport: "poll" } },
      ...{ secrets: { botToken: token }, bots: [{ botId, isEnabled: true }] },
    });
  // Telegram rejects the first call with a message that contains the token, and breaks off its response to the second
  // call.
  telegram.script({ method: "getMe", act: { kind: "answer", ...failure(401, `Unauthorized: ${botToken}`) } });
  expect((await connect(botToken)).status).toBe(422);
  telegram.script({ method: "getMe", act: { kind: "drop" } });
  expect((await connect(botToken)).status).toBe(422);
  const connected = await connect(botToken);
  const id = connected.at("channelConnection.id");
  const made = textAt(connected.json, "madeSecrets", "secretToken") ?? "";
  // Only this response may contain the new secret.
  outputs.pop();
  expect(connected.status).toBe(200);
  const ana = { id: 71, firstName: "Ana" };
  const to = { method: "sendMessage", chat: "71" };
  telegram.script({ ...to, act: { kind: "answer", ...failure(400, echoed) } });
  telegram.script({ ...to, act: { kind: "refuse" } });
  telegram.script({ ...to, act: { kind: "answer", ...failure(500, `Internal Server Error: ${botToken}`) } });
  telegram.script({ ...to, act: { kind: "drop" } });
  telegram.script({ method: "sendChatAction", times: 10, act: { kind: "answer", ...failure(400, echoed) } });
  await telegram.write(ana, "Hi");
  await waitFor(() => telegram.shownTo(71).includes("How are you?"), { withinMs: 60_000 });
  await telegram.write(ana, `My token is not yours`);
  await waitFor(() => telegram.shownTo(71).includes("Bye"), { withinMs: 60_000 });
  telegram.script({ method: "getUpdates", act: { kind: "answer", ...failure(409, `Conflict: ${botToken}`) } });

  const at = `${place}/channel-connections/${id}`;
  telegram.script({ method: "getMe", act: { kind: "answer", ...failure(404, `Not Found: ${botToken}`) } });
  for (const path of ["check", "disable", "enable", "register"]) await call("POST", `${at}/${path}`, {});
  await call("POST", `${at}/rotate`, { secrets: { botToken: `${botToken}x` } });
  await call("PATCH", at, { secrets: { botToken: `${botToken}x` } });
  await call("PATCH", at, { settings: { transport: "nowhere" } });
  const contactId = (await call("GET", `${at}/conversations`)).at("conversations.0.contactId");
  const results = `/api/v1/bots/${botId}/results`;
  const resultId = (await call("GET", `${results}?limit=10`)).at("results.0.id");
  const reads = [
    ...[at, `${place}/channel-connections`, `${at}/webhook`, `${at}/conversations/${contactId}`],
    ...[`${at}/conversations/${contactId}/messages`, "/api/v1/channel-types", "/metrics", "/api/readyz"],
    ...[`${results}/${resultId}`, `${results}/${resultId}/logs`, `${results}/${resultId}/transcript`],
    ...[`${place}/audit?limit=100`, `${place}/event-endpoints`, `/api/v1/bots/${botId}/export`],
    ...queueNames.map((name) => `/admin/queues/api/queues?activeQueue=${name}&status=latest&page=1`),
  ];
  for (const path of reads) await call("GET", path);
  const arrived = (path: string) => receiver.requests.filter((request) => request.path.startsWith(path));
  await waitFor(() => arrived("/events").length > 0 && arrived("/v1/traces").length > 0, { withinMs: 30_000 });
  await telegram.close();
  await call("POST", `${at}/check`, {});
  await call("DELETE", at, { name: "Planted" });
  await endService(service);
  outputs.push(
    { place: "standard output", text: service.stdout() },
    { place: "standard error", text: service.stderr() },
    ...receiver.requests.map(({ path, headers, body }) => ({ place: path, text: JSON.stringify(headers) + body })),
  );

  const secrets = [secret, ...(made === "" ? [] : [made])].flatMap(formsOf);
  const found = outputs.filter(({ text }) => secrets.some((one) => text.includes(one)));
  expect(found.map((output) => output.place)).toEqual([]);
  const tables = await database.sql<{ name: string }[]>`
    select schemaname || '.' || tablename as name
    from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const places: string[] = [];
  for (const { name } of tables) {
    const rows = await database.sql`
      select
      from ${database.sql(name)} as stored
      where exists (select from unnest(${secrets}::text[]) as one where strpos(row_to_json(stored)::text, one) > 0)`;
    if (rows.length > 0) places.push(name);
  }
  expect(places).toEqual([]);
  // The outputs contain the sentences around the secrets, so the search covered the right texts.
  const all = outputs.map(({ text }) => text).join("\n");
  for (const sentence of ["A message was not sent", "wrong call of /bot", "message.failed", "Unauthorized"]) {
    expect(all).toContain(sentence);
  }
});
