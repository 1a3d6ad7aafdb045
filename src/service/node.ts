import { version } from "../../package.json";
import type { Config } from "../config.ts";
import { limits } from "../limits/index.ts";
import { silenceCopies, silencedNote } from "../management/channels/copies.ts";
import { openInstance } from "../management/instance/instance.ts";
import { findShortage, nameConnections } from "../platform/database/connections.sql.ts";
import { migrations } from "../platform/database/migrations.ts";
import { untilStarted } from "../platform/database/outages/health.sql.ts";
import { boundAnswers } from "../platform/database/primary/answer-bound.ts";
import { createServerReports } from "../platform/database/primary/database-servers.ts";
import { asStartError, type NamedDatabase } from "../platform/database/primary/start-error.ts";
import { createWriteWatch, type WatchRole, type WriteWatch } from "../platform/database/primary/write-watch.ts";
import { type MigrationNote, migrate } from "../platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../platform/database/sql.ts";
import type { Archiving } from "../platform/embedded/archiving.ts";
import { nameOf, openDatabase } from "../platform/embedded/database.ts";
import { withEncryptionKey } from "../platform/embedded/encryption-key.ts";
import { writeTokenFile } from "../platform/embedded/private-file.ts";
import type { Log } from "../platform/observing/log.ts";
import type { Registry } from "../platform/observing/prometheus.ts";
import type { StopRequest } from "../platform/processes/stop-request.ts";
import { openQueue, type Queue } from "../platform/queue/queue.sql.ts";

/**
 * The maximum number of connections for reads and saves of chat steps. A few busy connections keep the caches of the
 * server processes warm: with 3 connections, a step took 90 µs of the database's time, and with 16 connections 105 µs
 * (PostgreSQL 18.4).
 */
const maxStepConnections = 4;

/** How long closing the pool waits for queries of aborted requests. */
const poolEndSeconds = 5;

/**
 * The shared parts of a process: its log, the stop request, and `ends`, the cleanup functions that run in reverse
 * order.
 */
export type Running = { readonly log: Log; readonly stop: StopRequest; readonly ends: AsyncDisposableStack };

/** The parts that exist once per node, regardless of the number of processes. */
export type Node = {
  /** The settings, including the key for stored secrets. */
  readonly config: Config;
  readonly databaseUrl: string;
  /** The archive of an embedded database. */
  readonly archiving?: Archiving;
  readonly sql: Sql;
  readonly queue: Queue;
  /**
   * Watches the database servers and notifies the pools when a server must no longer be used. The watch runs on the
   * pool `sql`.
   */
  readonly watch: WriteWatch;
  /** Metrics of the database servers. */
  readonly serverMetrics: Registry;
  /** The administrator that the first start created. Undefined at later starts. */
  readonly firstUserId: string | undefined;
  /** The administrator's API token. Undefined at later starts and if the settings contain a token. */
  readonly firstToken: string | undefined;
};

/** Opens the database, migrates it to this release, creates the first administrator, and opens the queue. */
export async function openNode(
  given: Config,
  running: Running,
  connections: { readonly own: number; readonly all: number },
): Promise<Node> {
  const { log, stop, ends } = running;
  const database = await openDatabase(given, {
    connections: connections.all,
    log,
    onLost(error) {
      log.error(error.message);
      stop.fail();
    },
  });
  ends.defer(database.close);
  const serverReports = createServerReports(log);
  const watch = createWriteWatch({ onReport: serverReports.report });
  // The embedded server allows as many connections as necessary, so its connections need no name.
  const named = given.DATABASE_URL === undefined ? undefined : nameConnections(database.url, connections.all);
  const url = named?.url ?? database.url;
  const sql = openPool(running, { url, connections: connections.own, watch: { leads: watch } });
  const startQueue = async (): Promise<Queue> => {
    const queue = await openQueue({ url, log, watch: { follows: watch }, attempts: given.DELIVERY_ATTEMPTS });
    ends.defer(() => Promise.race([queue.stop(), stop.forced]));
    return queue;
  };
  const place = nameOf(database);
  const onWait = (why: string) =>
    log.warn(`Waiting for the database, at most ${limits.database.startMs / 1_000} s: ${why}`, {
      database: place.name,
    });
  try {
    await untilStarted(sql, onWait);
  } catch (error) {
    throw asStartError(error, place);
  }
  const preparing = prepareDatabase(given, { sql, log, place, ...(named && { name: named.name }) });
  // In a new database, the tables of Parley and of the queue are created concurrently, which saves 100 of 1,500 ms. An
  // existing database may belong to a newer release, whose queue must not be changed.
  const early = database.isNew ? startQueue() : undefined;
  await Promise.allSettled([preparing, early]);
  const { firstToken, firstUserId } = await preparing;
  const queue = await (early ?? startQueue());
  const { archiving } = database;
  return {
    config: await withEncryptionKey(given),
    databaseUrl: url,
    ...(archiving && { archiving }),
    sql,
    queue,
    watch,
    serverMetrics: serverReports.registry,
    firstUserId,
    firstToken,
  };
}

/** Opens a pool that is closed when this process ends. */
export function openPool(
  { stop, ends }: Running,
  { url, ...options }: { url: string; connections: number; watch?: WatchRole; isBrief?: boolean; isReplica?: boolean },
): Sql {
  const pool = connect(url, options);
  ends.defer(() => pool.end({ timeout: stop.exitCode() === 0 ? poolEndSeconds : 0 }));
  return pool;
}

/**
 * Divides the connections of a process. With two or more connections, reads and saves of chat steps have separate
 * connections.
 */
export function partConnections(connections: number): { readonly general: number; readonly steps: number } {
  const steps = Math.min(maxStepConnections, Math.floor(connections / 2));
  return { general: connections - steps, steps };
}

/**
 * Migrates the database, and creates the administrator at the first start. On an operator's server, `name` is the
 * application name of this node's connections, which is used to count the connections of all nodes.
 */
async function prepareDatabase(
  config: Config,
  { sql, log, place, name }: { sql: Sql; log: Log; place: NamedDatabase; name?: string },
) {
  let firstUserId: string | undefined;
  try {
    const onNote = ({ note, ...facts }: MigrationNote) => log.warn(note, facts);
    const ran = await migrate(sql, undefined, { onNote });
    if (ran.length > 0) log.info("Migrations ran", { count: ran.length, first: ran[0], last: ran.at(-1) });
    if (ran.length > 0 && ran.length < migrations.length)
      log.info("From now on, nodes of older releases do not start on this database", { release: version });
    const firstToken = await openInstance(sql, {
      adminToken: config.ADMIN_TOKEN,
      keepToken: (token) => writeTokenFile(config.DATA_DIR, token),
      onFirst: (id) => {
        firstUserId = id;
      },
    });
    const silenced = await silenceCopies(sql, config);
    if (silenced.count > 0) log.warn(silencedNote(silenced.count), { reason: silenced.reason });
    const shortage = name === undefined ? undefined : await boundAnswers()(findShortage(sql, name));
    if (shortage !== undefined) log.warn(shortage);
    return { firstToken, firstUserId };
  } catch (error) {
    throw asStartError(error, place);
  }
}
