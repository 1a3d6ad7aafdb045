import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Config, StartError } from "../../config.ts";
import { asStartError } from "../../platform/database/primary/start-error.ts";
import { connect } from "../../platform/database/sql.ts";
import { type DataFolders, lockDataFolder, openDataFolder } from "../../platform/embedded/folders.ts";
import { readyPid } from "../../platform/embedded/leftover.ts";
import { startServer } from "../../platform/embedded/server.ts";
import { createLog } from "../../platform/observing/log.ts";
import { ownProgram } from "../../platform/processes/own-program.ts";
import { endsWithParentVariable } from "../../platform/processes/parent.ts";
import { childrenOf } from "../../platform/processes/processor-time.ts";
import type { Environment } from "../command.ts";
import { createDatabase, dropDatabase, readServer } from "./leftovers.sql.ts";
import { dropLeftDatabases, folderPrefix, newDatabaseName, removeFolder, removeLeftFolders } from "./leftovers.ts";

/**
 * Creates a folder on the disk of DATA_DIR, so that the run measures this disk. First removes the folders of killed
 * runs.
 */
export async function makeFolder({ DATA_DIR }: Config, ends: AsyncDisposableStack): Promise<DataFolders> {
  const isNew = !existsSync(DATA_DIR);
  let made: string;
  try {
    mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
    await removeLeftFolders(DATA_DIR);
    made = mkdtempSync(join(resolve(DATA_DIR), folderPrefix));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR cannot be used: ${String(error)}.`, { cause: error });
  }
  const folders = openDataFolder(made);
  ends.defer(() => {
    removeFolder(folders);
    if (isNew) rmSync(DATA_DIR, { recursive: true, force: true });
  });
  // The lock shows the next run whether this run is still running.
  const lock = lockDataFolder(folders);
  ends.defer(() => lock?.release());
  return folders;
}

/**
 * Creates a database on the server of DATABASE_URL and drops it at the end. Without DATABASE_URL, starts an embedded
 * database in the folder.
 */
export async function openThrowAway(
  { DATABASE_URL }: Config,
  { folders, connections, ends }: { folders: DataFolders; connections: number; ends: AsyncDisposableStack },
) {
  if (DATABASE_URL !== undefined) return await makeOnServer(DATABASE_URL, ends);
  const server = await startServer({
    folders,
    connections,
    log: createLog("error"),
    onLost(error) {
      throw error;
    },
  });
  ends.defer(server.stop);
  // The process id of the database server's main process; 0 if the server has not recorded that it is ready.
  return { url: server.url, pid: readyPid(folders.data) ?? 0, isEmbedded: true };
}

async function makeOnServer(url: string, ends: AsyncDisposableStack) {
  const name = newDatabaseName();
  const sql = connect(url, { connections: 1 });
  ends.defer(() => sql.end());
  const address = new URL(url);
  address.pathname = `/${name}`;
  const own = connect(address.href, { connections: 1 });
  try {
    await dropLeftDatabases(sql);
    await createDatabase(sql, name);
    ends.defer(() => dropDatabase(sql, name));
    // This connection shows other runs that the database is in use.
    ends.defer(() => own.end());
    await readServer(own);
  } catch (error) {
    throw asStartError(error);
  }
  return { url: address.href, pid: 0, isEmbedded: false };
}

const host = "127.0.0.1";
const stopWithinMs = 30_000;

/**
 * Settings that are left out because they refer to other machines or to the data of a running service. All other
 * settings of the operator apply.
 */
const leftOut: ReadonlySet<string> = new Set<keyof Config>([
  "CHAT_URL",
  "DATABASE_READ_URL",
  "ENCRYPTION_KEY_OLD",
  "HOST",
  "PORT",
  "PUBLIC_URL",
  "TRUSTED_PROXIES",
]);
const leftOutGroups = /^(?:OTEL|S3|SMTP)_/;

type MeasuredOptions = {
  readonly databaseUrl: string;
  readonly folders: DataFolders;
  readonly ends: AsyncDisposableStack;
  /** Aborting this signal ends the start early. */
  readonly signal: AbortSignal;
};

type MeasuredService = Awaited<ReturnType<typeof startMeasured>>;

/** Starts the service in a separate process, as an operator does, on a free port of the loopback address. */
export async function startMeasured(environment: Environment, { databaseUrl, folders, ends, signal }: MeasuredOptions) {
  const token = crypto.randomUUID();
  const log = join(folders.root, "service.log");
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !leftOut.has(name) && !leftOutGroups.test(name)),
  );
  const child = Bun.spawn([...ownProgram(), "serve"], {
    env: {
      ...given,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folders.root, "service"),
      HOST: host,
      PORT: "0",
      RATE_LIMITS: "off",
      ADMIN_TOKEN: token,
      ENCRYPTION_KEY: `bench-${crypto.randomUUID()}`,
      DRAIN_SECONDS: "0",
      [endsWithParentVariable]: "1",
    },
    stdio: ["ignore", "pipe", Bun.file(log)],
    serialization: "json",
    ipc() {},
  });
  ends.defer(async () => {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    await child.exited;
    clearTimeout(late);
  });
  const giveUp = (): void => child.kill("SIGKILL");
  signal.addEventListener("abort", giveUp);
  const port = await readyPort(child.stdout, log);
  signal.removeEventListener("abort", giveUp);
  return {
    host,
    port,
    /**
     * The process ids of the service's supervisor and its serving processes, or of the single process if the service
     * runs as one.
     */
    pids: () => [child.pid, ...childrenOf(child.pid)],
    async post<Answer extends TSchema>(path: string, body: object, answer: Answer): Promise<Static<Answer>> {
      const response = await fetch(`http://${host}:${port}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new StartError(`${path} answers ${response.status}: ${await response.text()}`);
      return Value.Parse(answer, await response.json());
    },
  };
}

/**
 * Returns the port of the first address that the service prints when it is ready. Throws a StartError if the service
 * ends first.
 */
async function readyPort(output: ReadableStream<Uint8Array>, log: string): Promise<number> {
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    printed += decoder.decode(chunk, { stream: true });
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
    if (port !== undefined && printed.includes("\n")) return Number(port);
  }
  throw new StartError(`The measured service did not start: ${lastLine(log)}`);
}

function lastLine(log: string): string {
  return readFileSync(log, "utf8").trim().split("\n").at(-1) || "it printed nothing.";
}

const Named = Type.Object({ id: Type.String() });

/** Publishes a flow as a bot and returns the bot's public id. */
export async function publishFlow({ post }: MeasuredService, flow: object): Promise<string> {
  const { workspace } = await post("/api/v1/workspaces", { name: "Bench" }, Type.Object({ workspace: Named }));
  const { bot } = await post("/api/v1/bots", { workspaceId: workspace.id, bot: flow }, Type.Object({ bot: Named }));
  const { publicId } = await post(`/api/v1/bots/${bot.id}/publish`, {}, Type.Object({ publicId: Type.String() }));
  return publicId;
}
