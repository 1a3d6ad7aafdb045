import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { connect as openSocket } from "node:net";
import postgres from "postgres";
import { isOutage, outageOf } from "../../../src/platform/database/primary/outage.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy, type StatementFault } from "../../support/database-proxy.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
const cleanups = cleanupStack();

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});
afterEach(async () => {
  proxy.thaw();
  await cleanups.run();
});

/** Opens a pool that pipelines its statements, like the pool of chat steps. */
function open(connections = 1): Sql {
  const sql = connect(proxy.url, { connections, isBrief: true });
  cleanups.add(() => sql.end({ timeout: 0 }));
  return sql;
}

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Repeats a statement during an outage, because the connection may take a moment to reopen. */
async function insist<Rows>(ask: () => PromiseLike<Rows>): Promise<Rows> {
  return await waitFor(async () => {
    try {
      return await ask();
    } catch (error) {
      if (!isOutage(error)) throw error;
      return undefined;
    }
  });
}

async function codeOf(work: PromiseLike<unknown>): Promise<unknown> {
  const failure = await failureOf(work);
  return failure instanceof Error && "code" in failure ? failure.code : failure;
}

describe("a pool's first connection", () => {
  type Failure = Omit<Extract<StatementFault, { kind: "error" }>, "statement"> | { kind: "cut"; when: "before" };
  const failures: readonly (readonly [string, Failure])[] = [
    ["the code 53100", { kind: "error", sqlState: "53100" }],
    ["the code 57014", { kind: "error", sqlState: "57014" }],
    ["the code 40001", { kind: "error", sqlState: "40001" }],
    ["the fatal code 57P01", { kind: "error", sqlState: "57P01", isFatal: true }],
    ["a cut", { kind: "cut", when: "before" }],
  ];

  test.each(failures)("lists can be sent and received after the first connection fails with %s", async (_, failure) => {
    const sql = open();
    const fault = proxy.inject({ ...failure, statement: /pg_catalog\.pg_type/, times: 1 });
    const list = () => sql`select ${["a", "b"]}::text[] as list, ${[newId()]}::uuid[] as ids`;

    const first = await failureOf(list());
    const [row] = await insist(list);

    expect(fault.met()).toBe(1);
    expect(isOutage(first)).toBe(true);
    expect(row).toEqual({ list: ["a", "b"], ids: [expect.any(String)] });
  });

  test("a pool can be ended while its first connection is refused", async () => {
    const sql = open();
    proxy.reject("53300");

    const asked = codeOf(sql`select 1`);
    await sql.end();

    expect(await asked).toBe("53300");
  });
});

test("consecutive statements reuse one of several open connections", async () => {
  const sql = open(4);
  const server = async (): Promise<number | undefined> =>
    (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const opened = new Set(await Promise.all([server(), server(), server(), server()]));
  expect(opened.size).toBe(4);

  const used = new Set<number | undefined>();
  for (let statement = 0; statement < 8; statement++) used.add(await server());

  expect(used.size).toBe(1);
});

describe("a statement", () => {
  test("a statement gets only its own rows after a failed statement", async () => {
    const sql = open();

    const failed = await codeOf(sql`select 10 / (3 - number) from generate_series(1, 5) as number`);
    const rows = await sql`select 'next' as word`;

    expect(failed).toBe("22012");
    expect([...rows]).toEqual([{ word: "next" }]);
  });

  test("a statement is sent again if the server no longer has it", async () => {
    const sql = open();
    const [id, at] = [newId(), new Date(1_700_000_000_000)];
    const ask = () => sql`
      select
        ${id}::uuid as id,
        ${true}::boolean as yes,
        ${sql.json({ text: 'a "word"' })}::json as json,
        ${["x"]}::text[] as list,
        ${at}::timestamptz as at`;
    const [first] = await ask();

    await sql`deallocate all`;
    const [again] = await ask();

    expect(first).toEqual({ id, yes: true, json: { text: 'a "word"' }, list: ["x"], at });
    expect(again).toEqual(first);
  });

  test("a statement that is sent again does not run in another caller's transaction", async () => {
    const sql = open();
    await sql`create table kept (word text)`;
    const keep = (word: string) => sql`insert into kept values (${word})`;
    await keep("first");
    await sql`deallocate all`;

    // Both statements are sent together. When the server reports the first statement as unknown, the transaction has
    // already begun.
    const kept = failureOf(keep("second"));
    const undone = failureOf(
      sql.begin(async (transaction) => {
        await transaction`insert into kept values ('undone')`;
        throw new Error("undone");
      }),
    );

    expect([await kept, String(await undone)]).toEqual([undefined, "Error: undone"]);
    expect([...(await sql`select word from kept order by word`)]).toEqual([{ word: "first" }, { word: "second" }]);
    await sql`drop table kept`;
  });

  test("an invalid parameter fails only its own statement", async () => {
    const sql = open();
    const dated = (at: Date) => sql`select ${at}::timestamptz as at`;
    const at = new Date(1_700_000_000_000);
    await dated(at);

    const outcomes = await Promise.allSettled([
      sql`select pg_sleep(0.05)::text as slept`,
      dated(new Date(Number.NaN)),
      sql`select 2 as number`,
      dated(at),
    ]);

    const told = outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value[0] : outcome.reason));
    expect(told).toEqual([{ slept: "" }, expect.any(RangeError), { number: 2 }, { at }]);
  });

  test("a statement fails with CONNECTION_CLOSED if its connection ends", async () => {
    const sql = open();
    await sql`select 1`;
    const fault = proxy.inject({ statement: /'first'/, kind: "error", sqlState: "23505", isCut: true, times: 1 });

    const codes = await Promise.all([codeOf(sql`select 'first'`), codeOf(sql`select 'second'`)]);

    expect(fault.met()).toBe(1);
    expect(codes).toEqual(["23505", "CONNECTION_CLOSED"]);
  });
});

test.each(["ERR_SOCKET_CLOSED", "ERR_STREAM_DESTROYED", "EBADF", undefined])(
  "statements on a socket that is destroyed are classified as lost: error code %p",
  async (code) => {
    const socket = openSocket(proxy.port, "127.0.0.1");
    const options = { max: 1, fetch_types: false, socket: () => socket };
    const sql = postgres(proxy.url, options);
    cleanups.add(() => sql.end({ timeout: 0 }));
    await sql`select 1`;

    const asked = [failureOf(sql`select pg_sleep(5)`), failureOf(sql`select 2`)];
    setImmediate(() => socket.destroy(Object.assign(new Error("gone"), code !== undefined && { code })));

    const outages = (await Promise.all(asked)).map((failure) => outageOf(failure)?.kind);
    expect(outages).toEqual(["lost", "lost"]);
  },
);
