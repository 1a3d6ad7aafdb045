import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Operation } from "../../../src/routes/http/operation.ts";
import { isErrorCode } from "../../../src/routes/http/validation.ts";
import { operations } from "../../../src/routes/operations.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { noteError } from "../../support/contract.ts";
import { testKey } from "../../support/events.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { type CallerName, callerNames, makePeople, type People, tokensFor } from "./callers.ts";
import { makePlace, nowhere, type Place } from "./place.ts";
import { expectedOutcome, type Outcome, rights } from "./rights.ts";
import { type Call, type Row, rows } from "./rows.ts";

// Every operation of the table × everybody who may call it. A new operation fails until it has a row in rows.ts.

let api: TestApi;
let threads: Threads;
let people: People;
let tokens: Awaited<ReturnType<typeof tokensFor>>;
let tables: readonly string[];

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" },
    resolveTxt: async () => [],
    safeFetch: async () => ({ status: 200, text: '{ "data": [] }' }),
  });
  people = await makePeople(api);
  const { admin, administrator } = people;
  const elsewhereId = await api.makeWorkspace(admin, { [administrator.userId]: "ADMIN" });
  tokens = await tokensFor(api, people, elsewhereId);
  const named = await api.deps.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  tables = named.map(({ name }) => name);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const compatiblePaths = new Set(operations.flatMap(({ compatible }) => (compatible ? [nameOf(compatible)] : [])));
const own = operations.filter((operation) => !compatiblePaths.has(nameOf(operation)));
const cells = own.flatMap((operation) =>
  (rows[nameOf(operation)] ?? []).flatMap((row) =>
    [operation, ...(operation.compatible ? [operation.compatible] : [])].map((called) => ({
      name: `${nameOf(called)}${row.what === undefined ? "" : ` (${row.what})`}`,
      operation: called,
      row,
    })),
  ),
);

test("every operation of the table has a row, and every row an operation", () => {
  expect(Object.keys(rows).toSorted()).toEqual(own.map(nameOf).toSorted());
  expect(new Set(cells.map(({ operation }) => nameOf(operation))).size).toBe(operations.length);
  const refused = cells.flatMap(({ row }) => callerNames.filter((caller) => outcomeFor(caller, row) !== "ok"));
  const all = cells.length * callerNames.length;
  process.stdout.write(
    `Authorisation: ${operations.length} operations in ${cells.length} ways × ${callerNames.length} callers = ${all} calls, ` +
      `${all - refused.length} allowed and ${refused.length} refused\n`,
  );
  expect(all).toBeGreaterThan(1_500);
});

test("every POST of the management API keeps its answer for an Idempotency-Key", () => {
  const posts = operations.filter(({ method, host, bodyType }) => method === "POST" && host !== "chat" && !bodyType);
  const keyless = posts.filter(({ errors }) => !errors.includes("idempotency.key_invalid"));
  expect(keyless.map(nameOf)).toEqual([]);
});

test("every operation of the management API that writes is audited", () => {
  const silent = own.filter(({ method, host, isAudited }) => method !== "GET" && host !== "chat" && !isAudited);
  expect(silent.map(nameOf).toSorted()).toEqual([
    // It calls the block of a chat that listens, as a visitor's step would.
    "POST /api/v1/bots/:botId/blocks/:blockId/results/:resultId/executeWebhook",
    // The same in a preview.
    "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook",
    // The log of change sets tells who changed what, word for word.
    "POST /api/v1/bots/:botId/changes",
    // These only try something, or show it.
    "POST /api/v1/bots/:botId/impact",
    "POST /api/v1/bots/:botId/testConversations/record",
    "POST /api/v1/bots/:botId/testConversations/run",
    "POST /api/v1/storage/check",
    "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test",
    // It says where somebody is in a draft, for a minute.
    "PUT /api/v1/bots/:botId/presence",
    // It changes a preview, of which nothing is kept.
    "PUT /api/v1/sessions/:sessionId/variables",
  ]);
});

test.each(cells)("$name", async ({ operation, row }) => {
  const { call = () => ({}) } = row;
  const expected = Object.fromEntries(callerNames.map((caller) => [caller, outcomeFor(caller, row)]));
  const actual: Record<string, Outcome> = {};
  const place = await makePlace(api, people);
  const prepared = await call(place);
  const bound = await boundTo(place);
  const send = async (caller: CallerName, what: Call, tokenHere = bound) =>
    (await answerTo(operation, what, tokenOf(caller, tokenHere))).outcome;

  const before = await everythingStored();
  for (const caller of callerNames) {
    if (expected[caller] !== "ok") actual[caller] = await send(caller, prepared);
  }
  expect(await everythingStored()).toEqual(before);
  for (const caller of callerNames) {
    if (expected[caller] !== "ok") continue;
    if (operation.method === "GET") actual[caller] = await send(caller, prepared);
    else {
      const fresh = await makePlace(api, people);
      actual[caller] = await send(caller, await call(fresh), await boundTo(fresh));
    }
  }

  expect(actual).toEqual(expected);
});

const hidden = new Set<Outcome>(Object.values(rights).map((right) => right.hidden));

