import type { Statements } from "../sql.ts";

/**
 * Returns a description of an object that makes the database non-empty: an object in the current schema, or one of the
 * given schemas itself. Returns undefined if there is none. Extensions and their objects are ignored, because providers
 * install some in every database.
 */
export async function findContent(sql: Statements, schemas: readonly string[]): Promise<string | undefined> {
  const [content] = await sql<{ words: string }[]>`
    with extended as (
      select classid, objid
      from pg_depend
      where deptype = 'e'
    ),
    found (place, words) as (
      select
        case when relkind = 'S' then 2 else 1 end,
        case when relkind = 'S' then 'the sequence ' when relkind in ('v', 'm') then 'the view ' else 'the table ' end || relname
      from pg_class
      where relnamespace = current_schema()::regnamespace
        and relkind in ('r', 'p', 'f', 'v', 'm', 'S')
        and (tableoid, oid) not in (select classid, objid from extended)
      union all
      select 3, 'the function ' || proname
      from pg_proc
      where pronamespace = current_schema()::regnamespace
        and (tableoid, oid) not in (select classid, objid from extended)
      union all
      select 4, 'the type ' || typname
      from pg_type
      where typnamespace = current_schema()::regnamespace
        and typtype in ('e', 'd')
        and (tableoid, oid) not in (select classid, objid from extended)
      union all
      select 5, 'the schema ' || nspname
      from pg_namespace
      where nspname = any(${[...schemas]}::text[])
    )
    select words
    from found
    order by place, words
    limit 1`;
  return content?.words;
}
