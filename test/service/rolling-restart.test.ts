import { afterEach, expect, setDefaultTimeout } from "bun:test";
import { startBalancer } from "../support/balancer.ts";
import { nameAndEmail, publish } from "../support/chat.ts";
import { createClient, valueAt } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const adminToken = "the administrator of all nodes";
/**
 * The number of processes of each node. One node is a single process. The other is a supervisor with processes to
 * drain.
 */
const nodeProcesses = [1, 2];

/** Starts the nodes behind a balancer that never sends a request twice. */
async function startCluster() {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const folders = nodeProcesses.map(() => cleanups.folder());
  /** Starts a node. A restarted node uses the same port. */
  const start = async (index: number, port = "0"): Promise<Service> => {
    const service = await startService({
      environment: {
        PORT: port,
        DATABASE_URL: database.url,
        DATABASE_POOL: "16",
        DATA_DIR: folders[index] ?? "",
        ADMIN_TOKEN: adminToken,
        WORKER_THREADS: String(nodeProcesses[index]),
        PROCESSES: String(nodeProcesses[index]),
        // Far longer than any machine needs, because the test ends the drain with a second signal once the balancer has
        // noticed.
        DRAIN_SECONDS: "600",
      },
    });
    cleanups.add(() => service.signal("SIGKILL"));
    return service;
  };
  const nodes = await Promise.all(nodeProcesses.map((_, index) => start(index)));
  const balancer = startBalancer(() => nodes.map(({ url }) => url), { checkEveryMs: 20 });
  cleanups.add(balancer.close);
  await waitFor(() => balancer.inRotation().length === nodeProcesses.length);
  return { database, nodes, start, balancer };
}

/** Runs chats through the URL until the test ends them. Any response other than 200 is a problem. */
function startVisitors(url: string, publicId: string) {
  const problems: string[] = [];
  const told = { starts: 0, replies: 0 };
  let isOver = false;
  const ask = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) problems.push(`${response.status} ${await response.text()}`);
    return response.status === 200 ? response.json() : undefined;
  };
  const visit = async (): Promise<void> => {
    while (!isOver) {
      const started = await ask(`/api/v1/bots/${publicId}/startChat`, {});
      told.starts++;
      const path = `/api/v1/sessions/${String(valueAt(started, "sessionId"))}/continueChat`;
      for (const message of ["Ana", "ana@example.com"]) {
        await ask(path, { message });
        told.replies++;
      }
    }
  };
  const visitors = Promise.all(Array.from({ length: 8 }, visit));
  return {
    problems,
    told,
    async moreReplies(count: number): Promise<void> {
      const before = told.replies;
      await waitFor(() => told.replies >= before + count, { withinMs: 60_000 });
    },
    async end(): Promise<void> {
      isOver = true;
      await visitors;
    },
  };
}

longTest("no request fails while nodes behind a balancer are restarted in turn", async () => {
  const { database, nodes, start, balancer } = await startCluster();
  const [first] = nodes;
  const client = createClient({ baseUrl: first?.url ?? "" });
  const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Rolling" } });
  const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
  const { publicId } = await publish(client, owner, nameAndEmail);
  const visitors = startVisitors(balancer.url, publicId);
  await visitors.moreReplies(50);

  for (const [index, node] of nodes.entries()) {
    node.signal("SIGTERM");
    const signalledAt = performance.now();
    await waitFor(() => !balancer.inRotation().includes(node.url), { what: "the balancer to leave the node" });
    // The node's idle connections may stay open, but are no longer used.
    await visitors.moreReplies(50);
    await waitFor(() => performance.now() - signalledAt > 1_100);
    expect((await fetch(`${node.url}/api/healthz`)).headers.get("connection")).toBe("close");
    node.signal("SIGTERM");
    expect(await node.exited).toBe(0);

    const next = await start(index, new URL(node.url).port);
    nodes[index] = next;
    await waitFor(() => balancer.inRotation().length === nodeProcesses.length, { what: "the balancer to come back" });
    await visitors.moreReplies(50);
  }
  await visitors.end();
  for (const node of nodes) {
    cleanups.add(() => endService(node));
    node.signal("SIGINT");
  }

  expect([...visitors.problems, ...balancer.failures]).toEqual([]);
  expect(balancer.counts.reused).toBeGreaterThan(balancer.counts.opened);
  const [counted] = await database.sql<[{ sessions: number; answers: number }]>`
      select
        (select count(*)::int from sessions) as sessions,
        (select count(*)::int from answers) as answers`;
  expect(counted).toEqual({ sessions: visitors.told.starts, answers: visitors.told.replies });
});
