import { availableParallelism } from "node:os";
import { createApp } from "./app.ts";
import { blocks } from "./blocks/index.ts";
import { type Config, readConfig, StartError } from "./config.ts";
import { createDependencies, type Dependencies } from "./dependencies.ts";
import { clearArrivals } from "./effects/arrival.ts";
import { createMailer, type Mailer } from "./effects/email.ts";
import { checkStorage } from "./effects/storage-check.ts";
import { openDatabase } from "./embedded/database.ts";
import { withEncryptionKey } from "./embedded/encryption-key.ts";
import { keepTokenFile, tokenFile } from "./embedded/token-file.ts";
import { createBoard } from "./jobs/board.ts";
import { startJobs } from "./jobs/jobs.ts";
import { openQueue, type Queue } from "./jobs/queue.ts";
import { limits } from "./limits.ts";
import { createLog, type Log } from "./log.ts";
import { createSandbox } from "./sandbox/index.ts";
import { openInstance } from "./services/instance.ts";
import { stopRequest } from "./stop-request.ts";
import { migrate } from "./store/database/migrate.ts";
import { connect } from "./store/database/sql.ts";
import { asStartError } from "./store/database/start-error.ts";
import { createThreads } from "./threads/threads.ts";

/**
 * Connections for the reads and saves of chat steps. The driver uses all connections of a pool in turns, and a server process that
 * was used a moment ago is warm: with 3 instead of 16 a step takes 90 instead of 105 µs of the database's time (PostgreSQL 18.4).
 */
const maxStepConnections = 4;

/** Bun answers a longer body with an empty 413 of its own; ours is counted, and answered, per route. */
const refusedUnreadBytes = (limits.uploads.fileMegabytes + 1) * 1024 * 1024;
/** Queries that a cut-off request left behind end within this. */
const poolEndSeconds = 5;

/** For tests: what stands in the place of parts of the service. */
export type Replacements = {
  dependencies?(made: Dependencies): Dependencies;
  mailer?(made: Mailer): Mailer;
};

/**
 * Serves until it is asked to stop, then finishes the requests under way and ends what it started. Returns the exit
 * code: 0 after a whole drain. Throws a StartError when something must be changed before it can start.
 */
export async function serve(
  environment: Readonly<Record<string, string | undefined>>,
  { dependencies = (made) => made, mailer: replaceMailer = (made) => made }: Replacements = {},
): Promise<number> {
  const config = readConfig(environment);
  const log = createLog(config.LOG_LEVEL);
  const stop = stopRequest();
  // Whatever was started is ended in reverse order, also when a later part of the start fails.
  await using ends = new AsyncDisposableStack();
  ends.defer(stop.end);
  const database = await openDatabase(config, {
    log,
    onLost(error) {
      log.error(error.message);
      stop.fail();
    },
  });
  ends.defer(database.close);
  const stepConnections = Math.min(maxStepConnections, Math.floor(config.DATABASE_POOL / 2));
  const sql = connect(database.url, { connections: config.DATABASE_POOL - stepConnections });
  const stepSql = connect(database.url, { connections: stepConnections });
  for (const pool of [sql, stepSql])
    ends.defer(() => pool.end({ timeout: stop.exitCode() === 0 ? poolEndSeconds : 0 }));

  const firstToken = await prepareDatabase(config, sql, log);
  if (firstToken !== undefined) announceToken(config, firstToken);
  const spot = { blocks, createSandbox };
  const threads = createThreads({ count: config.WORKER_THREADS ?? availableParallelism(), spot });
  ends.defer(() => Promise.race([threads.close(), stop.forced]));
  await threads.ping();
  const mailer = replaceMailer(createMailer({ url: config.SMTP_URL, from: config.SMTP_FROM }));
  const queue = await prepareQueue(database.url, log);
  ends.defer(() => Promise.race([queue.stop(), stop.forced]));
  let wakeJobs = (): void => {};
  const made = createDependencies({
    config: await withEncryptionKey(config),
    log,
    sql,
    stepSql,
    threads,
    board: createBoard({ sql, queue }),
    onJobs: () => wakeJobs(),
  });
  const deps = dependencies(made);
  await clearArrivals(deps.storage.arrivals);
  if (config.S3_BUCKET !== undefined) warnOfStorage(deps);
  const jobs = await startJobs(deps, { queue, mailer });
  wakeJobs = jobs.wake;
  ends.defer(() => Promise.race([jobs.stop(), stop.forced]));
  const server = listen(deps);

  if (sharesOrigin(config)) {
    log.warn("Authors' code in chats shares the origin of the job board: give CHAT_URL a host of its own");
  }
  announceReady(config, server.port);
  await stop.asked;
  log.info("Stopping: requests under way are finished");
  await Promise.race([server.drain(), stop.forced]);
  return stop.exitCode();
}

