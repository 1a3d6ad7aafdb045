import { readFileSync } from "node:fs";
import { join } from "node:path";
import { between, type Fault, type Field } from "../field.ts";

/** Returns the backends of the nodes. The test's own connections bypass the proxy and do not use TCP. */
async function backends({ sql }: Field): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid
    from pg_stat_activity
    where backend_type = 'client backend' and client_addr is not null
    order by pid`;
  return rows.map(({ pid }) => pid);
}

async function terminate(field: Field, pids: readonly number[]): Promise<void> {
  await field.sql`select pg_terminate_backend(pid) from unnest(${[...pids]}::int[]) as pid`;
}

export const databaseFaults: readonly Fault[] = [
  {
    name: "all backends terminated",
    strike: async (field) => terminate(field, await backends(field)),
  },
  {
    name: "some backends terminated",
    async strike(field) {
      for (let round = 0; round < 5; round++) {
        await terminate(
          field,
          (await backends(field)).filter(() => field.random() < 0.3),
        );
        await Bun.sleep(between(field.random, 50, 300));
      }
    },
  },
  {
    name: "database restarted (fast)",
    strike: ({ database }) => database.die("SIGINT"),
  },
  {
    name: "database killed (immediate)",
    strike: ({ database }) => database.die("SIGQUIT"),
  },
  {
    // The server closes every connection, and recovers as after a crash.
    name: "kill -9 of a backend",
    async strike(field) {
      const [pid] = await backends(field);
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
  },
  {
    name: "the database stands still (SIGSTOP)",
    async strike({ database, random }) {
      const main = Number(readFileSync(join(database.data, "postmaster.pid"), "utf8").split("\n")[0]);
      const children = readFileSync(`/proc/${main}/task/${main}/children`, "utf8").trim().split(" ").map(Number);
      const pids = [main, ...children];
      for (const pid of pids) signal(pid, "SIGSTOP");
      await Bun.sleep(between(random, 1_000, 8_000));
      for (const pid of pids) signal(pid, "SIGCONT");
    },
  },
];

/** Sends a signal to a backend, unless it has already ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
