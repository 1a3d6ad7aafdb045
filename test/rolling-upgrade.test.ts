import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { createCallbackTokens } from "../src/chat/reads/callback-addresses.ts";
import { findOlderNodes } from "../src/platform/database/connections.sql.ts";
import { migrations } from "../src/platform/database/migrations.ts";
import { listeningFlow } from "./chat/callbacks/listening.ts";
import { nameAndEmail, publish, say, start } from "./support/chat.ts";
import { createClient, valueAt } from "./support/client.ts";
import { createEmptyDatabase } from "./support/database.ts";
import { findLastRelease, unpackRelease } from "./support/last-release.ts";
import { cleanupStack, endService, runCommand, type Service, startService } from "./support/service.ts";
import { waitFor } from "./support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const firstSealed = 1 + migrations.findIndex(({ name }) => name.endsWith("_sealed_callback_addresses"));
const adminToken = "the administrator of all nodes";
const release = findLastRelease();
const beside = release?.slice(0, 7) ?? "nothing: the history does not go back to the last release";

test.skipIf(release === undefined)(
  `this version and the last release (${beside}) serve the same chats beside each other`,
  async () => {
    const command = unpackRelease(release ?? "", cleanups.folder());
    const database = await createEmptyDatabase();
    cleanups.add(database.close);
    const environment = () => ({
      DATABASE_URL: database.url,
      DATABASE_POOL: "4",
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: adminToken,
      WORKER_THREADS: "1",
      LOG_LEVEL: "warn",
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
    await endService(before);
    const isGone = async () => (await findOlderNodes(database.sql, firstSealed)).length === 0;
    await waitFor(() => knowsSealed || isGone());
    // A node keeps for 15 seconds which others are connected: this one asks for the first time.
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
    // A release that has brought no migration goes on beside the next.
    if (older.migrations === migrations.length) return;
    const refused = await runCommand(["serve"], { command, environment: environment() });
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain("The database belongs to a newer release");
  },
);

async function startNode(options: Parameters<typeof startService>[0]): Promise<Service> {
  const node = await startService(options);
  cleanups.add(() => endService(node));
  return node;
}

/** Starts a chat at a node, and goes on to where it waits for a call. */
async function chatWithAddress(url: string, publicId: string) {
  const client = createClient({ baseUrl: url, isOtherRelease: true });
  const started = await start(client, publicId);
  const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
  await say(client, sessionId, "1");
  const address = started.text("messages.0.content.plainText");
  const target = { botId: started.text("bot.id"), blockId: "listen", resultId, sessionId, previewedBy: null };
  return { token: address.slice(address.lastIndexOf("/") + 1), target };
}

/** What a call says at a node: its message, or the code of its error. */
async function callAt(url: string, token: string): Promise<unknown> {
  const client = createClient({ baseUrl: url, isOtherRelease: true });
  const answer = await client.post(`/api/v1/callbacks/${token}`, { body: { order: "A-17" } });
  return answer.at("code") ?? answer.at("message");
}

/** Ask a node after the other, each request with a key; where one cannot read a newer node's chat the next is asked, as clients do. */
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
