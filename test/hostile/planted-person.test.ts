import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { uploadedFiles } from "../../src/management/files/uploads.job.ts";
import { insight } from "../../src/management/insight/insight.job.ts";
import { resultValues } from "../../src/management/insight/result-values.job.ts";
import { endedExports } from "../../src/management/results/exports/result-exports.job.ts";
import { openStorage } from "../../src/platform/storage/open-storage.ts";
import { startFakeTelegram } from "../fake-channels/telegram.ts";
import { startFakeModel } from "../fake-model/server.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { startFakeSegment } from "../fake-providers/segment.ts";
import { startFakeStripe } from "../fake-providers/stripe.ts";
import { idOf } from "../support/builder-ids.ts";
import { connectTelegram } from "../support/channels.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startOutside } from "../support/outside.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, endService, startService } from "../support/service.ts";
import { upload } from "../support/uploads.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const word = "quetzalcoatlus";
const token = "the administrator of the planted person";
/** Waits for jobs of another process, on a possibly busy machine. */
const patience = { withinMs: 90_000 };

/** The forms in which the word could be stored. Columns of bytes are read as hexadecimal digits. */
const forms = [
  word,
  Buffer.from(word).toString("hex"),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${" ".repeat(offset)}${word}`)
      .toString("base64")
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,2}=*$/, ""),
  ),
];
const isIn = (text: string): boolean => forms.some((form) => text.toLowerCase().includes(form.toLowerCase()));

/** Columns that still contain the word after the receipt, each with its reason. */
const kept: Readonly<Record<string, string>> = {
  "test_conversations.conversation":
    "An author recorded it as a test of the bot: docs/results.md says that it is theirs to delete.",
};

/** Columns of bytes that the test cannot read, and that do not contain the word. */
const sealed: Readonly<Record<string, string>> = {
  "anonymous_previews.address": "The address of a visitor of an author's preview, as a hash.",
  "channel_connections.previous": "Keys of an account of a messenger, encrypted.",
  "channel_connections.sealed": "Keys of an account of a messenger, encrypted.",
  "credentials.sealed": "An author's key, encrypted.",
  "effect_reports.key": "A hash.",
  "event_endpoints.previous_secret": "A key of ours, encrypted.",
  "event_endpoints.secret": "A key of ours, encrypted.",
  "instance_keys.key": "A key of ours.",
  "oauth_states.sealed": "What a sign-in of an author needs, encrypted.",
  "person_erasures.salt": "Random bytes.",
  "request_keys.answer": "Encrypted: the test asks for each again.",
  "secrets.sealed": "An author's secret, encrypted.",
};

/** Tables of results and sessions that contain texts, but no text of a visitor once a step is saved. */
const wordless: Readonly<Record<string, string>> = {
  answers_under_way: "Words of a step that runs: erasure-turns.test.ts.",
  effect_reports: "Reports of a step that runs, or of one whose process died.",
  problem_examples: "Ids of blocks and names of problems.",
  visited_edges: "Ids of edges.",
};

type Ids = { readonly openai: string; readonly stripe: string; readonly segment: string; readonly outside: string };

function flowWith({ openai, stripe, segment, outside }: Ids) {
  const [name, email, answer] = [idOf("Name"), idOf("Email"), idOf("Answer")];
  const block = (type: string, options: object) => ({ id: idOf(type), type, options });
  const flow = flowOf([
    block("Set variable", { variableId: email, type: "Callback address", blockId: "listen" }),
    says("Call {{Email}}"),
    says("As before: {{Note}}", idOf("shows note")),
    asks("text input", { variableId: name }),
    block("openai", {
      ...{ action: "Create chat completion", credentialsId: openai, model: "echo" },
      messages: [{ role: "user", content: "I am {{Name}}" }],
      responseMapping: [{ variableId: answer }],
    }),
    says("{{Answer}}", "answer"),
    block("Webhook", {
      ...{ isAdvancedConfig: true, isCustomBody: true },
      webhook: { url: outside, method: "POST", body: '{"name":"{{Name}}"}' },
    }),
    block("Code", { isExecutedOnClient: false, content: "throw new Error({{Name}})" }),
    block("Email", {
      ...{ credentialsId: "default", recipients: ["{{Name}}@example.com"], replyTo: "{{Name}} <{{Name}}@example.com>" },
      ...{ subject: "Hello {{Name}}", body: "{{Name}}" },
    }),
    block("segment", {
      ...{ action: "Track", credentialsId: segment, eventName: "{{Name}}", userId: "{{Name}}" },
    }),
    asks("choice input", { dynamicVariableId: name }),
    asks("file input"),
    asks("payment input", {
      ...{ credentialsId: stripe, amount: "12", currency: "EUR" },
      additionalInformation: { description: "{{Name}}", name: "{{Name}}", email: "{{Name}}@example.com" },
    }),
    asks("text input", {}, { id: "last" }),
    { id: "listen", type: "webhook", options: {} },
  ]);
  return {
    ...{ ...flow, variables: [...flow.variables, { id: answer, name: "Answer" }, { id: idOf("Note"), name: "Note" }] },
    settings: { general: { isGoBackEnabled: true }, answers: { isRated: true } },
  };
}

/** The corresponding flow for a messenger, in a separate bot. */
const messengerFlow = {
  ...flowOf([
    says("Your name?"),
    asks("text input", { variableId: idOf("Name") }),
    says("Hi {{Name}}", "hi"),
    asks("text input", {}, { id: "last" }),
  ]),
  settings: { messenger: { isEnabled: true }, typingEmulation: { enabled: false } },
};

type Column = { readonly table: string; readonly column: string; readonly type: string; readonly schema: string };

async function columnsOf({ sql }: TestDatabase): Promise<Column[]> {
  return sql<Column[]>`
    select table_schema as schema, table_name as table, column_name as column, udt_name as type
    from information_schema.columns
    join information_schema.tables using (table_catalog, table_schema, table_name)
    where table_type = 'BASE TABLE'
      and table_schema not in ('pg_catalog', 'information_schema')
    order by table_name, column_name`;
}

async function columnsWithWord({ sql }: TestDatabase, columns: readonly Column[]): Promise<string[]> {
  const found = new Set<string>();
  const lowered = forms.map((form) => form.toLowerCase());
  for (const [place, own] of Map.groupBy(columns, ({ schema, table }) => `${schema}.${table}`)) {
    const rows = await sql<{ column: string }[]>`
      select distinct cell.key as column
      from ${sql(place)} as stored
      cross join lateral jsonb_each_text(to_jsonb(stored)) as cell
      join unnest(${lowered}::text[]) as form on strpos(lower(cell.value), form) > 0`;
    for (const { column } of rows) found.add(`${own[0]?.table}.${column}`);
  }
  return [...found].toSorted();
}

function filesWithWord(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true });
  return paths.flatMap((file) => {
    const path = join(file.parentPath, file.name);
    return isIn(file.name) || (file.isFile() && isIn(readFileSync(path, "latin1"))) ? [path] : [];
  });
}

async function visit(client: Client, publicId: string, name: string) {
  const started = await start(
    client,
    publicId,
    { prefilledVariables: { Note: name } },
    { headers: { "Idempotency-Key": crypto.randomUUID() } },
  );
  const sessionId = started.text("sessionId");
  const callback = started.text("messages.0.content.plainText").replace("Call ", "");
  await say(client, sessionId, name);
  expect((await client.post(`/api/v1/sessions/${sessionId}/goBack`, { body: {} })).status).toBe(200);
  await say(client, sessionId, name);
  const revision = (await client.get(`/api/v1/sessions/${sessionId}`)).at("session.revision");
  const rating = { blockId: "answer", revision, isGood: false, words: `Not ${name}` };
  expect((await client.post(`/api/v1/sessions/${sessionId}/rating`, { body: rating })).status).toBe(200);
  await say(client, sessionId, name);
  const file = { fileName: `${name}.pdf`, blockId: idOf("asks file input") };
  const asked = await say(client, sessionId, await upload(client, sessionId, `A letter of ${name}`, file));
  return { resultId: started.text("resultId"), sessionId, callback, asked };
}

test("a person's texts are erased except in the documented columns", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const { sql } = database;
  const [model, stripe, segment] = [await startFakeModel(), await startFakeStripe(), await startFakeSegment()];
  const telegram = await startFakeTelegram();
  for (const fake of [model, stripe, segment, telegram]) cleanups.add(() => fake.close());
  let isAway = true;
  const receiver = await startOutside(({ path, body }, response) => {
    response.writeHead(path === "/refused" ? 400 : isAway ? 500 : 200).end(`Away: ${body}`);
  });
  cleanups.add(() => receiver.close());
  const mailServer = await startMailServer({
    replyTo: (command) => (isAway && command.startsWith("RCPT") ? `450 not now: ${command}` : undefined),
  });
  cleanups.add(() => mailServer.close());
  const folder = cleanups.folder();
  const service = await startService({
    command: commandOf("test/support/held-service.ts"),
    environment: {
      ...{ DATABASE_URL: database.url, DATABASE_POOL: "6", DATA_DIR: folder, WORKER_THREADS: "1", LOG_LEVEL: "debug" },
      ...{ RATE_LIMITS: "off", ADMIN_TOKEN: token, ENCRYPTION_KEY: "p".repeat(40), MODEL_SERVERS: model.origin },
      ...{
        PROVIDER_URLS: providerUrls([stripe, segment]),
        TELEGRAM_API_URL: telegram.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url("/", "127.0.0.1"),
      },
      ...{ SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, SMTP_FROM: "bots@example.com" },
    },
  });
  cleanups.add(() => service.signal("SIGKILL"));
  const client = createClient({ baseUrl: service.url });
  const workspaceId = (await client.post("/api/v1/workspaces", { token, body: { name: "Planted" } })).text(
    "workspace.id",
  );
  const ours = `/api/v1/workspaces/${workspaceId}`;
  const credentials = async (type: string, data: object) =>
    (await client.post(`${ours}/credentials`, { token, body: { type, name: type, data } })).text("credentials.id");
  const ids = {
    openai: await credentials("openai", { apiKey: "sk-1", baseUrl: model.baseUrl }),
    stripe: await credentials("stripe", { liveSecretKey: "sk_live_planted_key_1", livePublicKey: "pk_live_1" }),
    segment: await credentials("segment", { apiKey: "segment-write-key" }),
    outside: receiver.url("/refused"),
  };
  await client.post(`${ours}/event-endpoints`, {
    token,
    body: {
      url: receiver.url("/events"),
      eventTypes: ["result.started", "result.answered", "result.completed", "result.erased", "answer.rated"],
    },
  });
  const bot = await publish(client, { token, workspaceId }, flowWith(ids));
  const ofBot = `/api/v1/bots/${bot.botId}`;

  const messenger = await publish(client, { token, workspaceId }, messengerFlow);
  const bots = [{ botId: messenger.botId, isEnabled: true }];
  await connectTelegram({ client, token, workspaceId, botToken: telegram.token, bots });
  const contact = { id: 77, firstName: word };
  for (const text of ["hello", word]) await telegram.write(contact, text);
  await waitFor(() => telegram.shownTo(contact.id).some(isIn), patience);

  segment.fail("503", { times: 1_000 });
  const ada = await visit(client, bot.publicId, word);
  const intent = ada.asked.text("input.runtimeOptions.paymentIntentSecret");
  stripe.confirm(intent);
  expect((await say(client, ada.sessionId, "Success")).at("input.id")).toBe("last");
  const early = await client.post(new URL(ada.callback).pathname, { body: { order: word } });
  expect(early.at("isWaiting")).toBe(true);
  const ofResult = `${ofBot}/results/${ada.resultId}`;
  await client.patch(ofResult, { token, body: { note: `A friend: ${word}`, tags: [word] } });

  await waitFor(async () => {
    await sql`update results_to_read set next_at = clock()`;
    for (const task of [...resultValues(sql), insight(sql)]) while ((await task.removeSome()) > 0);
    return (await sql`select from result_values where value = ${word} limit 1`).length > 0;
  });

  const keyed = (path: string, body: object) => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    return () => client.post(path, { token, body, headers });
  };
  const dryRun = { variable: "Name", value: word, isDryRun: true };
  const requests = [
    keyed(`${ofBot}/testConversations/record`, { sessionId: ada.sessionId }),
    keyed(`${ours}/person-erasures`, dryRun),
    keyed(`${ofBot}/result-exports`, { format: "ndjson", variables: { Name: word } }),
  ];
  const first = await Promise.all(requests.map((ask) => ask()));
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
  const recorded = { conversation: first[0]?.at("conversation") };
  const saved = await client.put(`${ofBot}/testConversations/ada`, { token, body: recorded });
  expect(saved.status).toBe(200);
  const exportId = first[2]?.text("resultExport.id");
  const reads = async (path: string) =>
    (await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${token}` } })).text();
  const exported = `${ofBot}/result-exports/${exportId}/file`;
  await waitFor(async () => isIn(await reads(exported)), patience);
  await waitFor(async () => {
    const [waits] = await sql<[{ isThere: boolean }]>`
      select (select count(distinct job_id) from job_logs) >= 3
        and exists (select from event_deliveries where last_response is not null) as is_there`;
    return waits.isThere;
  }, patience);
  const columns = await columnsOf(database);
  const planted = await columnsWithWord(database, columns);
  const tables = new Set(planted.map((column) => column.slice(0, column.indexOf("."))));
  // Every table of results and sessions with texts must have contained the word, or be listed with a reason why it
  // cannot.
  const texts = columns.filter(({ type }) => ["text", "json", "jsonb", "_text"].includes(type));
  const ofChats = columns.filter(({ column }) => column === "result_id" || column === "session_id");
  const named = ofChats.filter(({ table }) => texts.some((text) => text.table === table)).map(({ table }) => table);
  expect(named.filter((table) => !tables.has(table) && !(table in wordless))).toEqual([]);
  expect(["results", "steps", "test_conversations", "result_exports"].filter((table) => !tables.has(table))).toEqual(
    [],
  );
  const bytes = columns.filter(({ type, column }) => type === "bytea" && !column.endsWith("hash"));
  expect(bytes.map(({ table, column }) => `${table}.${column}`).filter((name) => !(name in sealed))).toEqual([]);
  expect(filesWithWord(folder)).toHaveLength(2);

  const erased = await client.post(`${ours}/person-erasures`, { token, body: { ...dryRun, isDryRun: false } });
  expect(erased.at("personErasure")).toMatchObject({ outcome: "erased", results: 2 });
  const [mails, calls] = [mailServer.mails.length, receiver.requests.length];
  const asked = [model, stripe, segment].map((fake) => fake.asked.length);
  const outputs = [JSON.stringify(erased.body)];
  const left = await columnsWithWord(database, columns);

  isAway = false;
  segment.recover();
  for (const ask of requests) outputs.push(JSON.stringify((await ask()).body));
  for (const path of [ofResult, `${ofResult}/logs`, `${ofResult}/files`, `${ofResult}/transcript`, exported]) {
    outputs.push(await reads(path));
  }
  for (const path of [
    `${ofBot}/results?timeFilter=allTime`,
    `${ofBot}/insight`,
    `${ofBot}/results/export?format=ndjson`,
  ]) {
    outputs.push(await reads(path));
  }
  outputs.push(
    await reads(`/api/v1/sessions/${ada.sessionId}`),
    await reads(`${ours}/audit`),
    await reads(`${ours}/person-erasures`),
  );
  await visit(client, bot.publicId, "ben");
  const arrived = () => receiver.requests.slice(calls).filter(({ path }) => path === "/events");
  await waitFor(() => mailServer.mails.length > mails && arrived().some(({ body }) => body.includes("ben")), patience);
  await waitFor(() => segment.asked.slice(asked[2]).some(({ text }) => text.includes("ben")), patience);
  const storage = openStorage(readConfig({ DATA_DIR: folder }));
  for (const task of [...uploadedFiles(sql, storage), endedExports(sql, storage), insight(sql)]) {
    while ((await task.removeSome()) > 0);
  }
  await endService(service);

  expect(left).toEqual(Object.keys(kept));
  expect(await columnsWithWord(database, columns)).toEqual(Object.keys(kept));
  expect(filesWithWord(folder)).toEqual([]);
  // A dry run prints its own arguments.
  expect(outputs.map((text) => text.replace(`"comparedValue":"${word}"`, "")).filter(isIn)).toEqual([]);
  expect([service.stdout(), service.stderr()].map(isIn)).toEqual([false, false]);
  const sent = [...mailServer.mails.slice(mails), ...receiver.requests.slice(calls)].map((one) => JSON.stringify(one));
  const said = [model, stripe, segment].flatMap((fake, index) =>
    fake.asked.slice(asked[index]).map(({ text }) => text),
  );
  expect([...sent, ...said].filter(isIn)).toEqual([]);
  expect(sent.some((one) => one.includes("result.erased"))).toBe(true);
});
