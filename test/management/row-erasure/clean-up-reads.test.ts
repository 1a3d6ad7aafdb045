import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TransactionSql } from "postgres";
import { limits } from "../../../src/limits/index.ts";
import { findFolderToErase } from "../../../src/management/bots/folders/deleted-folders.sql.ts";
import { removeOldDeliveries } from "../../../src/management/events/delivery/queue.sql.ts";
import {
  forgetFiles,
  listUnansweredFiles,
  markAnsweredFiles,
  removeFilesOfPreviews,
  takeRemovedFiles,
} from "../../../src/management/files/file-removal.sql.ts";
import { createCounting } from "../../../src/management/insight/count-results.ts";
import { returnReservations } from "../../../src/management/models/left-reservations.sql.ts";
import { deleteOldModelCalls } from "../../../src/management/models/model-calls.sql.ts";
import {
  deleteErasedResults,
  deleteExpiredSessions,
  deleteForgottenFlows,
  deleteOldReports,
  deleteOldStartKeys,
  findForgottenFlows,
} from "../../../src/management/row-erasure/clean-up.sql.ts";
import { findResultsToErase } from "../../../src/management/row-erasure/deleted-results.sql.ts";
import { endSomeChats } from "../../../src/management/row-erasure/ended-chats.sql.ts";
import {
  endSessions,
  endSessionsOfResults,
  eraseResults,
  eraseSessions,
} from "../../../src/management/row-erasure/erasure.sql.ts";
import {
  findBotToPurge,
  findBotWithChats,
  findWorkspacesToPurge,
  noteChatsEnded,
  purgeResults,
  purgeWorkspaces,
} from "../../../src/management/row-erasure/purge.sql.ts";
import { deleteOld } from "../../../src/platform/database/deleted.sql.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { listWaitingRows } from "../../../src/platform/queue/outbox.sql.ts";
import { isLong } from "../../support/campaigns.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createReadCounter, type PlanMode, type ReadCounter } from "../../support/reads.ts";

/** The number of rows in most tables. Usually half of the rows are old enough to be deleted. */
const stored = 40_000;
const limit = limits.cleanUp.batch;
/** The outbox is short, because erasing a result searches all of it. */
const storedInOutbox = 5_000;
/** The maximum number of rows that removing a batch may read: each row a few times in each of its tables. */
const mostRead = 20 * limit;

const botId = newId();
const resultIds = Array.from({ length: limits.erasure.batch }, () => newId());

let database: TestDatabase;
const counters = new Map<PlanMode, ReadCounter>();

/** The generic plan does not use the parameter values, and may be worse. */
const modes = isLong ? (["force_custom_plan", "force_generic_plan"] as const) : (["force_generic_plan"] as const);

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.begin(async (sql) => {
    // Foreign keys are not checked, because the checks would take longer than inserting the rows.
    await sql`set local session_replication_role = replica`;
    for (const seed of [seedChats, seedQueues, seedManagement, seedModels]) await seed(sql);
  });
  await database.sql`analyze`;
  for (const mode of modes) {
    counters.set(mode, createReadCounter(database.url, mode));
  }
}, 120_000);
afterAll(async () => {
  for (const counter of counters.values()) await counter.close();
  await database.close();
});

