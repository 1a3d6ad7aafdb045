import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../src/platform/database/sql.ts";
import { openDataFolder } from "../../src/platform/embedded/folders.ts";
import { readyPid } from "../../src/platform/embedded/leftover.ts";
import { serverUrl } from "../../src/platform/embedded/server.ts";
import { isLong } from "../support/campaigns.ts";
import { temporaryFolder } from "../support/folder.ts";
import { cleanupStack, endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);
/** The tests use one database in turn, because creating a database takes longer than the rest of a start. */
const { path: dataDir, remove } = temporaryFolder();
afterAll(remove);

type Held = {
  readonly service: Service;
  /** Requests that wait for the database. */
  readonly answers: Promise<Response>[];
  /** Lets the database respond. */
  release(): void;
};

/** Starts a service with open requests that wait for a locked table. */
async function startWithRequests(count: number): Promise<Held> {
  const service = await startService({ environment: { DATA_DIR: dataDir, WORKER_THREADS: "1" } });
  cleanups.add(() => endService(service));
  const sql = connect(serverUrl(openDataFolder(dataDir)), { connections: 2 });
  cleanups.add(() => sql.end({ timeout: 0 }));
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = sql.begin(async (transaction) => {
    await transaction`lock table api_tokens in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  holding.catch(locked.reject);
  await locked.promise;

  const token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
  const answers = Array.from({ length: count }, () =>
    fetch(`${service.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } }),
  );
  for (const answer of answers) answer.catch(() => {});
  await waitFor(async () => {
    const waiting = await sql`select from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
    return waiting.length >= Math.min(count, 10);
  });
  return { service, answers, release: released.resolve };
}

function groupOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")[2];
}

async function isRefused(service: Service): Promise<boolean> {
  return await fetch(`${service.url}/api/healthz`).then(
    () => false,
    () => true,
  );
}

test.each(isLong ? (["SIGINT", "SIGTERM", "SIGHUP"] as const) : (["SIGTERM"] as const))(
  "running requests finish and close their connections after %s, and no new requests are accepted",
  async (signal) => {
    const { service, answers, release } = await startWithRequests(12);
    const database = readyPid(join(dataDir, "postgres")) ?? 0;

    // A Ctrl-C reaches the whole process group. The database has its own group, so it runs until the drain is over.
    expect(groupOf(database)).toBe(String(database));
    expect(groupOf(database)).not.toBe(groupOf(service.pid));

    service.signal(signal);
    await waitFor(() => isRefused(service));
    release();

    const given = await Promise.all(answers);
    expect(given.map(({ status, headers }) => [status, headers.get("connection")])).toEqual(
      answers.map(() => [200, "close"]),
    );
    expect(await service.exited).toBe(0);
    expect(readyPid(join(dataDir, "postgres"))).toBeUndefined();
  },
);

test("after SIGTERM, the service drains for the configured time and then stops", async () => {
  const service = await startService({ environment: { DATA_DIR: dataDir, DRAIN_SECONDS: "1" } });
  cleanups.add(() => endService(service));

  const signalledAt = performance.now();
  service.signal("SIGTERM");

  expect(await service.exited).toBe(0);
  expect(performance.now() - signalledAt).toBeGreaterThanOrEqual(1_000);
  expect(service.stderr()).toContain(
    '"message":"Draining: all requests are served until load balancers have removed this node","ms":1000',
  );
});

test("a second signal ends the service during running requests", async () => {
  const { service, answers } = await startWithRequests(1);
  service.signal("SIGINT");
  await waitFor(() => isRefused(service));
  const firstAt = performance.now();

  await waitFor(() => performance.now() - firstAt > 1_100);
  service.signal("SIGINT");

  expect(await service.exited).toBe(130);
  expect(readyPid(join(dataDir, "postgres"))).toBeUndefined();
  expect(await answers[0]?.then(({ status }) => status).catch(() => "cut off")).toBeOneOf([503, "cut off"]);
});
