import type { TimeFilter } from "../../../../src/management/results/results.sql.ts";
import { type Bench, inTurns } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";
import { resultsPages } from "../results-pages.ts";
import { answersPerResult, fillResults, stepsPerSession } from "../rows.ts";

/** The number of results in the "empty" database: some pages, because a page without rows costs nothing. */
const fewRows = 5_000;
const settleSeconds = 2;
const stepConcurrency = 32;
const pageConcurrency = 8;
const shortFilters: readonly TimeFilter[] = ["allTime"];
const longFilters: readonly TimeFilter[] = [
  ...(["today", "last7Days", "last30Days", "monthToDate"] as const),
  ...(["lastMonth", "yearToDate", "allTime"] as const),
];

/**
 * Measures steps and lists in a database with a very large number of sessions and results, compared with an almost
 * empty database on the same server.
 */
export async function measureLarge(bench: Bench): Promise<void> {
  const { rows } = bench.pace;
  await bench.withAnother("parley_bench_few", (few) =>
    bench.withAnother("parley_bench_many", async (many) => {
      const [ofFew, ofMany] = [await prepare(few, fewRows), await prepare(many, rows)];
      print(
        `\n${rows.toLocaleString("en")} results and sessions, ${stepsPerSession} steps and ${answersPerResult} answers each, stored in ${ofMany.seconds.toFixed(0)} s: ${await sizeOf(many)}.`,
      );
      await compareSteps(few, many, { ofFew: ofFew.publicId, ofMany: ofMany.publicId });
      await comparePages(few, many, { ofFew: ofFew.botId, ofMany: ofMany.botId });
    }),
  );
}

async function prepare(bench: Bench, rows: number) {
  const bot = await bench.publish(askQuestions());
  const begunAt = performance.now();
  await fillResults(bench.floors.sql, { botId: bot.botId, rows });
  return { ...bot, seconds: (performance.now() - begunAt) / 1_000 };
}

async function sizeOf({ floors: { sql } }: Bench): Promise<string> {
  const tables = await sql<{ name: string; size: string }[]>`
    select relname as name, pg_size_pretty(pg_table_size(relid)) || ' + ' || pg_size_pretty(pg_indexes_size(relid)) as size
    from pg_stat_user_tables
    where relname in ('results', 'answers', 'sessions', 'steps')
    order by relname`;
  return tables.map(({ name, size }) => `${name} ${size}`).join(", ");
}

async function compareSteps(few: Bench, many: Bench, bots: { ofFew: string; ofMany: string }): Promise<void> {
  const talk = (bench: Bench, publicId: string) => () =>
    bench.load({ kind: "conversations", publicId, replies: fiveReplies }, { concurrency: stepConcurrency });
  // The first change to each index page after a checkpoint logs the whole page, and a large index has more pages.
  // Warming up excludes this cost.
  for (const [bench, publicId] of [
    [few, bots.ofFew],
    [many, bots.ofMany],
  ] as const) {
    const replies = fiveReplies;
    await bench.load(
      { kind: "conversations", publicId, replies },
      { concurrency: stepConcurrency, seconds: settleSeconds },
    );
  }
  const [ofFew = [], ofMany = []] = await inTurns(few.pace.rounds, [talk(few, bots.ofFew), talk(many, bots.ofMany)]);
  const ratio = ofMany.map((report, round) => perSecond(report) / perSecond(ofFew[round] ?? report));
  const micros = (reports: readonly LoadReport[]) =>
    rates(reports.map(({ steps, cpuMs }) => (1_000 * cpuMs.database) / steps.count));
  printTable(
    [`${stepConcurrency} concurrent`, "empty", "large", "ratio"],
    [
      ["continueChat/s in conversations", rates(ofFew.map(perSecond)), rates(ofMany.map(perSecond)), ratios(ratio)],
      ["processor time of the database a step, µs", micros(ofFew), micros(ofMany), ""],
    ],
  );
  print("");
  few.figures.ratio("large: steps, of the empty database's", ratio);
  printTarget("steps on the large database, of the rate on the empty one", { value: median(ratio), least: 0.85 });
}

async function comparePages(few: Bench, many: Bench, bots: { ofFew: string; ofMany: string }): Promise<void> {
  const filters = few.pace.isLong ? longFilters : shortFilters;
  const ofFew = await resultsPages(few, bots.ofFew, filters);
  const ofMany = await resultsPages(many, bots.ofMany, filters);
  const lines: string[][] = [];
  const worst: number[] = [];
  for (const page of ofFew) {
    const other = ofMany.find(({ timeFilter, place }) => timeFilter === page.timeFilter && place === page.place);
    if (!other) continue;
    const options = { concurrency: pageConcurrency };
    const [one = [], two = []] = await inTurns(few.pace.rounds, [() => page.load(options), () => other.load(options)]);
    const ratio = two.map((report, round) => perSecond(report) / perSecond(one[round] ?? report));
    few.figures.ratio(`large: ${page.place} page of results, of the empty database's`, ratio);
    worst.push(median(ratio));
    lines.push([
      `${page.timeFilter}, ${page.place}`,
      rates(one.map(perSecond)),
      rates(two.map(perSecond)),
      ratios(ratio),
    ]);
  }
  printTable([`page of results/s, ${pageConcurrency} concurrent`, "empty", "large", "ratio"], lines);
  print("");
  printTarget("the slowest results page of the large database, of its rate on the empty one", {
    value: Math.min(...worst),
    least: 0.85,
  });
}

function perSecond({ steps, seconds }: LoadReport): number {
  return steps.count / seconds;
}
