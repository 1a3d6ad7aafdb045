import { type Db, PgBoss } from "pg-boss";
import { type AnswerBound, boundAnswers } from "../database/primary/answer-bound.ts";
import { isOutage } from "../database/primary/outage.ts";
import { asStartError } from "../database/primary/start-error.ts";
import type { WatchRole } from "../database/primary/write-watch.ts";
import { connect, type Sql, type Statements } from "../database/sql.ts";
import type { Log } from "../observing/log.ts";
import { endHousekeeping } from "./end-housekeeping.ts";
import { queueSchema } from "./queue-tables.sql.ts";
import { queueOptions } from "./queues.ts";

/** The job queue of this process: pg-boss on the same database, with separate connections. */
export type Queue = {
  readonly boss: PgBoss;
  /** For direct statements on pg-boss's tables. Rows are not mapped, and ids are pg-boss's uuids. */
  readonly sql: Sql;
  /**
   * Runs the work in a transaction on a separate connection. SQL runs through `statements`. pg-boss's methods use the
   * same transaction if they get `db` as their `db` option. Each call opens a connection, so it is only suitable for
   * rare operations.
   */
  transaction<Result>(work: (statements: Statements, db: Db) => Promise<Result>): Promise<Result>;
  /** Stops the queue and closes its connections. The workers must be stopped first. */
  stop(): Promise<void>;
};

/**
 * Short statements share a connection. With the second connection, they need not wait for a long statement, such as
 * counting jobs.
 */
const connections = 2;

/** A secondary process rarely uses its connections, so they are closed after this time. */
const idleSeconds = 10;

export type QueueOptions = {
  readonly url: string;
  readonly log: Log;
  /**
   * Whether another process of this node maintains the queue. A secondary process only reads and changes jobs, and
   * opens connections when it needs them.
   */
  readonly isSecondary?: boolean;
  readonly watch?: WatchRole;
  /** The number of attempts for mails and calls. Defaults to the default of DELIVERY_ATTEMPTS. */
  readonly attempts?: number;
};

/**
 * Opens the queue. Unless `isSecondary` is set, creates or migrates its tables, and sets the options of this release.
 * Several nodes may start simultaneously. While the database is unavailable, operations wait. Throws a StartError if
 * the database rejects a statement or does not respond.
 */
export async function openQueue({ url, log, isSecondary = false, watch, attempts }: QueueOptions): Promise<Queue> {
  const sql = connect(url, {
    connections,
    isRaw: true,
    ...(isSecondary && { idleSeconds }),
    ...(watch && { watch }),
  });
  const db = databaseOf(sql, (script) => withOwnConnection(url, (own) => run(own, script, [])));
  // During the start, every statement has a time limit, except scripts that change the tables. Later statements have no
  // limit, because some of them, such as counting jobs, may take long.
  let answered: AnswerBound | undefined = boundAnswers();
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) =>
        answered && !changesTables.test(text) ? answered(db.executeSql(text, values)) : db.executeSql(text, values),
    },
    schema: queueSchema,
    // These intervals are long because no work waits for the queries. Parley does not use dependent jobs, options of
    // queues change only with a release, and schedules are due for a minute.
    flowIntervalSeconds: 3600,
    queueCacheIntervalSeconds: 3600,
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
    // The time within which the jobs of a dead process are noticed. One node checks for all nodes.
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
    ...(isSecondary && secondaryOptions),
  });
  // The outage watch logs an outage once. pg-boss would report it at each failed query.
  boss.on("error", (error) => (isOutage(error) ? log.debug : log.error)("The job queue has a problem", { error }));
  boss.on("warning", ({ message, data }) => log.warn(message, { data }));
  const stop = async () => {
    await endHousekeeping(log, [boss.stop({ graceful: false })]);
    // No job is running. Only a query on a lost connection could still wait for a response.
    await sql.end({ timeout: 0 });
  };
  try {
    await boss.start();
    if (!isSecondary) await declareQueues(boss, attempts);
    answered = undefined;
  } catch (error) {
    await stop();
    throw asStartError(error);
  }
  return {
    boss,
    sql,
    stop,
    transaction: (work) => withOwnConnection(url, (own) => inTransaction(own, work)),
  };
}