/** The measured statements. Each must find rows, so that a statement that finds nothing does not count as cheap. */
const statements: Record<string, (sql: Sql) => Promise<unknown>> = {
  "expired sessions": (sql) => expectSome(deleteExpiredSessions(sql, limit)),
  "old start keys": (sql) => expectSome(deleteOldStartKeys(sql, limit)),
  "old reports of effects": (sql) => expectSome(deleteOldReports(sql, limit)),
  "old calls of models": (sql) => expectSome(deleteOldModelCalls(sql, limit)),
  "reservations of crashed calls": (sql) => expectSome(returnReservations(sql, undefined)),
  "old mails": (sql) => expectSome(deleteOld(sql, { table: "mails", days: 7, limit })),
  "old calls to services": (sql) => expectSome(deleteOld(sql, { table: "deferred_calls", days: 7, limit })),
  "old invitations": (sql) => expectSome(deleteOld(sql, { table: "invitations", at: "expires_at", days: 7, limit })),
  "erased results": (sql) => expectSome(deleteErasedResults(sql, limit)),
  "erased results of a deleted bot": (sql) => expectSome(purgeResults(sql, { botId, limit })),
  "results to count": (sql) => expectSome(createCounting(sql)(limit)),
  "old logs of jobs": (sql) => expectSome(deleteOld(sql, { table: "job_logs", at: "at", days: 7, limit })),
  "old deliveries": (sql) => expectSome(removeOldDeliveries(sql, { days: 7, limit })),
  "deleted workspaces": async (sql) => expectSome(purgeWorkspaces(sql, await findWorkspacesToPurge(sql, { limit }))),
  "unreferenced flows": async (sql) => {
    const { forgotten } = await findForgottenFlows(sql, { after: undefined, limit });
    await expectSome(deleteForgottenFlows(sql, forgotten));
  },
  "files without an answer": async (sql) => {
    const ids = await listUnansweredFiles(sql, { hours: 1, limit });
    await expectSome(ids.length);
    await markAnsweredFiles(sql, ids);
  },
  "files of previews": (sql) => expectSome(removeFilesOfPreviews(sql, { hours: 1, limit })),
  "removed files": async (sql) => {
    const ids = await takeRemovedFiles(sql, { limit, seconds: 60 });
    await expectSome(ids.length);
    await forgetFiles(sql, ids);
  },
  "results of an erasure": async (sql) => {
    await endSessionsOfResults(sql, resultIds);
    await expectSome(eraseResults(sql, { botId, resultIds }));
  },
  "sessions of an erasure": async (sql) => {
    await endSessions(sql, resultIds);
    await eraseSessions(sql, resultIds);
  },
  "results in the bin": (sql) => expectSome(findResultsToErase(sql, limit)),
  "folders in the bin": (sql) => expectSome(findFolderToErase(sql)),
  "bots in the bin": (sql) => expectSome(findBotToPurge(sql)),
  "deleted bots with running chats": (sql) => expectSome(findBotWithChats(sql)),
  "chats of deleted bots": async (sql) => {
    const { ended } = await endSomeChats(sql, { botIds: [botId] }, { limit });
    await expectSome(ended);
  },
  "deleted bots without running chats": (sql) => noteChatsEnded(sql),
};

describe.each(modes)("the clean-up with %s", (mode) => {
  test.each(Object.entries(statements))(
    "a batch of the clean-up reads a limited number of rows: %s",
    async (_name, statement) => {
      expect(await counters.get(mode)?.rowsRead(statement)).toBeLessThanOrEqual(mostRead);
    },
  );
});

test.each(modes)(
  "the outbox reads at most 100 rows to return the due rows of a queue, despite older rows of another queue (%s)",
  async (mode) => {
    const read = await counters.get(mode)?.rowsRead(async (sql) => {
      await expectSome(listWaitingRows(sql, { queue: "mail", limit: 10 }));
    });

    expect(read).toBeLessThanOrEqual(100);
  },
);

test("a statement that reads every row is detected", async () => {
  const counter = counters.get("force_generic_plan");

  expect(
    await counter?.rowsRead((sql) => sql`update sessions set state = '' where state = 'x'`),
  ).toBeGreaterThanOrEqual(stored);
});

async function expectSome(found: Promise<unknown> | unknown): Promise<void> {
  const some = await found;
  const count = Array.isArray(some) ? some.length : some;
  if (count === undefined || count === 0) throw new Error("Something was expected to be found.");
}

