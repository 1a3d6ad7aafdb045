import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { migrations } from "../../src/platform/database/migrations.ts";
import { nameAndEmail, publish } from "../support/chat.ts";
import { createClient, valueAt } from "../support/client.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { cleanupStack, endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterAll(cleanups.run);

/** Several nodes on one empty database, started in parallel. */
let database: TestDatabase;
let nodes: readonly Service[];
let token: string;
/** The databases of two idle nodes: one with a single process, and one with two processes. */
let idle: readonly TestDatabase[];

beforeAll(async () => {
  database = await createDatabase();
  idle = [await createDatabase(), await createDatabase()];
  [nodes] = await Promise.all([
    Promise.all([1, 2, 3].map(() => startNode(database))),
    ...idle.map((own, index) => startNode(own, { PROCESSES: String(index + 1) })),
  ]);
  token = nodes.flatMap((node) => node.stdout().match(/parley_[\w-]{43}/g) ?? [])[0] ?? "none";
}, 90_000);

async function createDatabase(): Promise<TestDatabase> {
  const made = await createEmptyDatabase();
  cleanups.add(made.close);
  return made;
}

/** Starts a node with a separate data folder. */
async function startNode({ url }: TestDatabase, environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const node = await startService({
    environment: {
      DATABASE_URL: url,
      DATABASE_POOL: "4",
      DATA_DIR: cleanups.folder(),
      WORKER_THREADS: "1",
      ...environment,
    },
  });
  cleanups.add(() => endService(node));
  return node;
}

async function publishOn(node: Service): Promise<{ botId: string; publicId: string }> {
  const client = createClient({ baseUrl: node.url });
  const made = await client.post("/api/v1/workspaces", { token, body: { name: "Nodes" } });
  return publish(client, { token, workspaceId: made.text("workspace.id") }, nameAndEmail);
}

const countOf = async ({ sql }: TestDatabase, table: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from ${sql(table)}`;
  return row.count;
};

test("three nodes that start simultaneously migrate a database once", async () => {
  const tokens = nodes.flatMap((node) => node.stdout().match(/parley_[\w-]{43}/g) ?? []);
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

test("a node immediately serves a version published on another node", async () => {
  const [one, other] = nodes.map(({ url }) => createClient({ baseUrl: url }));
  const [publisher] = nodes;
  if (!one || !other || !publisher) throw new Error("Three nodes were asked for");
  const { publicId } = await publishOn(publisher);

  const started = await other.post(`/api/v1/bots/${publicId}/startChat`, { body: {} });
  const path = `/api/v1/sessions/${started.text("sessionId")}/continueChat`;
  const second = await one.post(path, { body: { message: "Ana" } });
  const last = await other.post(path, { body: { message: "ana@example.com" } });

  expect(second.at("messages.*.content.plainText")).toEqual(["Hello Ana, and your e-mail?"]);
  expect(last.at("messages.*.content.plainText")).toEqual(["Thank you"]);
});

test("a node that is stopped under load finishes its requests", async () => {
  const before = { sessions: await countOf(database, "sessions"), answers: await countOf(database, "answers") };
  const [stopping, staying] = nodes;
  if (!stopping || !staying) throw new Error("Three nodes were asked for");
  const { publicId } = await publishOn(stopping);
  const problems: string[] = [];
  const told = { starts: 0, replies: 0 };
  let turn = 0;
  let isOver = false;

  /**
   * Sends requests to the nodes in turn. If a stopping node has not accepted the connection, the request is sent to
   * another node.
   */
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
  const until = told.replies + 50;
  await waitFor(() => told.replies >= until);
  isOver = true;
  await visitors;

  expect(problems).toEqual([]);
  expect(exitCode).toBe(0);
  expect(await countOf(database, "sessions")).toBe(before.sessions + told.starts);
  expect(await countOf(database, "answers")).toBe(before.answers + told.replies);
});

test("an idle node runs at most two database transactions per second", async () => {
  await Promise.all(idle.map(asksLittle));
});

/**
 * Waits until the nodes have sent few statements for some seconds. Statements of the start are counted late, and
 * housekeeping runs in between.
 */
async function asksLittle({ sql }: TestDatabase): Promise<void> {
  const transactions = async (): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select (xact_commit + xact_rollback)::int as count
      from pg_stat_database
      where datname = current_database()`;
    return row.count;
  };
  const isLittle = async (): Promise<boolean> => {
    const [before, since] = [await transactions(), performance.now()];
    await waitFor(() => performance.now() - since > 5_000);
    const seconds = (performance.now() - since) / 1_000;
    // The test's own first query is a transaction, too.
    const asked = (await transactions()) - before - 1;
    return asked > 0 && asked <= 2 * seconds;
  };
  await waitFor(isLittle, { withinMs: 60_000, what: "five seconds with ten questions at most" });
}
