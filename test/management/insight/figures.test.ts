import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { type CountedChats, putCounts } from "../../support/counted-chats.ts";

let api: TestApi;
let owner: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
});
afterAll(() => api.close());

const get = (workspaceId: string, token = owner.token) =>
  api.client.get(`/api/v1/workspaces/${workspaceId}/figures`, { token });

const count = (botId: string, ...counted: readonly CountedChats[]) => putCounts(api.deps.sql, botId, ...counted);

async function makeBot(workspaceId: string, name: string): Promise<string> {
  const body = { workspaceId, bot: { name } };
  return (await api.client.post("/api/v1/bots", { token: owner.token, body })).text("bot.id");
}

test("a workspace's figures are the sums of its bots' figures in seven days", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  const [busy, calm, silent] = [
    await makeBot(workspaceId, "Busy"),
    await makeBot(workspaceId, "Calm"),
    await makeBot(workspaceId, "Silent"),
  ];
  await count(
    busy,
    { kind: "start", chats: 40, hoursAgo: 1 },
    { kind: "start", chats: 2, hoursAgo: 166 },
    { kind: "completion", chats: 21, hoursAgo: 70 },
    { kind: "failed", chats: 3, hoursAgo: 100 },
    { kind: "start", chats: 7, hoursAgo: 170 },
    { kind: "start", chats: 900, hoursAgo: 400 },
  );
  await count(calm, { kind: "start", chats: 1, hoursAgo: 30 }, { kind: "failed", chats: 5, hoursAgo: 200 });

  const { body } = await get(workspaceId);

  expect(Object(body).figures).toMatchObject({
    lastWeek: { starts: 43, completions: 21, failedChats: 3, failingBots: 1 },
    weekBefore: { starts: 7, completions: 0, failedChats: 5, failingBots: 1 },
    bots: [
      { botId: busy, botName: "Busy", botIcon: null, starts: 42, completions: 21, failedChats: 3 },
      { botId: calm, botName: "Calm", starts: 1, completions: 0, failedChats: 0 },
    ],
  });
  expect(JSON.stringify(body)).not.toContain(silent);
});

test("bots in the bin do not count in the figures of a workspace", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  const botId = await makeBot(workspaceId, "Gone");
  await count(botId, { kind: "start", chats: 4, hoursAgo: 3 });
  expect((await get(workspaceId)).at("figures.lastWeek.starts")).toBe(4);

  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });

  expect((await get(workspaceId)).at("figures.lastWeek.starts")).toBe(0);
});

test("a user gets only the figures of bots to which the user has access", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  const botId = await makeBot(workspaceId, "Shared");
  await count(botId, { kind: "start", chats: 4, hoursAgo: 3 });
  const guest = await api.makeUser();
  const { sql } = api.deps;
  expect((await get(workspaceId, guest.token)).at("code")).toBe("workspace.not_found");

  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${guest.userId}, 'GUEST')`;
  expect((await get(workspaceId, guest.token)).at("figures")).toMatchObject({ lastWeek: { starts: 0 }, bots: [] });
  await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${guest.userId}, 'READ')`;
  expect((await get(workspaceId, guest.token)).at("figures.bots.*.botId")).toEqual([botId]);
});

test("a list of 200 bots with their figures is returned page by page", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  await api.deps.sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings, picture)
    select gen_random_uuid(), ${workspaceId}, '6.1', 'Bot ' || number, '[]', '[]', '[]', '{}', '{}',
      '{"groups": [{"x": 0, "y": 0, "blocks": "sa"}], "edges": []}'
    from generate_series(1, 200) as number`;
  await api.deps.sql`
    with measure as (
      insert into insight_measures (bot_id, kind, subject, value)
      select bots.id, kind, subject, ''
      from bots
      cross join unnest(array['start', 'completion', 'failed', 'reached']) as kind
      cross join generate_series(0, 19) as number
      cross join lateral (select case when kind = 'reached' then 'block' || number else '' end as subject) as about
      where workspace_id = ${workspaceId} and (kind = 'reached' or number = 0)
      returning id, bot_id
    ),
    measures as (
      select bot_id, array_agg(id) as ids
      from measure
      group by bot_id
    )
    insert into insight_counts (bot_id, unit, starts_at, version, measures, chats, times)
    select bot_id, unit, starts_at, 1, ids, array_fill(3, array[cardinality(ids)]), array_fill(3, array[cardinality(ids)])
    from measures
    cross join lateral (
      select 'day' as unit, date_trunc('day', clock(), 'UTC') - make_interval(hours => 24 * ago) as starts_at
      from generate_series(0, 14) as ago
      union all
      select 'quarter', date_bin('15 minutes', clock(), 'epoch') - make_interval(mins => 15 * ago)
      from generate_series(0, 4 * 24 * 15) as ago
    ) as time
    where unit = 'day' or extract(hour from starts_at) < 3`;
  await api.deps.sql`analyze insight_counts`;
  const answers = [await get(workspaceId)];
  let cursor: string | undefined;
  do {
    const query = { workspaceId, limit: 50, sort: "updatedAt", ...(cursor !== undefined && { cursor }) };
    const page = await api.client.get("/api/v1/bots", { token: owner.token, query });
    answers.push(page);
    cursor = page.at("nextCursor") === undefined ? undefined : page.text("nextCursor");
  } while (cursor !== undefined);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers[0]?.at("figures.bots")).toHaveLength(200);
}, 60_000);
