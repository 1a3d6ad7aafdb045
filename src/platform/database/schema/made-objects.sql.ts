import type { Sql } from "../sql.ts";

type Kind = "table" | "sequence" | "function" | "type" | "extension";

/** Something in the schema, by a name that statements take. */
type MadeObject = { readonly kind: Kind; readonly name: string };

/** What lies in the schema: what belongs to something else (a column's sequence, a function of an extension) goes with that. */
export async function listObjects(sql: Sql): Promise<MadeObject[]> {
  return sql<MadeObject[]>`
    with own as (
      select classid, objid, deptype
      from pg_depend
      where deptype in ('e', 'i', 'a')
    )
    select 'table' as kind, oid::regclass::text as name
    from pg_class
    where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and not exists (select from own where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    union all
    select 'sequence', oid::regclass::text
    from pg_class
    where relnamespace = current_schema()::regnamespace
      and relkind = 'S'
      and not exists (select from own where classid = 'pg_class'::regclass and objid = pg_class.oid)
    union all
    select 'function', oid::regprocedure::text
    from pg_proc
    where pronamespace = current_schema()::regnamespace
      and not exists (select from own where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select 'type', oid::regtype::text
    from pg_type
    where typnamespace = current_schema()::regnamespace
      and typtype in ('e', 'd')
      and not exists (select from own where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
    union all
    select 'extension', quote_ident(extname)
    from pg_extension
    where extnamespace = current_schema()::regnamespace`;
}

/** Drops the objects that were created since. */
export async function dropObjectsBut(sql: Sql, before: readonly MadeObject[]): Promise<void> {
  const known = new Set(before.map(textOf));
  const made = (await listObjects(sql)).filter((one) => !known.has(textOf(one)));
  if (made.length === 0) return;
  // Tables first: others are used by them.
  const ordered = kinds.flatMap((kind) => made.filter((one) => one.kind === kind));
  await sql.begin(async (transaction) => {
    for (const one of ordered) await transaction.unsafe(`drop ${one.kind} if exists ${one.name} cascade`);
  });
}

const kinds: readonly Kind[] = ["table", "sequence", "function", "type", "extension"];

function textOf({ kind, name }: MadeObject): string {
  return `${kind} ${name}`;
}
