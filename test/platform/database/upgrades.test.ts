import { afterAll, beforeAll, expect, test } from "bun:test";
import { emptyTables, listTables } from "../../../src/platform/database/copy.sql.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from "../../support/database.ts";
import { putSignIn } from "../../support/sign-ins.ts";
import { createThreads } from "../../support/threads.ts";

// Upgrades every earlier schema, with data, to the newest. This release writes the data into the tables and columns
// that the earlier schema has. The short run upgrades only every twelfth schema and the newest, because a new migration
// only reads the schema before it. test/releases/releases.test.ts upgrades rows that earlier releases wrote.

const threads = createThreads({ count: 1 });
const key = "0123456789abcdef";
const newest = 2;
let sample: Sample;
/** A database that gets one migration after the other, while no service is connected to it. */
let chain: TestDatabase;

/** Rows of every table, as JSON, and facts about the chat in these rows. */
type Sample = {
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly token: string;
  readonly botId: string;
  readonly publicId: string;
  readonly sessionId: string;
  readonly started: unknown;
};

type Row = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  sample = await makeSample();
  chain = await createEmptyDatabase();
  await chain.sql.end();
}, 60_000);
afterAll(async () => {
  await chain.close();
  await threads.close();
});

test("the sample data contains rows of every table", () => {
  const empty = [...sample.rows].filter(([, rows]) => rows.length === 0).map(([name]) => name);

  expect(empty).toEqual([]);
});

const releases = migrations.map(({ name }, index) => ({ name, index }));

test.each(releases.filter(({ index }) => isLong || isTriedOut(index) || index >= migrations.length - newest))(
  "the data of the schema $name is preserved by the upgrade to the newest schema",
  async ({ index }) => {
    await withConnection(chain.url, (sql) => migrate(sql, migrations.slice(0, index + 1)));
    const older = await cloneDatabase(chain.url);
    try {
      const written = await write(older.sql, sample.rows);

      await migrate(older.sql);

      expect(await read(older.sql, written)).toEqual(written);
      if (isTriedOut(index)) expect(await useService(older)).toEqual(expected);
    } finally {
      await older.close();
    }
  },
);

/**
 * Whether a service runs after this upgrade. The data are compared after every upgrade, but running a service takes a
 * second.
 */
function isTriedOut(index: number): boolean {
  return index % 12 === 0 || index === migrations.length - 1;
}

/** The expected outcome for visitors and for the bot's owner after any upgrade. */
const expected = {
  isReplayed: true,
  replies: ["Thank you, Ana"],
  questions: ["Your name?"],
  resultCount: 2,
  answers: ["Ana", "Blue", "ana@example.com"],
  logs: ["Webhook returned an error."],
};

async function useService(database: TestDatabase): Promise<typeof expected | object> {
  const { token, botId, publicId, sessionId, started } = sample;
  const api = await createTestApi({ threads, database: { ...database, close: async () => {} } });
  const replayed = await start(api.client, publicId, {}, { headers: { "Idempotency-Key": key } });
  const replied = await say(api.client, sessionId, "ana@example.com");
  const again = await start(api.client, publicId);
  const path = `/api/v1/bots/${botId}/results`;
  const list = await api.client.get(`${path}?timeFilter=allTime`, { token });
  const result = await api.client.get(`${path}/${replayed.text("resultId")}`, { token });
  const logs = await api.client.get(`${path}/${replayed.text("resultId")}/logs`, { token });
  await api.close();
  return {
    isReplayed: Bun.deepEquals(replayed.body, started),
    replies: replied.at("messages.*.content.plainText"),
    questions: again.at("messages.*.content.plainText"),
    resultCount: list.list("results").length,
    answers: result.at("result.answers.*.content"),
    logs: logs.at("logs.*.description"),
  };
}

async function makeSample(): Promise<Sample> {
  const api = await createTestApi({ threads });
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, bot.publicId, {}, { headers: { "Idempotency-Key": key } });
  const sessionId = started.text("sessionId");
  await say(api.client, sessionId, "Ana");
  const asked = await say(api.client, sessionId, "Blue");
  expect(asked.at("input.type")).toBe("email input");
  await writeOthers(api, {
    workspaceId,
    userId: owner.userId,
    botId: bot.botId,
    resultId: started.text("resultId"),
    sessionId,
  });
  const rows = new Map<string, readonly Row[]>();
  for (const { name } of await listTables(api.deps.sql)) rows.set(name, await readRows(api.deps.sql, name));
  await api.close();
  return { rows, token: owner.token, ...bot, sessionId, started: started.body };
}

/** The flow produces an answer, a rejected call (with a claim and a log), and an item's edge. */
const flow = (() => {
  const made = flowOf(
    [
      says("Your name?"),
      asks("text input", { variableId: idOf("Name") }),
      { id: "call", type: "Webhook", options: { webhook: { url: "http://127.0.0.1:1/" } } },
      { id: "colour", type: "choice input", items: [{ id: "blue", content: "Blue", outgoingEdgeId: "to-blue" }] },
    ],
    [asks("email input", { variableId: idOf("Email") }), says("Thank you, {{Name}}")],
  );
  const edge = { id: "to-blue", from: { blockId: "colour", itemId: "blue" }, to: { groupId: idOf("g1") } };
  return { ...made, edges: [...made.edges.filter(({ to }) => to.groupId !== idOf("g1")), edge] };
})();

type Places = Readonly<Record<"workspaceId" | "userId" | "botId" | "resultId" | "sessionId", string>>;

