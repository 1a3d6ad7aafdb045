import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { supervisedVariable } from "../../../src/platform/processes/spawn.ts";
import { asks, flowOf, nameAndEmail, publish, says } from "../../support/chat.ts";
import { createClient, valueAt } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long-test.ts";
import {
  cleanupStack,
  endService,
  lastMessage,
  runCommand,
  type Service,
  sourceCommand,
  startService,
} from "../../support/service.ts";
import { keptCookie, ownPage } from "../../support/sign-ins.ts";
import { waitFor } from "../../support/wait.ts";
import { isAlive, servingPids } from "./children.ts";

/** The timeout is long, because several processes start and share the cores of the machine. */
setDefaultTimeout(240_000);

/** Each process has at least one sibling, so that the counts of several processes must be combined. */
const processes = 2;
const adminToken = "the administrator of all processes";
const cleanups = cleanupStack();
const ends = cleanupStack();
afterEach(ends.run);
afterAll(cleanups.run);

let database: TestDatabase;
let service: Service;
let publicId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  cleanups.add(database.close);
  service = await start();
  const client = createClient({ baseUrl: service.url });
  const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Processes" } });
  const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
  publicId = (await publish(client, owner, nameAndEmail)).publicId;
}, 240_000);

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const started = await startService({
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: adminToken,
      METRICS_PUBLIC: "true",
      PROCESSES: String(processes),
      WORKER_THREADS: String(processes),
      ...environment,
    },
  });
  cleanups.add(() => endService(started));
  return started;
}

/** Sends a request on a new connection, which may lead to any process. */
async function ask(path: string, body: object, key: string = crypto.randomUUID()): Promise<Response> {
  return await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(body),
    keepalive: false,
  });
}

/** Repeats a request with the same key until it is answered, because a connection to a dying process fails. */
async function insist(path: string, body: object): Promise<unknown> {
  const key = crypto.randomUUID();
  return await waitFor(
    async () => {
      const response = await ask(path, body, key).catch(() => undefined);
      if (response?.status === 200) return response.json();
      await response?.body?.cancel();
      return undefined;
    },
    { withinMs: 60_000, what: `an answer of ${path}` },
  );
}

async function converse(): Promise<void> {
  const started = await insist(`/api/v1/bots/${publicId}/startChat`, {});
  const path = `/api/v1/sessions/${String(valueAt(started, "sessionId"))}/continueChat`;
  const second = await insist(path, { message: "Ana" });
  const last = await insist(path, { message: "ana@example.com" });
  expect(valueAt(second, "messages.*.content.plainText")).toEqual(["Hello Ana, and your e-mail?"]);
  expect(valueAt(last, "messages.*.content.plainText")).toEqual(["Thank you"]);
}

async function counted(name: string): Promise<number> {
  const [row] = await database.sql<[{ count: number }]>`select count(*)::int as count from ${database.sql(name)}`;
  return row.count;
}

async function figure(name: string): Promise<number> {
  // A dying process drops its connections.
  const text = await waitFor(() =>
    fetch(`${service.url}/metrics`, { keepalive: false }).then(
      (response) => response.text(),
      () => undefined,
    ),
  );
  const line = text.split("\n").find((entry) => entry.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1));
}

test("one line reports that all processes are ready", async () => {
  expect(service.stdout().match(/Parley is ready/g)).toHaveLength(1);
  expect(servingPids(service)).toHaveLength(processes);
  expect(await counted("users")).toBe(1);
});