async function seedChats(sql: TransactionSql): Promise<void> {
  // Nearly all results belong to one bot, so the planner has few statistics on the other bots.
  await sql`
    insert into results (shard, id, bot_id, is_archived, erase_after, created_at, updated_at)
    select number % 1024, gen_random_uuid(), case when number % 100 = 0 then gen_random_uuid() else ${botId} end, number % 2 = 0,
      case when number % 4 = 0 then ${halfOld(sql)} end, ${old(sql)}, ${old(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into results (shard, id, bot_id)
    select shard, id, ${botId}
    from unnest(${resultIds.map(shardOf)}::smallint[], ${[...resultIds]}::uuid[]) as page (shard, id)`;
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, publication_number, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    select shard, id, bot_id, '\\x00', 1, id, 1, '', 60, clock() + age, date_trunc('hour', clock() + age), 'bot'
    from (select *, (row_number() over () - ${stored / 2}::int) * interval '1 minute' as age from results) as numbered`;
  await sql`
    insert into steps (shard, session_id, revision, id, bot_id, response)
    select shard, id, number, gen_random_uuid(), bot_id, '{}'
    from sessions, generate_series(1, 2) as number`;
  await sql`
    insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, content)
    select shard, id, created_at, id, 1, 0, bot_id, 'b', 'g', 'c'
    from results`;
  await sql`
    insert into logs (shard, result_id, id, bot_id, status, description)
    select shard, id, gen_random_uuid(), bot_id, 'info', 'd'
    from results`;
  await sql`
    insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id)
    select shard, id, id, 0, bot_id, 'e'
    from results`;
  await sql`
    insert into files (shard, id, session_id, number, result_id, bot_id, block_id, name, extension, type, is_public, max_bytes,
      url_expires_at, stored_at, is_removed, remove_after, created_at)
    select shard, id, id, 1, id, bot_id, 'b', 'n', 'txt', 'text/plain', true, 1, created_at, created_at, is_archived,
      case when is_archived then created_at end, created_at
    from results`;
  // Files of previews, half of them old.
  await sql`
    insert into files (shard, id, session_id, number, bot_id, block_id, name, extension, type, is_public, max_bytes, url_expires_at, stored_at,
      created_at)
    select shard, gen_random_uuid(), gen_random_uuid(), 1, bot_id, 'b', 'n', 'txt', 'text/plain', true, 1, clock(), clock(), ${halfOld(sql)}
    from (select *, row_number() over () as number from results) as numbered`;
  await sql`
    insert into insight_results (shard, result_id, next_at)
    select shard, id, ${halfOld(sql)}
    from (select *, row_number() over () as number from results) as numbered`;
}

/** Stores a call of a model for each result, and reservations for each workspace. Half of these rows are old. */
async function seedModels(sql: TransactionSql): Promise<void> {
  await sql`
    insert into model_calls (shard, result_id, id, bot_id, workspace_id, session_id, block_id, type, model, ended, tries, duration_ms, is_estimated, request, created_at)
    select shard, numbered.id, gen_random_uuid(), bot_id, w.id, numbered.id, 'b', 't', 'm', 'stop', 1, 1, false, '{}', ${halfOld(sql)}
    from (select *, row_number() over () as number from results) as numbered
    join (select id, row_number() over () as place from workspaces limit 10) as w on w.place = number % 10 + 1`;
  await sql`
    insert into model_spending (workspace_id, bot_id)
    select id, bot_id
    from workspaces
    cross join unnest(${["0".repeat(26), botId]}::uuid[]) as own (bot_id)`;
  await sql`
    insert into model_reservations (workspace_id, id, bot_id, type, model, tokens, money, created_at)
    select id, gen_random_uuid(), ${botId}, 't', 'm', 1, 0, ${halfOld(sql)}
    from (select *, row_number() over () as number from workspaces) as numbered`;
}

async function seedQueues(sql: TransactionSql): Promise<void> {
  await sql`
    insert into start_keys (scope, key, request_hash, created_at)
    select 's', number::text, '\\x00', ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into mails (id, shard, result_id, bot_id, content, created_at)
    select gen_random_uuid(), number % 1024, gen_random_uuid(), ${botId}, '{}', ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into deferred_calls (id, shard, result_id, bot_id, content, created_at)
    select gen_random_uuid(), number % 1024, gen_random_uuid(), ${botId}, '{}', ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into effect_reports (shard, session_id, key, report, created_at)
    select number % 1024, gen_random_uuid(), '\\x01', '{}', ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into job_logs (job_id, line, at)
    select gen_random_uuid(), 'l', ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
  // Most of the jobs are older jobs of another queue, which must not block other jobs.
  await sql`
    insert into outbox (id, queue, data, run_at)
    select gen_random_uuid(), case when number > 1000 then 'later' else 'mail' end, '{}', ${old(sql)}
    from generate_series(1, ${storedInOutbox}::int) as number`;
  await sql`
    insert into event_deliveries (id, endpoint_id, type, order_key, status, created_at)
    select gen_random_uuid(), ${botId}, 'result.answered', gen_random_uuid(), 'delivered', ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
}

async function seedManagement(sql: TransactionSql): Promise<void> {
  await sql`
    insert into workspaces (id, name, deleted_at, erase_after)
    select gen_random_uuid(), 'W', case when number % 2 = 0 then ${old(sql)} end, case when number % 2 = 0 then ${old(sql)} end
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into invitations (id, workspace_id, email, role, code_hash, expires_at)
    select gen_random_uuid(), gen_random_uuid(), 'e', 'GUEST', sha256(number::text::bytea), ${halfOld(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings, is_archived, deleted_at, erase_after, ends_chats)
    select case number when 1 then ${botId} else gen_random_uuid() end, id, '6', 'B', '[]', '[]', '[]', '{}', '{}', number < 100,
      case when number < 100 then ${old(sql)} end, case when number < 100 then ${old(sql)} end, number < 100
    from (select row_number() over () as number, id from workspaces where deleted_at is null) as open`;
  await sql`
    insert into folders (id, workspace_id, name, deleted_at, erase_after)
    select gen_random_uuid(), id, 'F', deleted_at, erase_after
    from workspaces`;
  await sql`
    insert into flows (bot_id, hash, content, facts, used_at)
    select id, '\\x01', '{}', '{}', ${sql`clock() - interval '30 days'`} from bots`;
}

function old(sql: TransactionSql) {
  return sql`clock() - interval '30 days' - number * interval '1 second'`;
}

function halfOld(sql: TransactionSql) {
  return sql`clock() - case when number <= ${stored / 2}::int then interval '30 days' else interval '0' end - number * interval '1 millisecond'`;
}
