import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readAddress } from "../../../src/platform/database/primary/address.ts";
import { isOutage } from "../../../src/platform/database/primary/outage.ts";
import { createServers } from "../../../src/platform/database/primary/servers.ts";
import { createWriteWatch, type WriteWatch } from "../../../src/platform/database/primary/write-watch.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;
const cleanups = cleanupStack();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(cleanups.run);

/** The time limit for silence is longer than any pause of a busy machine, and short enough for a test. */
const patience = { watchMs: 100, silenceMs: 1_000 };

function open(url: string, patient = patience): Sql {
  const sql = connect(url, { connections: 4, probeTimes: patient });
  cleanups.add(() => sql.end({ timeout: 0 }));
  return sql;
}

async function openProxy(url: string): Promise<DatabaseProxy> {
  const proxy = await openDatabaseProxy(url);
  cleanups.add(proxy.close);
  return proxy;
}

/** Returns the URL of the test database over TCP, on the ports of the proxies. */
function addressOf(...proxies: readonly { readonly port: number }[]): string {
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return `postgres://parley@${hosts}${new URL(database.url).pathname}`;
}

const nobody = { port: 1 };

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("broken connections", () => {
  test("broken connections are reopened while statements are being sent", async () => {
    const sql = open(database.url);
    for (let round = 0; round < 40; round++) {
      const killed = database.sql`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      killed.catch(() => {});
      const sent = [];
      for (let turn = 0; turn < 40; turn++) {
        sent.push(failureOf(sql`select ${turn}::int as turn`));
        await new Promise(setImmediate);
      }
      await killed;
      const failures = (await Promise.all(sent)).filter((failure) => failure !== undefined);
      expect(failures.filter((failure) => !isOutage(failure))).toEqual([]);
    }

    const askAll = () => Promise.all(Array.from({ length: 20 }, (_, number) => sql`select ${number}::int as number`));
    const answers = await waitFor(() => askAll().catch(() => undefined), { withinMs: 4_000 });
    expect(answers.map(([row]) => row?.["number"])).toEqual(answers.map((_, number) => number));
  });
});

describe("a database on several servers", () => {
  test("a database on several servers is found on the server that responds", async () => {
    const proxy = await openProxy(database.url);
    const sql = open(addressOf(nobody, proxy));

    const answers = await Promise.all(Array.from({ length: 8 }, () => sql`select 1 as one`));

    expect(answers.map(([row]) => row?.["one"])).toEqual(answers.map(() => 1));
  });

  test("a database on several servers is found again after an outage", async () => {
    const proxy = await openProxy(database.url);
    const sql = open(addressOf(nobody, proxy));
    await sql`select 1`;

    proxy.refuse();
    const failures = [];
    for (let count = 0; count < 12; count++) failures.push(await failureOf(sql`select 1`));
    proxy.thaw();

    expect(failures.map(isOutage)).toEqual(failures.map(() => true));
    await waitFor(() => failureOf(sql`select 1`).then((failure) => failure === undefined));
  });

  test("a database is found on another server if the first becomes silent", async () => {
    const first = await openProxy(database.url);
    const second = await openProxy(database.url);
    second.refuse();
    const sql = open(addressOf(first, second));
    await Promise.all(Array.from({ length: 4 }, () => sql`select 1`));
    first.freeze();
    const hanging = Array.from({ length: 8 }, () => failureOf(sql`select 1`));

    expect((await Promise.all(hanging)).map(isOutage)).toEqual(hanging.map(() => true));
    second.thaw();

    await waitFor(() => failureOf(sql`select 1`).then((failure) => failure === undefined));
  });

  test("the database server is not checked if other work confirms writes", async () => {
    const own = await createTestDatabase();
    cleanups.add(own.close);
    const proxy = await openProxy(own.url);
    let [looks, isConfirmed] = [0, true];
    const watch: WriteWatch = {
      ...createWriteWatch(),
      get confirmedAt() {
        looks++;
        return isConfirmed ? performance.now() : Number.NEGATIVE_INFINITY;
      },
    };
    const url = addressOf(proxy).replace(/[^/]*$/, new URL(own.url).pathname.slice(1));
    const sql = connect(url, { connections: 1, probeTimes: patience, watch: { leads: watch } });
    cleanups.add(() => sql.end({ timeout: 0 }));
    const asked = proxy.inject({ kind: "delay", ms: 0, statement: /transaction_read_only/ });
    await sql`select 1`;
    // The first check stored the server's timeline, so a second check is needed.
    await waitFor(() => asked.met() === 2);

    const before = looks;
    await waitFor(() => looks >= before + 5);
    expect(asked.met()).toBe(2);

    isConfirmed = false;
    await waitFor(() => asked.met() > 2);
  });

  test("a slow server stays in use although another refuses connections", async () => {
    const proxy = await openProxy(database.url);
    const sql = connect(addressOf(proxy, nobody), { connections: 1, probeTimes: { watchMs: 10, silenceMs: 60_000 } });
    cleanups.add(() => sql.end({ timeout: 0 }));
    const backend = async () => (await sql`select pg_backend_pid() as pid`)[0]?.["pid"];
    const before = await backend();

    const slow = proxy.inject({ kind: "delay", ms: 1_500, statement: /transaction_read_only/ });
    await waitFor(() => slow.met() === 2);

    expect(await backend()).toBe(before);
  });

  test("the search for a server is repeated if it is lost while a connection opens", async () => {
    const proxy = await openProxy(database.url);
    const asked = proxy.inject({ kind: "delay", ms: 0, statement: /transaction_read_only/ });
    const watch = createWriteWatch();
    const server = { host: "127.0.0.1", port: proxy.port };
    const servers = createServers([server], addressOf(proxy), patience, { watch: { follows: watch } });
    cleanups.add(servers.close);

    const opening = servers.openSocket();
    watch.left(server);

    (await opening).destroy();
    expect(asked.met()).toBe(2);
  });

  test("a database on several servers reports a wrong database name", async () => {
    const proxy = await openProxy(database.url);
    const sql = open(addressOf(nobody, proxy).replace(/[^/]*$/, "nowhere"));

    const failure = await failureOf(sql`select 1`);

    expect(failure).toMatchObject({ code: "3D000" });
  });

  test("a read-only database server is rejected with NO_PRIMARY", async () => {
    const own = await createTestDatabase();
    cleanups.add(own.close);
    const name = new URL(own.url).pathname.slice(1);
    const proxy = await openProxy(own.url);
    await own.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
    const sql = open(addressOf(proxy).replace(/[^/]*$/, name));

    const failure = await failureOf(sql`select 1`);
    await own.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);

    expect(failure).toMatchObject({ code: "NO_PRIMARY" });
    await waitFor(() => failureOf(sql`select 1`).then((failure) => failure === undefined));
  });

  test("a database on several servers is found after a takeover", async () => {
    const own = await createTestDatabase();
    cleanups.add(own.close);
    const name = new URL(own.url).pathname.slice(1);
    const [silent, promoted] = [await openProxy(own.url), await openProxy(own.url)];
    silent.freeze();
    await own.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
    const sql = open(addressOf(silent, promoted).replace(/[^/]*$/, name), { ...patience, silenceMs: 600_000 });

    const failure = await failureOf(sql`select 1`);
    await own.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);

    expect(failure).toMatchObject({ code: "NO_PRIMARY" });
    await waitFor(() => failureOf(sql`select 1`).then((found) => found === undefined));
  });

  test("a statement on a pool that has ended fails with CONNECTION_ENDED", async () => {
    const proxy = await openProxy(database.url);
    const sql = open(addressOf(proxy));
    await sql`select 1`;

    await sql.end({ timeout: 1 });

    expect(await failureOf(sql`select 1`)).toMatchObject({ code: "CONNECTION_ENDED" });
  });
});

describe("a database address", () => {
  test.each([
    [
      "postgres://u:p%40x@h1:5433,h2/db?sslmode=require",
      ["h1:5433", "h2:5432"],
      "postgres://u:p%40x@localhost/db?sslmode=require",
    ],
    ["postgres://h1", ["h1:5432"], "postgres://h1"],
    ["postgres://u@h1:5433/db?x=y", ["h1:5433"], "postgres://u@h1:5433/db?x=y"],
    ["postgresql://u@[::1]:5433,[::2]/db", ["::1:5433", "::2:5432"], "postgresql://u@localhost/db"],
    ["postgres:///db", ["localhost:5432"], "postgres://localhost/db"],
  ])("the hosts and ports are read from the address %s", (url, servers, forDriver) => {
    const address = readAddress(url);

    expect(address.servers.map(({ host, port }) => `${host}:${port}`)).toEqual(servers);
    expect(address.url).toBe(forDriver);
  });

  test.each([
    ["postgres://u@localhost/db?host=/tmp/a%20b&x=y", 5432, "postgres://u@localhost/db?x=y"],
    ["postgres://u@localhost:5433/db?x=y&host=/tmp/a%20b", 5433, "postgres://u@localhost/db?x=y"],
    ["postgres:///db?host=/tmp/a%20b", 5432, "postgres://localhost/db"],
  ])("the Unix socket is read from the address %s", (url, port, forDriver) => {
    expect(readAddress(url)).toEqual({ servers: [{ host: "/tmp/a b", port }], url: forDriver });
  });

  test.each([
    "postgres://h1:port/db",
    "postgres://h1:70000/db",
    "postgres://h1,,h2/db",
    "postgres://h1:0",
    "postgres://::1/db",
  ])("the address %s is rejected", (url) => {
    expect(() => readAddress(url)).toThrow("DATABASE_URL must name hosts like host:5432, separated by commas.");
  });
});
