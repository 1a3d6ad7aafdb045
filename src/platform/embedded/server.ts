import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { StartError } from "../../config.ts";
import type { Log } from "../observing/log.ts";
import { reasonOf } from "../thrown.ts";
import { commandPrefix } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type DataFolders, makePrivateFolder } from "./folders.ts";
import { readyPid, stopLeftover } from "./leftover.ts";
import { type Output, readOutput } from "./output.ts";
import { isDiskFull, type Reason, readLoss, readReason } from "./reason.ts";
import { roomFor, settingsFor } from "./settings.ts";

/**
 * A start without output for this time is treated as failed. Replaying the log after a crash can take minutes on a slow
 * disk, but PostgreSQL reports progress every ten seconds.
 */
const silentStartMs = 2 * 60_000;
const readyPollMs = 10;
/** Reasons to retry a start. After a kill, PostgreSQL's other processes need a moment to end. */
const transientReasons = /shared memory block|lock file "postmaster.pid" already exists/;
const leftoverWaitMs = 20_000;
const leftoverPollMs = 200;
/**
 * How often PostgreSQL is started if it ends each time without a reason in its output, for example because it was
 * killed.
 */
const killedStarts = 5;
/** The interval at which a database that ended on a full disk is restarted, until there is space. */
const roomPollMs = 1_000;
const stopWithinMs = 60_000;
const quitWithinMs = 10_000;
const lossPauseMs = 60_000;
/** A database that ends this often within this time is not restarted. */
const restarts = { count: 5, windowMs: 60_000 };
/** PostgreSQL's log is deleted at startup if it is larger than this. */
const logBytes = 1024 * 1024;

export type EmbeddedServer = {
  /** The URL of the database for postgres.js. */
  readonly url: string;
  /** Whether the database was created by this start. */
  readonly isNew: boolean;
  /** Stops PostgreSQL. The database must no longer be in use. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  readonly folders: DataFolders;
  readonly connections: number;
  readonly log: Log;
  /** Additional settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The environment of the Parley commands that PostgreSQL runs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with each line of output from PostgreSQL or from a command that it runs. */
  readonly onLine?: (line: string) => void;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
  /** Called when the database has ended and cannot be restarted. */
  readonly onLost: (error: StartError) => void;
};

/**
 * Starts the database in its folder, after creating it if necessary, and keeps it running. The caller must hold the
 * folder's lock. The database runs in a separate session, so that Ctrl-C only reaches the service.
 *
 *     starting ─ it accepts connections ───────────────→ running
 *     starting ─ a previous process is still ending ───→ starting again after a moment, within `leftoverWaitMs`
 *     starting ─ it was killed ────────────────────────→ starting again after a moment, up to `killedStarts` starts
 *     starting ─ it ends otherwise ────────────────────→ not started: a StartError with PostgreSQL's message
 *     running ─ it ends unexpectedly ──────────────────→ restarting, or lost if it ends too often
 *     restarting ─ its disk is full ───────────────────→ waiting for space, then restarting, without a time limit
 *     restarting ─ it does not start otherwise ────────→ lost: the caller is notified
 *     any ─ stop() ────────────────────────────────────→ stopped
 */