/**
 * Writes rows of the tables that the chat has left empty. Some rows are listed explicitly, and all other tables get one
 * generated row each.
 */
async function writeOthers({ deps: { sql } }: TestApi, places: Places): Promise<void> {
  const { workspaceId, userId, botId, resultId, sessionId } = places;
  const [shard, endpointId, folderId] = [shardOf(sessionId), newId(), newId()];
  await putSignIn(sql, userId);
  await sql`insert into sign_in_codes (id, kind, user_id, hash) values (${newId()}, 'link', ${userId}, 'link')`;
  await sql`insert into folders (id, workspace_id, name) values (${folderId}, ${workspaceId}, 'Folder')`;
  await sql`update bots set folder_id = ${folderId}, custom_domain = 'chat.example.com' where id = ${botId}`;
  await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${userId}, 'READ')`;
  await sql`
    insert into invitations (id, workspace_id, email, role, code_hash, expires_at)
    values (${newId()}, ${workspaceId}, 'bea@example.com', 'GUEST', sha256('code'), clock() + interval '1 day')`;
  await sql`
    insert into custom_domains (id, workspace_id, name, proof, state)
    values (${newId()}, ${workspaceId}, 'chat.example.com', 'proof', 'verified')`;
  await sql`
    insert into event_endpoints (id, workspace_id, url, event_types, is_enabled, secret)
    values (${endpointId}, ${workspaceId}, 'https://example.com', '{result.started}', false, 'secret')`;
  await sql`insert into event_lanes (endpoint_id, lane) values (${endpointId}, 3)`;
  await sql`
    insert into event_deliveries (id, endpoint_id, type, bot_id, result_id, session_id, order_key, content, status)
    values (${newId()}, ${endpointId}, 'result.started', ${botId}, ${resultId}, ${sessionId}, ${sessionId}, '{"a": 1}', 'delivered')`;
  await sql`
    insert into files (shard, id, session_id, number, result_id, bot_id, block_id, name, extension, type, is_public, max_bytes, url_expires_at)
    values (${shard}, ${newId(shard)}, ${sessionId}, 1, ${resultId}, ${botId}, 'b', 'a.txt', 'txt', 'text/plain', true, 100, clock())`;
  await sql`insert into mails (id, shard, result_id, bot_id, content) values (${newId()}, ${shard}, ${resultId}, ${botId}, '{}')`;
  await sql`insert into outbox (id, queue, data) values (${newId()}, 'email', '{"to": ["ana@example.com"]}')`;
  for (const { name } of await listTables(sql)) if ((await readRows(sql, name)).length === 0) await writeAny(sql, name);
}

async function writeAny(sql: Sql, table: string): Promise<void> {
  const columns = await sql<{ name: string; value: string }[]>`
    select
      quote_ident(attname) as name,
      coalesce(
        (
          select format('(select %I from %s limit 1)', target.attname, confrelid::regclass)
          from pg_constraint
          join pg_attribute as target on target.attrelid = confrelid and target.attnum = confkey[1]
          where contype = 'f' and conrelid = columns.attrelid and conkey = array[columns.attnum]
        ),
        case format_type(atttypid, null)
          when 'uuid' then 'gen_random_uuid()'
          when 'bytea' then $$'key'$$
          when 'json' then $$'{"a": 1}'$$
          when 'boolean' then 'true'
          when 'text[]' then $$'{text}'$$
          when 'uuid[]' then 'array[gen_random_uuid()]'
          when 'integer[]' then $$'{1}'$$
          when 'text' then $$'text'$$
          when 'timestamp with time zone' then 'clock()'
          when 'date' then 'current_date'
          when 'jsonb' then $$'{"a": 1}'$$
          else '1'
        end
      ) as value
    from pg_attribute as columns
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attidentity = ''`;
  const names = columns.map(({ name }) => name).join(", ");
  await sql.unsafe(`insert into ${table} (${names}) values (${columns.map(({ value }) => value).join(", ")})`);
}

async function write(sql: Sql, rows: Sample["rows"]): Promise<Sample["rows"]> {
  const written = new Map<string, readonly Row[]>();
  const tables = await listTables(sql);
  // Migrations have inserted rows into some tables, and the sample also contains these rows.
  await emptyTables(sql, tables);
  for (const { name, columns } of tables) {
    const kept = (rows.get(name) ?? []).map((row) =>
      Object.fromEntries(columns.filter((column) => column in row).map((column) => [column, row[column]])),
    );
    const [first] = kept;
    // The sample has no rows of a table that this release no longer has.
    if (!first) continue;
    await sql`
      insert into ${sql(name)} (${sql(Object.keys(first))})
      overriding system value
      select ${sql(Object.keys(first))}
      from json_populate_recordset(null::${sql(name)}, ${JSON.stringify(kept)}::text::json)`;
    written.set(name, kept);
  }
  return written;
}

async function read(sql: Sql, written: Sample["rows"]): Promise<Sample["rows"]> {
  const found = new Map<string, readonly Row[]>();
  for (const [name, [first = {}]] of written) {
    const rows = await readRows(sql, name);
    found.set(
      name,
      rows.map((row) => Object.fromEntries(Object.keys(first).map((column) => [column, row[column]]))),
    );
  }
  return found;
}

async function readRows(sql: Sql, table: string): Promise<Row[]> {
  const rows = await sql<{ row: Row }[]>`
    select row_to_json(rows) as row
    from ${sql(table)} as rows
    order by rows::text`;
  return rows.map(({ row }) => row);
}

async function withConnection(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = connect(url, { connections: 1 });
  await work(sql);
  await sql.end();
}
