import { Type } from "@sinclair/typebox";
import { insight } from "../../../../src/management/insight/insight.job.ts";
import type { Sql } from "../../../../src/platform/database/sql.ts";
import { type Bench, inTurns } from "../bench.ts";
import { askQuestions } from "../flows.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, ratios } from "../print.ts";
import { fillResults } from "../rows.ts";

/**
 * The maximum ratio between the times of the larger bot, which has ten times the results, and those of the smaller bot.
 */
const mostRatio = 1.2;

/** One result out of this number has a payment. */
const resultsPerPayment = 10;

type Stored = { readonly botId: string; readonly workspaceId: string; readonly rows: number };

/**
 * Measures the requests of the insight screen, alternating between a bot with a tenth of the results (`--rows`) and a
 * bot with all results: first without payments, then with payments.
 */
export async function measureInsight(bench: Bench): Promise<void> {
  const { sql } = bench.floors;
  const bots = [await store(bench, bench.pace.rows / 10), await store(bench, bench.pace.rows)];
  await count(sql);
  await compare(bench, bots, "without payments");
  for (const { botId } of bots) await putPayments(sql, botId);
  await sql`vacuum (analyze) payments`;
  await count(sql);
  await compare(bench, bots, `with a payment for each ${resultsPerPayment} results`);
}

/**
 * Counts everything that is not counted yet, including payments, because each job starts with a search for payments.
 */
async function count(sql: Sql): Promise<void> {
  const job = insight(sql);
  while ((await job.removeSome()) > 0);
  await sql`vacuum (analyze) insight_results, insight_counts, insight_measures`;
}

async function compare(bench: Bench, bots: readonly Stored[], how: string): Promise<void> {
  const rounds = 8 * bench.pace.rounds;
  const lines: string[][] = [];
  let worst = 0;
  for (const [name, pathsOf] of Object.entries(asked)) {
    const paths = bots.map(pathsOf);
    // Warms up prepared statements and caches, as in a running service.
    for (const each of paths) for (let time = 0; time < 4; time++) await open(bench, each);
    const [few = [], many = []] = await inTurns(
      rounds,
      paths.map((each) => () => open(bench, each)),
    );
    const ratio = median(many) / median(few);
    worst = Math.max(worst, ratio);
    const ofRounds = many.map((ms, index) => ms / (few[index] ?? ms));
    lines.push([name, ratios(few), ratios(many), ratio.toFixed(2), ratios(ofRounds)]);
  }
  const [few = "", many = ""] = bots.map(({ rows }) => rows.toLocaleString("en"));
  print(`\nResults ${how}; ${rounds} rounds.`);
  printTable(["what is open", `ms, ${few} results`, `ms, ${many}`, "ratio of middles", "ratio of each round"], lines);
  print("");
  printTarget(`${how}: the worst of them, of a tenth of the results`, { value: worst, most: mostRatio });
}

const zone = "timeZone=Europe/Berlin";

/** The requests that a screen sends concurrently when it opens. */
const asked: Readonly<Record<string, (stored: Stored) => readonly string[]>> = {
  "the screen, the last 30 days": ({ botId }) => screen(botId, `${zone}&timeFilter=last30Days`),
  "the screen, the year to date": ({ botId }) => screen(botId, `${zone}&timeFilter=yearToDate`),
  "the screen, all time": ({ botId }) => screen(botId, `${zone}&timeFilter=allTime`),
  "its figures alone, the last 30 days": ({ botId }) => [
    `/api/v1/bots/${botId}/insight?${zone}&timeFilter=last30Days&withBefore=true`,
  ],
  "its chart alone, the last 30 days": ({ botId }) => [
    `/api/v1/bots/${botId}/insight/series?${zone}&timeFilter=last30Days`,
  ],
  "the workspace, the last 30 days": ({ workspaceId }) => [
    `/api/v1/workspaces/${workspaceId}/insight?${zone}&timeFilter=last30Days`,
  ],
};

function screen(botId: string, window: string): readonly string[] {
  const bot = `/api/v1/bots/${botId}`;
  return [`${bot}/insight?${window}&withBefore=true`, `${bot}/insight/series?${window}`, `${bot}/publications`, bot];
}

async function open({ service }: Bench, paths: readonly string[]): Promise<number> {
  const begunAt = performance.now();
  await Promise.all(paths.map((path) => service.get(path, Type.Unknown())));
  return performance.now() - begunAt;
}

async function store(bench: Bench, rows: number): Promise<Stored> {
  const { botId, workspaceId } = await bench.publish(askQuestions());
  const { sql } = bench.floors;
  await fillResults(sql, { botId, rows, isVaried: true });
  return { botId, workspaceId, rows };
}

/** Inserts payments in the state after the provider's report. */
async function putPayments(sql: Sql, botId: string): Promise<void> {
  await sql`
    insert into payments (shard, id, session_id, bot_id, result_id, block_id, credentials_id, is_test, amount, currency, status, intent_id, created_at, updated_at)
    select shard, id, id, bot_id, id, 'pay', id, false, 1250, 'EUR', 'succeeded', 'pi_' || id, created_at, created_at
    from (
      select *, row_number() over (order by id) as number
      from results
      where bot_id = ${botId}
    ) as stored
    where number % ${resultsPerPayment} = 0`;
}
