import { migrations } from "../../../../src/platform/database/migrations.ts";
import { migrate } from "../../../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../../../src/platform/database/sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { type Bench, inDatabase } from "../bench.ts";
import { print, printTable } from "../print.ts";
import { fillResults } from "../rows.ts";

const name = "parley_bench_migrations";
const pauseMs = 5;

/**
 * Measures the duration of each migration after the first in a database with a very large number of chats, and the
 * longest wait of a writer to one of the large tables during the migration.
 */
export async function measureMigrations({ pace: { rows }, databaseUrl, floors }: Bench): Promise<void> {
  await floors.sql.unsafe(`create database ${name}`);
  const sql = connect(inDatabase(databaseUrl, name), { connections: 6 });
  try {
    await migrate(sql, migrations.slice(0, 1));
    await fillResults(sql, { botId: newId(), rows });
    print(`\n${rows.toLocaleString("en")} results and sessions, twice as many steps and answers.`);
    const lines: string[][] = [];
    for (let count = 2; count <= migrations.length; count++) {
      const writers = startWriters(sql);
      const begunAt = performance.now();
      const [ran = ""] = await migrate(sql, migrations.slice(0, count));
      const ms = performance.now() - begunAt;
      lines.push([ran, ms.toFixed(0), (await writers.stop()).toFixed(0)]);
    }
    printTable(["migration", "ms", "longest wait of a writer, ms"], lines);
  } finally {
    await sql.end();
    await floors.sql.unsafe(`drop database ${name} with (force)`);
  }
}

/** Writes to each large table repeatedly until `stop` is called, which returns the duration of the longest write. */
function startWriters(sql: Sql): { stop(): Promise<number> } {
  let isOver = false;
  let longest = 0;
  const write = async (table: string): Promise<void> => {
    while (!isOver) {
      const begunAt = performance.now();
      await sql`update ${sql(table)} set bot_id = bot_id where ctid = '(0,1)'`;
      longest = Math.max(longest, performance.now() - begunAt);
      await Bun.sleep(pauseMs);
    }
  };
  const written = Promise.all(["sessions", "results", "steps", "answers"].map(write));
  return {
    async stop() {
      isOver = true;
      await written;
      return longest;
    },
  };
}
