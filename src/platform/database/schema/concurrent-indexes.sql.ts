import { type Clock, pause } from "../../concurrency/clock.ts";
import type { Migration } from "../migrations.ts";
import type { Sql, Statements } from "../sql.ts";

/** How long a process waits before it checks again whether another process has built the index. */
const othersMs = 1_000;

type Index = { readonly name: string; readonly statement: string };

/**
 * Returns the indexes of a migration that only creates indexes. These indexes are built outside of a transaction, so
 * that writers are not blocked, regardless of the number of rows. The list is empty for all other migrations.
 */
export function concurrentIndexes({ text }: Pick<Migration, "text">): Index[] {
  const statements = text.replaceAll(/--.*$/gm, "").split(";");
  return statements.flatMap((statement) => {
    const name = /create(?: unique)? index concurrently (\w+)\s/.exec(statement)?.[1];
    return name === undefined ? [] : [{ name, statement }];
  });
}

/** Returns the text of a migration for empty tables: the indexes are built within the migration's transaction. */
export function plainIndexes({ text }: Pick<Migration, "text">): string {
  return text.replaceAll(/(create(?: unique)? index) concurrently/g, "$1");
}

/** Whether all of the given indexes exist and are valid. */
export async function areBuilt(sql: Statements, indexes: readonly Index[]): Promise<boolean> {
  const states = await Promise.all(indexes.map((index) => findState(sql, index)));
  return states.every((state) => state === "built");
}

/**
 * Builds the missing indexes. Several processes may run this function concurrently, and it may be repeated after a
 * process has died.
 *
 *     missing ─ built ────────────────────────────────────────→ built
 *     missing ─ interrupted ──────────────────────────────────→ broken
 *     begun ─ another process builds it: checked after 1 s ───→ begun, built or broken
 *     broken ─ dropped ───────────────────────────────────────→ missing
 */
export async function buildIndexes(sql: Sql, indexes: readonly Index[], clock: Clock): Promise<void> {
  for (const index of indexes) {
    for (let state = await findState(sql, index); state !== "built"; state = await findState(sql, index)) {
      if (state === "begun") await pause(clock, othersMs);
      else if (state === "broken") await sql.unsafe(`drop index concurrently if exists ${index.name}`);
      else await build(sql, index);
    }
  }
}

async function build(sql: Sql, { statement }: Index): Promise<void> {
  try {
    await sql.unsafe(statement.replace("concurrently", "concurrently if not exists"));
  } catch (error) {
    if (!isOfAnother(error)) throw error;
  }
}

/**
 * Whether the build of an index failed because another process builds the same index. Such processes wait for each
 * other, or fail because the name exists.
 */
function isOfAnother(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  return (
    error.code === "40P01" || (error.code === "23505" && "schema_name" in error && error.schema_name === "pg_catalog")
  );
}

async function findState(sql: Statements, { name }: Index): Promise<"missing" | "begun" | "broken" | "built"> {
  const [found] = await sql<{ isBuilt: boolean; isBegun: boolean }[]>`
    select
      i.indisvalid as is_built,
      exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) as is_begun
    from pg_index i
    where i.indexrelid = to_regclass(${name})`;
  if (!found) return "missing";
  if (found.isBuilt) return "built";
  return found.isBegun ? "begun" : "broken";
}
