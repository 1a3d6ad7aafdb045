import { insight } from "../../../../src/management/insight/insight.job.ts";
import { resultValues } from "../../../../src/management/insight/result-values.job.ts";
import type { Bench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import { print, printTable } from "../print.ts";

const concurrency = 32;

/**
 * Measures the processor time per result of the jobs that read results of recent chats. The jobs must not affect chats.
 */
export async function measureCounting(bench: Bench): Promise<void> {
  const { sql } = bench.floors;
  const { publicId } = await bench.publish(askQuestions());
  const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
  await bench.load(work, { concurrency, seconds: 4 * bench.pace.seconds });
  const [{ count }] = await sql<[{ count: number }]>`select count(*)::integer as count from results`;
  print(`\n${count.toLocaleString("en")} results.`);
  const lines: string[][] = [];
  for (const job of [...resultValues(sql), insight(sql)]) {
    const before = { database: bench.databaseCpuMs(), own: process.cpuUsage(), at: performance.now() };
    while ((await job.removeSome()) > 0);
    const own = process.cpuUsage(before.own);
    lines.push([
      job.name,
      (performance.now() - before.at).toFixed(0),
      ((1_000 * (bench.databaseCpuMs() - before.database)) / count).toFixed(0),
      ((own.user + own.system) / count).toFixed(0),
    ]);
  }
  printTable(["job", "ms", "processor time a result, µs: database", "service"], lines);
}