export async function startServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { folders, log } = options;
  makePrivateFolder(folders.socket);
  await stopLeftover(folders.data);
  const binaries = findBinaries(folders);
  const isNew = await makeData(binaries, folders);
  let server = expectRunning(await launch(binaries, options), folders);
  let isStopping = false;

  const launchAgain = async (): Promise<Server> => {
    for (let isLogged = false; ; isLogged = true) {
      const launched = await launch(binaries, options);
      const isFull = launched.kind === "failed" && launched.reason !== undefined && isDiskFull(launched.reason);
      if (!isFull || isStopping) return expectRunning(launched, folders);
      if (!isLogged)
        log.error("The embedded PostgreSQL waits for space on its disk", { reason: launched.reason?.text });
      await Bun.sleep(roomPollMs);
    }
  };
  const keepRunning = async () => {
    const ends: number[] = [];
    for (;;) {
      await server.process.exited;
      if (isStopping) return;
      const reason = readReason(await server.output.lines(), folders);
      // On a full disk, the database may end repeatedly until there is space.
      if (!reason || !isDiskFull(reason)) ends.push(performance.now());
      const recent = ends.filter((end) => performance.now() - end < restarts.windowMs);
      if (recent.length >= restarts.count) {
        const words = reason ? `: ${reason.text} (see ${folders.log}).` : `: see ${folders.log}.`;
        throw new StartError(`The embedded PostgreSQL keeps ending${words}`);
      }
      const end = server.process.exitCode ?? server.process.signalCode;
      log.error("The embedded PostgreSQL ended and is being restarted", { end, reason: reason?.text });
      server = await launchAgain();
      log.info("The embedded PostgreSQL is running again");
      if (isStopping) server.process.kill("SIGINT");
    }
  };
  const running = keepRunning().catch((error: unknown) => {
    if (isStopping) return;
    options.onLost(error instanceof StartError ? error : new StartError(String(error), { cause: error }));
  });

  return {
    url: serverUrl(folders),
    isNew,
    async stop() {
      isStopping = true;
      server.process.kill("SIGINT");
      // A suspended process only receives SIGKILL.
      const timers = [
        setTimeout(() => server.process.kill("SIGQUIT"), stopWithinMs),
        setTimeout(() => server.process.kill("SIGKILL"), stopWithinMs + quitWithinMs),
      ];
      await running;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/**
 * Returns the URL of the folder's database, whether it is running or not. There is no password, because only the owner
 * may enter the folder of the socket.
 */
export function serverUrl(folders: DataFolders): string {
  return `postgres://parley@localhost/postgres?host=${encodeURI(folders.socket)}`;
}

/**
 * Creates the data in a temporary folder and renames it, so that incomplete data is never used as a database. Returns
 * false if the data already exists.
 */
async function makeData(binaries: Binaries, folders: DataFolders): Promise<boolean> {
  if (existsSync(`${folders.data}/PG_VERSION`)) return false;
  const unfinished = `${folders.data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const choices = ["--encoding=UTF8", "--locale=C.UTF-8", "--username=parley", "--auth=trust", "--no-instructions"];
  const initdb = spawn(folders, [binaries.initdb, "--pgdata", unfinished, ...choices]);
  const output = readOutput(initdb.stderr);
  if ((await initdb.exited) !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new StartError(sentence("could not be set up", readReason(await output.lines(), folders)));
  }
  renameSync(unfinished, folders.data);
  return true;
}

type Server = { readonly process: Bun.Subprocess<"ignore", "ignore", "pipe">; readonly output: Output };

type Launched =
  | { readonly kind: "running"; readonly server: Server }
  /** If `reason` is undefined, PostgreSQL ended without a reason in its output, usually because it was killed. */
  | { readonly kind: "failed"; readonly reason: Reason | undefined };

function expectRunning(launched: Launched, { log }: DataFolders): Server {
  if (launched.kind === "running") return launched.server;
  throw new StartError(`${sentence("did not start", launched.reason)} (See ${log}.)`);
}

function sentence(what: string, reason: Reason | undefined): string {
  const { text, advice } = reason ?? { text: "it was killed", advice: "Does the machine have enough memory?" };
  const end = advice === undefined ? "" : ` ${advice.replace(/[^.?]$/, "$&.")}`;
  return `The embedded PostgreSQL ${what}: ${text}.${end}`;
}

async function launch(binaries: Binaries, options: EmbeddedOptions): Promise<Launched> {
  const { folders } = options;
  const until = performance.now() + leftoverWaitMs;
  for (let killed = 0; ; ) {
    const server = spawnServer(binaries, options);
    if (await waitUntilReady(server, options)) return { kind: "running", server };
    options.signal?.throwIfAborted();
    const reason = readReason(await server.output.lines(), folders);
    if (reason === undefined) killed++;
    const mayPass = reason === undefined ? killed < killedStarts : transientReasons.test(reason.text);
    if (!mayPass || performance.now() > until) return { kind: "failed", reason };
    await Bun.sleep(leftoverPollMs);
  }
}

function spawnServer(binaries: Binaries, options: EmbeddedOptions): Server {
  const { folders, connections, settings, environment: more, log } = options;
  const chosen = {
    listen_addresses: "",
    port: "5432",
    unix_socket_directories: `"${folders.socket}"`,
    unix_socket_permissions: "0700",
    max_connections: String(connections),
    timezone: "UTC",
    log_timezone: "UTC",
    // The service reports failed statements itself; the remaining lines are about the server.
    log_min_messages: "log",
    log_checkpoints: "off",
    ...settingsFor(roomFor(folders.data)),
    ...settings,
  };
  const flags = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  if (existsSync(folders.log) && statSync(folders.log).size > logBytes) rmSync(folders.log);
  const server = spawn(folders, [binaries.postgres, "-D", folders.data, ...flags], { detached: true, more });
  const report = reportLosses(log);
  const onLine = (line: string) => {
    report(line);
    options.onLine?.(line);
  };
  return { process: server, output: readOutput(server.stderr, { file: folders.log, onLine }) };
}

/**
 * Logs failures that PostgreSQL survives, such as a killed process or an abort on a full disk. Repetitions of a failure
 * within a minute are not logged.
 */
export function reportLosses(log: Pick<Log, "error">, now = () => performance.now()): (line: string) => void {
  const loggedAt = new Map<string, number>();
  return (line) => {
    const loss = readLoss(line);
    if (loss === undefined) return;
    const kind = loss.replaceAll(/\d+/g, "");
    const at = now();
    if (at - (loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) <= lossPauseMs) return;
    loggedAt.set(kind, at);
    log.error("The embedded PostgreSQL recovers", { reason: loss });
  };
}

/**
 * Starts a program of PostgreSQL. Its output is written to a pipe, because a file would lose lines on a full disk. When
 * the service is killed, PostgreSQL continues without a reader.
 */
function spawn(
  folders: DataFolders,
  command: readonly string[],
  { detached = false, more = {} }: { detached?: boolean; more?: Readonly<Record<string, string>> | undefined } = {},
): Server["process"] {
  try {
    return Bun.spawn([...commandPrefix(folders.data), ...command], {
      detached,
      env: { ...environment(), ...more },
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    throw new StartError(sentence("did not start", readReason([reasonOf(error)], folders)), { cause: error });
  }
}

async function waitUntilReady(
  { process: server, output }: Server,
  { folders, signal }: Pick<EmbeddedOptions, "folders" | "signal">,
): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    if (readyPid(folders.data) === server.pid) return true;
    if (signal?.aborted || performance.now() - output.lastAt() > silentStartMs) {
      server.kill("SIGQUIT");
      await server.exited;
      return false;
    }
    await Bun.sleep(readyPollMs);
  }
  return false;
}

/**
 * Returns the environment of PostgreSQL's programs. It contains none of the service's variables except PATH, because
 * variables such as PGDATA or LC_ALL change the programs' behaviour.
 */
function environment(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", LC_ALL: "C.UTF-8", TZ: "UTC" };
}
