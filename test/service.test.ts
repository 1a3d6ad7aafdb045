import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readyPid } from "../src/platform/embedded/leftover.ts";
import { temporaryFolder } from "./support/folder.ts";
import {
  cleanupStack,
  endService,
  runCommand,
  type Service,
  type ServiceOptions,
  sourceCommand,
  startService,
} from "./support/service.ts";
import { waitFor } from "./support/wait.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

async function start(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService(options);
  cleanups.add(() => endService(service));
  return service;
}

function onData(dataDir: string): ServiceOptions {
  return { environment: { DATA_DIR: dataDir, WORKER_THREADS: "1" } };
}

function databasePid(dataDir: string): number {
  const pid = readyPid(join(dataDir, "postgres"));
  if (pid === undefined) throw new Error("The embedded database does not run.");
  return pid;
}

/** A request that only the holder of the first token may make. */
async function listUsers(service: Service, token: string): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

function isReady(service: Service): Promise<boolean> {
  return fetch(`${service.url}/api/readyz`).then(
    (response) => response.status === 200,
    () => false,
  );
}

test("the first start prints a token once and keeps it for the operator alone", async () => {
  const dataDir = join(cleanups.folder(), "data");

  const first = await start(onData(dataDir));

  const token = /parley_[\w-]{43}/.exec(first.stdout())?.[0] ?? "none";
  const file = join(dataDir, "admin-token");
  expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(await listUsers(first, token)).toBe(200);
  expect(first.stderr().match(/Migrations? ran/g)).toHaveLength(1);
  await endService(first);

  const second = await start(onData(dataDir));

  expect(second.stdout()).not.toContain("parley_");
  expect(await listUsers(second, token)).toBe(200);
});

test("the last line of a start from the sources is the addresses, and nothing else follows", async () => {
  const service = await start({ ...onData(cleanups.folder()), command: sourceCommand });

  const [ready, ...others] = service.stdout().trimEnd().split("\n").reverse();

  expect(ready).toBe(
    `Parley is ready. Builder: ${/Builder: (\S+)/.exec(service.stdout())?.[1]}  ` +
      `Chat pages: ${service.url}/<public id>  API: ${service.url}/api/v1  Documentation: ${service.url}/docs  ` +
      `Job board: ${service.url}/admin/queues`,
  );
  expect(others).toEqual([
    expect.stringMatching(/^Open http:\S+\/app\/sign-in#[\w-]{43} to sign in to the builder/),
    expect.stringMatching(/^First start: /),
  ]);
});

test("a start names the addresses from outside, and warns when chats share the host of the job board", async () => {
  const { environment } = onData(cleanups.folder());
  const hosts = { PUBLIC_URL: "http://manage.example.com", CHAT_URL: "http://chat.example.com/" };
  const warning = "Authors' code in chats shares the origin of the job board";

  const apart = await start({ environment: { ...environment, ...hosts } });

  expect(apart.stdout()).toContain(
    "Builder: http://manage.example.com/app  Chat pages: http://chat.example.com/<public id>  " +
      "API: http://manage.example.com/api/v1  Documentation: http://manage.example.com/docs  " +
      "Job board: http://manage.example.com/admin/queues\n",
  );
  expect(apart.stderr()).not.toContain(warning);
  await endService(apart);

  const together = await start({ environment: { ...environment, ...hosts, CHAT_URL: hosts.PUBLIC_URL } });

  expect(together.stderr()).toContain(warning);
});

/** One test after the other: making a database takes longer than the rest of a start. */
const { path: dataDir, remove } = temporaryFolder();
afterAll(remove);

test("a service that was killed finds its data again", async () => {
  const killed = await start(onData(dataDir));
  const token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
  const left = databasePid(dataDir);
  process.kill(killed.pid, "SIGKILL");
  await killed.exited;
  expect(databasePid(dataDir)).toBe(left);

  const service = await start(onData(dataDir));

  expect(await listUsers(service, token)).toBe(200);
  expect(databasePid(dataDir)).not.toBe(left);
});

test("a service goes on after its database was killed", async () => {
  const service = await start(onData(dataDir));
  const token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
  const killed = databasePid(dataDir);

  process.kill(killed, "SIGKILL");

  await waitFor(() => readyPid(join(dataDir, "postgres")) !== killed && isReady(service), {
    withinMs: 60_000,
    what: () => `the service, which says: ${service.stderr()}`,
  });
  expect(await listUsers(service, token)).toBe(200);
});

test("after service and database were both killed everything is there again", async () => {
  const killed = await start(onData(dataDir));
  const token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
  const database = databasePid(dataDir);
  process.kill(killed.pid, "SIGKILL");
  process.kill(database, "SIGKILL");
  await killed.exited;

  const service = await start(onData(dataDir));

  expect(await listUsers(service, token)).toBe(200);
});

test("a second service on the same DATA_DIR ends with one sentence, and the first goes on", async () => {
  const first = await start(onData(dataDir));

  const { environment } = onData(dataDir);
  for (const processes of ["1", "2"]) {
    const second = await runCommand(["serve"], { environment: { ...environment, PROCESSES: processes } });
    expect(second).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `Another Parley is running on DATA_DIR ${dataDir}: stop it or choose another folder.\n`,
    });
  }
  expect(await isReady(first)).toBe(true);
});

test("a stop leaves no process behind", async () => {
  const service = await start(onData(dataDir));

  service.signal("SIGTERM");

  expect(await service.exited).toBe(0);
  expect(readyPid(join(dataDir, "postgres"))).toBeUndefined();
});
