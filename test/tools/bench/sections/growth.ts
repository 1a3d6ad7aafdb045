import type { Bench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import { print, printTable } from "../print.ts";

const concurrency = 32;

type Size = { readonly name: string; readonly rows: number; readonly heap: number; readonly indexes: number };

/** Measures the size of a million conversations of five questions in the database, extrapolated from this run. */
export async function measureGrowth(bench: Bench): Promise<void> {
  await bench.withAnother("parley_bench_growth", async ({ floors: { sql }, publish, load, pace }) => {
    const { publicId } = await publish(askQuestions());
    const before = await sizes(sql);
    const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
    await load(work, { concurrency, seconds: Math.max(5, pace.seconds), warmUpSeconds: 0 });
    await sql`vacuum (analyze) sessions, steps, results, answers`;
    const after = await sizes(sql);
    const chats =
      (after.find(({ name }) => name === "results")?.rows ?? 0) -
      (before.find(({ name }) => name === "results")?.rows ?? 0);
    const gigabytes = (bytes: number) => (((bytes / chats) * 1e6) / 1e9).toFixed(2);
    const grown = after.map((size) => {
      const was = before.find(({ name }) => name === size.name);
      return { ...size, heap: size.heap - (was?.heap ?? 0), indexes: size.indexes - (was?.indexes ?? 0) };
    });
    const lines = grown
      .filter(({ heap, indexes }) => heap + indexes > chats)
      .map(({ name, heap, indexes }) => [name, gigabytes(heap), gigabytes(indexes)]);
    printTable(["a million conversations, GB", "rows", "indexes"], lines);
    const sum = (names: readonly string[]) =>
      grown.filter(({ name }) => names.includes(name)).reduce((all, { heap, indexes }) => all + heap + indexes, 0);
    print(
      `\nFor good ${gigabytes(sum(["results", "answers"]))} GB, while their sessions live ${gigabytes(sum(["sessions", "steps"]))} GB; from ${chats.toLocaleString("en")} conversations.`,
    );
  });
}

async function sizes(sql: Bench["floors"]["sql"]): Promise<Size[]> {
  return sql<Size[]>`
    select
      relname as name,
      (select count(*)::int from results) as rows,
      pg_table_size(relid)::float8 as heap,
      pg_indexes_size(relid)::float8 as indexes
    from pg_stat_user_tables
    where schemaname = current_schema()
    order by relname`;
}
