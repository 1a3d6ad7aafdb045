import { type Db, PgBoss } from "pg-boss";
import type { Log } from "../log.ts";
import { isOutage } from "../store/database/outage.ts";
import type { WatchRole } from "../store/database/servers.ts";
import { connect, type Sql, type Statements } from "../store/database/sql.ts";
import { queueOptions } from "./queues.ts";

/** Where its tables lie. Only the board's adapter reads them by SQL. */
export const queueSchema = "pgboss";

/** The job queue of this process: pg-boss on the same database, over connections of its own. */
export type Queue = {
  readonly boss: PgBoss;
  /** For our own statements on pg-boss' tables: rows are not mapped, ids are its uuids. */
  readonly sql: Sql;
  /**
   * Runs the work in one transaction, on a connection of its own. Statements go to the first argument, pg-boss' methods take the
   * second as their `db` option: both are done, or neither. For rare things: the connection is made for it.
   */
  transaction<Result>(work: (statements: Statements, db: Db) => Promise<Result>): Promise<Result>;
  /** Ends it and its connections. Workers are stopped before. */
  stop(): Promise<void>;
};

/** Statements are short, and travel one behind the other; the second one lets them past a long one, such as counting jobs. */
const connections = 2;

/** A process that only shows the queue needs it seldom. */
const idleSeconds = 10;

export type QueueOptions = {
  readonly url: string;
  readonly log: Log;
  /** Another process of this node has opened it and keeps it: this one only looks at jobs and changes them, and has connections while it does. */
  readonly isKeptElsewhere?: boolean;
  readonly watch?: WatchRole;
};

/**
 * Opens the queue: its tables are made or brought to this release, and our queues get this release's options. Safe when several
 * nodes start at once. A database that cannot be reached for a while only delays what was asked.
 */
export async function openQueue({ url, log, isKeptElsewhere = false, watch }: QueueOptions): Promise<Queue> {
  const sql = connect(url, {
    connections,
    isRaw: true,
    ...(isKeptElsewhere && { idleSeconds }),
    ...(watch && { watch }),
  });
  const boss = new PgBoss({
    db: databaseOf(sql, (script) => onOwnConnection(url, (own) => run(own, script, []))),
    schema: queueSchema,
    // Whom nothing waits for looks seldom: jobs that depend on each other, which we have none of, and scheduled jobs.
    flowIntervalSeconds: 3600,
    cronWorkerIntervalSeconds: 30,
    // Jobs of a process that died are noticed within this; one node looks for all.
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    ...(isKeptElsewhere && onlyShown),
  });
  // An outage is said once, by the relay, which looks every second.
  boss.on("error", (error) => (isOutage(error) ? log.debug : log.error)("The job queue has a problem", { error }));
  boss.on("warning", ({ message, data }) => log.warn(message, { data }));
  const stop = async () => {
    await boss.stop({ graceful: false });
    // Nothing is under way any more; an ending that waits would wait for what a lost connection never answered.
    await sql.end({ timeout: 0 });
  };
  try {
    await boss.start();
    if (!isKeptElsewhere) await declareQueues(boss);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    boss,
    sql,
    stop,
    transaction: (work) => onOwnConnection(url, (own) => inTransaction(own, work)),
  };
}

/** No clock of pg-boss's own runs: what queues are called and how they are kept changes with a release only. */
const onlyShown = { migrate: false, supervise: false, schedule: false, queueCacheIntervalSeconds: 86_400 };

/**
 * Lends a connection that nobody else uses and that is not made again when it is lost: what is left of the work then fails, instead of
 * being done outside of its transaction, as it would be on a pool of one. (The driver's own `begin` cannot run pg-boss' scripts.)
 */
async function onOwnConnection<Result>(url: string, work: (own: Sql) => Promise<Result>): Promise<Result> {
  const own = connect(url, { connections: 1, isRaw: true, onClose: () => void own.end({ timeout: 0 }) });
  try {
    return await work(own);
  } finally {
    // Also ends what a script or a transaction that failed left open.
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

/** Makes the queues that are missing, and gives the others this release's options. */
async function declareQueues(boss: PgBoss): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, options] of queueOptions()) {
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

/** Connections as pg-boss wants them. Installation and maintenance are scripts from `begin` to `commit`. */
function databaseOf(statements: Statements, runScript?: (script: string) => Promise<unknown[]>): Db {
  return {
    async executeSql(text, values = []) {
      if (runScript && opensTransaction.test(text)) return { rows: await runScript(text) };
      return { rows: await run(statements, text, values) };
    },
  };
}

const opensTransaction = /^\s*begin\b/i;

async function run(statements: Statements, text: string, values: readonly unknown[]): Promise<unknown[]> {
  const parameters = values.map(parameterOf);
  return flat(await statements.unsafe(withJsonTexts(text, parameters), parameters));
}

/** Where a parameter is JSON the driver would write a text as JSON once more: pg-boss hands texts that are JSON already. */
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

type Parameter = Parameters<Sql["json"]>[0] | Date;

function parameterOf(value: unknown): Parameter {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value;
  return isJson(value) ? value : String(value);
}

type Json = Parameters<Sql["json"]>[0];

function isJson(value: unknown): value is Json {
  return ["string", "number", "boolean", "object"].includes(typeof value);
}
