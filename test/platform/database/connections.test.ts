import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { findShortage, nameConnections } from "../../../src/platform/database/connections.sql.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { testConnections } from "../../support/postgres.ts";
import { cleanupStack } from "../../support/service.ts";

let database: TestDatabase;
const cleanups = cleanupStack();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(cleanups.run);

/** Starts a node that may open `pools` connections, and that has opened two of them. */
async function startNode(pools: number): Promise<{ sql: Sql; name: string }> {
  const { url, name } = nameConnections(database.url, pools);
  const sql = connect(url, { connections: 2 });
  cleanups.add(() => sql.end());
  await Promise.all([sql`select 1`, sql`select 1`]);
  return { sql, name };
}

test("no shortage is reported if the server has enough connections for a node", async () => {
  const { sql, name } = await startNode(16);

  expect(await findShortage(sql, name)).toBeUndefined();
});

test("a node with too many connections is advised to lower DATABASE_POOL", async () => {
  const { sql, name } = await startNode(testConnections);

  const sentence = await findShortage(sql, name);

  expect(sentence).toContain(`but this node may open ${testConnections + 5}`);
  expect(sentence).toContain("or more, or lower DATABASE_POOL");
});

test("the suggested max_connections includes other nodes' connections", async () => {
  await startNode(150);
  await startNode(150);
  const { sql, name } = await startNode(150);

  const sentence = await findShortage(sql, name);

  // Other tests may run nodes on this server at the same time.
  const [, nodes = 0, others = 0, needed = 0] =
    /and (\d+) other nodes (\d+): set its max_connections to (\d+) or more/.exec(sentence ?? "")?.map(Number) ?? [];
  expect(nodes).toBeGreaterThanOrEqual(2);
  expect(others).toBeGreaterThanOrEqual(310);
  expect(needed).toBeGreaterThanOrEqual(155 + others);
});

test("a connection name that the operator configured is kept", () => {
  const url = "postgres://parley@db/parley?application_name=chat";

  expect(nameConnections(url, 16).url).toBe(url);
});
