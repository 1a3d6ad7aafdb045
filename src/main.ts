import { availableParallelism } from "node:os";
import { createApp } from "./app.ts";
import { type Config, readConfig, StartError } from "./config.ts";
import { createDependencies, type Dependencies } from "./dependencies.ts";
import { createMailer } from "./effects/email.ts";
import { openDatabase } from "./embedded/database.ts";
import { keepTokenFile, tokenFile } from "./embedded/token-file.ts";
import { startOutbox } from "./jobs/outbox.ts";
import { limits } from "./limits.ts";
import { createLog, type Log } from "./log.ts";
import { openInstance } from "./services/instance.ts";
import { stopRequest } from "./stop-request.ts";
import { migrate } from "./store/migrate.ts";
import { connect } from "./store/sql.ts";
import { asStartError } from "./store/unusable.ts";
import { createThreads } from "./threads/threads.ts";

/** The most that Bun takes: a request that waits for slow effects has sent nothing for minutes (Bun's default is 10 s). */
const idleSeconds = 255;
/** Bun answers a longer body with an empty 413 of its own; ours is counted, and answered, per route. */
const refusedUnreadBytes = limits.managementBodyBytes + 1024 * 1024;
/** Queries that a cut-off request left behind end within this. */
const poolEndSeconds = 5;

/**
 * Serves until it is asked to stop, then finishes the requests under way and ends what it started. Returns the exit
 * code: 0 after a whole drain. Throws a StartError when something must be changed before it can start.
 */
export async function serve(environment: Readonly<Record<string, string | undefined>>): Promise<number> {
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
  const sql = connect(database.url, { connections: config.DATABASE_POOL });
  ends.defer(() => sql.end({ timeout: stop.exitCode() === 0 ? poolEndSeconds : 0 }));

  const firstToken = await prepareDatabase(config, sql, log);
  if (firstToken !== undefined) announceToken(config, firstToken);
  const threads = createThreads({ count: config.WORKER_THREADS ?? availableParallelism() });
  ends.defer(() => Promise.race([threads.close(), stop.forced]));
  await threads.ping();
  const mailer = createMailer({ url: config.SMTP_URL, from: config.SMTP_FROM });
  const outbox = startOutbox({ sql, log, mailer });
  ends.defer(() => Promise.race([outbox.stop(), stop.forced]));
  const server = listen(createDependencies({ config, log, sql, threads, onJobs: outbox.wake }));

  announceReady(config, server.port);
  await stop.asked;
  log.info("Stopping: requests under way are finished");
  await Promise.race([server.drain(), stop.forced]);
  return stop.exitCode();
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
      const impatience = setTimeout(() => server.stop(true), limits.drainMs);
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
      idleTimeout: idleSeconds,
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

function announceToken(config: Config, token: string): void {
  process.stdout.write(
    `First start: the administrator's API token is ${token} (kept in ${tokenFile(config.DATA_DIR)})\n`,
  );
}

function announceReady(config: Config, port: number): void {
  const host = config.HOST === "0.0.0.0" || config.HOST === "::" ? "localhost" : config.HOST;
  const here = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const base = config.PUBLIC_URL?.replace(/\/$/, "") ?? here;
  process.stdout.write(`Parley is ready. API: ${base}/api/v1  Documentation: ${base}/docs\n`);
}
