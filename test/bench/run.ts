import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/embedded/database.ts";
import { createLog } from "../../src/log.ts";
import { connect } from "../../src/store/sql.ts";
import { fixedFloor, saveFloor } from "./floors.ts";
import { fiveQuestions, fiveReplies } from "./flows.ts";
import { measureHostile } from "./hostile.ts";
import type { LoadOrder, LoadReport } from "./load.ts";
import { api, startService } from "./service.ts";

// Every figure stands beside the database's own ceiling in the same run: on another machine, or a busy one, only ratios hold.

const isLong = process.argv.includes("--long");
const seconds = isLong ? 30 : 5;
const warmUpSeconds = isLong ? 5 : 2;
const connections = 16;
const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
const Named = Type.Object({ id: Type.String() });
const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "warn" });
const database = await openDatabase(config, {
  log: createLog("warn"),
  onLost(error) {
    throw error;
  },
});
try {
  await measure();
} finally {
  await database.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  print(
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Bun ${Bun.version}, PostgreSQL ${await serverVersion()}, fsync on, ${connections} connections`,
  );
  print(
    `${isLong ? "Long" : "Short"} run: ${seconds} s each after ${warmUpSeconds} s of warming up; the load generator is a process of its own.\n`,
  );
  const service = await startService({ databaseUrl: database.url, connections });
  try {
    const small = await publish(service.url, fiveQuestions());
    const large = await publish(service.url, fiveQuestions({ extraGroups: 1_990 }));
    print(
      "| concurrent | continueChat/s | p50 | p95 | p99 ms | save alone/s | p99 | ratio | fixed floor/s | p50 | p99 | ratio | starts/s | p50 |",
    );
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (const concurrency of [1, 8, 32, 128]) {
      const order = { url: database.url, concurrency, connections, seconds };
      const fixed = await fixedFloor(order);
      const save = await saveFloor(order);
      const { steps, starts, failures } = await load(service.port, small, concurrency);
      if (failures > 0) throw new Error(`${failures} requests failed`);
      const perSecond = steps.count / seconds;
      print(
        row([
          concurrency,
          round(perSecond),
          steps.p50,
          steps.p95,
          steps.p99,
          round(save.perSecond),
          save.latencies.p99,
          ratio(perSecond, save.perSecond),
          round(fixed.perSecond),
          fixed.latencies.p50,
          fixed.latencies.p99,
          ratio(perSecond, fixed.perSecond),
          round(starts.count / seconds),
          starts.p50,
        ]),
      );
    }
    await compareSizes(service.port, { small, large });
    await measureHostile({
      publish: (flow) => publish(service.url, flow),
      load: (publicId, { concurrency, replies }) => load(service.port, publicId, concurrency, replies),
      print,
    });
    print(`\nMemory of the service, threads included: ${await service.residentMegabytes()} MB resident.`);
  } finally {
    await service.stop();
  }
}

/** In turns, so that what else the machine does falls on both alike; the median of the rounds counts. */
async function compareSizes(port: number, { small, large }: { small: string; large: string }): Promise<void> {
  const rounds: { small: LoadReport; large: LoadReport }[] = [];
  for (let round = 0; round < 5; round++) {
    rounds.push({ small: await load(port, small, 1), large: await load(port, large, 1) });
  }
  print("\n| alone | 7 groups | 2,000 groups | ratio |\n|---|---|---|---|");
  for (const kind of ["steps", "starts"] as const) {
    const [ofSmall, ofLarge] = [
      median(rounds.map((each) => each.small[kind].p50)),
      median(rounds.map((each) => each.large[kind].p50)),
    ];
    print(
      row([`${kind === "steps" ? "continueChat" : "startChat"} p50 ms`, ofSmall, ofLarge, ratio(ofLarge, ofSmall)]),
    );
  }
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

async function publish(url: string, flow: object): Promise<string> {
  const { workspace } = await api(url, "/api/v1/workspaces", { name: "Benchmarks" }, Type.Object({ workspace: Named }));
  const { bot } = await api(url, "/api/v1/bots", { workspaceId: workspace.id, bot: flow }, Type.Object({ bot: Named }));
  const { publicId } = await api(url, `/api/v1/bots/${bot.id}/publish`, {}, Type.Object({ publicId: Type.String() }));
  return publicId;
}

async function load(
  port: number,
  publicId: string,
  concurrency: number,
  replies: readonly string[] = fiveReplies,
): Promise<LoadReport> {
  const order: LoadOrder = {
    host: "127.0.0.1",
    port,
    publicId,
    concurrency,
    seconds,
    warmUpSeconds,
    replies,
  };
  const generator = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts"), JSON.stringify(order)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  return JSON.parse(await new Response(generator.stdout).text());
}

async function serverVersion(): Promise<string> {
  const sql = connect(database.url, { connections: 1 });
  const [found] = await sql<[{ version: string }]>`select current_setting('server_version') as version`;
  await sql.end();
  return found.version;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}

function round(number: number): number {
  return Math.round(number);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
