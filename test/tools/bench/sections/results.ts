import { insight } from "../../../../src/management/insight/insight.job.ts";
import { resultValues } from "../../../../src/management/insight/result-values.job.ts";
import { authorisation, type Bench } from "../bench.ts";
import { askQuestions } from "../flows.ts";
import { print, printTable, printTarget } from "../print.ts";
import { fillResults } from "../rows.ts";

const mostMs = 50;

/** The minimum duration. In half a second on a busy machine, a median may come from only three responses. */
const leastSeconds = 2;

/**
 * Measures the requests of an author with a very large number of results of one bot: lists, searches, statistics. The
 * section `exports` measures the files.
 */
export async function measureResults(bench: Bench): Promise<void> {
  const { rows } = bench.pace;
  const { botId } = await bench.publish(askQuestions());
  const filled = await timed(() => fillResults(bench.floors.sql, { botId, rows, isVaried: true }));
  const read = await timed(() => readAll(bench));
  const count = rows.toLocaleString("en");
  print(
    `\n${count} results, stored in ${filled.toFixed(0)} s, then read and counted by the job in ${read.toFixed(0)} s.`,
  );
  await bench.floors.sql`vacuum (analyze) result_values, insight_results, insight_counts`;
  await printSizes(bench);
  await measureAnswers(bench, botId);
}

/** Runs the jobs without their pauses. */
async function readAll({ floors: { sql } }: Bench): Promise<void> {
  for (const job of [...resultValues(sql), insight(sql)]) while ((await job.removeSome()) > 0);
}

async function printSizes({ floors: { sql } }: Bench): Promise<void> {
  const tables = await sql<{ name: string; rows: string; size: string }[]>`
    select relname as name, n_live_tup::text as rows,
      pg_size_pretty(pg_table_size(relid)) || ' + ' || pg_size_pretty(pg_indexes_size(relid)) as size
    from pg_stat_user_tables
    where relname in ('results', 'answers', 'result_values', 'insight_results', 'insight_counts', 'insight_measures')
    order by relname`;
  printTable(
    ["table", "rows", "heap + indexes"],
    tables.map(({ name, rows, size }) => [name, rows, size]),
  );
}

async function measureAnswers(bench: Bench, botId: string): Promise<void> {
  const at = `/api/v1/bots/${botId}`;
  const asked = {
    "list, first page of 50": "/results?timeFilter=allTime",
    "list, the last week": "/results?timeFilter=last7Days",
    "list, completed ones": "/results?timeFilter=allTime&isCompleted=true",
    "a variable's value that one result has": "/results?timeFilter=allTime&variables.Email=person-77777%40example.com",
    "a variable's value that all have": "/results?timeFilter=allTime&variables.City=London",
    "what a variable's value begins with, 11 results": "/results?timeFilter=allTime&variablePrefixes.Email=person-7777",
    "figures and funnel, the last week": "/insight",
    "figures and funnel, 30 days in Kathmandu": "/insight?timeFilter=last30Days&timeZone=Asia/Kathmandu",
    "figures and funnel, the year": "/insight?timeFilter=yearToDate",
    "figures and funnel, all time": "/insight?timeFilter=allTime",
    "totals of existing clients, all time": "/analytics/stats?timeFilter=allTime",
    "answers and edges of existing clients": "/analytics/inDepthData?timeFilter=allTime",
  };
  const pace = { seconds: Math.max(leastSeconds, bench.pace.seconds), warmUpSeconds: leastSeconds / 4 };
  const lines: string[][] = [];
  let slowest = 0;
  for (const [name, path] of Object.entries(asked)) {
    const work = { kind: "requests", lines: [`GET ${at}${path}`], headers: authorisation } as const;
    const alone = await bench.load(work, { ...pace, concurrency: 1 });
    const together = await bench.load(work, { ...pace, concurrency: 8 });
    slowest = Math.max(slowest, alone.steps.p50);
    lines.push([
      name,
      String(alone.steps.count),
      alone.steps.p50.toFixed(1),
      alone.steps.p99.toFixed(1),
      together.steps.p50.toFixed(1),
      (together.steps.count / together.seconds).toFixed(0),
    ]);
  }
  printTable(["GET", "answers", "p50 ms, alone", "p99", "p50 ms, 8 at once", "a second"], lines);
  print("");
  printTarget("the slowest of them at the median, alone", { value: slowest, most: mostMs, unit: " ms", digits: 1 });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return (performance.now() - begunAt) / 1_000;
}
