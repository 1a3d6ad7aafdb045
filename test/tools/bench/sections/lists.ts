import { searchResults } from "../../../../src/management/results/result-search.sql.ts";
import { listAnswers } from "../../../../src/management/results/results.sql.ts";
import { type Bench, inTurns } from "../bench.ts";
import { askQuestions } from "../flows.ts";
import { median } from "../numbers.ts";
import { printTable, rates, ratios } from "../print.ts";
import { pageSize, resultsPages } from "../results-pages.ts";
import { fillResults } from "../rows.ts";

const concurrency = 8;
const stored = 5_000;

/** Measures a page of a bot's results over HTTP, compared with only its two statements. */
export async function measureLists(bench: Bench): Promise<void> {
  const { botId } = await bench.publish(askQuestions());
  await fillResults(bench.floors.sql, { botId, rows: stored });
  const rows: string[][] = [];
  for (const page of await resultsPages(bench, botId, ["allTime"])) {
    const order = { concurrency, seconds: bench.pace.seconds, warmUpSeconds: bench.pace.warmUpSeconds };
    const [rounds = []] = await inTurns(bench.pace.rounds, [
      async () => ({
        http: await page.load({ concurrency }),
        statements: await bench.floors.measure(order, async () => {
          const window = { from: null, to: null };
          const { after } = page;
          const found = await searchResults(bench.floors.sql, { botId, window }, { after, limit: pageSize + 1 });
          const shown = found.rows.slice(0, pageSize).map(({ id }) => id);
          await listAnswers(bench.floors.sql, shown);
        }),
      }),
    ]);
    const toStatements = rounds.map(({ http, statements }) => http.steps.count / http.seconds / statements.perSecond);
    bench.figures.ratio(`lists: ${page.place} page, of its statements alone`, toStatements);
    rows.push([
      page.place,
      rates(rounds.map(({ http }) => http.steps.count / http.seconds)),
      median(rounds.map(({ http }) => http.steps.p50)).toFixed(2),
      median(rounds.map(({ http }) => http.steps.p99)).toFixed(2),
      rates(rounds.map(({ statements }) => statements.perSecond)),
      ratios(toStatements),
    ]);
  }
  printTable(
    [
      `page of ${pageSize} of ${stored} results, ${concurrency} concurrent`,
      "pages/s",
      "p50 ms",
      "p99",
      "statements alone/s",
      "ratio",
    ],
    rows,
  );
}
