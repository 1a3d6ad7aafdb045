import { afterEach, expect, test } from "bun:test";
import { createClient } from "./support/client.ts";
import { createTestDatabase } from "./support/database.ts";
import { cleanupStack, endService, startService } from "./support/service.ts";
import { waitFor } from "./support/wait.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

test("a service tries to deliver an endpoint's events, and reaches nothing of the inner network", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const token = "an administrator's token";
  const service = await startService({
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: token,
      ENCRYPTION_KEY: "the key of this one test, long enough".replaceAll(" ", "-"),
    },
  });
  cleanups.add(() => endService(service));
  const client = createClient({ baseUrl: service.url });
  const workspace = await client.post("/api/v1/workspaces", { token, body: { name: "Events" } });
  const path = `/api/v1/workspaces/${workspace.text("workspace.id")}/event-endpoints`;
  const endpoint = await client.post(path, { token, body: { url: "https://example.com/" } });
  // As if its name had come to lead here, or the operator had closed the host again.
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
