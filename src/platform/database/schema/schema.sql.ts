import type { Sql } from "../sql.ts";

/**
 * Prints the statements that create the current database, read from its catalog: extensions, functions, sequences,
 * tables, columns with special statistics, indexes and foreign keys, each sorted by name.
 */
export async function printSchema(sql: Sql): Promise<string> {
  const parts = [
    await printExtensions(sql),
    await printFunctions(sql),
    await printSequences(sql),
    await printTables(sql),
    await printStatistics(sql),
    await printIndexes(sql),
    await printForeignKeys(sql),
  ];
  return `${parts.flat().join("\n\n")}\n`;
}

async function printExtensions(sql: Sql): Promise<string[]> {
  const extensions = await sql<{ name: string }[]>`
    select extname as name
    from pg_extension
    where extname <> 'plpgsql'
    order by extname`;
  return extensions.map(({ name }) => `create extension ${name};`);
}

/** Prints the functions that do not belong to an extension. */
async function printFunctions(sql: Sql): Promise<string[]> {
  const functions = await sql<{ definition: string }[]>`
    select pg_get_functiondef(oid) as definition
    from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (
        select
        from pg_depend
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
      )
    order by proname, oid`;
  return functions.map(({ definition }) => `${definition.trim()};`);
}

/** Prints the sequences that do not belong to an identity column. */
async function printSequences(sql: Sql): Promise<string[]> {
  const sequences = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind = 'S'
      and not exists (
        select
        from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'i'
      )
    order by relname`;
  return sequences.map(({ name }) => `create sequence ${name};`);
}

type ColumnRow = {
  readonly tableName: string;
  readonly isUnlogged: boolean;
  readonly options: string | null;
  readonly definition: string;
};

async function printTables(sql: Sql): Promise<string[]> {
  const columns = await sql<ColumnRow[]>`
    select
      relname as table_name,
      relpersistence = 'u' as is_unlogged,
      array_to_string(reloptions, ', ') as options,
      concat(
        quote_ident(attname), ' ', format_type(atttypid, atttypmod),
        case when attidentity = 'a' then ' generated always as identity' end,
        case when attgenerated = 's' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored' end,
        case when attgenerated = '' then ' default ' || pg_get_expr(adbin, adrelid) end,
        case when attnotnull then ' not null' end
      ) as definition
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by relname, attnum`;
  const constraints = await findConstraints(sql);
  return [...Map.groupBy(columns, ({ tableName }) => tableName)].map(([tableName, own]) => {
    const lines = [
      ...own.map(({ definition }) => definition),
      ...constraints.filter((row) => row.tableName === tableName).map(({ definition }) => definition),
    ];
    const options = own[0]?.options;
    return `create ${own[0]?.isUnlogged ? "unlogged " : ""}table ${tableName} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)${options ? ` with (${options})` : ""};`;
  });
}

/** Prints the columns with a non-default statistics target. */
async function printStatistics(sql: Sql): Promise<string[]> {
  const columns = await sql<{ definition: string }[]>`
    select concat(
      'alter table ', relname, ' alter column ', quote_ident(attname), ' set statistics ', attstattarget, ';'
    ) as definition
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attstattarget >= 0
    order by relname, attnum`;
  return columns.length === 0 ? [] : [columns.map(({ definition }) => definition).join("\n")];
}

/**
 * Finds the constraints of all tables except foreign keys. PostgreSQL 18 stores "not null" as a constraint of type "n",
 * which the column definitions already contain.
 */
async function findConstraints(sql: Sql): Promise<{ tableName: string; definition: string }[]> {
  return await sql<{ tableName: string; definition: string }[]>`
    select
      relname as table_name,
      concat('constraint ', quote_ident(conname), ' ', pg_get_constraintdef(pg_constraint.oid)) as definition
    from pg_constraint
    join pg_class on pg_class.oid = conrelid
    where relnamespace = 'public'::regnamespace and contype not in ('n', 'f')
    order by relname, contype, conname`;
}

async function printIndexes(sql: Sql): Promise<string[]> {
  const indexes = await sql<{ definition: string }[]>`
    select pg_get_indexdef(indexrelid) as definition
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by relname`;
  return indexes.map(({ definition }) => `${definition};`);
}

async function printForeignKeys(sql: Sql): Promise<string[]> {
  const keys = await sql<{ definition: string }[]>`
    select
      concat(
        'alter table ', conrelid::regclass, ' add constraint ', quote_ident(conname), ' ', pg_get_constraintdef(oid), ';'
      ) as definition
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype = 'f'
    order by conname`;
  return keys.map(({ definition }) => definition);
}
