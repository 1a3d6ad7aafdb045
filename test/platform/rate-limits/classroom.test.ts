import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { asks, flowOf, publish, says } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createTestDatabase } from "../../support/database.ts";
import { cleanupStack, endService, type Service, startService } from "../../support/service.ts";

/** The timeout is long, because several processes start and share the cores of the machine. */
setDefaultTimeout(240_000);

const token = "the administrator of the school";
const visitors = sizeOf({ short: 100, long: 300 });
const questions = 3;
const cleanups = cleanupStack();
const nodes: Service[] = [];
let publicId: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const start = async (processes: number): Promise<Service> => {
    const node = await startService({
      environment: {
        DATABASE_URL: database.url,
        DATA_DIR: cleanups.folder(),
        ADMIN_TOKEN: token,
        PROCESSES: String(processes),
        WORKER_THREADS: String(processes),
        // The test acts as the proxy, behind which all pupils share the school's address.
        TRUSTED_PROXIES: "127.0.0.1",
      },
    });
    cleanups.add(() => endService(node));
    return node;
  };
  nodes.push(...(await Promise.all([2, 1].map(start))));
  const client = createClient({ baseUrl: nodes[0]?.url ?? "" });
  const made = await client.post("/api/v1/workspaces", { token, body: { name: "School" } });
  const asking = flowOf([
    says("Again?"),
    asks("text input"),
    { id: "again", type: "Jump", options: { groupId: idOf("g0") } },
  ]);
  ({ publicId } = await publish(client, { token, workspaceId: made.text("workspace.id") }, asking));
}, 240_000);
afterAll(cleanups.run);

/**
 * Simulates one visitor who alternates between two nodes, as behind a balancer: the page, a start, a reload with a
 * second start, and answers.
 */
async function visit(_: unknown, visitor: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  const send = async (path: string, body?: object): Promise<string> => {
    const node = nodes[(visitor + statuses.length) % nodes.length];
    const headers = { "X-Forwarded-For": "203.0.113.7", "Content-Type": "application/json" };
    const posted = body && { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${node?.url}${path}`, { ...posted, headers });
    statuses.push(response.status);
    return response.text();
  };
  const load = async (): Promise<string> => {
    await send(`/${publicId}`);
    const { sessionId } = JSON.parse(await send(`/api/v1/bots/${publicId}/startChat`, {}));
    return sessionId;
  };
  await load();
  const sessionId = await load();
  for (let turn = 0; turn < questions; turn++) {
    await send(`/api/v1/sessions/${sessionId}/continueChat`, { message: `Answer ${turn}` });
  }
  return statuses;
}

test(`${visitors} visitors behind one address chat at two nodes with three processes in total, and reach no limit`, async () => {
  const statuses = (await Promise.all(Array.from({ length: visitors }, visit))).flat();

  expect(statuses).toHaveLength(visitors * (4 + questions));
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  const figures = await Promise.all(nodes.map(async ({ url }) => limitedBy(url)));
  expect(figures).toEqual([429, 429]);
});

/** Returns the status for an address with more wrong tokens than allowed. */
async function limitedBy(url: string): Promise<number> {
  const headers = { "X-Forwarded-For": "203.0.113.7", Authorization: "Bearer parley_wrong" };
  const tries = await Promise.all(Array.from({ length: 400 }, () => fetch(`${url}/api/v1/users/me`, { headers })));
  return Math.max(...tries.map(({ status }) => status));
}
