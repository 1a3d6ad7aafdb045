import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Operation } from "../../../../src/management/operations/operation.ts";
import { eventsType } from "../../../../src/platform/http/event-stream.ts";
import { isErrorCode } from "../../../../src/platform/http/validation.ts";
import { operations } from "../../../../src/service/operations.ts";
import { createTestApi, type TestApi } from "../../../support/api.ts";
import { noteError } from "../../../support/contract.ts";
import { testKey } from "../../../support/events.ts";
import { cookieOf, putSignIn } from "../../../support/sign-ins.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";
import {
  type CallerName,
  type CookieCaller,
  callerNames,
  cookieCallers,
  makePeople,
  type People,
  tokensFor,
} from "./callers.ts";
import { makePlace, nowhere, type Place } from "./place.ts";
import { requestOf } from "./requests.ts";
import { expectedOutcome, type Outcome, rights } from "./rights.ts";
import { type Call, type Row, rows } from "./rows.ts";
import { type WrittenTables, watchTables } from "./written.ts";

let api: TestApi;
let threads: Threads;
let people: People;
let tokens: Awaited<ReturnType<typeof tokensFor>>;
let written: WrittenTables;
let builder: ReturnType<TestApi["openBuilder"]>;
let cookies: Readonly<Record<string, Credentials>>;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" },
    resolveTxt: async () => [],
    safeFetch: async () => ({ status: 200, text: '{ "data": [] }' }),
  });
  builder = api.openBuilder();
  people = await makePeople(api);
  const { admin, administrator } = people;
  const elsewhereId = await api.makeWorkspace(admin, { [administrator.userId]: "ADMIN" });
  tokens = await tokensFor(api, people, elsewhereId);
  cookies = await makeCookies();
  written = await watchTables(api.deps.sql);
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

test("the authorization table has a row for every operation", () => {
  expect(Object.keys(rows).toSorted()).toEqual(own.map(nameOf).toSorted());
  expect(new Set(cells.map(({ operation }) => nameOf(operation))).size).toBe(operations.length);
  const refused = cells.flatMap(({ row }) => callerNames.filter((caller) => outcomeFor(caller, row) !== "ok"));
  const all = cells.length * (callerNames.length + Object.keys(cookieCallers).length);
  process.stdout.write(
    `Authorisation: ${operations.length} operations in ${cells.length} ways × ${callerNames.length} callers with tokens, of which ` +
      `${refused.length} calls are refused, and ${Object.keys(cookieCallers).length} with cookies = ${all} calls\n`,
  );
  expect(all).toBeGreaterThan(1_500);
});

test("the table watch lists each changed table", async () => {
  const { sql } = api.deps;
  const { userId } = await api.makeUser();
  const changes = [
    { change: sql`update users set name = 'Else' where id = ${userId}`, expected: ["users"] },
    { change: sql`update api_tokens set last_used_at = now() where user_id = ${userId}`, expected: [] },
    { change: sql`delete from users where id = ${userId}`, expected: ["api_tokens", "users"] },
    { change: sql`truncate audit_entries`, expected: ["audit_entries"] },
  ];
  for (const { change, expected } of changes) {
    await written.forget();
    await change;
    expect(await written.changed()).toEqual(expected);
  }
  await written.forget();
  const passing = await api.makeUser();
  expect(await written.changed()).toEqual(["api_tokens", "users"]);
  await sql`delete from users where id = ${passing.userId}`;
  expect(await written.changed()).toEqual([]);
  const all = await sql`select from pg_tables where schemaname = 'public'`;
  expect(written.tables).toHaveLength(all.length);
});

test("every management POST except signing in documents an invalid Idempotency-Key", () => {
  const posts = operations.filter(({ method, host, bodyType }) => method === "POST" && host !== "chat" && !bodyType);
  const keyless = posts.filter(({ errors }) => !errors.includes("idempotency.key_invalid"));
  // These operations sign people in, so their responses are not stored under a key.
  expect(keyless.map(nameOf).toSorted()).toEqual([
    "POST /api/v1/sign-in/email",
    "POST /api/v1/sign-in/email-code",
    "POST /api/v1/sign-in/link",
    "POST /api/v1/sign-in/token",
  ]);
});

