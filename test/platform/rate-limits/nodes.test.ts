import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { asks, flowOf, publish } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long-test.ts";
import { cleanupStack, endService, type Service, startService } from "../../support/service.ts";

/** The timeout is long, because several processes start and share the cores of the machine. */
setDefaultTimeout(240_000);

const token = "the administrator of all processes";
const burst = 20;
const perSecond = 10;
const floodMs = 6_000;
const cleanups = cleanupStack();
let database: TestDatabase;
let four: Service;
let one: Service;

beforeAll(async () => {
  database = await createTestDatabase();
  cleanups.add(database.close);
  const start = async (processes: number): Promise<Service> => {
    const service = await startService({
      environment: {
        DATABASE_URL: database.url,
        DATA_DIR: cleanups.folder(),
        ADMIN_TOKEN: token,
        PROCESSES: String(processes),
        WORKER_THREADS: String(processes),
        RATE_LIMITS: `bot.starts=${perSecond}/s:${burst}`,
      },
    });
    cleanups.add(() => endService(service));
    return service;
  };
  [four, one] = await Promise.all([start(4), start(1)]);
}, 240_000);
afterAll(cleanups.run);

/** Starts chats of a new bot at the nodes as fast as they respond, on connections that lead to any process. */
async function flood(nodes: readonly Service[]): Promise<{ admitted: number; refused: number; seconds: number }> {
  const client = createClient({ baseUrl: four.url });
  const made = await client.post("/api/v1/workspaces", { token, body: { name: "Flooded" } });
  const place = { token, workspaceId: made.text("workspace.id") };
  const { publicId } = await publish(client, place, flowOf([asks("text input")]));
  const statuses: number[] = [];
  const since = performance.now();
  const visit = async (_: unknown, visitor: number): Promise<void> => {
    while (performance.now() - since < floodMs) {
      const response = await fetch(`${nodes[visitor % nodes.length]?.url}/api/v1/bots/${publicId}/startChat`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
        body: "{}",
        keepalive: false,
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: 16 }, visit));
  const counted = (status: number) => statuses.filter((one) => one === status).length;
  expect(counted(200) + counted(429)).toBe(statuses.length);
  return { admitted: counted(200), refused: counted(429), seconds: (performance.now() - since) / 1000 };
}

/**
 * The bound from the comment of `sharing.ts`. On a busy machine a statement is slow, so both directions together may
 * take a second.
 */
const promised = (processes: number, seconds: number): number =>
  processes * (1.25 * burst + perSecond * 2) + perSecond * (seconds + 1) * (1 + processes / 64);

test("four processes of one node admit less than four times the limit", async () => {
  const { admitted, refused, seconds } = await flood([four]);

  expect(admitted).toBeLessThanOrEqual(promised(4, seconds));
  expect(admitted).toBeGreaterThanOrEqual(Math.min(burst, admitted + refused));
  expect(promised(4, seconds)).toBeLessThan(4 * (burst + perSecond * seconds));
});

longTest("two nodes with five processes in all admit less than five times the limit", async () => {
  const { admitted, seconds } = await flood([four, one]);

  expect(admitted).toBeLessThanOrEqual(promised(5, seconds));
  expect(promised(5, seconds)).toBeLessThan(5 * (burst + perSecond * seconds));
});

test("the keys of rate limits in the database contain neither addresses nor ids", async () => {
  const rows = await database.sql<{ key: string }[]>`select key from rate_limit_debts`;
  expect(rows.length).toBeGreaterThanOrEqual(1);
  for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/);
});

test("each node logs once that private addresses are not limited", () => {
  for (const node of [four, one]) expect(node.stderr().match(/not limited by address/g)).toHaveLength(1);
});
