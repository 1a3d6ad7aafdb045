import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TransactionSql } from "postgres";
import { listSessionsToCall, listSteps } from "../../../src/chat/reads/sessions.sql.ts";
import { limits } from "../../../src/limits/index.ts";
import { listTokens } from "../../../src/management/access/tokens.sql.ts";
import { listBots, listSharedBots } from "../../../src/management/bots/bot-lists.sql.ts";
import { listFolders } from "../../../src/management/bots/folders/folders.sql.ts";
import { listPublications } from "../../../src/management/bots/versions/publications.sql.ts";
import { answerMarks } from "../../../src/management/counts/answer-marks.ts";
import {
  customDomainRows,
  findDomainHome,
  findVerifiedDomain,
} from "../../../src/management/domains/custom-domains.sql.ts";
import { listCollaborators } from "../../../src/management/people/members/collaborators.sql.ts";
import { listInvitations } from "../../../src/management/people/members/invitations.sql.ts";
import { listMembers } from "../../../src/management/people/members/members.sql.ts";
import { listUsers } from "../../../src/management/people/users.sql.ts";
import {
  isNameOfIndexedResults,
  isNameOfUnreadResults,
  listAllResults,
  listIndexedResults,
  listUnreadResults,
} from "../../../src/management/person-erasures/person-erasures.sql.ts";
import { countResults, searchResults } from "../../../src/management/results/result-search.sql.ts";
import { findWindow, listAnswers, listLogs, timeFilters } from "../../../src/management/results/results.sql.ts";
import { findResultPlaces, listResultPlaces, listSessionIds } from "../../../src/management/row-erasure/erasure.sql.ts";
import { listWorkspaces } from "../../../src/management/workspaces/workspaces.sql.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createExplainer, type Explainer } from "../../support/plans.ts";

/** The number of rows in each table. All rows belong to the one list that is read. */
const stored = 30_000;
const limit = limits.lists.pageSize + 1;
/** A tenth of the bots have a domain. */
const domains = stored / 10;
const shards = 1024;
/** The maximum number of rows that any part of a plan may touch: a few pages, however large the table is. */
const mostTouched = 5 * limit;

const userId = newId();
const workspaceId = newId();
const folderId = newId();
const botId = newId();
const sessionId = newId();
const resultIds = Array.from({ length: limits.lists.pageSize }, () => newId());
const [resultId = ""] = resultIds;

/** A position in the middle of every list. */
const deep = { createdAt: new Date(Date.now() - (stored / 2) * 60_000), id: newId() };
const places = [
  ["first", undefined],
  ["deep", deep],
] as const;

let database: TestDatabase;
let explainer: Explainer;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.begin(async (sql) => {
    // Foreign keys are not checked, because the checks would take longer than inserting the rows.
    await sql`set local session_replication_role = replica`;
    for (const seed of [seedPeople, seedBots, seedResults]) await seed(sql);
  });
  await database.sql`analyze`;
  explainer = createExplainer(database.url);
}, 120_000);
afterAll(async () => {
  await explainer.close();
  await database.close();
});

