import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import postgresDriver from "postgres";
import { commandPrefix } from "../../src/embedded/account.ts";
import { installedBinaries } from "../../src/embedded/binaries.ts";
import { waitFor } from "../support/wait.ts";

/** A primary and its standby, replicated synchronously: what the primary acknowledged the standby has on its disk. */
export type Pair = {
  /** An address that names both. */
  readonly url: string;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Kills the primary, without a chance to say anything, and promotes the standby. */
  failOver(): Promise<void>;
  /** Runs statements on the primary, whatever it refuses to others. */
  askPrimary(...statements: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

/** Why no pair can be made here; undefined when it can. */
export function pairIsMissing(): string | undefined {
  try {
    const { postgres } = installedBinaries();
    const tools = [join(dirname(postgres), "pg_ctl"), join(dirname(postgres), "../lib/postgresql/libpqwalreceiver.so")];
    const missing = tools.find((tool) => !existsSync(tool));
    return missing && `${missing} is missing`;
  } catch (error) {
    return String(error);
  }
}

/** Both are made of the embedded PostgreSQL, which has no pg_basebackup: the standby begins as a copy of the stopped primary. */
export async function startPair(folder: string): Promise<Pair> {
  const { initdb, postgres } = installedBinaries();
  const place = { program: postgres, log: join(folder, "postgres.log") };
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const [firstPort, secondPort] = await Promise.all([freePort(), freePort()]);
  const choices = ["--encoding=UTF8", "--locale=C.UTF-8", "--username=parley", "--auth=trust", "--no-instructions"];
  await run([...commandPrefix(first), initdb, "--pgdata", first, ...choices]);
  await run([...commandPrefix(first), "cp", "-a", first, second]);
  await run([...commandPrefix(second), "touch", join(second, "standby.signal")]);

  const primary = await startServer({
    ...place,
    data: first,
    port: firstPort,
    settings: { synchronous_standby_names: "*" },
  });
  const conninfo = `host=127.0.0.1 port=${firstPort} user=parley`;
  const standby = await startServer({
    ...place,
    data: second,
    port: secondPort,
    settings: { primary_conninfo: conninfo },
  });
  await waitFor(() => ask(firstPort, "select from pg_stat_replication where sync_state = 'sync'"), {
    what: "the standby to follow",
  });
  return {
    primaryUrl: `postgres://parley@127.0.0.1:${firstPort}/postgres`,
    standbyUrl: `postgres://parley@127.0.0.1:${secondPort}/postgres`,
    url: `postgres://parley@127.0.0.1:${firstPort},127.0.0.1:${secondPort}/postgres`,
    async failOver() {
      primary.kill("SIGKILL");
      await primary.exited;
      await run([...commandPrefix(second), join(dirname(postgres), "pg_ctl"), "promote", "--pgdata", second]);
    },
    async askPrimary(...statements) {
      const connection = { default_transaction_read_only: false };
      const sql = postgresDriver({
        host: "127.0.0.1",
        port: firstPort,
        user: "parley",
        database: "postgres",
        max: 1,
        connection,
      });
      for (const statement of statements) await sql.unsafe(statement);
      await sql.end({ timeout: 1 });
    },
    async stop() {
      for (const server of [standby, primary]) {
        server.kill("SIGQUIT");
        await server.exited;
      }
    },
  };
}

type ServerOptions = {
  readonly program: string;
  readonly log: string;
  readonly data: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
};

async function startServer({ program, log, data, port, settings }: ServerOptions): Promise<Bun.Subprocess> {
  const chosen = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "100",
    log_min_messages: "log",
    ...settings,
  };
  const flags = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const output = openSync(log, "a");
  const server = Bun.spawn([...commandPrefix(data), program, "-D", data, ...flags], {
    env: environment,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  await waitFor(() => server.exitCode !== null || ask(port, "select 1"), { what: `a server on ${port}` });
  if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${readFileSync(log, "utf8")}`);
  return server;
}

const environment = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", LC_ALL: "C.UTF-8", TZ: "UTC" };

/** Whether a statement gives a row. A standby is asked through its own port. */
async function ask(port: number, statement: string): Promise<boolean> {
  const command = { host: "127.0.0.1", port, user: "parley", database: "postgres", max: 1, connect_timeout: 2 };
  const sql = postgresDriver(command);
  try {
    return (await sql.unsafe(statement)).length > 0;
  } catch {
    return false;
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