test.each(cells.filter(({ row }) => hidden.has(outcomeFor("ADMIN elsewhere", row))))(
  "$name tells a stranger the same of what is not theirs and of what is not there",
  async ({ operation, row }) => {
    const { call = () => ({}) } = row;
    const token = tokens["ADMIN elsewhere"];

    const foreign = await answerTo(operation, await call(await makePlace(api, people)), token);
    const absent = await answerTo(operation, await call(nowhere()), token);

    expect(foreign.told).toEqual(absent.told);
  },
);

test.each(cells.filter(({ row }) => row.right.startsWith("bot: ")))(
  "$name lets strangers to a shared bot glance, and nothing else",
  async ({ operation, row }) => {
    const { call = () => ({}) } = row;
    const place = await makePlace(api, people);
    const prepared = await call(place);
    await api.deps.sql`
      update bots set settings = '{"publicShare":{"isEnabled":true}}' where workspace_id = ${place.workspaceId}`;
    const { outcome } = await answerTo(operation, prepared, tokens["ADMIN elsewhere"]);

    expect(outcome).toBe(row.right === "bot: glance" ? "ok" : "bot.not_found");
  },
);

function outcomeFor(caller: CallerName, { scope, right, but }: Row): Outcome {
  return but?.[caller] ?? expectedOutcome(caller, scope, right);
}

function tokenOf(caller: CallerName, tokenHere: string): string | undefined {
  return caller === "ADMIN, bound here" ? tokenHere : tokens[caller];
}

function boundTo({ workspaceId }: Place): Promise<string> {
  return api.makeToken(people.admin.userId, { workspaceId });
}

async function answerTo(operation: Operation, call: Call, token: string | undefined) {
  const key = operation.errors.includes("idempotency.in_doubt") ? crypto.randomUUID() : undefined;
  const response = await api.handle(requestOf(operation, call, { token, key }));
  const text = await response.text();
  if (response.status === 200) {
    expect(await auditedAs(response)).toEqual(
      operation.isAudited ? [{ name: ownNameOf(operation), outcome: "done" }] : [],
    );
    if (key !== undefined) await expectReplay(requestOf(operation, call, { token, key }), text);
    return { outcome: "ok" as const, told: text };
  }
  const { requestId: _, ...told } = JSON.parse(text);
  if (!isErrorCode(told.code) || !operation.errors.includes(told.code)) throw new Error(`Undocumented: ${text}`);
  noteError(told.code);
  return { outcome: told.code, told };
}

/** What was done is not done again under the same key, and answered as it was; nothing is written, so nothing is audited. */
async function expectReplay(request: Request, text: string): Promise<void> {
  const again = await api.handle(request);
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
  expect(await again.text()).toBe(text);
  expect(await auditedAs(again)).toEqual([]);
}

/** What the audit log says of the call that got this response. */
async function auditedAs(response: Response): Promise<unknown> {
  const rows = await api.deps.sql`
    select operation as name, outcome from audit_entries where request_id = ${response.headers.get("x-request-id")}`;
  return [...rows];
}

/** As the audit log names it, on compatible paths as well. */
function ownNameOf({ method, path }: Operation): string {
  return `${method} ${path}`
    .replace("/typebots", "/bots")
    .replaceAll("linkedTypebots", "linkedBots")
    .replaceAll("updateTypebot", "updateBot")
    .replaceAll(":typebotId", ":botId")
    .replaceAll(/:(\w+)/g, "{$1}");
}

function requestOf(
  { method, path, params: schema }: Operation,
  call: Call,
  { token, key }: { token: string | undefined; key: string | undefined },
): Request {
  const values = call.params ?? {};
  const isCompatible = path.includes("/typebots");
  const filled = Object.keys(schema.properties).reduce((filling, name) => {
    const value = values[isCompatible ? name.replace("typebotId", "botId") : name];
    if (value === undefined) throw new Error(`The row of ${path} has no ${name}`);
    return filling.replace(`:${name}`, encodeURIComponent(value));
  }, path);
  const query = new URLSearchParams(call.query).toString();
  const headers = new Headers({ "Content-Type": call.text?.type ?? "application/json" });
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (key !== undefined) headers.set("Idempotency-Key", key);
  const body = call.text?.content ?? JSON.stringify(inDialect(call.body ?? {}, isCompatible));
  return new Request(`http://localhost${filled}${query && `?${query}`}`, {
    method,
    headers,
    ...(method === "GET" ? {} : { body }),
  });
}

function inDialect(body: object, isCompatible: boolean): object {
  if (!isCompatible || !("bot" in body)) return body;
  const { bot, ...rest } = body;
  return { ...rest, typebot: bot };
}

/** A digest of each table. When a token was last used is noted for refused calls, too. */
async function everythingStored(): Promise<unknown> {
  const { sql } = api.deps;
  const digests = tables.map(
    (name) => sql`
      select ${name} as name, md5(string_agg(text, '' order by text)) as digest
      from (select (to_jsonb(rows) - 'last_used_at')::text as text from ${sql(name)} as rows) as texts
      union all`,
  );
  const rows = await sql<{ name: string; digest: string }[]>`${digests} select '', ''`;
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