test("a node of several processes serves the builder on a separate port", async () => {
  const address = /Builder: (http:\S+)\/app/.exec(service.stdout())?.[1] ?? "none";
  const builder = createClient({ baseUrl: address, isBuilder: true });
  const signedIn = await builder.post("/api/v1/sign-in/token", { body: { token: adminToken } });
  const { Cookie } = keptCookie(signedIn);

  const asked = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${address}/api/v1/users/me`, { headers: { ...ownPage, Cookie }, keepalive: false }),
    ),
  );

  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
});

test("each chat with a time-out continues exactly once across all processes", async () => {
  const client = createClient({ baseUrl: service.url });
  const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Times" } });
  const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
  const flow = flowOf([asks("text input", { timeout: { after: 1 } }), says("Nobody"), asks("email input")]);
  const { publicId: patient } = await publish(client, owner, flow);
  const taken = 'parley_due_steps_total{kind="timeout",outcome="taken"}';
  const before = (await figure(taken)) || 0;

  const started = await Promise.all(Array.from({ length: 30 }, () => insist(`/api/v1/bots/${patient}/startChat`, {})));
  const ids = started.map((chat) => String(valueAt(chat, "sessionId")));
  await waitFor(async () => (await counted("due_steps")) === 0, { withinMs: 60_000 });

  const revisions = await Promise.all(
    ids.map(async (id) => (await client.get(`/api/v1/sessions/${id}`)).at("session.revision")),
  );
  expect(new Set(revisions)).toEqual(new Set([2]));
  expect((await figure(taken)) - before).toBe(30);
});

test("the metrics of any process cover all processes", async () => {
  const before = await figure("parley_steps_total");

  await Promise.all(Array.from({ length: 12 }, converse));

  expect(await figure("parley_steps_total")).toBe(before + 3 * 12);
  expect(await figure("parley_processes")).toBe(processes);
  expect(await figure("parley_processes_unanswered")).toBe(0);
  expect(await figure("parley_events_pending")).toBe(0);
  expect(await figure("parley_outgoing_calls")).toBe(0);
  expect(await figure("parley_outgoing_answer_bytes")).toBe(0);
  for (const name of ["1", "2", "supervisor"]) {
    expect(await figure(`process_resident_memory_bytes{process="${name}"}`)).toBeGreaterThan(1_000_000);
  }
});

longTest("the connections and threads of all processes stay within the node's limits", async () => {
  // Sends so many requests that each process serves some of them and uses its share of connections.
  await Promise.all(Array.from({ length: 40 }, converse));

  const [row] = await database.sql<[{ count: number }]>`
    select count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and application_name like 'parley%' and pid <> pg_backend_pid()`;
  const threads = servingPids(service).map((pid) => readdirSync(`/proc/${pid}/task`).length);

  // The maximum: 16 connections of the pool, 2 of the queue, and further connections for the watches and for the board.
  expect(row.count).toBeLessThanOrEqual(16 + 2 + 1 + 2 * processes);
  // Each process has one thread for flows. All other threads are Bun's own.
  expect(Math.max(...threads)).toBeLessThanOrEqual(40);
});

longTest("a node of several processes serves the job board", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const response = await fetch(`${service.url}/admin/queues/api/queues`, {
        headers: { Authorization: `Bearer ${adminToken}` },
        keepalive: false,
      });
      return [response.status, valueAt(await response.json(), "queues.*.name")];
    }),
  );

  for (const answer of answers) expect(answer).toEqual([200, expect.arrayContaining(["email", "events", "clean-up"])]);
});

test("eight simultaneous anonymous previews at a node of two processes succeed", async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask("/api/v1/bots/any/preview/startChat", { bot: { ...nameAndEmail, id: "any" } })),
  );

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test("a process killed under load loses no acknowledged step", async () => {
  const [sessions, answers] = [await counted("sessions"), await counted("answers")];
  const [victim = 0] = servingPids(service);
  let talked = 0;
  let isOver = false;
  const visitors = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      await converse();
      talked++;
    }
  });

  try {
    await waitFor(() => talked >= 5, { withinMs: 60_000 });
    process.kill(victim, "SIGKILL");
    const isBack = async () =>
      (await figure("parley_process_restarts")) >= 1 && (await figure("parley_processes")) === processes;
    // On a busy machine, the first start of the process may fail, and a later start succeed.
    await waitFor(isBack, {
      withinMs: 120_000,
      what: () => `the process to come back; the node says: ${service.stderr()}`,
    });
  } finally {
    isOver = true;
    await Promise.all(visitors);
  }

  expect(await counted("sessions")).toBe(sessions + talked);
  expect(await counted("answers")).toBe(answers + 2 * talked);
  expect(servingPids(service)).toHaveLength(processes);
  expect(servingPids(service)).not.toContain(victim);
  expect(service.stderr()).toContain(
    '"process":"supervisor","message":"A serving process ended and is being restarted"',
  );
  expect((await fetch(`${service.url}/api/readyz`)).status).toBe(200);
});

longTest("the service reports that another program took its port after a crash", async () => {
  const port = Number(new URL(service.url).port);
  for (const pid of servingPids(service)) process.kill(pid, "SIGKILL");
  const other = await waitFor(() => {
    try {
      return Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
    } catch {
      return undefined;
    }
  });
  try {
    const told = /is being restarted[^\n]*"reason":"PORT \d+ on HOST 127\.0\.0\.1 cannot be opened: /;
    await waitFor(() => told.test(service.stderr()), { withinMs: 120_000 });
  } finally {
    other.stop(true);
  }

  const isBack = async () => (await figure("parley_processes").catch(() => 0)) === processes;
  await waitFor(isBack, { withinMs: 120_000, what: () => `the processes to come back: ${service.stderr()}` });
  await converse();
});

longTest("a second node that is configured with the same port ends with one message", async () => {
  const port = new URL(service.url).port;

  const second = await runCommand(["serve"], {
    environment: { DATABASE_URL: database.url, DATA_DIR: ends.folder(), PORT: port, PROCESSES: "2" },
  });

  expect(second.exitCode).toBe(1);
  expect(lastMessage(second)).toStartWith(`PORT ${port} on HOST 127.0.0.1 cannot be opened: `);
});

test("serve rejects a number of processes above the limit", async () => {
  const wrong = await runCommand(["serve"], {
    environment: { DATABASE_URL: database.url, DATA_DIR: ends.folder(), PROCESSES: "65" },
  });

  expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
  expect(lastMessage(wrong)).toBe("PROCESSES must be a whole number from 1 to 64.");
});

test("the processes of a killed supervisor end, and the service can start again", async () => {
  const { pid, url } = service;
  const pids = servingPids(service);

  process.kill(pid, "SIGKILL");
  service = await start({ PORT: new URL(url).port });

  await waitFor(() => pids.every((pid) => !isAlive(pid)), { withinMs: 60_000, what: "the processes to end" });
  expect(service.url).toBe(url);
  expect((await fetch(`${service.url}/api/readyz`)).status).toBe(200);
});

test("after SIGTERM to the supervisor, every accepted request completes", async () => {
  const pids = servingPids(service);
  const [sessions, answers] = [await counted("sessions"), await counted("answers")];
  const told = { sessions: 0, answers: 0 };
  let isOver = false;
  /**
   * Does not repeat requests, because a repeated request would hide a response that was cut off after the step was
   * saved.
   */
  const insistUntilRefused = async (path: string, body: object): Promise<unknown> => {
    const response = await ask(path, body).catch(() => undefined);
    if (response === undefined) isOver = true;
    else expect(response.status).toBe(200);
    return response?.json();
  };
  const visitors = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const started = await insistUntilRefused(`/api/v1/bots/${publicId}/startChat`, {});
      if (started === undefined) return;
      told.sessions++;
      const sessionId = String(valueAt(started, "sessionId"));
      const replied = await insistUntilRefused(`/api/v1/sessions/${sessionId}/continueChat`, { message: "Ana" });
      if (replied !== undefined) told.answers++;
    }
  });
  await waitFor(() => told.answers >= 10, { withinMs: 60_000 });

  service.signal("SIGTERM");
  const exitCode = await service.exited;
  await Promise.all(visitors);

  expect(exitCode).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await counted("sessions")).toBe(sessions + told.sessions);
  expect(await counted("answers")).toBe(answers + told.answers);
});

longTest("a second SIGTERM to the supervisor ends all processes", async () => {
  const stopped = await start();
  const pids = servingPids(stopped);
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = database.sql.begin(async (transaction) => {
    await transaction`lock table api_tokens in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  ends.add(() => holding.catch(() => {}));
  ends.add(() => released.resolve());
  await locked.promise;
  const answer = fetch(`${stopped.url}/api/v1/users/me`, { headers: { Authorization: `Bearer ${adminToken}` } }).then(
    ({ status }) => status,
    () => "cut off",
  );
  await waitFor(async () => {
    const waiting = await database.sql`
      select from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
    return waiting.length > 0;
  });

  stopped.signal("SIGTERM");
  const firstAt = performance.now();
  await waitFor(() => performance.now() - firstAt > 1_100);
  stopped.signal("SIGTERM");

  expect(await stopped.exited).toBe(130);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await answer).toBeOneOf([503, "cut off"]);
});

longTest("a process ends if its supervisor dies before it has sent the settings", async () => {
  const hello = Promise.withResolvers<unknown>();
  const orphan = Bun.spawn([...sourceCommand, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", [supervisedVariable]: "1" },
    serialization: "json",
    ipc: hello.resolve,
  });
  expect(await hello.promise).toEqual({ kind: "hello" });

  orphan.disconnect();

  expect(await orphan.exited).toBe(0);
});
