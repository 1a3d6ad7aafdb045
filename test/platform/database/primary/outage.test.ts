import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { untilStarted } from "../../../../src/platform/database/outages/health.sql.ts";
import { boundAnswers } from "../../../../src/platform/database/primary/answer-bound.ts";
import { outageOf } from "../../../../src/platform/database/primary/outage.ts";
import { asStartError } from "../../../../src/platform/database/primary/start-error.ts";
import { connect, type Sql, type Statements } from "../../../../src/platform/database/sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { databaseError } from "../../../support/database-errors.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../../support/database-proxy.ts";
import { cleanupStack } from "../../../support/service.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

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

function open(url = proxy.url): Sql {
  const sql = connect(url, { connections: 1 });
  cleanups.add(() => sql.end({ timeout: 0 }));
  return sql;
}

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function failure(code: string, severity = "ERROR"): Error {
  return databaseError(code, { severity });
}

describe("the classification of a failure", () => {
  test.each(["53100", "53200", "53300", "53400", "25006", "42501", "58030", "NO_PRIMARY"])(
    "a failure that affects all statements is classified as refused: %s",
    (code) => expect(outageOf(failure(code))?.kind).toBe("refused"),
  );

  test.each(["40001", "40P01", "55P03", "55006", "57014", "72000", "26000", "42P05"])(
    "a failure that affects one statement is classified as interrupted: %s",
    (code) => expect(outageOf(failure(code))?.kind).toBe("interrupted"),
  );

  test.each([
    ...["EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EMFILE"],
    ...["CONNECTION_CLOSED", "CONNECT_TIMEOUT", "08006", "40003", "57P01", "57P03", "28P01", "28000", "3D000"],
    ...["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "DEPTH_ZERO_SELF_SIGNED_CERT", "SASL_SIGNATURE_MISMATCH"],
    ...["57P02", "57P04", "57P05", "25P03", "08P01", "08003", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "ENOENT"],
  ])("a connection failure or an unknown completion is classified as lost: %s", (code) =>
    expect(outageOf(failure(code))?.kind).toBe("lost"),
  );

  test.each([
    "23505",
    "42601",
    "42703",
    "22021",
    "22P02",
    "25P02",
    "0A000",
    "UNDEFINED_VALUE",
    "XX000",
    "XX001",
    "session.busy",
  ])("a failure that says nothing about the availability of the database is not an outage: %s", (code) =>
    expect(outageOf(failure(code))).toBeUndefined(),
  );

  test.each(["XX000", "53300", "42501"])(
    "a failure that ends the connection is classified as lost, even with the code %s",
    (code) => expect(outageOf(failure(code, "FATAL"))?.kind).toBe("lost"),
  );
});

test.each([
  ...["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT", "EMFILE", "EHOSTUNREACH"],
  ...["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "ERR_SSL_WRONG_VERSION_NUMBER", "57014", "53300", "08006"],
])("an error of another party, such as a mail server, is not a database outage, even with the code %s", (code) => {
  expect(outageOf(Object.assign(new Error("of a mail server"), { code, severity: "FATAL" }))).toBeUndefined();
});

test("a statement that times out without a response is classified as lost", async () => {
  const clock = new Promise<never>(() => {});
  expect(outageOf(await failureOf(boundAnswers(1)(clock)))?.kind).toBe("lost");
});

describe("a statement that conflicts with another statement", () => {
  const id = newId();
  const statement = (sql: Statements) => sql`
    select ${id}::uuid as id, ${sql.json({ text: 'a "word"' })}::json as json, ${["x", "y"]}::text[] as list`;

  test.each(["40001", "40P01"])(
    "a conflicting statement is retried once, with its parameters: %s",
    async (sqlState) => {
      const sql = open();
      const fault = proxy.inject({ statement: /as json/, kind: "error", sqlState, times: 1 });

      const first = await statement(sql);
      const others = await Promise.all([statement(sql), sql`select 1`, statement(sql)]);

      expect(fault.met()).toBe(1);
      expect([...first]).toEqual([{ id, json: { text: 'a "word"' }, list: ["x", "y"] }]);
      expect(others.map((rows) => rows.length)).toEqual([1, 1, 1]);
    },
  );

  test("conflicting statements on the same connections each get their own result", async () => {
    const sql = connect(proxy.url, { connections: 2 });
    cleanups.add(() => sql.end({ timeout: 0 }));
    const ask = (number: number) => {
      if (number % 3 === 0) return sql`select ${number}::int as number`;
      if (number % 3 === 1)
        return sql`select ${sql.json({ number })}::json ->> 'number' as text, ${number}::int as number`;
      return sql.unsafe("select $1::int as number, 'of its own' as text", [number]);
    };
    for (let round = 0; round < 20; round++) {
      const faults = [/^select \$1::int as number$/, /->>/, /own/].map((statement) =>
        proxy.inject({ statement, kind: "error", sqlState: "40001", times: 1 }),
      );
      const numbers = Array.from({ length: 60 }, (_, index) => round * 60 + index);

      const answers = await Promise.all(numbers.map(ask));

      expect(answers.map(([row]) => row?.["number"])).toEqual(numbers);
      expect(faults.map(({ met }) => met())).toEqual([1, 1, 1]);
    }
  });

  test("a conflicting statement fails after the second conflict", async () => {
    const fault = proxy.inject({ statement: /as json/, kind: "error", sqlState: "40P01", times: 2 });

    expect(await failureOf(statement(open()))).toMatchObject({ code: "40P01" });
    expect(fault.met()).toBe(2);
  });

  test("a conflicting statement is not retried within a transaction", async () => {
    const fault = proxy.inject({ statement: /as json/, kind: "error", sqlState: "40001", times: 1 });

    expect(await failureOf(open().begin((transaction) => statement(transaction)))).toMatchObject({ code: "40001" });
    expect(fault.met()).toBe(1);
  });
});

describe("the connection at the start", () => {
  test.each([
    ["28P01", "it rejects the password", "Correct the user and the password in DATABASE_URL."],
    ["28000", "it rejects this user, or connections from this machine", "Correct the user in DATABASE_URL"],
    ["53300", "it has no free connection", "Raise its max_connections, or lower DATABASE_POOL."],
    ["57P03", "it is starting up", "Start again in a moment."],
    ["3D000", "there is no database with this name", "Create the database, or correct its name in DATABASE_URL."],
    ["XX000", "it ends connections", "Check the log of the database server, and its disk."],
  ])("a connection refused with %s is reported in one message, with the remedy", async (sqlState, says, advice) => {
    proxy.reject(sqlState);

    const error = asStartError(await failureOf(open()`select 1`));

    expect(error).toHaveProperty("name", "StartError");
    expect(error).toHaveProperty(
      "message",
      expect.stringContaining(`The database cannot be used: ${says} (injected ${sqlState}). ${advice}`),
    );
  });

  test("a server without encryption is reported, with the remedy", async () => {
    const error = asStartError(await failureOf(open(`${proxy.url}?sslmode=require`)`select 1`));

    expect(error).toHaveProperty("message", expect.stringContaining("no encrypted connection can be made to it"));
    expect(error).toHaveProperty("message", expect.stringContaining("Correct sslmode in DATABASE_URL"));
  });

  test("a host name that cannot be resolved is reported", async () => {
    const error = asStartError(await failureOf(open("postgres://parley@nowhere.invalid/parley")`select 1`));

    expect(error).toHaveProperty("message", expect.stringContaining("the name of its host cannot be resolved"));
  });

  test("a start waits for a database that does not respond", async () => {
    const clock = createVirtualClock();
    const sql = connect(proxy.url, { connections: 1, probeTimes: { watchMs: 2_000, silenceMs: 1_000 } });
    cleanups.add(() => sql.end({ timeout: 0 }));
    const reasons: string[] = [];
    let isStarted = false;
    proxy.freeze();

    const started = untilStarted(sql, (why) => reasons.push(why), clock).then(() => {
      isStarted = true;
    });
    await clock.advance(2_000);
    const early = [...reasons];
    // The pool considers the server unreachable, and retries after a pause.
    while (clock.timers() === 0) await Bun.sleep(1);
    proxy.thaw();
    // On a busy machine, a later attempt may also get no response.
    while (!isStarted) {
      await clock.advance(250);
      await Bun.sleep(1);
    }

    await started;
    expect(early).toEqual(["it has not responded yet"]);
    expect(reasons).toHaveLength(1);
  });

  test("a start waits for a database that is starting up, and reports the wait once", async () => {
    const clock = createVirtualClock();
    const sql = open();
    let waits = 0;
    let isStarted = false;
    proxy.reject("57P03");

    const started = untilStarted(sql, () => waits++, clock).then(() => {
      isStarted = true;
    });
    while (waits === 0) await Bun.sleep(1);
    await clock.advance(10_000);
    const before = isStarted;
    proxy.thaw();
    while (!isStarted) {
      await clock.advance(1_000);
      await Bun.sleep(1);
    }

    await started;
    expect(before).toBe(false);
    expect(waits).toBe(1);
  });

  test("a database that takes too long to start counts as failed", async () => {
    const clock = createVirtualClock();
    proxy.reject("57P03");
    let failed: unknown;

    const waiting = failureOf(untilStarted(open(), () => {}, clock)).then((error) => {
      failed = error;
    });
    while (failed === undefined) {
      await clock.advance(10_000);
      await Bun.sleep(1);
    }

    await waiting;
    expect(failed).toMatchObject({ code: "57P03" });
  });
});