describe.each(places)("the %s page of a list", (_place, after) => {
  const lists: Record<string, (sql: Sql) => Promise<unknown>> = {
    users: (sql) => listUsers(sql, { after, limit }),
    "workspaces of a user": (sql) => listWorkspaces(sql, { userId, workspaceId: undefined, after, limit }),
    "members of a workspace": (sql) => listMembers(sql, { workspaceId, after, limit }),
    "invitations of a workspace": (sql) => listInvitations(sql, { workspaceId, after, limit }),
    "custom domains of a workspace": (sql) => customDomainRows.list(sql, { ownerId: workspaceId, after, limit }),
    "tokens of a user": (sql) => listTokens(sql, { owner: { userId, workspaceId: undefined }, after, limit }),
    "folders of a workspace": (sql) => listFolders(sql, { workspaceId, parentFolderId: null, after, limit }),
    "folders of a folder": (sql) => listFolders(sql, { workspaceId, parentFolderId: folderId, after, limit }),
    "bots of a workspace": (sql) => listBots(sql, { workspaceId, folderId: undefined, userId, after, limit }),
    "bots of a folder": (sql) => listBots(sql, { workspaceId, folderId, userId, after, limit }),
    "bots without a folder": (sql) => listBots(sql, { workspaceId, folderId: null, userId, after, limit }),
    "bots by name": (sql) =>
      listBots(sql, { ...{ workspaceId, folderId: undefined, userId, limit }, order: "name", after: named(after) }),
    "bots by the last change": (sql) =>
      listBots(sql, { ...{ workspaceId, folderId: undefined, userId, limit }, order: "updatedAt", after }),
    "bots of a guest": (sql) => listSharedBots(sql, { workspaceId, folderId: undefined, userId, after, limit }),
    "collaborators of a bot": (sql) => listCollaborators(sql, { botId, after, limit }),
    "publications of a bot": (sql) => listPublications(sql, { botId, beforeNumber: after && stored / 2, limit }),
    "results to erase": (sql) => listResultPlaces(sql, { botId, after, limit }),
  };

  test.each(Object.entries(lists))("a page reads few of 30,000 stored rows: %s", async (_name, list) => {
    expect(await rowsTouched(list)).toBeLessThanOrEqual(mostTouched);
  });

  test.each(timeFilters)("a page of results reads few rows with timeFilter=%s", async (timeFilter) => {
    const window = await findWindow(database.sql, { timeFilter, timeZone: "Europe/Paris" });
    expect(await rowsTouched((sql) => searchResults(sql, { botId, window }, { after, limit }))).toBeLessThanOrEqual(
      mostTouched,
    );
  });

  test("a page of results with a rare filter reads a limited number of rows", async () => {
    const list = { botId, window: { from: null, to: null }, filter: { version: 7, answer: "nobody said this" } };
    // Results are read by index and in the table, and once more to find where the search ended.
    const most = 4 * limits.lists.searchedResults;

    expect(await rowsTouched((sql) => searchResults(sql, list, { after, limit }))).toBeLessThanOrEqual(most);
    expect(await rowsTouched((sql) => countResults(sql, list))).toBeLessThanOrEqual(most);
  });

  test("a page of started results reads few rows", async () => {
    const window = { from: null, to: null };
    const list = (sql: Sql) => searchResults(sql, { botId, window, filter: { hasStarted: true } }, { after, limit });

    expect(await rowsTouched(list)).toBeLessThanOrEqual(mostTouched);
  });

  test.each([false, true])(
    "a page reads few rows for a person's results, including earlier answers (folded comparison: %p)",
    async (isFolded) => {
      const keys = ["Email", "Mail", `${answerMarks.former}e`];
      const by = { ids: ["e"], names: ["Email", "Mail"], others: ["o"], keys, isChecked: true };
      const wanted = { name: "Email", value: "everybody", isPrefix: false, isFolded, by, withFormer: true };
      const ofBot = { botId, wanted, after, limit };

      expect(await rowsTouched((sql) => listIndexedResults(sql, ofBot))).toBeLessThanOrEqual(mostTouched);
      expect(await rowsTouched((sql) => listAllResults(sql, { ...ofBot, isBinned: false }))).toBeLessThanOrEqual(
        mostTouched,
      );
      const unread = { bots: [{ botId, by }], wanted, isNew: true, after: undefined, limit };
      expect(await rowsTouched((sql) => listUnreadResults(sql, unread))).toBeLessThanOrEqual(2 * shards);
    },
  );
});

describe("the check whether results have a name", () => {
  test("the check for a variable name reads a limited number of rows", async () => {
    const named = { workspaceId, name: "Email of elsewhere" };
    const [indexed, unread] = [isNameOfIndexedResults, isNameOfUnreadResults];

    expect(await rowsTouched((sql) => indexed(sql, named))).toBeLessThanOrEqual(stored);
    expect(await rowsTouched((sql) => unread(sql, named))).toBeLessThanOrEqual(2 * shards);
  });
});

describe("reads by key", () => {
  test("the bot at a domain and the claim of the domain are read by key", async () => {
    const host = `${domains / 2}.example.com`;
    expect(await rowsTouched((sql) => findDomainHome(sql, { host, path: "" }))).toBeLessThanOrEqual(2);
    expect(await rowsTouched((sql) => findVerifiedDomain(sql, host))).toBeLessThanOrEqual(1);
  });

  test("answers of a page of results are read by key", async () => {
    expect(await rowsTouched((sql) => listAnswers(sql, resultIds))).toBeLessThanOrEqual(limits.lists.pageSize * 10);
  });

  test("logs of a result are read by key", async () => {
    expect(await rowsTouched((sql) => listLogs(sql, resultId))).toBeLessThanOrEqual(limits.logs.perResult);
  });

  test("results to erase are read by key", async () => {
    expect(await rowsTouched((sql) => findResultPlaces(sql, { botId, resultIds }))).toBeLessThanOrEqual(mostTouched);
  });

  test("sessions of a bot are read by key", async () => {
    expect(await rowsTouched((sql) => listSessionIds(sql, { botId, limit }))).toBeLessThanOrEqual(mostTouched);
  });

  test("sessions of a result that wait for a call are read by key", async () => {
    expect(await rowsTouched((sql) => listSessionsToCall(sql, resultId, limit))).toBeLessThanOrEqual(mostTouched);
  });

  test("steps of a session are read by key", async () => {
    expect(await rowsTouched((sql) => listSteps(sql, sessionId, limit))).toBeLessThanOrEqual(mostTouched);
  });
});

