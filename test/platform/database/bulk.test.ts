import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  boolean,
  bulk,
  bulkOrOne,
  hex,
  integer,
  json,
  shardedIds,
  smallint,
  text,
  textList,
  uuid,
} from "../../../src/platform/database/bulk.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

type Row = {
  readonly id: string | null;
  readonly small: number | null;
  readonly whole: number | null;
  readonly isSo: boolean;
  readonly digits: string;
  readonly words: string | null;
  readonly list: readonly string[] | null;
  readonly document: string | null;
};

const columns = {
  id: uuid(({ id }: Row) => id),
  small: smallint(({ small }: Row) => small),
  whole: integer(({ whole }: Row) => whole),
  is_so: boolean(({ isSo }: Row) => isSo),
  digits: hex(({ digits }: Row) => digits),
  words: text(({ words }: Row) => words),
  list: textList(({ list }: Row) => list),
  document: json(({ document }: Row) => document),
};
const table = bulk<Row>(columns);
const tableOrOne = bulkOrOne<Row>(columns);

const nasty = `a "quoted" \\ 'word', {braces}, null, é 👋\n\t\x1e`;

const rows: readonly Row[] = [
  {
    id: newId(),
    small: 7,
    whole: -2_000_000_000,
    isSo: true,
    digits: "00ff",
    words: nasty,
    list: [nasty, "", "null", "a,b"],
    document: JSON.stringify({ snake_case: nasty }),
  },
  { id: null, small: null, whole: null, isSo: false, digits: "0", words: null, list: null, document: null },
  { id: newId(), small: 0, whole: 0, isSo: true, digits: "0", words: "", list: [], document: "[]" },
  { id: newId(), small: 1, whole: 1, isSo: false, digits: "a", words: "null", list: ["x"], document: '"\\u001e"' },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const select = (of: readonly Row[], from = table) => database.sql<(Row & { index: string })[]>`
  select id, small, whole, is_so, digits, words, list::text[] as list, document, index
  from ${from(database.sql, of)} as i`;

test("rows are passed as a table in the same order", async () => {
  const expected = rows.map((row, index) => ({ ...row, index: String(index + 1) }));

  expect([...(await select(rows))]).toEqual(expected);
});

test("a list with one row is passed as a table with one row", async () => {
  for (const row of rows) expect([...(await select([row]))]).toEqual([{ ...row, index: "1" }]);
});

test("bulkOrOne returns equal results for one row and several rows", async () => {
  for (const row of rows) expect([...(await select([row], tableOrOne))]).toEqual([{ ...row, index: "1" }]);
  expect([...(await select(rows, tableOrOne))]).toEqual([...(await select(rows))]);
  expect([...(await select([], tableOrOne))]).toEqual([]);

  const texts = new Set<string | undefined>();
  for (const count of [1, 1, 2, 4]) texts.add((await select(rows.slice(0, count), tableOrOne)).statement?.string);
  expect(texts.size).toBe(2);
});

test("an empty list of ids is passed as an empty table", async () => {
  const { sql } = database;

  expect([...(await sql`select id from ${shardedIds(sql, [])} as wanted`)]).toEqual([]);
});

test("shardedIds returns ids with their shards, in order", async () => {
  const { sql } = database;
  const ids = [newId(3), newId(1023), newId(0)];

  const wanted = await sql`select shard, id from ${shardedIds(sql, ids)} as wanted`;

  expect([...wanted]).toEqual(ids.map((id) => ({ shard: shardOf(id), id })));
});

test("the text of a statement is the same for any number of bulk rows", async () => {
  const texts = new Set<string | undefined>();
  for (const count of [1, 2, 4]) texts.add((await select(rows.slice(0, count))).statement?.string);

  expect(texts.size).toBe(1);
});

test("column names become camel case, except within JSON", async () => {
  const { sql } = database;
  const ids = [newId(), newId()];
  const [id = ""] = ids;

  const [row] = await sql`
    select
      ${id}::uuid as one_id,
      ${ids}::uuid[] as all_ids,
      ${null}::uuid as no_id,
      ${id}::uuid = any(${ids}::uuid[]) as is_in,
      ${id}::uuid::text as written_id,
      '{"snake_case":{"in_it":1}}'::jsonb as some_json`;

  expect(row).toMatchObject({ oneId: id, allIds: ids, noId: null, isIn: true, someJson: { snake_case: { in_it: 1 } } });
  expect(row?.["writtenId"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
