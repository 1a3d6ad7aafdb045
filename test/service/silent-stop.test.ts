import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { isLong } from "../support/campaigns.ts";
import { flowOf, publish, says } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { type InjectedFault, openDatabaseProxy } from "../support/database-proxy.ts";
import { temporaryFolder } from "../support/folder.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const adminToken = "the administrator of all nodes";

type Silent = { readonly service: Service; readonly fault: InjectedFault };

/**
 * Starts a service whose statement gets no response once the service is ready. With `isEarly`, the silence already
 * begins during the start.
 */
async function startWithSilence(statement: RegExp, { isEarly = false } = {}): Promise<Silent> {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const proxy = await openDatabaseProxy(database.url);
  cleanups.add(proxy.close);
  const folder = temporaryFolder();
  cleanups.add(folder.remove);
  const early = isEarly ? proxy.inject({ kind: "silence", statement }) : undefined;
  const environment = {
    ADMIN_TOKEN: adminToken,
    DATABASE_URL: proxy.url,
    DATA_DIR: folder.path,
    APP_PORT: "0",
    WORKER_THREADS: "1",
  };
  const service = await startService({ environment });
  cleanups.add(() => endService(service));
  return { service, fault: early ?? proxy.inject({ kind: "silence", statement }) };
}

/**
 * Expects an orderly stop: no work was cut off, and the stopping service did not wait as long as a running service
 * does.
 */
async function expectOrderlyStop({ service }: Silent): Promise<void> {
  expect(await service.exited).toBe(0);
  expect(service.stderr()).toContain("The database has not responded to housekeeping");
  expect(service.stderr()).not.toMatch(/The process ended with unfinished work|has not responded within/);
}

test.each([
  { what: "the poll for due rows", statement: /as has_events/, isEarly: false },
  ...(isLong ? [{ what: "the correction of future times", statement: /job_now\(\) as now/, isEarly: true }] : []),
])("a stop does not wait for $what on a connection that became silent", async ({ statement, isEarly }) => {
  const silent = await startWithSilence(statement, { isEarly });
  await waitFor(() => silent.fault.met() > 0, { what: "the statement" });
  silent.service.signal("SIGTERM");
  await expectOrderlyStop(silent);
});

longTest("a stop does not wait for page views to be saved over a silent connection", async () => {
  const silent = await startWithSilence(/insert into page_views/);
  const { service, fault } = silent;
  const client = createClient({ baseUrl: service.url });
  const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Notes" } });
  const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
  const { publicId } = await publish(client, owner, flowOf([says("Hello")]));
  expect((await fetch(`${service.url}/${publicId}`)).status).toBe(200);
  service.signal("SIGTERM");
  await expectOrderlyStop(silent);
  expect(fault.met()).toBeGreaterThan(0);
});

test("a second signal interrupts the stop, and the exit code shows the signal", async () => {
  const { service, fault } = await startWithSilence(/as has_events/);
  await waitFor(() => fault.met() > 0, { what: "the statement" });
  service.signal("SIGINT");
  await waitFor(() => service.stderr().includes("Stopping: finishing the running requests"));
  const firstAt = performance.now();
  await waitFor(() => performance.now() - firstAt > 1_100);
  service.signal("SIGINT");
  expect(await service.exited).toBe(130);
});
