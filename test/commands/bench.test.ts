import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { childrenOf } from "../../src/platform/processes/processor-time.ts";
import { isLong } from "../support/campaigns.ts";
import { valueAt } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, runCommand, sourceCommand } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(240_000);

const database = await createTestDatabase();
const cleanups = cleanupStack();
afterEach(cleanups.run);
afterAll(() => database.close());

/** The duration is too short for any work, but a run always measures at least once. */
const short = ["--seconds", "0.001", "--rounds", "1"];

async function benchDatabases(): Promise<string[]> {
  const rows = await database.sql<{ name: string }[]>`
    select datname as name from pg_database where datname like 'parley_bench_%'`;
  return rows.map(({ name }) => name);
}

function startLongBench(environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([...sourceCommand, "bench", "--seconds", "600"], {
    env: { PATH: process.env["PATH"] ?? "", PROCESSES: "1", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  cleanups.add(() => child.kill("SIGKILL"));
  return child;
}

/** Returns the command line of a process, or an empty list once the process has ended. */
function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

longTest("bench without a database removes the data of its embedded database", async () => {
  const folder = cleanups.folder();
  const environment = { DATA_DIR: `${folder}/data` };
  const killed = startLongBench(environment);
  const service = await waitFor(() => childrenOf(killed.pid).find((pid) => wordsOf(pid).at(-1) === "serve"), {
    what: "its service",
    withinMs: 60_000,
  });
  const others = childrenOf(killed.pid).filter((pid) => pid !== service);
  killed.kill("SIGKILL");
  await waitFor(() => wordsOf(service).length === 0, { what: "the end of its service", withinMs: 60_000 });
  expect(others.map(wordsOf)).toEqual([expect.arrayContaining([expect.stringContaining("postgres")])]);

  const { exitCode, stdout, stderr } = await runCommand(["bench", "--at", "2,1", ...short], { environment });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[1]).toContain("(embedded), fsync on");
  expect(lines.slice(-2).map((line) => Number(line.trim().split(" ")[0]))).toEqual([2, 1]);
  expect(readdirSync(environment.DATA_DIR)).toEqual([]);
  expect(others.map(wordsOf)).toEqual([[]]);
});

test("bench on a given server uses a separate database", async () => {
  const folder = cleanups.folder();
  await database.sql`create database parley_bench_1700000000000`;

  const { exitCode, stdout, stderr } = await runCommand(["bench", "--at", "2", ...short, "--json"], {
    environment: { DATABASE_URL: database.url, DATA_DIR: `${folder}/data` },
  });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const report: unknown = JSON.parse(stdout);
  const number = (path: string): number => Number(valueAt(report, path));
  expect(valueAt(report, "database.isEmbedded")).toBe(false);
  expect(number("lines.0.concurrency")).toBe(2);
  expect(number("lines.0.latencyMs.count")).toBeGreaterThan(0);
  const ratio = number("lines.0.stepsPerSecond.median") / number("lines.0.floorPerSecond.median");
  expect(number("lines.0.ratio.median")).toBeCloseTo(ratio);
  expect(readdirSync(folder)).toEqual([]);
  expect(await benchDatabases()).toEqual([]);
  expect(await database.sql`select from sessions`).toHaveLength(0);
});

test.each(isLong ? (["SIGINT", "SIGHUP"] as const) : (["SIGINT"] as const))(
  "a bench run ended by %s removes its data",
  async (signal) => {
    const folder = cleanups.folder();
    const child = startLongBench({ DATABASE_URL: database.url, DATA_DIR: folder });
    await waitFor(async () => (await benchDatabases()).length > 0, { what: "its database", withinMs: 60_000 });

    child.kill(signal);

    expect(await child.exited).toBe(130);
    expect(await child.stderr.text()).toBe("Interrupted: everything that the command created is removed.\n");
    expect(await benchDatabases()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.each([
  [["--at", "0"], "Option '--at <list>' argument '0' is invalid. It must be a whole number from 1 to 1000. "],
  [["--seconds", "long"], "Option '--seconds <number>' argument 'long' is invalid. It must be a number up to 600. "],
  [
    ["--rounds", "1.5"],
    "Option '--rounds <number>' argument '1.5' is invalid. It must be a whole number from 1 to 50. ",
  ],
])("bench rejects %p with an error message and exit code 2", async (words, sentence) => {
  const { exitCode, stdout, stderr } = await runCommand(["bench", ...words]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toStartWith(sentence);
});

test("an unreachable database server ends bench with an error message", async () => {
  const { exitCode, stderr } = await runCommand(["bench", ...short], {
    environment: { DATABASE_URL: "postgres://parley@127.0.0.1:1/parley", DATA_DIR: cleanups.folder() },
  });

  expect(exitCode).toBe(1);
  expect(stderr).toStartWith("The database cannot be used: ");
});