test("a statement that reads every row is detected", async () => {
  expect(await rowsTouched((sql) => sql`select id from bots order by name limit 1`)).toBeGreaterThanOrEqual(stored);
});

async function rowsTouched(list: (sql: Sql) => Promise<unknown>): Promise<number> {
  await list(explainer.sql);
  return explainer.rowsTouched();
}

async function seedPeople(sql: TransactionSql): Promise<void> {
  await sql`
    insert into users (id, name, created_at)
    select case number when 1 then ${userId} else gen_random_uuid() end, 'U', ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into workspaces (id, name, created_at)
    select case number when 1 then ${workspaceId} else gen_random_uuid() end, 'W', ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into members (workspace_id, user_id, role, created_at)
    select ${workspaceId}, id, 'MEMBER', created_at from users`;
  await sql`
    insert into members (workspace_id, user_id, role, created_at)
    select id, ${userId}, 'MEMBER', created_at from workspaces where id <> ${workspaceId} limit 30`;
  await sql`
    insert into invitations (id, workspace_id, email, role, code_hash, expires_at, created_at)
    select gen_random_uuid(), ${workspaceId}, 'e' || number, 'GUEST', sha256(number::text::bytea), 'infinity', ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into api_tokens (id, user_id, name, hash, scope, created_at)
    select gen_random_uuid(), ${userId}, 'T', sha256(number::text::bytea), 'read', ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
}

async function seedBots(sql: TransactionSql): Promise<void> {
  await sql`insert into folders (id, workspace_id, name) values (${folderId}, ${workspaceId}, 'F')`;
  await sql`
    insert into folders (id, workspace_id, parent_folder_id, name, created_at)
    select gen_random_uuid(), ${workspaceId}, case number % 2 when 0 then ${folderId}::uuid end, 'F', ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
  // The newest bots are all in one folder, and a query for another folder must not read any of them.
  await sql`
    insert into bots (id, workspace_id, folder_id, version, name, groups, edges, variables, theme, settings, custom_domain, created_at)
    select
      case number when 1 then ${botId} else gen_random_uuid() end,
      ${workspaceId},
      case when number < ${stored / 2}::int then ${folderId}::uuid end,
      '6', 'B', '[]', '[]', '[]', '{}', '{}',
      case when number <= ${domains}::int then number || '.example.com' end, ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into custom_domains (id, workspace_id, name, proof, state, created_at)
    select gen_random_uuid(), ${workspaceId}, number || '.example.com', 'p', 'verified', ${before(sql)}
    from generate_series(1, ${domains}::int) as number`;
  await sql`
    insert into collaborators (bot_id, user_id, type, created_at)
    select ${botId}, id, 'READ', created_at from users`;
  await sql`
    insert into collaborators (bot_id, user_id, type)
    select id, ${userId}, 'READ' from bots where id <> ${botId} limit 30`;
  await sql`
    insert into publications (bot_id, number, id, flow_hash)
    select ${botId}, number, gen_random_uuid(), '\\x00' from generate_series(1, ${stored}::int) as number`;
}

async function seedResults(sql: TransactionSql): Promise<void> {
  await sql`
    insert into results (shard, id, bot_id, has_started, created_at)
    select number % 1024, gen_random_uuid(), ${botId}, number % 1000 = 0, ${before(sql)}
    from generate_series(1, ${stored}::int) as number`;
  await sql`
    insert into results (shard, id, bot_id)
    select shard, id, ${botId}
    from unnest(${resultIds.map(shardOf)}::smallint[], ${[...resultIds]}::uuid[]) as page (shard, id)`;
  await sql`
    insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, content)
    select shard, id, created_at, id, 1, 0, bot_id, 'b', 'g', 'c'
    from results`;
  await sql`
    insert into logs (shard, result_id, id, bot_id, status, description)
    select shard, id, gen_random_uuid(), bot_id, 'info', 'd'
    from results`;
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    select shard, id, bot_id, '\\x00', id, 1, '', 60, created_at, created_at, 'bot'
    from results`;
  await sql`
    insert into result_values (shard, result_id, name, value, bot_id, created_at)
    select shard, id, name, 'everybody', bot_id, created_at
    from results
    cross join unnest(${["Email", `${answerMarks.former}e`]}::text[]) as name`;
  // Record that the search for new results has found all of them.
  await sql`
    update result_walks
    set result_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', session_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`;
  await sql`
    insert into steps (shard, session_id, revision, id, bot_id, response)
    select ${shardOf(sessionId)}, ${sessionId}, number, gen_random_uuid(), ${botId}, '{}'
    from generate_series(1, ${stored}::int) as number`;
}

/** Returns a position that is also in the middle of the bots' names. */
function named(after: typeof deep | undefined) {
  return after && { ...after, name: "5" };
}

function before(sql: TransactionSql) {
  return sql`clock() - number * interval '1 minute'`;
}