/** pg-boss's timers do not run in a secondary process. Names and options of queues change only with a release. */
const secondaryOptions = { migrate: false, supervise: false, schedule: false, queueCacheIntervalSeconds: 86_400 };

/**
 * Runs the work on a private connection that is not reopened if it is lost. A pool would reopen the connection and run
 * the rest of the work outside of its transaction. (The driver's own `begin` cannot run pg-boss's scripts.)
 */
async function withOwnConnection<Result>(url: string, work: (own: Sql) => Promise<Result>): Promise<Result> {
  const own = connect(url, { connections: 1, isRaw: true, onClose: () => void own.end({ timeout: 0 }) });
  try {
    return await work(own);
  } finally {
    // Closing the connection also ends a transaction that a failed script left open.
    await own.end({ timeout: 0 });
  }
}

async function inTransaction<Result>(
  own: Sql,
  work: (statements: Statements, db: Db) => Promise<Result>,
): Promise<Result> {
  await own.unsafe("begin");
  const result = await work(own, databaseOf(own));
  await own.unsafe("commit");
  return result;
}

/** Creates missing queues. Sets this release's options and the operator's number of attempts on existing queues. */
async function declareQueues(boss: PgBoss, attempts: number | undefined): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, options] of queueOptions(attempts)) {
    const queue = known.get(name);
    if (!queue) {
      await boss.createQueue(name, options);
      continue;
    }
    const { policy: _, ...changeable } = options;
    const present = new Map<string, unknown>(Object.entries(queue));
    const isCurrent = Object.entries(changeable).every(([key, value]) => present.get(key) === value);
    if (!isCurrent) await boss.updateQueue(name, changeable);
  }
}

/**
 * Implements pg-boss's `Db` interface. pg-boss sends its installation and maintenance as scripts from `begin` to
 * `commit`.
 */
function databaseOf(statements: Statements, runScript?: (script: string) => Promise<unknown[]>): Db {
  return {
    async executeSql(text, values = []) {
      if (runScript && opensTransaction.test(text)) return { rows: await runScript(text) };
      return { rows: await run(statements, text, values) };
    },
  };
}

/** Matches a script that creates or changes pg-boss's tables and records their version. Such a script may take long. */
const changesTables = /\.version\s*\(|\.version SET version/i;
const opensTransaction = /^\s*begin\b/i;

async function run(statements: Statements, text: string, values: readonly unknown[]): Promise<unknown[]> {
  const parameters = values.map(parameterOf);
  return flat(await statements.unsafe(withJsonTexts(text, parameters), parameters));
}

/** Casts JSON parameters from text. pg-boss passes serialized JSON, which the driver would serialize a second time. */
function withJsonTexts(text: string, parameters: readonly Parameter[]): string {
  const isText = (number: string) => typeof parameters[Number(number) - 1] === "string";
  return text
    .replace(/\$(\d+)::(jsonb?)\b/g, (whole, number: string, type: string) =>
      isText(number) ? `$${number}::text::${type}` : whole,
    )
    .replace(/@> \$(\d+)(?![\d:])/g, (whole, number: string) =>
      isText(number) ? `@> $${number}::text::jsonb` : whole,
    );
}

/** Returns the rows of a statement, or the rows of all statements of a script. */
function flat(result: readonly unknown[]): unknown[] {
  return result.some(Array.isArray) ? result.flat() : [...result];
}

type Json = Parameters<Sql["json"]>[0];
type Parameter = Json | Date;

function parameterOf(value: unknown): Parameter {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value;
  return isJson(value) ? value : String(value);
}

function isJson(value: unknown): value is Json {
  return ["string", "number", "boolean", "object"].includes(typeof value);
}