/** A wrong setting shows at the start, not at the first visitor's upload; chats that need no files go on without. */
function warnOfStorage({ storage, log }: Dependencies): void {
  checkStorage(storage).catch((error: unknown) =>
    log.error("Uploads will fail: the file storage does not work", { error }),
  );
}

async function prepareDatabase(config: Config, sql: Dependencies["sql"], log: Log): Promise<string | undefined> {
  try {
    for (const name of await migrate(sql)) log.info("Migration ran", { migration: name });
    return await openInstance(sql, {
      adminToken: config.ADMIN_TOKEN,
      keepToken: (token) => keepTokenFile(config.DATA_DIR, token),
    });
  } catch (error) {
    throw asStartError(error);
  }
}

async function prepareQueue(url: string, log: Log): Promise<Queue> {
  try {
    return await openQueue({ url, log });
  } catch (error) {
    throw asStartError(error);
  }
}

type Listening = {
  readonly port: number;
  /** Takes no new requests and waits for those under way, within a bound. */
  drain(): Promise<void>;
};

function listen(deps: Dependencies): Listening {
  const { config } = deps;
  const app = createApp(deps);
  let isDraining = false;
  const server = startListening(config, async (request) => {
    const response = await app.fetch(request);
    // Tells clients that keep connections that their next request needs another one, or another node.
    if (isDraining) response.headers.set("Connection", "close");
    return response;
  });
  // What Elysia's own listen would set: handlers ask it for the caller's address.
  app.server = server;
  return {
    port: server.port ?? config.PORT,
    async drain() {
      isDraining = true;
      const impatience = setTimeout(() => server.stop(true), limits.process.drainMs);
      await server.stop(false);
      clearTimeout(impatience);
    },
  };
}

type Fetch = (request: Request) => Promise<Response>;

function startListening(config: Config, fetch: Fetch): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: config.HOST,
      port: config.PORT,
      idleTimeout: limits.process.idleSeconds,
      maxRequestBodySize: refusedUnreadBytes,
      fetch,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`PORT ${config.PORT} on HOST ${config.HOST} cannot be listened on: ${reason}`, {
      cause: error,
    });
  }
}

/** Whether chat pages, with what authors put into them, are served under the same host as the management's. */
function sharesOrigin({ PUBLIC_URL, CHAT_URL }: Config): boolean {
  if (CHAT_URL === undefined) return true;
  return PUBLIC_URL !== undefined && new URL(PUBLIC_URL).host === new URL(CHAT_URL).host;
}

function announceToken(config: Config, token: string): void {
  process.stdout.write(
    `First start: the administrator's API token is ${token} (kept in ${tokenFile(config.DATA_DIR)})\n`,
  );
}

function announceReady(config: Config, port: number): void {
  const host = config.HOST === "0.0.0.0" || config.HOST === "::" ? "localhost" : config.HOST;
  const here = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const base = config.PUBLIC_URL?.replace(/\/$/, "") ?? here;
  const chats = config.CHAT_URL?.replace(/\/$/, "") ?? base;
  const addresses = [
    `API: ${base}/api/v1`,
    `Documentation: ${base}/docs`,
    `Chat pages: ${chats}/<public id>`,
    `Job board: ${base}/admin/queues`,
  ];
  process.stdout.write(`Parley is ready. ${addresses.join("  ")}\n`);
}
