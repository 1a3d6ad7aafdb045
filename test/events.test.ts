import { afterAll, beforeAll, expect, test } from "bun:test";
import { nameAndEmail, publish, say, start } from "./support/chat.ts";
import { createClient } from "./support/client.ts";
import { createTestDatabase, type TestDatabase } from "./support/database.ts";
import { cleanupStack, endService, type Service, startService } from "./support/service.ts";
import { waitFor } from "./support/wait.ts";

const cleanups = cleanupStack();
afterAll(cleanups.run);

const token = "an administrator's token";

let service: Service;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  cleanups.add(database.close);
  service = await startService({
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: token,
      ENCRYPTION_KEY: "the key of this one test, long enough".replaceAll(" ", "-"),
    },
  });
  cleanups.add(() => endService(service));
});

test("a delivery of an event to 127.0.0.1 fails", async () => {
  const client = createClient({ baseUrl: service.url });
  const workspace = await client.post("/api/v1/workspaces", { token, body: { name: "Events" } });
  const path = `/api/v1/workspaces/${workspace.text("workspace.id")}/event-endpoints`;
  const endpoint = await client.post(path, { token, body: { url: "https://example.com/" } });
  // Simulates a name that now resolves to this machine, or a host that the operator has blocked.
  await database.sql`update event_endpoints set url = 'http://127.0.0.1:9999/'`;
  const place = `${path}/${endpoint.text("eventEndpoint.id")}`;

  await client.post(`${place}/test`, { token });

  const delivery = await waitFor(async () => {
    const log = await client.get(`${place}/deliveries`, { token });
    return log.at("deliveries.0.attempts") === 1 && log.at("deliveries.0");
  });
  expect(delivery).toMatchObject({ type: "ping", status: "pending", lastError: "This address is not public" });
  const metrics = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await metrics.text()).toContain('parley_events_attempts_total{outcome="retried"} 1');
});

test("a process that has saved steps begins to save events for a new endpoint", async () => {
  const client = createClient({ baseUrl: service.url });
  const workspace = async (): Promise<string> =>
    (await client.post("/api/v1/workspaces", { token, body: { name: "Events" } })).text("workspace.id");
  const chats = async (workspaceId: string): Promise<void> => {
    const { publicId } = await publish(client, { token, workspaceId }, nameAndEmail);
    const begin = async (): Promise<string> => (await start(client, publicId)).text("sessionId");
    await say(client, await begin(), "Ada");
    const several = await Promise.all(Array.from({ length: 8 }, begin));
    await Promise.all(several.map((sessionId) => say(client, sessionId, "Ada")));
  };
  await chats(await workspace());
  const listening = await workspace();
  const path = `/api/v1/workspaces/${listening}/event-endpoints`;
  const endpoint = await client.post(path, {
    token,
    body: { url: "https://example.com/", eventTypes: ["result.started", "result.answered"] },
  });

  await chats(listening);

  const log = await client.get(`${path}/${endpoint.text("eventEndpoint.id")}/deliveries?limit=100`, { token });
  const types = Map.groupBy(log.list("deliveries"), (_, index) => log.text(`deliveries.${index}.type`));
  expect([...types].map(([type, all]) => [type, all.length]).sort()).toEqual([
    ["result.answered", 9],
    ["result.started", 9],
  ]);
});
