import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/platform/database/sql.ts";
import { openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { readyPid } from "../../../src/platform/embedded/leftover.ts";
import { startServer } from "../../../src/platform/embedded/server.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { printComparison, readBaseline, saveBaseline } from "./baseline.ts";
import { type Bench, type BenchServer, connections, inDatabase, openBench, type Pace } from "./bench.ts";
import { createFigures } from "./figures.ts";
import { readOptions } from "./options.ts";
import { print } from "./print.ts";

// Every figure is printed with the database's own limit in the same run, because only ratios are comparable between
// machines or on a busy machine.

const { pace, sections, baseline } = readOptions(process.argv.slice(2));
// The baseline is read first, so that a missing baseline is reported before a long run.
const before = baseline.compares ? await readBaseline() : undefined;
const given = process.env["BENCH_DATABASE_URL"];
if (given === undefined) await onOwnServer(measure);
else await onGivenServer(given, measure);

async function measure(server: BenchServer): Promise<void> {
  const figures = createFigures();
  const bench = await openBench(server, pace, figures);
  try {
    const machine = await machineOf(bench);
    print(`${machine}\n${paceText(pace)}`);
    for (const section of sections) {
      const begunAt = performance.now();
      print(`\n## ${section.name}`);
      await section.measure(bench);
      print(`\n(${section.name}: ${Math.round((performance.now() - begunAt) / 1_000)} s)`);
    }
    const run = { machine, pace: paceText(pace), figures: Object.fromEntries(figures.all) };
    if (before) printComparison(before, run);
    if (baseline.saves) await saveBaseline(run);
  } finally {
    await bench.close();
  }
}

/** Runs the work with a temporary embedded database, like that of a service without DATABASE_URL. */
async function onOwnServer(work: (server: BenchServer) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const folders = openDataFolder(folder);
  const listeners = new Set<(line: string) => void>();
  const server = await startServer({
    folders,
    onLine(line) {
      for (const listener of listeners) listener(line);
    },
    // Some sections run several services simultaneously.
    connections: 300,
    log: createLog("warn"),
    onLost(error) {
      throw error;
    },
  });
  try {
    await work({
      url: server.url,
      pid: readyPid(folders.data) ?? 0,
      onLine(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the work on an existing server, where a temporary database is created and dropped. The processor time of the
 * server is not counted.
 */
async function onGivenServer(url: string, work: (server: BenchServer) => Promise<void>): Promise<void> {
  const name = `parley_bench_${Date.now()}`;
  const sql = connect(url, { connections: 1 });
  await sql.unsafe(`create database ${name}`);
  try {
    await work({ url: inDatabase(url, name), pid: 0 });
  } finally {
    await sql.unsafe(`drop database ${name} with (force)`);
    await sql.end();
  }
}

async function machineOf({ floors }: Bench): Promise<string> {
  const [found] = await floors.sql<[{ version: string; fsync: string }]>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync`;
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory} GB, Bun ${Bun.version}, PostgreSQL ${found.version}, fsync ${found.fsync}, ${connections} connections`;
}

function paceText({ seconds, warmUpSeconds, rounds, isLong }: Pace): string {
  return `${isLong ? "Long" : "Short"} run: ${rounds} rounds in turns, ${seconds} s each after ${warmUpSeconds} s of warming up; the middle of the rounds and, in brackets, the least and the most. Database, service and load generator share the machine.`;
}
