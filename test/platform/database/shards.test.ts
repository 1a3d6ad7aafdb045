import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { readText, sectionOf } from "../../support/tidy/project.ts";
import { waitFor } from "../../support/wait.ts";

// Models a database that is distributed over servers: every large table is split into parts by its shard. A statement
// that does not name the shard must read every part.

const parts = 8;
const otherRows = 20_000;

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let tables: readonly string[];

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  await withConnection(async (sql) => {
    tables = await findShardedTables(sql);
    for (const table of tables) await cutIntoParts(sql, table);
    await storeOtherChats(sql);
  });
  await withConnection((sql) => sql`select pg_stat_reset()`);
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
}, 60_000);
afterAll(async () => {
  await threads.close();
  await api.close();
});

/**
 * Tables that grow with the chats, but have no shard in their key. They contain rows that are soon deleted, or sums per
 * bot.
 */
const unsharded = [
  ...["insight_counts", "problem_examples", "start_keys", "anonymous_previews", "answers_under_way"],
  ...["rate_limit_debts", "nested_starts", "outbox", "mails", "event_deliveries", "deferred_calls"],
  "upload_days",
];

test("every table that grows with chats is sharded or a listed exception", () => {
  const rows = sectionOf(readText("sql/README.md"), "Growth").matchAll(/^\| (`[^|]*)\|/gm);
  const growing = [...rows].flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  // `result_walks` has one row for each shard, for any number of chats.
  const grown = tables.filter((table) => table !== "result_walks");
  expect(growing.filter((name = "") => !unsharded.includes(name)).toSorted()).toEqual(grown);
});

test("a chat reads and writes only the partition of its shard in each large table", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, everything);
  const key = { headers: { "Idempotency-Key": "0123456789abcdef" } };

  const started = await start(api.client, bot.publicId, {}, key);
  const sessionId = started.text("sessionId");
  const said = await say(api.client, sessionId, "Ana", key);
  const again = await say(api.client, sessionId, "Ana", key);
  const shown = await api.client.get(`/api/v1/sessions/${sessionId}`);
  const ended = await say(api.client, sessionId, "Blue");
  const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}`;
  const result = await api.client.get(path, { token: owner.token });
  const logs = await api.client.get(`${path}/logs`, { token: owner.token });

  expect([started, said, again, shown, ended, result, logs].map(({ status }) => status)).toEqual(Array(7).fill(200));
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  expect(ended.at("messages.*.content.plainText")).toEqual(["Blue it is, Ana"]);
  const touched = await partsTouched();
  const own = await partOf(shardOf(sessionId));
  expect(touched).toEqual(
    ["answer_ratings", "answers", "logs", "payments", "results", "sessions", "steps", "visited_edges"].map(
      (table) => `${table}_${own}`,
    ),
  );
});

test("a statement that does not name the shard reads every partition", async () => {
  await withConnection((sql) => sql`select from sessions where id = gen_random_uuid()`);

  const touched = await partsTouched();

  expect(touched.filter((name) => name.startsWith("sessions_"))).toHaveLength(parts);
});

/** The flow produces answers, a rejected call (with a claim and a log), an item's edge, and the conversation so far. */
const everything = (() => {
  const flow = flowOf(
    [
      says("Your name?"),
      asks("text input", { variableId: idOf("Name") }),
      { id: "told", type: "Set variable", options: { variableId: idOf("Email"), type: "Transcript" } },
      { id: "call", type: "Webhook", options: { webhook: { url: "http://127.0.0.1:1/" } } },
      {
        id: "colour",
        type: "choice input",
        items: [
          { id: "red", content: "Red" },
          { id: "blue", content: "Blue", outgoingEdgeId: "to-blue" },
        ],
      },
    ],
    [says("Blue it is, {{Name}}")],
  );
  const edge = { id: "to-blue", from: { blockId: "colour", itemId: "blue" }, to: { groupId: idOf("g1") } };
  return { ...flow, edges: [...flow.edges.filter(({ to }) => to.groupId !== idOf("g1")), edge] };
})();

async function findShardedTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select conrelid::regclass::text as name
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'p' and connamespace = 'public'::regnamespace and attname = 'shard'
    order by 1`;
  return rows.map(({ name }) => name);
}

async function cutIntoParts(sql: Sql, table: string): Promise<void> {
  await sql.unsafe(`alter table ${table} rename to whole`);
  await sql.unsafe(`create table ${table} (like whole including all) partition by hash (shard)`);
  for (let part = 0; part < parts; part++) {
    await sql.unsafe(
      `create table ${table}_${part} partition of ${table} for values with (modulus ${parts}, remainder ${part})`,
    );
  }
  await sql.unsafe("drop table whole");
}

/** Stores so many chats that no plan would scan all of them to find one. */
async function storeOtherChats(sql: Sql): Promise<void> {
  await sql`
    insert into results (shard, id, bot_id)
    select number % 1024, gen_random_uuid(), gen_random_uuid()
    from generate_series(1, ${otherRows}::int) as number`;
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    select shard, id, bot_id, '\\x00', id, 1, '', 60, created_at, created_at, 'bot' from results`;
  await sql`
    insert into steps (shard, session_id, revision, id, bot_id, response)
    select shard, id, 1, id, bot_id, '{}' from results`;
  await sql`
    insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, content)
    select shard, id, id, 1, 0, bot_id, 'b', 'g', 'c' from results`;
  await sql`
    insert into logs (shard, result_id, id, bot_id, status, description)
    select shard, id, id, bot_id, 'info', 'd' from results`;
  await sql`
    insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id)
    select shard, id, id, 0, bot_id, 'e' from results`;
  await sql`analyze`;
}

async function partOf(shard: number): Promise<number> {
  const [row] = await withConnection(
    (sql) => sql<[{ part: number }]>`
      select part
      from generate_series(0, ${parts - 1}::int) as part
      where satisfies_hash_partition('sessions'::regclass, ${parts}::int, part, ${shard}::smallint)`,
  );
  return row.part;
}

async function partsTouched(): Promise<string[]> {
  // Connections report their counts when they end, or earlier.
  await api.deps.sql.end();
  const rows = await withConnection(
    (sql) => sql<{ name: string }[]>`
      select relname as name
      from pg_stat_user_tables
      where seq_scan + coalesce(idx_scan, 0) + n_tup_ins > 0
      order by relname`,
  );
  return rows.map(({ name }) => name).filter((name) => tables.some((table) => name.startsWith(`${table}_`)));
}

/** Runs the work on a separate connection, after earlier connections have ended. */
async function withConnection<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connect(api.databaseUrl, { connections: 1 });
  try {
    await waitFor(async () => {
      const [own] = await sql<[{ isAlone: boolean }]>`
        select not exists (
          select
          from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name like 'parley%'
        ) as is_alone`;
      return own.isAlone;
    });
    return await work(sql);
  } finally {
    await sql.end();
  }
}