test("the list of operations that are not audited is complete", () => {
  const silent = own.filter(({ method, host, isAudited }) => method !== "GET" && host !== "chat" && !isAudited);
  expect(silent.map(nameOf).toSorted()).toEqual([
    // Calls the block of a listening chat, as a visitor's step would.
    "POST /api/v1/bots/:botId/blocks/:blockId/results/:resultId/executeWebhook",
    // The corresponding call in a preview.
    "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook",
    // The log of change sets records who changed what, in full.
    "POST /api/v1/bots/:botId/changes",
    // These operations change no stored data.
    "POST /api/v1/bots/:botId/channelPreview",
    "POST /api/v1/bots/:botId/impact",
    "POST /api/v1/bots/:botId/testConversations/record",
    "POST /api/v1/bots/:botId/testConversations/run",
    "POST /api/v1/bots/import/check",
    // Messengers call this operation to report messages of contacts.
    "POST /api/v1/channels/:connectionId/webhook",
    "POST /api/v1/sessions/:sessionId/passTime",
    // Sends a code to any valid address. No user is signed in yet.
    "POST /api/v1/sign-in/email",
    "POST /api/v1/storage/check",
    "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/check",
    "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test",
    // A listener polls twice a second, and changes only pending data.
    "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/receive",
    // These operations only change data of the caller.
    "PUT /api/v1/bots/:botId/comments/seen",
    "PUT /api/v1/bots/:botId/presence",
    // Changes only a preview.
    "PUT /api/v1/sessions/:sessionId/variables",
  ]);
});

const hidden = new Set<Outcome>(Object.values(rights).map((right) => right.hidden));

test.each(cells)("each caller gets the expected outcome of $name", async ({ operation, row }) => {
  const { call = () => ({}) } = row;
  const expected: Record<string, Outcome> = Object.fromEntries(
    callerNames.map((caller) => [caller, outcomeFor(caller, row)]),
  );
  for (const [name, cookie] of Object.entries(cookieCallers)) expected[name] = outcomeWith(cookie, row);
  const actual: Record<string, Outcome> = {};
  const audits: Audit[] = [];
  // A sign-out ends the sign-in of its caller, so each row of this operation needs new sign-ins.
  const signIns = operation.id === "signOut" ? await makeCookies() : cookies;
  let place = await makePlace(api, people);
  let bound = await boundTo(place);
  const prepared = await call(place);
  const send = (caller: string, what: Call) => {
    const tokensHere: Readonly<Record<string, string | undefined>> = { ...tokens, "ADMIN, bound here": bound };
    return answerTo(operation, what, signIns[caller] ?? withToken(tokensHere[caller]));
  };
  const isStrange = hidden.has(outcomeFor("ADMIN elsewhere", row));

  await written.forget();
  for (const caller of Object.keys(expected).filter((name) => expected[name] !== "ok")) {
    const { outcome, told } = await send(caller, prepared);
    actual[caller] = outcome;
    if (caller !== "ADMIN elsewhere" || !isStrange) continue;
    // A stranger gets the same response for foreign and for missing objects.
    const absent = await send(caller, await call(nowhere()));
    expect(told).toEqual(absent.told);
  }
  expect(await written.changed()).toEqual([]);
  if (row.right.startsWith("bot: ")) {
    // Strangers may glance at a shared bot, but have no other right.
    await shareBots(place, true);
    const glance = await send("ADMIN elsewhere", prepared);
    expect(glance.outcome).toBe(row.right === "bot: glance" ? "ok" : "bot.not_found");
    audits.push(...glance.audits);
    await shareBots(place, false);
  }
  let isUsed = false;
  for (const caller of Object.keys(expected).filter((name) => expected[name] === "ok")) {
    let answer = await send(caller, isUsed ? await call(place) : prepared);
    if (isUsed && answer.outcome !== "ok") {
      // An earlier call used up an object that this call needs, so the call is repeated with new objects.
      place = await makePlace(api, people);
      bound = await boundTo(place);
      answer = await send(caller, await call(place));
    }
    isUsed = operation.method !== "GET";
    actual[caller] = answer.outcome;
    audits.push(...answer.audits);
  }

  expect(actual).toEqual(expected);
  expect(await auditedAs(audits)).toEqual(audits);
});

function outcomeFor(caller: CallerName, { scope, right, but }: Row): Outcome {
  return but?.[caller] ?? expectedOutcome(caller, scope, right);
}

/**
 * Returns the expected outcome for a caller with a cookie. On the builder's own page, a valid cookie makes the caller
 * the ADMIN. Any other cookie is ignored.
 */
