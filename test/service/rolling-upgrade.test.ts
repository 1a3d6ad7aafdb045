import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { createCallbackTokens } from "../../src/chat/reads/callback-addresses.ts";
import { findOlderNodes } from "../../src/platform/database/connections.sql.ts";
import { migrations } from "../../src/platform/database/migrations.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { listeningFlow } from "../chat/callbacks/listening.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient, valueAt } from "../support/client.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { findLastRelease, unpackRelease } from "../support/last-release.ts";
import { moveClock } from "../support/moved-clock.ts";
import { startOutside } from "../support/outside.ts";
import { cleanupStack, endService, runCommand, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";
import { visitor } from "../support/web-page.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const firstSealed = 1 + migrations.findIndex(({ name }) => name.endsWith("_sealed_callback_addresses"));
const adminToken = "the administrator of all nodes";
const release = findLastRelease();
const beside = release?.slice(0, 7) ?? "nothing: the history does not go back to the last release";

test.skipIf(release === undefined)(
  `this version and the last release (${beside}) serve the same chats concurrently`,
  async () => {
    const command = unpackRelease(release ?? "", cleanups.folder());
    const database = await createEmptyDatabase();
    cleanups.add(database.close);
    const slow = await startSlowService(database.sql);
    const environment = () => ({
      DATABASE_URL: database.url,
      DATABASE_POOL: "4",
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: adminToken,
      WORKER_THREADS: "1",
      LOG_LEVEL: "warn",
      ENCRYPTION_KEY: "rolling".repeat(6),
      PROVIDER_URLS: `nocodb=${slow.server.url("", "127.0.0.1")}`,
    });
    const before = await startNode({ command, environment: environment() });
    const client = createClient({ baseUrl: before.url, isOtherRelease: true });
    const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Rolling" } });
    const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
    const { botId, publicId } = await publish(client, owner, nameAndEmail);
    const nodes = [before.url];
    const visitors = startVisitors(nodes, publicId);
    await visitors.moreReplies(30);

    const [older] = await database.sql<[{ migrations: number }]>`select count(*)::int as migrations from migrations`;

    const now = await startNode({ environment: environment() });
    nodes.push(now.url);
    await visitors.moreReplies(200);
    const callbacks = await publish(client, owner, listeningFlow());
    const [atOlder, atNewer] = [
      await chatWithAddress(before.url, callbacks.publicId),
      await chatWithAddress(now.url, callbacks.publicId),
    ];
    const knowsSealed = older.migrations >= firstSealed;
    const sealed = await createCallbackTokens(database.sql).tokenFor(atNewer.target);
    expect(atNewer.token.startsWith("2.")).toBe(knowsSealed);
    expect(await callAt(before.url, sealed)).toBe(knowsSealed ? "OK" : "callback.not_found");
    expect(await callAt(now.url, atOlder.token)).toBe("OK");
    expect(await callAt(before.url, atNewer.token)).toBe("OK");
    const goesOnLater = await chatWithAddress(before.url, callbacks.publicId);
    nodes.shift();
    await visitors.moreReplies(30);
    await visitors.end();
    await keepTimes({ sql: database.sql, slow, owner, urls: [before.url, now.url] });
    await answerForms({ sql: database.sql, owner, urls: [before.url, now.url] });
    await askForLanguages([before.url, now.url]);
    await endService(before);
    const isGone = async () => (await findOlderNodes(database.sql, firstSealed)).length === 0;
    await waitFor(() => knowsSealed || isGone());
    // A node caches the list of connected nodes for 15 seconds, so the test starts a node that checks for the first
    // time.
    const alone = await startNode({ environment: environment() });
    const later = await chatWithAddress(alone.url, callbacks.publicId);
    expect(later.token).toStartWith("2.");
    for (const { token } of [later, goesOnLater]) expect(await callAt(now.url, token)).toBe("OK");

    expect(visitors.problems).toEqual([]);
    expect(visitors.served.size).toBe(2);
    const [counted] = await database.sql<[{ sessions: number; answers: number; migrations: number }]>`
      select
        (select count(*)::int from sessions where bot_id = ${botId}) as sessions,
        (select count(*)::int from answers where bot_id = ${botId}) as answers,
        (select count(*)::int from migrations) as migrations`;
    const { starts, replies } = visitors.told;
    expect(counted).toEqual({ sessions: starts, answers: replies, migrations: migrations.length });
    // A release without a migration runs alongside the next release.
    if (older.migrations === migrations.length) return;
    const refused = await runCommand(["serve"], { command, environment: environment() });
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain("The database belongs to a newer release");
  },
);

/**
 * Checks timeouts across releases. On each node, a chat asks a question after a slow call, and continues by itself on
 * either node. This release counts the timeout from the moment at which the question is shown. Earlier releases counted
 * from the start of the step.
 */
async function keepTimes({ sql, slow, owner, urls }: Rolling): Promise<void> {
  const [older, newer] = urls.map((baseUrl) => createClient({ baseUrl, isOtherRelease: true }));
  if (!older || !newer) throw new Error("There are two nodes");
  const account = { type: "nocodb", name: "Table", data: { apiKey: "any-key" } };
  const credentials = `/api/v1/workspaces/${owner.workspaceId}/credentials`;
  const made = await newer.post(credentials, { token: owner.token, body: account });
  const timeout = { after: seconds.question, outgoingEdgeId: idOf("e1") };
  const flow = flowOf(
    [
      asks("text input", { variableId: idOf("Name") }),
      {
        id: "call",
        type: "nocodb",
        options: {
          ...{ action: "Create Record", credentialsId: made.text("credentials.id"), tableId: "table" },
          fields: [{ key: "Name", value: "{{Name}}" }],
        },
      },
      asks("number input", { timeout }),
    ],
    [says("Are you there?"), asks("email input")],
  );
  const { publicId, botId } = await publish(newer, owner, flow);
  const chats: { readonly sessionId: string; readonly other: Client }[] = [];
  for (const [client, other] of [
    [older, newer],
    [newer, older],
  ] as const) {
    // There are two chats: the first is answered in time at the other node, and the second is not answered.
    for (const isAnswered of [true, false]) {
      const sessionId = (await start(client, publicId)).text("sessionId");
      const asked = await say(client, sessionId, "Ana");
      const [row] = await sql<[{ given: number }]>`
        select extract(epoch from due - created_at)::float as given from due_steps where session_id = ${sessionId}`;
      // An older release may have counted the call's time, too. Its timeout is therefore not checked, but its chats
      // must continue.
      if (client === newer) expect(Math.round(row.given / 20) * 20).toBe(seconds.question);
      expect(asked.at("input.type")).toBe("number input");
      if (isAnswered) await say(other, sessionId, "1");
      else chats.push({ sessionId, other });
    }
  }
  await slow.move(seconds.question);
  for (const { sessionId, other } of chats) {
    const type = async () => (await other.get(`/api/v1/sessions/${sessionId}`)).at("session.input.type");
    await waitFor(async () => (await type()) === "email input", { withinMs: 60_000 });
    const body = { message: "ana@example.com", afterRevision: 3 };
    expect((await other.post(`/api/v1/sessions/${sessionId}/continueChat`, { body })).status).toBe(200);
  }
  const [left] = await sql<[{ count: number }]>`select count(*)::int as count from due_steps`;
  expect(left.count).toBe(0);
  const path = `/api/v1/bots/${botId}/impact`;
  const body = { bot: { ...flow, groups: flow.groups.map((group) => ({ ...group, title: `${group.title} again` })) } };
  const impact = await newer.post(path, { token: owner.token, body });
  expect(impact.body).toMatchObject({ results: chats.length * 2, same: chats.length * 2, notReplayable: [] });
}

/**
 * Renders pages without scripts at one node, and posts them to the other. Each answer must count once, a form in an
 * outdated window must answer nothing, and a visitor must be able to undo answers of either node.
 */
async function answerForms({ sql, owner, urls }: Omit<Rolling, "slow">): Promise<void> {
  const [older = "", newer = ""] = urls;
  const flow = flowOf([
    ...[says("Name?"), asks("text input", { variableId: idOf("Name") }), says("Mail?"), asks("email input")],
    ...[says("How many?"), asks("number input")],
  ]);
  const settings = { general: { isGoBackEnabled: true } };
  const client = createClient({ baseUrl: newer, isOtherRelease: true });
  for (const [drawnAt, postedAt] of [
    [older, newer],
    [newer, older],
  ] as const) {
    const { publicId, botId } = await publish(client, owner, { ...flow, settings });
    let url = drawnAt;
    const browser = visitor({ handle: (request) => askAt(url, request) });
    const first = await browser.visit(`/${publicId}`);
    url = postedAt;
    const second = await browser.post(first, { text: "Ana" });
    url = drawnAt;
    const third = await browser.post(second, { text: "ana@example.com" });
    url = postedAt;
    await browser.post(second, { text: "other@example.com" });
    const back = await browser.post(third, {}, "Change last answer");
    url = drawnAt;
    const last = await browser.post(back, { text: "new@example.com" });

    expect([second, third, back, last].map(({ said }) => said.at(-1))).toEqual([
      ...["bot: Mail?", "bot: How many?", "bot: Mail?", "bot: How many?"],
    ]);
    const stored = await sql<{ content: string }[]>`
      select content from answers where bot_id = ${botId} and replaced_at is null order by revision`;
    expect(stored.map(({ content }) => content)).toEqual(["Ana", "new@example.com"]);
  }
}

/**
 * Requests language files across releases. Embedded chats of each node request the files of the other node, and chats
 * of a third release request the files of both.
 */
async function askForLanguages(urls: readonly string[]): Promise<void> {
  const named = await Promise.all(urls.map(languageFiles));
  expect(named.at(-1)?.length).toBeGreaterThanOrEqual(13);
  const ofThird = named.flat().map((name) => name.replace(/-\w+(?=\.js$)/, "-0ther000"));
  // Older releases do not name their language files.
  const asked = urls
    .filter((_, index) => named[index]?.length)
    .flatMap((url) => [...named.flat(), ...ofThird].map((name) => `${url}/assets/chat/${name}`));
  for (const address of asked) {
    const response = await fetch(address);
    expect({ address, status: response.status }).toEqual({ address, status: 200 });
    expect(await response.text()).toContain("as default}");
  }
}

/** Returns the language files that the embedded chat of a node may load. */
async function languageFiles(url: string): Promise<readonly string[]> {
  const textOf = async (path: string) => (await fetch(url + path)).text();
  const [chat = ""] = /\/assets\/chat\/chat-\w+\.js/.exec(await textOf("/embed.js")) ?? [];
  const named = (await textOf(chat)).matchAll(/import\("\.\/([a-z]{2}(?:-[A-Z]{2})?-\w+\.js)"\)/g);
  return [...named].map(([, name = ""]) => name);
}

async function askAt(url: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = method === "POST" ? await request.text() : null;
  return fetch(`${url}${pathname}${search}`, { method, headers, body, redirect: "manual" });
}

type Rolling = {
  readonly sql: Sql;
  readonly slow: Awaited<ReturnType<typeof startSlowService>>;
  readonly owner: { readonly token: string; readonly workspaceId: string };
  readonly urls: readonly string[];
};

const seconds = { call: 40, question: 60 };

/** Starts an external server whose responses are slow by the clock of the database. */
async function startSlowService(sql: Sql) {
  let moved = 0;
  const move = (by: number): Promise<void> => {
    moved += by;
    return moveClock(sql, moved);
  };
  const server = await startOutside(async (_, response) => {
    await move(seconds.call);
    response.end('{"Id":1}');
  });
  cleanups.add(server.close);
  return { server, move };
}

async function startNode(options: Parameters<typeof startService>[0]): Promise<Service> {
  const node = await startService(options);
  cleanups.add(() => endService(node));
  return node;
}

async function chatWithAddress(url: string, publicId: string) {
  const client = createClient({ baseUrl: url, isOtherRelease: true });
  const started = await start(client, publicId);
  const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
  await say(client, sessionId, "1");
  const address = started.text("messages.0.content.plainText");
  const target = { botId: started.text("bot.id"), blockId: "listen", resultId, sessionId, previewedBy: null };
  return { token: address.slice(address.lastIndexOf("/") + 1), target };
}

async function callAt(url: string, token: string): Promise<unknown> {
  const client = createClient({ baseUrl: url, isOtherRelease: true });
  const answer = await client.post(`/api/v1/callbacks/${token}`, { body: { order: "A-17" } });
  return answer.at("code") ?? answer.at("message");
}

/**
 * Sends requests to the nodes in turn, each with a key. If a node cannot read a newer node's chat, the request is sent
 * to the next node, as clients do.
 */
function startVisitors(nodes: readonly string[], publicId: string) {
  const problems: string[] = [];
  const served = new Set<string>();
  const told = { starts: 0, replies: 0 };
  let turn = 0;
  let isOver = false;
  const askOnce = async (path: string, init: RequestInit): Promise<unknown> => {
    const url = nodes[turn++ % nodes.length] ?? "";
    const response = await fetch(`${url}${path}`, init);
    const body: unknown = await response.json();
    if (response.status === 200) served.add(url);
    else if (valueAt(body, "code") !== "server.newer_state") problems.push(JSON.stringify(body));
    return response.status === 200 ? body : undefined;
  };
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await askOnce(path, init)) ?? (await askOnce(path, init)) ?? problems.push(`${path} was not served`);
  };
  const visit = async (): Promise<void> => {
    while (!isOver && problems.length === 0) {
      const started = await ask(`/api/v1/bots/${publicId}/startChat`, {});
      told.starts++;
      const path = `/api/v1/sessions/${String(valueAt(started, "sessionId"))}/continueChat`;
      for (const message of ["Ana", "ana@example.com"]) {
        await ask(path, { message });
        told.replies++;
      }
    }
  };
  const visitors = Promise.all(Array.from({ length: 5 }, visit));
  return {
    problems,
    served,
    told,
    async moreReplies(count: number): Promise<void> {
      const before = told.replies;
      await waitFor(() => problems.length > 0 || told.replies >= before + count, { withinMs: 60_000 });
    },
    async end(): Promise<void> {
      isOver = true;
      await visitors;
    },
  };
}
