import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createTestDatabase } from "../../support/database.ts";
import { readStatements, type SourceStatement } from "../../support/statements.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

/** Tables that are distributed by shard. All other tables are on every server, or on one server. */
const spread = [
  "answers",
  "due_steps",
  "effect_reports",
  "files",
  "logs",
  "results",
  "sessions",
  "steps",
  "visited_edges",
];

/** The statements of chats, from the files that contain them. */
const statements = readStatements([
  "chat/{reads,saves}/*.sql.ts",
  "management/bots/versions/moves/moving-chats.sql.ts",
  "management/events/save-events.sql.ts",
  "management/files/files.sql.ts",
  "management/results/results.sql.ts",
]).filter(
  // A statement of the clean-up, not of chats.
  ({ function: name }) => name !== "deleteOldPreviews",
);

const page = await Bun.file(join(import.meta.dir, "../../../deploy/README.md")).text();
/** The rule and the name of each violation, as listed on the page. */
const documented = [...page.matchAll(/^\| `([a-z-]+)` +\| `([\w.]+)` +\| \S/gm)].map(
  ([, rule, name]) => `${rule} ${name}`,
);

test("deploy/README.md lists the statements that break distribution rules", async () => {
  const found = [
    ...(await brokenBySchema()),
    ...statements.flatMap((statement) =>
      rules.filter(({ isBroken }) => isBroken(statement)).map(({ rule }) => `${rule} ${statement.function}`),
    ),
  ];

  expect([...new Set(found)].toSorted()).toEqual(documented.toSorted());
});

test("the analysed statements cover reads and inserts of each distributed table", () => {
  const verbs = ["insert into", "update", "from"];
  const met = spread.filter((table) => statements.some(({ text }) => new RegExp(`(from|join) ${table}\\b`).test(text)));
  const inserted = spread.filter((table) => statements.some(({ text }) => text.includes(`${verbs[0]} ${table} `)));

  expect(met).toEqual(spread);
  expect(inserted).toEqual(spread);
  expect(statements.length).toBeGreaterThan(60);
});

test.each([
  ["shard", "select revision from sessions where id = $"],
  ["shard", "select r.id from results r join answers a on a.result_id = r.id where r.shard = $"],
  ["shard", "insert into logs (id, shard) values ($, $)"],
  ["conflict", "insert into results (shard, id) values ($, $) on conflict (id) do nothing"],
  ["two-places", "with a as (insert into steps (shard) select 1) insert into outbox (id) values ($)"],
  ["list", "select s.id from $ as wanted join sessions s on s.shard = wanted.shard and s.id = wanted.id"],
  ["all-shards", "select id from results where bot_id = $"],
  ["session-state", "select id from sessions where shard = $ and id = $ for update"],
])("a violation of the rule %s is detected: %s", (rule, text) => {
  const broken = rules.filter(({ isBroken }) => isBroken({ file: "", function: "", text })).map((one) => one.rule);

  expect(broken).toContain(rule);
});

type Rule = { readonly rule: string; isBroken(statement: SourceStatement): boolean };

const rules: readonly Rule[] = [
  {
    // The statement uses a large table without naming the shard.
    rule: "shard",
    isBroken: ({ text }) => mentions(text).some((mention) => !namesShard(text, mention)) && !readsABot(text),
  },
  // A bot's rows are in all shards.
  { rule: "all-shards", isBroken: ({ text }) => readsABot(text) },
  // The statement reads or writes rows of several sessions or results.
  {
    rule: "list",
    isBroken: ({ text }) =>
      mentions(text).length > 0 && /\$ as (i|k|l|e|wanted)\b|from (input|saved|given)\b/.test(text),
  },
  {
    // One statement writes a distributed table and another table.
    rule: "two-places",
    isBroken: ({ text }) => {
      const written = [...text.matchAll(/(?:insert into|update|delete from) (\w+)/g)].map(([, table = ""]) => table);
      // Parts of a save are inserted into the statement that writes the session.
      const isSpread = isPart(text) || written.some((table) => spread.includes(table));
      return isSpread && written.some((table) => ours.has(table) && !spread.includes(table));
    },
  },
  {
    rule: "conflict",
    isBroken: ({ text }) =>
      [...text.matchAll(/insert into (\w+)(?:(?!insert into).)*?on conflict \((\w+)/g)].some(
        ([, table = "", first]) => spread.includes(table) && first !== "shard",
      ),
  },
  {
    rule: "session-state",
    isBroken: ({ text }) =>
      /\bfor (no key )?(update|share)\b|\block table\b|pg_advisory|\blisten\b|\bctid\b|\btemp\b/.test(text),
  },
];

type Mention = { readonly verb: string; readonly table: string; readonly alias: string; readonly rest: string };

function mentions(text: string): Mention[] {
  const pattern = new RegExp(
    `\\b(from|join|update|insert into|using) (${spread.join("|")})\\b(?: as)?(?: (?!${keywords}\\b)([a-z_]+))?`,
    "g",
  );
  return [...text.matchAll(pattern)].map(({ 0: all, 1: verb = "", 2: table = "", 3: alias = table, index }) => ({
    verb,
    table,
    alias,
    rest: text.slice(index + all.length),
  }));
}

const keywords = "(?:where|set|on|select|order|values|left|join|limit|group|returning|cross|using|offset|as)";

function namesShard(text: string, { verb, table, alias, rest }: Mention): boolean {
  if (verb === "insert into") return /^ ?\( ?shard\b/.test(rest);
  const named = new RegExp(`\\b(${alias}|${table})\\.shard = |= (${alias}|${table})\\.shard\\b`);
  return named.test(text) || /\b(where|and) shard = /.test(untilClosed(rest));
}

function untilClosed(text: string): string {
  let depth = 0;
  for (const [index, letter] of [...text].entries()) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (depth < 0) return text.slice(0, index);
  }
  return text;
}

/** Whether a statement lists rows of a bot, which are in all shards. */
function readsABot(text: string): boolean {
  return mentions(text).some(({ verb, rest }) => verb === "from" && /^ ?where bot_id = \$/.test(rest));
}

const ours = new Set(
  (await database.sql<{ name: string }[]>`select relname as name from pg_stat_user_tables`).map(({ name }) => name),
);

function isPart(text: string): boolean {
  return text.startsWith(",") || /\b(from|join) (saved|input)\b/.test(text);
}

async function brokenBySchema(): Promise<string[]> {
  const rows = await database.sql<{ broken: string }[]>`
    select 'key ' || relname as broken
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    where indrelid = any(${spread}::regclass[])
      and indisunique
      and indkey[0] <> (select attnum from pg_attribute where attrelid = indrelid and attname = 'shard')
    union all
    select 'foreign-key ' || conname
    from pg_constraint
    where contype = 'f' and (conrelid = any(${spread}::regclass[]) or confrelid = any(${spread}::regclass[]))
    union all
    select 'trigger ' || tgname
    from pg_trigger
    where tgrelid = any(${spread}::regclass[])
    union all
    select 'sequence ' || adrelid::regclass || '.' || attname
    from pg_attrdef
    join pg_attribute on attrelid = adrelid and attnum = adnum
    where adrelid = any(${spread}::regclass[]) and pg_get_expr(adbin, adrelid) like 'nextval%'`;
  return rows.map(({ broken }) => broken);
}
