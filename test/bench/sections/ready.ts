import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, inDatabase, inTurns } from "../bench.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates } from "../print.ts";

const root = join(import.meta.dir, "../../..");
/** The program that `npm start` runs. */
const checkout = ["sh", join(root, "scripts/launch.sh"), "src/cli.ts"];
const binary = join(root, "dist/parley");
const databaseName = "parley_bench_ready";
const aimMs = { "an empty folder": 3_000, "a migrated DATABASE_URL": 500 } as const;

/** From the start of the program until `/api/readyz` says that it is ready, from the sources and as the single binary. */
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
    const found = await inTurns(
      bench.pace.rounds,
      cases.map(
        ({ command, url }) =>
          () =>
            untilReady(command, url),
      ),
    );
    printTable(
      ["ms from the start until it is ready", "on", "middle (least–most)"],
      cases.map(({ name, on }, index) => [name, on, rates(found[index] ?? [])]),
    );
    print("");
    for (const [index, { name, on }] of cases.entries())
      printTarget(`${name}, on ${on}`, { value: median(found[index] ?? []), most: aimMs[on], digits: 0, unit: " ms" });
  } finally {
    await sql.unsafe(`drop database ${databaseName} with (force)`);
  }
}

async function untilReady(command: readonly string[], databaseUrl: string | undefined): Promise<number> {
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
    return performance.now() - startedAt;
  } finally {
    child.kill("SIGINT");
    await child.exited;
    await rm(folder, { recursive: true, force: true });
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