function outcomeWith({ headers, ...cookie }: CookieCaller, row: Row): Outcome {
  const isOwnPage = headers === cookieCallers["own page"].headers && cookie.isMain === undefined;
  const isSignedIn = isOwnPage && !cookie.isOld && !cookie.isGone;
  if (isOwnPage && row.onOwnPage) return isSignedIn ? row.onOwnPage.signedIn : row.onOwnPage.nobody;
  return outcomeFor(isSignedIn ? "ADMIN" : "no token", row);
}

type Credentials = {
  readonly headers: Readonly<Record<string, string>>;
  handle(request: Request): Promise<Response>;
};

function withToken(token: string | undefined): Credentials {
  return { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` }, handle: api.handle };
}

async function makeCookies(): Promise<Readonly<Record<string, Credentials>>> {
  const made = Object.entries(cookieCallers).map(async ([name, cookie]) => [name, await withCookie(cookie)] as const);
  return Object.fromEntries(await Promise.all(made));
}

async function withCookie({ headers, isMain, isOld, isGone }: CookieCaller): Promise<Credentials> {
  const { userId } = people.admin;
  const { id, secret } = await putSignIn(api.deps.sql, userId, { daysAgo: isOld ? 31 : 0 });
  if (isGone) await api.deps.sql`delete from sign_ins where id = ${id}`;
  return { headers: { ...headers, ...cookieOf(secret) }, handle: isMain ? api.handle : builder.handle };
}

async function shareBots({ workspaceId }: Place, isEnabled: boolean): Promise<void> {
  await api.deps.sql`
    update bots
    set settings = settings::jsonb || jsonb_build_object('publicShare', jsonb_build_object('isEnabled', ${isEnabled}::boolean))
    where workspace_id = ${workspaceId}`;
}

function boundTo({ workspaceId }: Place): Promise<string> {
  return api.makeToken(people.admin.userId, { workspaceId });
}

async function answerTo(operation: Operation, call: Call, { headers, handle }: Credentials) {
  const key = operation.errors.includes("idempotency.in_doubt") ? crypto.randomUUID() : undefined;
  const response = await handle(requestOf(operation, call, { headers, key }));
  const text = await textOf(response);
  if (response.status === 200) {
    const entries = operation.isAudited ? [{ name: ownNameOf(operation), outcome: "done" }] : [];
    const audits: Audit[] = [{ requestId: requestIdOf(response), entries }];
    const isSignedOut = operation.id === "signOut";
    if (key !== undefined && !isSignedOut)
      audits.push(await expectReplay(handle, requestOf(operation, call, { headers, key }), text));
    return { outcome: "ok" as const, told: text, audits };
  }
  const { requestId: _, ...told } = JSON.parse(text);
  if (!isErrorCode(told.code) || !operation.errors.includes(told.code)) throw new Error(`Undocumented: ${text}`);
  noteError(told.code);
  return { outcome: told.code, told, audits: [] };
}

/** A stream lasts for minutes, so only its beginning is read. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith(eventsType)) return response.text();
  await response.body?.cancel();
  return "";
}

/** Expects that a call with the same key is not repeated, gets the same response, and is not audited. */
async function expectReplay(handle: Credentials["handle"], request: Request, text: string): Promise<Audit> {
  const again = await handle(request);
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
  expect(await again.text()).toBe(text);
  return { requestId: requestIdOf(again), entries: [] };
}

/** A successful request, and its entries in the audit log. */
type Audit = { readonly requestId: string; readonly entries: readonly { name: string; outcome: string }[] };

function requestIdOf(response: Response): string {
  const id = response.headers.get("x-request-id");
  if (id === null) throw new Error("A response has no id");
  return id;
}

async function auditedAs(audits: readonly Audit[]): Promise<readonly Audit[]> {
  const rows = await api.deps.sql<{ requestId: string; name: string; outcome: string }[]>`
    select request_id, operation as name, outcome
    from audit_entries
    where request_id = any(${audits.map(({ requestId }) => requestId)})`;
  return audits.map(({ requestId }) => ({
    requestId,
    entries: rows.filter((row) => row.requestId === requestId).map(({ name, outcome }) => ({ name, outcome })),
  }));
}

/** Returns the name of the operation in the audit log, also for compatible paths. */
function ownNameOf({ method, path }: Operation): string {
  return `${method} ${path}`
    .replace("/typebots", "/bots")
    .replaceAll("linkedTypebots", "linkedBots")
    .replaceAll("updateTypebot", "updateBot")
    .replaceAll(":typebotId", ":botId")
    .replaceAll(/:(\w+)/g, "{$1}");
}
