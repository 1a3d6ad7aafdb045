import { shardOf, toUuid } from "../ids.ts";
import type { Sql, Statements } from "./sql.ts";

/**
 * One column of a bulk statement: its SQL with `?` for the parameter, and a function that encodes its values as this
 * parameter. `one` is the value in a statement for a single row, and `type` is the type of that value.
 */
export type Column<Row> = {
  readonly sql: string;
  encode(rows: readonly Row[]): string;
  readonly type: string;
  one(row: Row): string | number | boolean | null;
};

/**
 * Renders a list of rows as a table: `(select i.* from … unnest(…) …)`. The table has the named columns, and `index`
 * numbers the rows from 1.
 */
export type Bulk<Row> = (sql: Statements, rows: readonly Row[]) => ReturnType<Sql>;

/**
 * Defines each column of a bulk statement once, with the source of its values: `from ${bulk(sql, rows)} as i`. Each
 * column is one parameter, so the statement's text is the same for any number of rows and is prepared once.
 *
 * - Parameters are texts. For arrays, the driver would check the type of each element and escape all elements, even
 *   ids and numbers. This took half of a save's time in this process (Bun 1.4.4, postgres 3.4.9).
 * - The parameters are passed through a sub-select. For a bare parameter, the planner would count the elements,
 *   estimate a custom plan as cheaper than the generic plan, and plan again at every execution. A save then took 0.7
 *   instead of 0.3 ms (PostgreSQL 18.4). `offset 0` prevents the planner from inlining the sub-select. All parameters
 *   share one sub-select: a save of ten rows costs the database 65 µs a row, instead of 68 µs with a sub-select per
 *   parameter.
 */
export function bulk<Row>(columns: Readonly<Record<string, Column<Row>>>): Bulk<Row> {
  const list = Object.values(columns);
  const names = [...Object.keys(columns), "index"].join(", ");
  const lists = list.map(({ sql }, index) => `${sql} as c${index}`).join(", ");
  const given = list.map((_, index) => `p.c${index}`).join(", ");
  const text = templateOf(
    `(select i.* from (select ${lists} offset 0) as p, unnest(${given}) with ordinality as i (${names}))`,
  );
  return (sql, rows) => sql(text, ...list.map((column) => column.encode(rows)));
}

/**
 * Like `bulk`, for statements that often have one row. A single row is sent as plain parameters, which the planner
 * inlines. The single-row form is a second statement to prepare. A save of one step takes 219 to 225 instead of 313 µs
 * of the database's processor time. In this process, it takes 57 to 66 instead of 87 µs (one connection; Bun 1.4.4,
 * PostgreSQL 18.4).
 */
export function bulkOrOne<Row>(columns: Readonly<Record<string, Column<Row>>>): Bulk<Row> {
  const many = bulk(columns);
  const valuesOf = bulkValues(columns);
  const values = Object.entries(columns).map(([name, { type }]) => `?::${type} as ${name}`);
  const text = templateOf(`(select ${values.join(", ")}, 1::bigint as index)`);
  return (sql, rows) => (rows.length === 1 ? sql(text, ...valuesOf(rows)) : many(sql, rows));
}

/** Returns a function that encodes rows as the parameters of `bulkOrOne` for the same columns, in order. */
export function bulkValues<Row>(
  columns: Readonly<Record<string, Column<Row>>>,
): (rows: readonly Row[]) => (string | number | boolean | null)[] {
  const list = Object.values(columns);
  return (rows) => {
    const [row] = rows;
    return row === undefined || rows.length > 1
      ? list.map((column) => column.encode(rows))
      : list.map((column) => column.one(row));
  };
}

/**
 * Converts a text to the strings of a template literal. The driver recognizes SQL fragments by their `raw` property.
 */
function templateOf(text: string): TemplateStringsArray {
  const pieces = text.split("?");
  return Object.assign(pieces, { raw: pieces });
}

export function uuid<Row>(value: (row: Row) => string | null): Column<Row> {
  const inList = plainColumn("uuid", (row: Row) => {
    const id = value(row);
    return id === null ? null : toUuid(id);
  });
  // The driver converts an id to a uuid if the parameter has this type.
  return { ...inList, one: value };
}

export function smallint<Row>(value: (row: Row) => number | null): Column<Row> {
  return plainColumn("smallint", value);
}

export function integer<Row>(value: (row: Row) => number | null): Column<Row> {
  return plainColumn("integer", value);
}

export function double<Row>(value: (row: Row) => number | null): Column<Row> {
  return plainColumn("double precision", value);
}

export function boolean<Row>(value: (row: Row) => boolean): Column<Row> {
  return plainColumn("boolean", value);
}

/** A column of hexadecimal texts with at least one digit, for `decode(…, 'hex')`. */
export function hex<Row>(value: (row: Row) => string): Column<Row> {
  return plainColumn("text", value);
}

export function text<Row>(value: (row: Row) => string | null | undefined): Column<Row> {
  const inList = arrayColumn("text", (row: Row) => {
    const item = value(row);
    return item === null || item === undefined ? "null" : quoted(item);
  });
  return { ...inList, one: (row) => value(row) ?? null };
}

/**
 * A column of text lists, each encoded as one text because `unnest` flattens nested arrays. The statement casts each
 * value with `::text[]`.
 */
export function textList<Row>(value: (row: Row) => readonly string[] | null | undefined): Column<Row> {
  const literal = (row: Row): string | null => {
    const items = value(row);
    return items ? `{${items.map(quoted).join(",")}}` : null;
  };
  return text(literal);
}

/**
 * A column of JSON texts, which the statement casts with `::json`. The texts are joined into one parameter without
 * escaping, because JSON contains the separator (U+001E) only in escaped form. Escaping took two thirds of a save's
 * time in this process. The empty text becomes null.
 */
export function json<Row>(value: (row: Row) => string | null | undefined): Column<Row> {
  return {
    sql: "string_to_array(?, E'\\x1e', '')",
    encode: (rows) => rows.map(value).join("\x1e"),
    type: "text",
    one: (row) => value(row) || null,
  };
}

/** The ids of sessions, results or files, each with its shard. */
export const shardedIds = bulk<string>({ shard: smallint(shardOf), id: uuid((id) => id) });

/** A column whose values need no escaping. */
function plainColumn<Row>(type: string, value: (row: Row) => number | boolean | string | null): Column<Row> {
  return { ...arrayColumn(type, (row: Row) => value(row) ?? "null"), one: value };
}

function arrayColumn<Row>(type: string, element: (row: Row) => number | boolean | string): Omit<Column<Row>, "one"> {
  return {
    type,
    sql: `?::${type}[]`,
    encode(rows) {
      let array = "{";
      for (let index = 0; index < rows.length; index++) {
        const row = rows[index];
        if (row === undefined) continue;
        if (index > 0) array += ",";
        array += element(row);
      }
      return `${array}}`;
    },
  };
}

function quoted(text: string): string {
  const safe = text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
  return `"${safe.includes('"') ? safe.replaceAll('"', '\\"') : safe}"`;
}
