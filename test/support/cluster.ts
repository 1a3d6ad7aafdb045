import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import postgresDriver from "postgres";
import { commandPrefix } from "../../src/platform/embedded/account.ts";
import { installedBinaries } from "../../src/platform/embedded/binaries.ts";
import { waitFor } from "./wait.ts";

/** One PostgreSQL server of a cluster with a data folder and a port, running or stopped. */
export type ClusterServer = {
  readonly port: number;
  /** The server's host and port in `DATABASE_URL`. */
  readonly host: string;
  /** The URL of a database on this server only. */
  readonly url: string;
  /**
   * Starts the server with its own settings and with additional settings for this start, and waits until it responds.
   */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Makes this server a standby of `source`, without starting it. Its data may be a copy of the data of `source`. */
  followFrom(source: ClusterServer): Promise<void>;
  /** Promotes a standby and waits until it accepts writes. */
  promote(): Promise<void>;
  /** Runs a statement as the superuser. */
  ask(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends the server. SIGINT is an orderly shutdown. */
  end(signal?: "SIGKILL" | "SIGQUIT" | "SIGINT"): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
};

/** Servers of the embedded PostgreSQL that share one folder. */
export type Cluster = {
  /** Creates a server with new data, or with a copy of a stopped server's data. */
  add(options?: { readonly copyOf?: ClusterServer; readonly settings?: Settings }): Promise<ClusterServer>;
  /** Returns the address with these servers in this order. */
  urlOf(...servers: readonly ClusterServer[]): string;
  stop(): Promise<void>;
};

type Settings = Readonly<Record<string, string>>;

/** Returns the reason why no cluster can be created on this machine, or undefined. */
export function clusterIsMissing(): string | undefined {
  try {
    const { postgres } = installedBinaries();
    const tools = [join(dirname(postgres), "pg_ctl"), join(dirname(postgres), "../lib/postgresql/libpqwalreceiver.so")];
    const missing = tools.find((tool) => !existsSync(tool));
    return missing && `${missing} is missing`;
  } catch (error) {
    return String(error);
  }
}

/**
 * Creates a cluster. The embedded PostgreSQL has no pg_basebackup, so a standby starts from a copy of a stopped server.
 */
export function createCluster(folder: string): Cluster {
  const { initdb, postgres } = installedBinaries();
  const log = join(folder, "postgres.log");
  const servers: ClusterServer[] = [];
  const dataOf = new Map<ClusterServer, string>();

  const makeData = async (data: string, copyOf: ClusterServer | undefined): Promise<void> => {
    const choices = ["--encoding=UTF8", "--locale=C.UTF-8", "--username=parley", "--auth=trust", "--no-instructions"];
    if (!copyOf) return await run([...commandPrefix(data), initdb, "--pgdata", data, ...choices]);
    const source = dataOf.get(copyOf) ?? "";
    await run([...commandPrefix(source), "cp", "-a", source, data]);
  };
  return {
    async add({ copyOf, settings = {} } = {}) {
      const data = join(folder, `server-${servers.length + 1}`);
      await makeData(data, copyOf);
      const server = serverOf({ program: postgres, log, data, port: await freePort(), settings });
      servers.push(server);
      dataOf.set(server, data);
      return server;
    },
    urlOf: (...named) => `postgres://parley@${named.map(({ host }) => host).join(",")}/postgres`,
    async stop() {
      for (const server of servers.toReversed()) await server.end("SIGQUIT");
    },
  };
}

type ServerPlace = {
  readonly program: string;
  readonly log: string;
  readonly data: string;
  readonly port: number;
  readonly settings: Settings;
};

function serverOf({ program, log, data, port, settings }: ServerPlace): ClusterServer {
  let running: Bun.Subprocess | undefined;
  const ask = (statement: string) => askServer(port, statement);
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `postgres://parley@127.0.0.1:${port}/postgres`,
    ask,
    async start(more = {}) {
      const flags = Object.entries({ ...settingsOf(port), ...settings, ...more });
      const command = [...commandPrefix(data), program, "-D", data];
      const begin = () => {
        const output = openSync(log, "a");
        const server = Bun.spawn([...command, ...flags.flatMap(([name, value]) => ["-c", `${name}=${value}`])], {
          env: environment,
          stdio: ["ignore", output, output],
        });
        closeSync(output);
        return server;
      };
      const logged = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
      await waitFor(
        async () => {
          const before = logged().length;
          const server = begin();
          running = server;
          await waitFor(() => server.exitCode !== null || answers(port), {
            withinMs: 60_000,
            what: `a server on ${port}`,
          });
          if (server.exitCode === null) return true;
          const reason = logged().slice(before);
          // The child processes of a killed server end a moment later.
          if (!reason.includes("is still in use")) throw new Error(`PostgreSQL did not start: ${logged()}`);
          return false;
        },
        { withinMs: 60_000, what: `the processes of an earlier server on ${port} to end` },
      );
    },
    async followFrom(source) {
      await run([...commandPrefix(data), "touch", join(data, "standby.signal")]);
      const line = `primary_conninfo = 'host=127.0.0.1 port=${source.port} user=parley'`;
      await run([...commandPrefix(data), "sh", "-c", `echo "${line}" >>"${join(data, "postgresql.auto.conf")}"`]);
    },
    async promote() {
      await ask("select pg_promote(true, 60)");
    },
    async end(signal = "SIGKILL") {
      const server = running;
      running = undefined;
      if (!server || server.exitCode !== null) return;
      server.kill(signal);
      server.kill("SIGCONT");
      await server.exited;
    },
    signal: (signal) => running?.kill(signal),
  };
}

function settingsOf(port: number): Settings {
  return {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "100",
    log_min_messages: "log",
  };
}

const environment = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", LC_ALL: "C.UTF-8", TZ: "UTC" };

async function answers(port: number): Promise<boolean> {
  return await askServer(port, "select 1").then(
    () => true,
    () => false,
  );
}

async function askServer(port: number, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sql = postgresDriver({
    ...{ host: "127.0.0.1", port, user: "parley", database: "postgres", max: 1, connect_timeout: 2 },
    onnotice: () => {},
    connection: { default_transaction_read_only: false },
  });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { env: environment, stdout: "ignore", stderr: "pipe" });
  const [exitCode, problem] = await Promise.all([child.exited, child.stderr.text()]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${problem}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === "string") throw new Error("There is no free port");
  return address.port;
}
