import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import type { Subprocess } from "bun";
import { StartError } from "../config.ts";
import type { Log } from "../log.ts";
import { commandPrefix } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type DataFolders, makePrivateFolder } from "./folders.ts";
import { readyPid, stopLeftover } from "./leftover.ts";

/** Replaying what a crash left is bounded by max_wal_size (1 GB): minutes on a slow disk. */
const readyWithinMs = 5 * 60_000;
const readyPollMs = 10;
/** Reasons to retry a start: after a kill, PostgreSQL's other processes are still ending, for moments. */
const transientReasons = /shared memory block|lock file "postmaster.pid" already exists/;
const leftoverWaitMs = 20_000;
const leftoverPollMs = 200;
const stopWithinMs = 60_000;
/** A database that dies more often than this is not restarted again. */
const restarts = { count: 5, windowMs: 60_000 };
/** PostgreSQL's own log is started anew at a start when it has grown beyond this. */
const logBytes = 1024 * 1024;

/** A running PostgreSQL of our own. */
export type EmbeddedServer = {
  /** Address of its database for postgres.js. */
  readonly url: string;
  /** Ends it; call this when nobody uses it any more. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  readonly folders: DataFolders;
  readonly connections: number;
  readonly log: Log;
  /** More settings of PostgreSQL, for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the database has ended and cannot be started again. */
  readonly onLost: (error: StartError) => void;
};

/**
 * Starts the database in its folder, made first when there is none, and starts it again whenever it ends unasked. The
 * caller holds the folder's lock. It runs in a session of its own, so that Ctrl-C reaches the service alone.
 */
export async function startServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const binaries = findBinaries();
  const { folders, log } = options;
  makePrivateFolder(folders.socket);
  await stopLeftover(folders.data);
  await makeData(binaries, folders);
  let server = await launch(binaries, options);
  let isStopping = false;

  const keepRunning = async () => {
    const ends: number[] = [];
    for (;;) {
      await server.exited;
      if (isStopping) return;
      ends.push(performance.now());
      const recent = ends.filter((end) => performance.now() - end < restarts.windowMs);
      if (recent.length >= restarts.count)
        throw new StartError(`The embedded PostgreSQL keeps ending: see ${folders.log}.`);
      log.error("The embedded PostgreSQL ended and is started again", { end: server.exitCode ?? server.signalCode });
      server = await launch(binaries, options);
      if (isStopping) server.kill("SIGINT");
    }
  };
  const running = keepRunning().catch((error: unknown) => {
    options.onLost(error instanceof StartError ? error : new StartError(String(error), { cause: error }));
  });

  return {
    url: serverUrl(folders),
    async stop() {
      isStopping = true;
      server.kill("SIGINT");
      const timeout = setTimeout(() => server.kill("SIGQUIT"), stopWithinMs);
      await running;
      clearTimeout(timeout);
    },
  };
}

/** The address of the folder's database, running or not. The folder that holds the socket is its owner's alone: no password. */
export function serverUrl(folders: DataFolders): string {
  return `postgres://parley@localhost/postgres?host=${encodeURI(folders.socket)}`;
}

/** Creates the data in another folder and renames it, so that unfinished data is never used as a database. */
async function makeData(binaries: Binaries, folders: DataFolders): Promise<void> {
  if (existsSync(`${folders.data}/PG_VERSION`)) return;
  const unfinished = `${folders.data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const command = [...commandPrefix(folders.data), binaries.initdb, "--pgdata", unfinished];
  const choices = ["--encoding=UTF8", "--locale=C.UTF-8", "--username=parley", "--auth=trust", "--no-instructions"];
  const initdb = Bun.spawn([...command, ...choices], { env: environment(), stdout: "ignore", stderr: "pipe" });
  const [exitCode, problem] = await Promise.all([initdb.exited, initdb.stderr.text()]);
  if (exitCode !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new StartError(`The embedded PostgreSQL could not be set up: ${problem.trim().replaceAll(/\s+/g, " ")}`);
  }
  renameSync(unfinished, folders.data);
}

async function launch(binaries: Binaries, options: EmbeddedOptions): Promise<Subprocess> {
  const { folders } = options;
  const until = performance.now() + leftoverWaitMs;
  for (;;) {
    const server = spawnServer(binaries, options);
    if (await waitUntilReady(server, folders)) return server;
    const reason = readReason(folders.log, server.pid);
    const isTransient = reason === undefined || transientReasons.test(reason);
    if (!isTransient || performance.now() > until) {
      throw new StartError(`The embedded PostgreSQL did not start: ${reason ?? "it was killed"} (see ${folders.log}).`);
    }
    await Bun.sleep(leftoverPollMs);
  }
}

function spawnServer(binaries: Binaries, { folders, connections, settings }: EmbeddedOptions): Subprocess {
  const chosen = {
    listen_addresses: "",
    port: "5432",
    unix_socket_directories: `"${folders.socket}"`,
    unix_socket_permissions: "0700",
    max_connections: String(connections),
    timezone: "UTC",
    log_timezone: "UTC",
    // Statements that fail are the service's to report; what remains is about the server itself.
    log_min_messages: "log",
    log_checkpoints: "off",
    jit: "off",
    ...settings,
  };
  const flags = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const output = openSync(
    folders.log,
    existsSync(folders.log) && statSync(folders.log).size < logBytes ? "a" : "w",
    0o600,
  );
  try {
    return Bun.spawn([...commandPrefix(folders.data), binaries.postgres, "-D", folders.data, ...flags], {
      detached: true,
      env: environment(),
      stdio: ["ignore", output, output],
    });
  } finally {
    closeSync(output);
  }
}

async function waitUntilReady(server: Subprocess, folders: DataFolders): Promise<boolean> {
  const until = performance.now() + readyWithinMs;
  while (server.exitCode === null && server.signalCode === null) {
    if (readyPid(folders.data) === server.pid) return true;
    if (performance.now() > until) {
      server.kill("SIGQUIT");
      await server.exited;
      return false;
    }
    await Bun.sleep(readyPollMs);
  }
  return false;
}

/** Why the main process ended, in its own words; undefined when it had no time to say so. */
function readReason(log: string, pid: number): string | undefined {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const last = lines.findLast((line) => line.includes(`[${pid}] FATAL`) || line.includes(`[${pid}] PANIC`));
  if (last !== undefined) return last.replace(/^.*?(FATAL|PANIC):\s*/, "");
  // Before it has read its settings it writes without date and number.
  return lines.at(-1)?.startsWith("20") ? undefined : lines.at(-1);
}

/** The environment of PostgreSQL's programs, without our own: variables such as PGDATA or LC_ALL change their behaviour. */
function environment(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", LC_ALL: "C.UTF-8", TZ: "UTC" };
}
