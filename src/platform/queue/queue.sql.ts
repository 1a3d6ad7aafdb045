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

/** The job queue of this process: pg-boss on the same database, over connections of its own. */
export type Queue = {
  readonly boss: PgBoss;
  /** For our own statements on pg-boss' tables: rows are not mapped, and ids are pg-boss' uuids. */
  readonly sql: Sql;
  /**
   * Runs the work in one transaction, on a connection of its own. The first argument runs statements, and pg-boss'
   * methods accept the second as their `db` option: both take effect, or neither. For rare operations: each opens a
   * connection.
   */
  transaction<Result>(work: (statements: Statements, db: Db) => Promise<Result>): Promise<Result>;
  /** Ends the queue and its connections. Workers are stopped before. */
  stop(): Promise<void>;
};

/**
 * Statements are short and share a connection; the second connection lets them pass a long one, such as counting jobs.
 */
const connections = 2;

/** A secondary process needs its connections seldom. */
const idleSeconds = 10;

export type QueueOptions = {
  readonly url: string;
  readonly log: Log;
  /**
   * Another process of this node maintains the queue: this process only reads and changes jobs, and has connections
   * only meanwhile.
   */
  readonly isSecondary?: boolean;
  readonly watch?: WatchRole;
  /** The attempts of mails and calls; absent: the default of DELIVERY_ATTEMPTS. */
  readonly attempts?: number;
};

/**
 * Opens the queue: creates or migrates its tables, and gives our queues the options of this release. Safe when several
 * nodes start at once. While the database cannot be reached, operations wait. Throws a StartError when the database
 * refuses, or does not answer.
 */
export async function openQueue({ url, log, isSecondary = false, watch, attempts }: QueueOptions): Promise<Queue> {
  const sql = connect(url, {
    connections,
    isRaw: true,
    ...(isSecondary && { idleSeconds }),
    ...(watch && { watch }),
  });
  const db = databaseOf(sql, (script) => withOwnConnection(url, (own) => run(own, script, [])));
  // During the start every statement needs an answer in time; later statements may take long, such as counting jobs.
  let answered: AnswerBound | undefined = boundAnswers();
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) =>
        answered && !changesTables.test(text) ? answered(db.executeSql(text, values)) : db.executeSql(text, values),
    },
    schema: queueSchema,
    // Queried seldom, since no work waits for the answers: jobs that depend on each other, which we do not use, options
    // of queues, which change with a release, and schedules, which are due for a minute.
    flowIntervalSeconds: 3600,
    queueCacheIntervalSeconds: 3600,
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
    // Jobs of a process that died are noticed within this time; one node checks for all.
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
    ...(isSecondary && secondaryOptions),
  });
  // An outage is logged once, by the outage watch: the relay polls every second.
  boss.on("error", (error) => (isOutage(error) ? log.debug : log.error)("The job queue has a problem", { error }));
  boss.on("warning", ({ message, data }) => log.warn(message, { data }));
  const stop = async () => {
    await endHousekeeping(log, [boss.stop({ graceful: false })]);
    // No job is running any more; only a query that a lost connection never answered could still be awaited.
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

/** pg-boss' timers do not run: names and options of queues change with a release only. */
const secondaryOptions = { migrate: false, supervise: false, schedule: false, queueCacheIntervalSeconds: 86_400 };

/**
 * Runs the work on a connection that is not shared and not reopened when it is lost. Otherwise the rest of the work
 * would run outside of its transaction, as on a pool of one; here it fails. (The driver's own `begin` cannot run
 * pg-boss' scripts.)
 */
async function withOwnConnection<Result>(url: string, work: (own: Sql) => Promise<Result>): Promise<Result> {
  const own = connect(url, { connections: 1, isRaw: true, onClose: () => void own.end({ timeout: 0 }) });
  try {
    return await work(own);
  } finally {
    // Also ends a transaction that a failed script left open.
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

/** Creates missing queues, and gives the others this release's options, with the operator's attempts. */
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

/** Implements pg-boss' `Db` interface. Its installation and maintenance are scripts from `begin` to `commit`. */
function databaseOf(statements: Statements, runScript?: (script: string) => Promise<unknown[]>): Db {
  return {
    async executeSql(text, values = []) {
      if (runScript && opensTransaction.test(text)) return { rows: await runScript(text) };
      return { rows: await run(statements, text, values) };
    },
  };
}

/** A script that creates or changes pg-boss' tables, and records their version: it may take long. */
const changesTables = /\.version\s*\(|\.version SET version/i;
const opensTransaction = /^\s*begin\b/i;

async function run(statements: Statements, text: string, values: readonly unknown[]): Promise<unknown[]> {
  const parameters = values.map(parameterOf);
  return flat(await statements.unsafe(withJsonTexts(text, parameters), parameters));
}

/**
 * Casts JSON parameters from text: pg-boss passes texts that are JSON already, which the driver would encode a second
 * time.
 */
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

/** The rows of a statement, or of all statements of a script. */
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
