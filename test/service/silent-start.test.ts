import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { withMigrationLock } from "../../src/platform/database/schema/migrate.sql.ts";
import { casesOf } from "../support/campaigns.ts";
import { flowOf, publish, says } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, endService, runCommand, startService } from "../support/service.ts";

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  cleanups.add(database.close);
  // A first start has no time limit.
  await endService(await startService({ environment: settings(database.url) }));
});
afterAll(cleanups.run);

function settings(url: string): Readonly<Record<string, string>> {
  return {
    ADMIN_TOKEN: "the administrator of all nodes",
    DATABASE_URL: url,
    DATA_DIR: cleanups.folder(),
    APP_PORT: "0",
    WORKER_THREADS: "1",
  };
}

const statements: Readonly<Record<string, RegExp>> = {
  "the first statement": /^\s*select 1$/,
  "the server's version": /server_version_num/,
  "the list of migrations": /select name, hash from migrations/,
  "the administrator": /where is_administrator/,
  "the connections of other nodes": /with nodes as/,
  "the version of the queue's tables": /SELECT version from pgboss\.version/,
  "the script that makes a queue": /pgboss\.create_queue/,
  "the schedules": /FROM pgboss\.schedule/,
};
/** One statement before the migrations, one of the service, and one of the queue. */
const inShort = ["the first statement", "the administrator", "the schedules"];

test("a start ends with a message if the database does not answer a statement", async () => {
  const ends = casesOf(statements, inShort).map(async ([what, statement]) => {
    const proxy = await openDatabaseProxy(database.url);
    cleanups.add(proxy.close);
    const fault = proxy.inject({ kind: "silence", statement, times: 1 });
    const { exitCode, stderr } = await runCommand(["serve"], { environment: settings(proxy.url) });
    return { what, met: fault.met(), exitCode, stderr };
  });
  for (const end of await Promise.all(ends)) {
    expect(end).toMatchObject({ met: 1, exitCode: 1 });
    expect(end.stderr, end.what).toContain(
      "The database cannot be used: it cannot be reached (The database has not responded within 20000 ms).",
    );
  }
});

longTest("a first start waits over 20 seconds for the tables of the queue", async () => {
  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const proxy = await openDatabaseProxy(empty.url);
  cleanups.add(proxy.close);
  const late = proxy.inject({ kind: "delay", statement: /CREATE TABLE pgboss\.version/, ms: 21_000, times: 1 });

  const service = await startService({ environment: settings(proxy.url) });

  expect(late.met()).toBe(1);
  await endService(service);
});

test("a start without new migrations does not wait for the migration lock", async () => {
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = withMigrationLock(database.sql, async () => {
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const service = await startService({ environment: settings(database.url) });
  release.resolve();
  await holding;
  await endService(service);
});

test("a chat starts although the first read of its flow gets no response", async () => {
  const first = await startService({ environment: settings(database.url) });
  const token = settings(database.url)["ADMIN_TOKEN"] ?? "";
  const author = createClient({ baseUrl: first.url });
  const made = await author.post("/api/v1/workspaces", { token, body: { name: "Silence" } });
  const owner = { token, workspaceId: made.text("workspace.id") };
  const { publicId } = await publish(author, owner, flowOf([says("Hello")]));
  await endService(first);
  const proxy = await openDatabaseProxy(database.url);
  cleanups.add(proxy.close);
  // The second node has not cached any flow.
  const second = await startService({ environment: settings(proxy.url) });
  const visitor = createClient({ baseUrl: second.url });
  const fault = proxy.inject({ kind: "silence", statement: /select content::text as content\s+from flows/, times: 1 });

  const started = await visitor.post(`/api/v1/bots/${publicId}/startChat`, { body: {} });

  expect([fault.met(), started.status]).toEqual([1, 200]);
  await endService(second);
});
