import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../../../src/platform/embedded/folders.ts";
import { startServer } from "../../../../src/platform/embedded/server.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { cpuMs } from "../../../../src/platform/processes/processor-time.ts";
import { type Bench, inDatabase, inTurns } from "../bench.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates } from "../print.ts";

const root = join(import.meta.dir, "../../../..");
/** The program that `npm start` runs. */
const checkout = ["sh", join(root, "scripts/launch.sh"), "src/cli.ts"];
const binary = join(root, "dist/parley");
const databaseName = "parley_bench_ready";
const aimMs = { "an empty folder": 3_000, "a migrated DATABASE_URL": 500 } as const;

/**
 * The folders of ended programs, which are removed at the end. For five seconds, ext4 skips the inodes of removed files
 * one by one, so the next `initdb`, which creates a thousand files, would take twice the time.
 */
const left: string[] = [];

type Start = { readonly ms: number; readonly cpuMs: number };

/**
 * Measures the time from starting the program until `/api/readyz` reports readiness, from source and as the single
 * binary. In an empty folder, PostgreSQL takes most of the time, so `initdb` and the start of PostgreSQL are also
 * measured separately.
 */
export async function measureReady(bench: Bench): Promise<void> {
  const { sql } = bench.floors;
  await sql.unsafe(`create database ${databaseName}`);
  const databaseUrl = inDatabase(bench.databaseUrl, databaseName);
  try {
    await untilReady(checkout, databaseUrl);
    const programs = [
      { name: "from the checkout", command: checkout },
      ...(existsSync(binary) ? [{ name: "the binary", command: [binary] }] : []),
    ];
    if (programs.length === 1) print("There is no dist/parley: `npm run build` makes it.");
    const cases = programs.flatMap(({ name, command }) => [
      { name, command, on: "an empty folder" as const, url: undefined },
      { name, command, on: "a migrated DATABASE_URL" as const, url: databaseUrl },
    ]);
    const [bare = [], ...found] = await inTurns(bench.pace.rounds, [
      bareDatabase,
      ...cases.map(
        ({ command, url }) =>
          () =>
            untilReady(command, url),
      ),
    ]);
    const times = (starts: readonly Start[]) => starts.map(({ ms }) => ms);
    printTable(
      ["until it is ready", "on", "ms: middle (least–most)", "processor time, ms"],
      [
        ...cases.map(({ name, on }, index) => [
          ...[name, on, rates(times(found[index] ?? []))],
          rates((found[index] ?? []).map(({ cpuMs }) => cpuMs)),
        ]),
        ["bare `initdb` and PostgreSQL", "an empty folder", rates(times(bare)), ""],
      ],
    );
    print("");
    for (const [index, { name, on }] of cases.entries())
      printTarget(`${name}, on ${on}`, {
        value: median(times(found[index] ?? [])),
        most: aimMs[on],
        digits: 0,
        unit: " ms",
      });
  } finally {
    await sql.unsafe(`drop database ${databaseName} with (force)`);
    for (const folder of left.splice(0)) await rm(folder, { recursive: true, force: true });
  }
}

/** Measures `initdb` and the start of an embedded PostgreSQL without a service. */
async function bareDatabase(): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), "parley-ready-"));
  const startedAt = performance.now();
  const server = await startServer({
    folders: openDataFolder(folder),
    connections: 20,
    log: createLog("warn"),
    onLost(error) {
      throw error;
    },
  });
  const ms = performance.now() - startedAt;
  await server.stop();
  left.push(folder);
  return { ms, cpuMs: 0 };
}

/** Measures a start. The processor time only includes the service. */
async function untilReady(command: readonly string[], databaseUrl: string | undefined): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), "parley-ready-"));
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], HOST: "127.0.0.1", PORT: "0", DATA_DIR: folder },
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = await printedAddress(child.stdout);
    while (!(await fetch(`${url}/api/readyz`)).ok);
    return { ms: performance.now() - startedAt, cpuMs: cpuMs(child.pid, { withChildren: false }) };
  } finally {
    child.kill("SIGINT");
    await child.exited;
    left.push(folder);
  }
}

async function printedAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    printed += decoder.decode(chunk, { stream: true });
    const address = /API: (http:\S+)\/api\/v1/.exec(printed)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The service ended before it was ready: ${printed}`);
}
