import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../src/platform/database/migrations.ts";
import { nameAndEmail, publish } from "./support/chat.ts";
import { createClient, valueAt } from "./support/client.ts";
import { createEmptyDatabase, type TestDatabase } from "./support/database.ts";
import { cleanupStack, endService, type Service, startService } from "./support/service.ts";
import { waitFor } from "./support/wait.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const adminToken = "the administrator of all nodes";

/** Nodes on one database, started at once; each has a folder of its own. */
async function startNodes(count: number, environment: Readonly<Record<string, string>> = {}) {
  const database = await createEmptyDatabase();
  cleanups.add(database.close);
  const folder = cleanups.folder();
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const node = await startService({
        environment: {
          DATABASE_URL: database.url,
          DATABASE_POOL: "4",
          DATA_DIR: join(folder, String(index)),
          WORKER_THREADS: "1",
          ...environment,
        },
      });
      cleanups.add(() => endService(node));
      return node;
    }),
  );
  return { database, nodes };
}

async function publishOn(node: Service, token: string): Promise<{ botId: string; publicId: string }> {
  const client = createClient({ baseUrl: node.url });
  const made = await client.post("/api/v1/workspaces", { token, body: { name: "Nodes" } });
  return publish(client, { token, workspaceId: made.text("workspace.id") }, nameAndEmail);
}

const countOf = async ({ sql }: TestDatabase, table: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from ${sql(table)}`;
  return row.count;
};

test("three nodes that start at once on an empty database migrate it once and make one first token", async () => {
  const { database, nodes } = await startNodes(3);

  const tokens = nodes.flatMap((node) => node.stdout().match(/parley_[\w-]{43}/g) ?? []);
  const [token = "none"] = tokens;
  const statuses = await Promise.all(
    nodes.map(async ({ url }) => {
      const answer = await createClient({ baseUrl: url }).get("/api/v1/users/me", { token });
      return answer.status;
    }),
  );

  expect(tokens).toHaveLength(1);
  expect(statuses).toEqual([200, 200, 200]);
  expect(await countOf(database, "migrations")).toBe(migrations.length);
  expect(await countOf(database, "users")).toBe(1);
});

test("what one node publishes every node serves at once, and a chat goes from node to node", async () => {
  const { nodes } = await startNodes(2, { ADMIN_TOKEN: adminToken });
  const [one, other] = nodes.map(({ url }) => createClient({ baseUrl: url }));
  const [publisher] = nodes;
  if (!one || !other || !publisher) throw new Error("Two nodes were asked for");
  const { publicId } = await publishOn(publisher, adminToken);

  const started = await other.post(`/api/v1/bots/${publicId}/startChat`, { body: {} });
  const path = `/api/v1/sessions/${started.text("sessionId")}/continueChat`;
  const second = await one.post(path, { body: { message: "Ana" } });
  const last = await other.post(path, { body: { message: "ana@example.com" } });

  expect(second.at("messages.*.content.plainText")).toEqual(["Hello Ana, and your e-mail?"]);
  expect(last.at("messages.*.content.plainText")).toEqual(["Thank you"]);
});

test("a node that is stopped under load finishes what it has taken, and the others take the rest", async () => {
  const { database, nodes } = await startNodes(2, { ADMIN_TOKEN: adminToken });
  const [stopping, staying] = nodes;
  if (!stopping || !staying) throw new Error("Two nodes were asked for");
  const { publicId } = await publishOn(stopping, adminToken);
  const problems: string[] = [];
  const told = { starts: 0, replies: 0 };
  let turn = 0;
  let isOver = false;

  /** Asks the nodes in turn. A connection that a stopping node has not taken comes to nothing: another node is asked. */
  const ask = async (path: string, body: object): Promise<unknown> => {
    turn++;
    const key = crypto.randomUUID();
    let isAgain = false;
    for (const url of turn % 2 === 0 ? [stopping.url, staying.url] : [staying.url]) {
      try {
        const response = await fetch(`${url}${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": key },
          body: JSON.stringify(body),
          keepalive: false,
        });
        if (response.status !== 200) problems.push(`${response.status} ${await response.text()}`);
        if (isAgain && response.headers.has("idempotency-replayed")) problems.push("An answer was cut off");
        return await response.json();
      } catch (error) {
        isAgain = true;
        if (url === staying.url) problems.push(String(error));
      }
    }
    return undefined;
  };
  const visit = async (): Promise<void> => {
    while (!isOver) {
      const started = await ask(`/api/v1/bots/${publicId}/startChat`, {});
      told.starts++;
      await ask(`/api/v1/sessions/${String(valueAt(started, "sessionId"))}/continueChat`, { message: "Ana" });
      told.replies++;
    }
  };
  const visitors = Promise.all(Array.from({ length: 8 }, visit));

  await waitFor(() => told.replies >= 100);
  stopping.signal("SIGTERM");
  const exitCode = await stopping.exited;
  const before = told.replies;
  await waitFor(() => told.replies >= before + 50);
  isOver = true;
  await visitors;

  expect(problems).toEqual([]);
  expect(exitCode).toBe(0);
  expect(await countOf(database, "sessions")).toBe(told.starts);
  expect(await countOf(database, "answers")).toBe(told.replies);
});

test.each(["1", "2"])(
  "a node of PROCESSES=%s without work asks the database at most two small questions a second",
  async (processes) => {
    const { database, nodes } = await startNodes(1, { PROCESSES: processes });
    const transactions = async (): Promise<number> => {
      const [row] = await database.sql<[{ count: number }]>`
      select (xact_commit + xact_rollback)::int as count
      from pg_stat_database
      where datname = current_database()`;
      return row.count;
    };
    const asksLittle = async (): Promise<boolean> => {
      const [before, since] = [await transactions(), performance.now()];
      await waitFor(() => performance.now() - since > 5_000);
      const seconds = (performance.now() - since) / 1_000;
      // The first look here is a transaction, too.
      const asked = (await transactions()) - before - 1;
      return asked > 0 && asked <= 2 * seconds;
    };

    expect(nodes).toHaveLength(1);
    // Statements from the start are counted late, and rounds of housekeeping come in between.
    await waitFor(asksLittle, { withinMs: 60_000, what: "five seconds with ten questions at most" });
  },
);
