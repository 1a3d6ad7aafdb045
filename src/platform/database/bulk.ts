import { shardOf, toUuid } from "../ids.ts";
import type { Sql, Statements } from "./sql.ts";

/** One column of a bulk statement: its SQL, with `?` for the parameter, and its values as that parameter. */
export type Column<Row> = { readonly sql: string; encode(rows: readonly Row[]): string };

/** A list of rows as a table: `(select * from unnest(…) …)` with a column of each name, and `index` from 1 in the order of the rows. */
export type Bulk<Row> = (sql: Statements, rows: readonly Row[]) => ReturnType<Sql>;

/**
 * Names each column of a bulk statement once, with where its values come from: `from ${bulk(sql, rows)} as i`. Each column is one
 * parameter, so the statement's text is the same for any number of rows, and is prepared once.
 *
 * - Parameters are texts: given arrays the driver would look at each element's type and escape all of them, ids and numbers too
 *   (half of a save's time in this process; Bun 1.4.4, postgres 3.4.9).
 * - They come as `(select $1::…)`: the planner would count the elements of a bare parameter, find a custom plan cheaper than
 *   the generic one, and plan again at every execution (0.7 ms a save instead of 0.3 ms; PostgreSQL 18.4).
 */
export function bulk<Row>(columns: Readonly<Record<string, Column<Row>>>): Bulk<Row> {
  const list = Object.values(columns);
  const names = [...Object.keys(columns), "index"].join(", ");
  const lists = list.map(({ sql }) => sql).join(", ");
  const pieces = `(select * from unnest(${lists}) with ordinality as i (${names}))`.split("?");
  // The driver recognizes fragments by `raw`, as template literals have it.
  const text: TemplateStringsArray = Object.assign(pieces, { raw: pieces });
  return (sql, rows) => sql(text, ...list.map((column) => column.encode(rows)));
}

export function uuid<Row>(value: (row: Row) => string | null): Column<Row> {
  return plainColumn("uuid", (row) => {
    const id = value(row);
    return id === null ? null : toUuid(id);
  });
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

/** Hexadecimal digits, at least one, for `decode(…, 'hex')`. */
export function hex<Row>(value: (row: Row) => string): Column<Row> {
  return plainColumn("text", value);
}

export function text<Row>(value: (row: Row) => string | null | undefined): Column<Row> {
  return arrayColumn("text", (row) => {
    const item = value(row);
    return item === null || item === undefined ? "null" : quoted(item);
  });
}

/** Lists of texts, as text: `unnest` takes no lists of lists. The statement casts each with `::text[]`. */
export function textList<Row>(value: (row: Row) => readonly string[] | null | undefined): Column<Row> {
  return arrayColumn("text", (row) => {
    const items = value(row);
    return items ? quoted(`{${items.map(quoted).join(",")}}`) : "null";
  });
}

/**
 * JSON texts, which the statement casts with `::json`. They travel as one text without further escaping (which took two thirds of a save's
 * time in this process), since JSON cannot contain the separator (U+001E) other than escaped. The empty text becomes null.
 */
export function json<Row>(value: (row: Row) => string | null | undefined): Column<Row> {
  return {
    sql: "(select string_to_array(?, E'\\x1e', ''))",
    encode: (rows) => rows.map(value).join("\x1e"),
  };
}

/** Ids of sessions, results or files, with the shard of each. */
export const shardedIds = bulk<string>({ shard: smallint(shardOf), id: uuid((id) => id) });

/** A column of values that need no escaping. */
function plainColumn<Row>(type: string, value: (row: Row) => number | boolean | string | null): Column<Row> {
  return arrayColumn(type, (row) => value(row) ?? "null");
}

function arrayColumn<Row>(type: string, element: (row: Row) => number | boolean | string): Column<Row> {
  return {
    sql: `(select ?::${type}[])`,
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
