import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readyPid } from "../../src/platform/embedded/leftover.ts";
import { createTestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import {
  cleanupStack,
  endService,
  lastMessage,
  runCommand,
  type Service,
  type ServiceOptions,
  sourceCommand,
  startService,
} from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterAll(cleanups.run);

/** All tests share one database, because creating a database takes longer than the rest of a start. */
const dataDir = join(cleanups.folder(), "data");
const options: ServiceOptions = { environment: { DATA_DIR: dataDir, WORKER_THREADS: "1" } };
let running: Service | undefined;

async function service(): Promise<Service> {
  running ??= await start(options);
  return running;
}

async function start(given: ServiceOptions): Promise<Service> {
  const started = await startService(given);
  cleanups.add(() => endService(started));
  return started;
}

function firstToken(): string {
  return readFileSync(join(dataDir, "admin-token"), "utf8").trim();
}

function databasePid(): number {
  const pid = readyPid(join(dataDir, "postgres"));
  if (pid === undefined) throw new Error("The embedded database does not run.");
  return pid;
}

async function listUsers(service: Pick<Service, "url">, token: string): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

function isReady(service: Pick<Service, "url">): Promise<boolean> {
  return fetch(`${service.url}/api/readyz`).then(
    (response) => response.status === 200,
    () => false,
  );
}

test("the first start prints only addresses, a token and a link", async () => {
  const first = await start({ ...options, command: sourceCommand });

  const [ready, ...others] = first.stdout().trimEnd().split("\n");
  expect(ready).toBe(
    `Parley is ready. Builder: ${/Builder: (\S+)/.exec(first.stdout())?.[1]}  ` +
      `Chat pages: ${first.url}/<public id>  API: ${first.url}/api/v1  Documentation: ${first.url}/docs  ` +
      `Job board: ${first.url}/admin/queues`,
  );
  expect(others).toEqual([
    expect.stringMatching(/^First start: /),
    expect.stringMatching(/^Open http:\S+\/app\/sign-in#[\w-]{43} to sign in to the builder/),
  ]);
  const token = /parley_[\w-]{43}/.exec(first.stdout())?.[0] ?? "none";
  const file = join(dataDir, "admin-token");
  expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(await listUsers(first, token)).toBe(200);
  // The output contains no message that only concerns the operator of a public service.
  expect(first.stderr().trimEnd().split("\n")).toEqual([expect.stringContaining('"message":"Migrations ran"')]);
  await endService(first);

  const second = await service();

  expect(second.stdout()).not.toContain("parley_");
  expect(await listUsers(second, token)).toBe(200);
});

longTest("the first token remains valid after the service is killed and restarted", async () => {
  const killed = await service();
  const left = databasePid();
  running = undefined;
  process.kill(killed.pid, "SIGKILL");
  await killed.exited;
  expect(databasePid()).toBe(left);

  const next = await service();

  expect(await listUsers(next, firstToken())).toBe(200);
  expect(databasePid()).not.toBe(left);
});

longTest("a service continues after its database is killed", async () => {
  const { stderr, ...survivor } = await service();
  const killed = databasePid();

  process.kill(killed, "SIGKILL");

  await waitFor(async () => readyPid(join(dataDir, "postgres")) !== killed && (await isReady(survivor)), {
    withinMs: 60_000,
    what: () => `the service, which says: ${stderr()}`,
  });
  expect(await listUsers(survivor, firstToken())).toBe(200);
});

test("the first token stays valid after the service and its database are killed", async () => {
  const killed = await service();
  const database = databasePid();
  running = undefined;
  process.kill(killed.pid, "SIGKILL");
  process.kill(database, "SIGKILL");
  await killed.exited;

  expect(await listUsers(await service(), firstToken())).toBe(200);
});

test("a second service on the same DATA_DIR ends with one message", async () => {
  const first = await service();

  for (const processes of ["1", "2"]) {
    const second = await runCommand(["serve"], {
      environment: { ...options.environment, PROCESSES: processes },
    });
    expect([second.exitCode, second.stdout, lastMessage(second)]).toEqual([
      1,
      "",
      `Another Parley is running on DATA_DIR ${dataDir}: stop it or choose another folder.`,
    ]);
  }
  expect(await isReady(first)).toBe(true);
});

test("a stop ends the service and its database", async () => {
  const stopped = await service();
  running = undefined;

  stopped.signal("SIGTERM");

  expect(await stopped.exited).toBe(0);
  expect(readyPid(join(dataDir, "postgres"))).toBeUndefined();
});

test("a start warns if chats share the host of the job board", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const environment = { DATABASE_URL: database.url, DATA_DIR: cleanups.folder(), WORKER_THREADS: "1" };
  const hosts = { PUBLIC_URL: "http://manage.example.com", CHAT_URL: "http://chat.example.com/" };
  const warning = "Authors' code in chats shares the origin of the job board";

  const [apart, together] = await Promise.all([
    start({ environment: { ...environment, ...hosts } }),
    start({ environment: { ...environment, ...hosts, CHAT_URL: hosts.PUBLIC_URL } }),
  ]);

  expect(apart.stdout()).toContain(
    "Builder: http://manage.example.com/app  Chat pages: http://chat.example.com/<public id>  " +
      "API: http://manage.example.com/api/v1  Documentation: http://manage.example.com/docs  " +
      "Job board: http://manage.example.com/admin/queues\n",
  );
  expect(apart.stderr()).not.toContain(warning);
  expect(together.stderr()).toContain(warning);
});
