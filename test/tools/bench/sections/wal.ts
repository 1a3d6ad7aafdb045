import { type Bench, inTurns } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport, Work } from "../load.ts";
import { print, printTable, rates } from "../print.ts";
import { fillResults } from "../rows.ts";

/** Replies of 1 kB. A state with five of them does not fit into a row together with the other columns. */
const longReplies = fiveReplies.map((reply, index) =>
  Array.from({ length: 100 }, (_, word) => `${reply} ${(index * 7_919 + word * 104_729) % 99_991}`)
    .join(" ")
    .slice(0, 1_000),
);

type Round = {
  readonly talk: LoadReport;
  /** The number of steps, or of starts if there are no steps. */
  readonly count: number;
  /** The bytes of the changes, and of the whole pages that are logged after a checkpoint. */
  readonly records: number;
  readonly pages: number;
};

/**
 * Measures the data that a step writes to the database's log, with a large number of stored sessions. The data consists
 * of the changes, and of whole pages after a checkpoint, when almost every change is the first change of a page. Whole
 * pages become rare over time and with more visitors.
 */
export async function measureWal(bench: Bench): Promise<void> {
  const { rows, rounds } = bench.pace;
  await bench.withAnother("parley_bench_wal", async (filled) => {
    const { sql } = filled.floors;
    const [extension] = await sql`select from pg_available_extensions where name = 'pg_walinspect'`;
    if (!extension) {
      print("\nThis server has no extension pg_walinspect, which looks into its log.");
      return;
    }
    await sql`create extension pg_walinspect`;
    const { botId, publicId } = await filled.publish(askQuestions());
    await fillResults(sql, { botId, rows });
    const talk = (replies: readonly string[]): Work => ({ kind: "conversations", publicId, replies });
    const cases = [
      ...[1, 16, 32].map((concurrency) => ({ name: "short state", work: talk(fiveReplies), concurrency })),
      ...[1, 32].map((concurrency) => ({ name: "state of 5 kB", work: talk(longReplies), concurrency })),
      { name: "a start alone", work: { kind: "starts", publicId } as const, concurrency: 1 },
    ];
    await filled.load(talk(fiveReplies), { concurrency: 8, seconds: 1 });
    const measured = await inTurns(
      rounds,
      cases.map(
        ({ work, concurrency }) =>
          () =>
            measure(filled, work, concurrency),
      ),
    );
    printTable(
      ["a step in conversations, with its fifth of a start", "bytes of changes", "whole pages", "database, µs"],
      measured.map((found, index) => [
        `${cases[index]?.name}, ${cases[index]?.concurrency} concurrent`,
        rates(found.map(({ records }) => records)),
        rates(found.map(({ pages }) => pages)),
        rates(found.map(({ talk: report, count }) => (1_000 * report.cpuMs.database) / count)),
      ]),
    );
    const [setting] = await sql<[{ value: string }]>`select current_setting('wal_compression') as value`;
    print(`\n${rows.toLocaleString("en")} sessions stored; wal_compression is ${setting.value}.`);
  });
}

async function measure({ floors: { sql }, load, pace }: Bench, work: Work, concurrency: number): Promise<Round> {
  await sql`checkpoint`;
  const from = await position(sql);
  const talk = await load(work, { concurrency, warmUpSeconds: 0, seconds: pace.seconds });
  const [log] = await sql<[{ records: number; pages: number }]>`
    select sum(record_size)::float8 as records, sum(fpi_size)::float8 as pages
    from pg_get_wal_stats(${from}::pg_lsn, ${await position(sql)}::pg_lsn)`;
  const count = talk.steps.count || talk.starts.count;
  return { talk, count, records: log.records / count, pages: log.pages / count };
}

async function position(sql: Bench["floors"]["sql"]): Promise<string> {
  const [row] = await sql<[{ position: string }]>`select pg_current_wal_insert_lsn()::text as position`;
  return row.position;
}
