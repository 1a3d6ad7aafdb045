import type { Sql } from "../../../../src/platform/database/sql.ts";
import { type Bench, inTurns, withEach } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { print, printTable, rates, ratios } from "../print.ts";
import { fillResults } from "../rows.ts";

/**
 * The large tables with the column whose id contains the time of a row. `files` is excluded: one of its unique keys
 * contains the session's id, the other its own id.
 */
const partitioned = {
  ...{ results: "id", sessions: "id", steps: "session_id", answers: "result_id", logs: "result_id" },
  visited_edges: "result_id",
} as const;
const months = 13;
const replies = fiveReplies;

/**
 * Compares steps on the current tables with steps on large tables in monthly partitions, which are possible because the
 * first 48 bits of ids are time. Also measures the cost of dropping a month.
 */
export async function measurePartitions(bench: Bench): Promise<void> {
  const { rows, rounds, concurrencies } = bench.pace;
  await withEach(bench, [{}, {}], async ([plain, parted]) => {
    if (!plain || !parted) return;
    for (const [table, column] of Object.entries(partitioned)) await partition(parted.floors.sql, { table, column });
    const publicIds = new Map<Bench, string>();
    for (const one of [plain, parted]) {
      const { botId, publicId } = await one.publish(askQuestions());
      publicIds.set(one, publicId);
      await fillResults(one.floors.sql, { botId, rows });
    }
    const talk = (one: Bench, concurrency: number) => () =>
      one.load({ kind: "conversations", publicId: publicIds.get(one) ?? "", replies }, { concurrency });
    const lines: string[][] = [];
    for (const concurrency of concurrencies) {
      await talk(plain, concurrency)();
      await talk(parted, concurrency)();
      const [ofPlain = [], ofParted = []] = await inTurns(rounds, [
        talk(plain, concurrency),
        talk(parted, concurrency),
      ]);
      const ratio = ofParted.map((report, round) => perSecond(report) / perSecond(ofPlain[round] ?? report));
      const cost = ofParted.map((report, round) => micros(report) / micros(ofPlain[round] ?? report));
      lines.push(
        [
          `${concurrency} concurrent: steps/s`,
          rates(ofPlain.map(perSecond)),
          rates(ofParted.map(perSecond)),
          ratios(ratio),
        ],
        [
          "processor time of the database a step, µs",
          rates(ofPlain.map(micros)),
          rates(ofParted.map(micros)),
          ratios(cost),
        ],
      );
    }
    print(`\n${rows.toLocaleString("en")} results and sessions of a year; ${months} partitions of each table.`);
    printTable(["steps in conversations", "as it is", "in partitions", "ratio"], lines);
  });
}

async function partition(sql: Sql, { table, column }: { table: string; column: string }): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction.unsafe(`alter table ${table} rename to whole`);
    await transaction.unsafe(`create table ${table} (like whole including all) partition by range (${column})`);
    const [{ bounds }] = await transaction<[{ bounds: string[] }]>`
      select array_agg(
        rpad(lpad(to_hex((extract(epoch from date_trunc('month', now()) + make_interval(months => place)) * 1000)::bigint), 12, '0'), 32, '0')
        order by place
      ) as bounds
      from generate_series(${2 - months}::int, 1) as place`;
    const ends = ["minvalue", ...bounds.map((bound) => `'${bound}'`), "maxvalue"];
    for (const [index, from] of ends.slice(0, -1).entries()) {
      const settings =
        table === "sessions" ? " with (fillfactor = 70)" : table === "results" ? " with (fillfactor = 80)" : "";
      await transaction.unsafe(
        `create table ${table}_${index} partition of ${table} for values from (${from}) to (${ends[index + 1]})${settings}`,
      );
    }
    await transaction.unsafe("drop table whole");
  });
}

function perSecond({ steps, seconds }: LoadReport): number {
  return steps.count / seconds;
}

function micros({ steps, cpuMs }: LoadReport): number {
  return (1_000 * cpuMs.database) / steps.count;
}
