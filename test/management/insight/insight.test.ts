import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCounting } from "../../../src/management/insight/count-results.ts";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { startNoteWriter } from "../../../src/management/insight/insight-notes.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { derivedId, newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { longTest } from "../../support/long-test.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const plans = [
  { id: "free", content: "Free", outgoingEdgeId: idOf("e1") },
  { id: "pro", content: "Pro", value: "pro", outgoingEdgeId: idOf("e2") },
  { id: "none", content: "None" },
];
const extras = [
  { id: "tea", content: "Tea" },
  { id: "green", content: "Tea, green" },
  { id: "milk", content: "Milk" },
];
/** A flow whose choices have their own edges, with a loop, and two paths to the end. */
const flow = {
  ...flowOf(
    [says("hello"), asks("choice input", {}, { id: "plan", items: plans })],
    [
      asks("rating input", {}, { id: "stars" }),
      says("more"),
      asks("text input", {}, { id: "why", outgoingEdgeId: idOf("e0") }),
    ],
    [
      asks("choice input", { isMultipleChoice: true }, { id: "extras", items: extras }),
      asks("text input", {}, { id: "name" }),
      says("bye"),
    ],
  ),
  settings: { general: { isGoBackEnabled: true } },
};
const choices = new Map([
  ["plan", (answer: string) => (["Free", "pro", "None"].includes(answer) ? [answer] : [null])],
  ["stars", (answer: string) => [answer]],
  ["extras", (answer: string) => extras.map(({ content }) => content).filter((one) => withoutGreen(answer, one))],
]);

/**
 * Returns whether an answer contains a choice, for the answers that this flow can give. The text of the choice `Tea` is
 * also a part of `Tea, green`.
 */
function withoutGreen(answer: string, one: string): boolean {
  return one === "Tea" ? /^Tea($|, (?!green)|, Tea)/.test(answer) : answer.includes(one);
}

describe("the figures of results", () => {
  test("the figures equal a recount of all results", async () => {
    const word = fc.constantFrom("Free", "Pro", "None", "5", "10", "tea and milk", "Tea, green", "because", "back");
    const chat = fc.record({
      minutesAgo: fc.integer({ min: 60, max: 150_000 }),
      replies: fc.array(word, { maxLength: 9 }),
      deed: fc.constantFrom("none", "none", "none", "delete", "restore", "erase"),
      isCounted: fc.boolean(),
    });
    const quarters = fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 10_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(chat, { minLength: 3, maxLength: 9 }), quarters, async (chats, [ago, length]) => {
        const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
        const met: Met[] = [];
        for (const [index, plan] of chats.entries()) {
          if (index === 2) await publishAgain(bot.botId);
          met.push(await talk(bot.publicId, plan));
        }
        for (const [index, { deed }] of chats.entries()) await perform(bot.botId, met[index]?.resultId ?? "", deed);
        await count();

        const to = Math.floor(Date.now() / 900_000 - ago) * 900_000;
        const from = to - length * 900_000;
        const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
        const standing = await listStanding(bot.botId);
        const all = met.filter(({ resultId }) => standing.has(resultId));
        const inWindow = all.filter(({ resultId }) => {
          const began = standing.get(resultId)?.createdAt ?? 0;
          return began >= from && began < to;
        });
        await expectInsight(bot.botId, { timeFilter: "allTime" }, all, standing);
        await expectInsight(bot.botId, window, inWindow, standing);
        await expectInsight(
          bot.botId,
          { timeFilter: "allTime", version: 2 },
          all.filter(({ version }) => version === 2),
          standing,
        );
      }),
      { numRuns: 6, endOnFailure: true },
    );
  }, 60_000);

  type Plan = { minutesAgo: number; replies: readonly string[]; isCounted: boolean };
  /** The path of one visitor. */
  type Met = { resultId: string; version: number; shown: Set<string>; waiting: string | undefined };

  async function talk(publicId: string, { minutesAgo, replies, isCounted }: Plan): Promise<Met> {
    const started = await start(api.client, publicId);
    const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
    const [row] = await api.deps.sql<{ version: number }[]>`
      update results
      set created_at = created_at - make_interval(mins => ${minutesAgo})
      where id = ${resultId}
      returning publication_number as version`;
    const met: Met = { resultId, version: row?.version ?? 0, shown: new Set(), waiting: undefined };
    note(met, started.body);
    for (const [index, reply] of replies.entries()) {
      const said =
        reply === "back"
          ? await api.client.post(`/api/v1/sessions/${sessionId}/goBack`)
          : await say(api.client, sessionId, reply);
      if (said.status === 200) note(met, said.body);
      if (isCounted && index === 3) await count();
    }
    if (isCounted) await count();
    return met;
  }

  function note(met: Met, body: unknown): void {
    const { messages, input } = Object(body);
    for (const { id } of messages) met.shown.add(id);
    if (input) met.shown.add(input.id);
    met.waiting = input?.id;
  }

  async function expectInsight(
    botId: string,
    query: Record<string, string | number>,
    met: readonly Met[],
    standing: Awaited<ReturnType<typeof listStanding>>,
  ): Promise<void> {
    const insight = (await getInsight(botId, query)).at("insight");
    const results = met.flatMap((one) => standing.get(one.resultId) ?? []);
    const chats = met.map((one) => ({
      ...one,
      ...standing.get(one.resultId),
      answers: standing.get(one.resultId)?.answers ?? [],
    }));
    const countOf = (has: (chat: (typeof chats)[number]) => boolean) => chats.filter(has).length;
    const { blocks, edges, medianSeconds, p90Seconds, ...rest } = Object(insight);
    expect(rest).toMatchObject({
      views: met.length,
      starts: countOf(({ hasStarted }) => hasStarted === true),
      completions: countOf(({ isCompleted }) => isCompleted === true),
    });
    const times = results
      .filter(({ isCompleted }) => isCompleted)
      .map(({ createdAt, answers }) => Math.max(...answers.map((answer) => answer.createdAt)) - createdAt)
      .toSorted((a, b) => a - b);
    for (const [found, share] of [
      [medianSeconds, 0.5],
      [p90Seconds, 0.9],
    ]) {
      const exact = times[Math.ceil(share * times.length) - 1];
      if (exact === undefined) expect(found).toBeNull();
      else expect(Math.abs(found * 1_000 - exact) / exact).toBeLessThan(0.02);
    }
    const [hello, more, bye] = [idOf("says hello"), idOf("says more"), idOf("says bye")];
    const ids = [hello, "plan", "stars", more, "why", "extras", "name", bye];
    const expected = ids.map((blockId) => {
      const given = chats.flatMap(({ resultId, answers }) =>
        answers.filter((answer) => answer.blockId === blockId).map(({ content }) => ({ resultId, content })),
      );
      const values = given.flatMap(({ resultId, content }) =>
        (choices.get(blockId)?.(content) ?? []).map((value) => ({ resultId, value })),
      );
      return {
        blockId,
        reached: countOf(({ shown }) => shown.has(blockId)),
        answered: new Set(given.map(({ resultId }) => resultId)).size,
        answers: given.length,
        left: countOf(({ waiting, isCompleted }) => !isCompleted && waiting === blockId),
        silent: countOf(
          ({ waiting, isCompleted, hasStarted }) => !isCompleted && hasStarted !== true && waiting === blockId,
        ),
        good: 0,
        bad: 0,
        values: Object.fromEntries(
          [...Map.groupBy(values, ({ value }) => value)].map(([value, of]) => [
            value,
            { chats: new Set(of.map(({ resultId }) => resultId)).size, answers: of.length },
          ]),
        ),
      };
    });
    const isInput = (id: string) => ![hello, more, bye].includes(id);
    expect(
      blocks.map(({ groupId: _, groupTitle: __, type: ___, values, ...block }: Record<string, unknown>) => ({
        ...block,
        values: Object.fromEntries(
          (Array.isArray(values) ? values : []).map(({ value, chats, answers }) => [value, { chats, answers }]),
        ),
      })),
    ).toEqual(expected.filter(({ blockId, reached }) => reached > 0 || isInput(blockId)));
    expect(edges.map(({ from: _, ...edge }: Record<string, unknown>) => edge)).toEqual(
      await expectedEdges(met.map(({ resultId }) => resultId)),
    );
  }

  async function expectedEdges(resultIds: readonly string[]) {
    const rows = await api.deps.sql<{ edgeId: string; chats: number; times: number }[]>`
      select edge_id, count(distinct result_id)::integer as chats, count(*)::integer as times
      from visited_edges
      where result_id = any(${[...resultIds]}::uuid[])
      group by edge_id
      order by edge_id`;
    const leads = new Map(
      [0, 1, 2].map((number) => [
        idOf(`e${number}`),
        { groupId: idOf(`g${number}`), groupTitle: `Group ${number}`, blockId: null },
      ]),
    );
    return rows.map((row) => ({ ...row, to: leads.get(row.edgeId) }));
  }

  async function perform(botId: string, resultId: string, deed: string): Promise<void> {
    if (deed === "none") return;
    const at = `/api/v1/bots/${botId}/results`;
    await api.client.delete(`${at}/${resultId}`, { token: owner.token });
    if (deed === "delete") return;
    await count();
    await api.client.post(`${at}/${deed}`, { token: owner.token, body: { resultIds: [resultId] } });
  }
});

async function publishAgain(botId: string): Promise<void> {
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

async function listStanding(botId: string) {
  const found = await api.client.get(`/api/v1/bots/${botId}/results`, {
    token: owner.token,
    query: { timeFilter: "allTime", limit: 100 },
  });
  return new Map(
    found.list("results").map((result) => {
      const { id, createdAt, hasStarted, isCompleted, answers } = Object(result);
      const given: { blockId: string; content: string; createdAt: number }[] = answers.map(
        (answer: { blockId: string; content: string; createdAt: string }) => ({
          ...answer,
          createdAt: Date.parse(answer.createdAt),
        }),
      );
      const shown: { createdAt: number; hasStarted: boolean; isCompleted: boolean; answers: typeof given } = {
        createdAt: Date.parse(createdAt),
        hasStarted,
        isCompleted,
        answers: given,
      };
      return [String(id), shown] as const;
    }),
  );
}

/** Stores results without content. Their ids have the form of the service's ids. */
async function putResults(botId: string, count: number, { shard }: { shard?: number } = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(shard));
  await api.deps.sql`
    insert into results (shard, id, bot_id)
    select shard, id, ${botId}
    from unnest(${ids.map(shardOf)}::smallint[], ${ids}::uuid[]) as made (shard, id)`;
  return ids;
}

function getInsight(botId: string, query: Record<string, string | number> = {}) {
  return api.client.get(`/api/v1/bots/${botId}/insight`, { token: owner.token, query });
}

async function count(sql: Sql = api.deps.sql): Promise<void> {
  await sql`update insight_results set next_at = clock() where next_at is not null`;
  await readAll(sql);
}

async function readAll(sql: Sql = api.deps.sql): Promise<void> {
  const job = insight(sql);
  while ((await job.removeSome()) > 0);
}

describe("the count of a result", () => {
  const stored = 300;
  const counted = { views: stored, starts: 0, completions: 0 };

  test("a result is counted once even if the job dies during its write", async () => {
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    await putResults(bot.botId, stored);
    await readAll();
    // Resets the counts, as if no result had been counted.
    await api.deps.sql`delete from insight_counts where bot_id = ${bot.botId}`;
    await api.deps.sql`
      update insight_results
      set measures = '{}', times = '{}', is_counted = false, counted_change = null, next_at = clock()`;
    const nodes = [1, 2].map(() => connect(api.databaseUrl, { connections: 1 }));
    const countOn = (sql: Sql) => createCounting(sql)(10_000);

    await withLock(async () => {
      const dying = countOn(nodes[0] ?? api.deps.sql);
      await waitFor(async () => (await waitingWriters()) === 1, { what: "a job that writes" });
      await killWriters();
      await expect(dying).rejects.toThrow();
    });
    const [nothing] = await api.deps.sql`
      select
        (select count(*)::integer from insight_counts where bot_id = ${bot.botId}) as counts,
        (select count(*)::integer from insight_results where measures <> '{}') as results`;
    expect(nothing).toEqual({ counts: 0, results: 0 });

    let both: Promise<number[]> = Promise.resolve([]);
    await withLock(async () => {
      both = Promise.all(nodes.map(countOn));
      await waitFor(async () => (await waitingWriters()) === 2, { what: "two jobs that write" });
    });
    // Both processes had read all results.
    const [one = 0, other] = await both;
    expect(one).toBeGreaterThanOrEqual(stored);
    expect(other).toBe(one);
    expect((await getInsight(bot.botId)).at("insight")).toMatchObject(counted);

    await count();
    expect((await getInsight(bot.botId)).at("insight")).toMatchObject(counted);
    await Promise.all(nodes.map((sql) => sql.end()));
  });

  test("a result is counted once if it is deleted and restored during the count", async () => {
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    await putResults(bot.botId, 20);
    await count();
    const ids = (await api.client.get(`/api/v1/bots/${bot.botId}/results`, { token: owner.token })).list("results");
    const resultIds = ids.map((result) => String(Object(result).id));
    const at = `/api/v1/bots/${bot.botId}/results`;
    const run = async () => {
      for (let round = 0; round < 8; round++) await readAll();
    };
    const changeMinds = async () => {
      for (let round = 0; round < 8; round++) {
        await api.client.delete(at, { token: owner.token, body: { resultIds } });
        await api.client.post(`${at}/restore`, { token: owner.token, body: { resultIds: resultIds.slice(round) } });
      }
    };
    await Promise.all([run(), run(), changeMinds()]);
    await count();

    expect((await getInsight(bot.botId)).at("insight.views")).toBe(20 - 7);
    const [{ sum } = { sum: 0 }] = await api.deps.sql<{ sum: number }[]>`
      select sum(entry.chats)::integer as sum
      from insight_counts, unnest(chats) as entry (chats)
      where bot_id = ${bot.botId}
        and unit = 'month'`;
    expect(sum).toBe(20 - 7);
  });

  async function withLock(work: () => Promise<void>): Promise<void> {
    const sql = connect(api.databaseUrl, { connections: 1 });
    await sql.begin(async (transaction) => {
      await transaction`lock table insight_counts in exclusive mode`;
      await work();
    });
    await sql.end();
  }

  async function waitingWriters(): Promise<number> {
    const [row] = await api.deps.sql<{ count: number }[]>`
      select count(*)::integer as count
      from pg_locks
      where relation = 'insight_counts'::regclass
        and database = (select oid from pg_database where datname = current_database())
        and not granted`;
    return row?.count ?? 0;
  }

  async function killWriters(): Promise<void> {
    await api.deps.sql`
      select pg_terminate_backend(pid)
      from pg_locks
      where relation = 'insight_counts'::regclass
        and database = (select oid from pg_database where datname = current_database())
        and not granted`;
  }
});

describe("the analytics of existing clients", () => {
  test("the analytics of `/bots` and `/typebots` keep the formats of existing clients", async () => {
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const chat = await start(api.client, bot.publicId);
    for (const reply of ["Free", "5", "because", "Free"]) await say(api.client, chat.text("sessionId"), reply);
    await start(api.client, bot.publicId);
    await count();
    const get = (path: string, dialect: string) =>
      api.client.get(`/api/v1/${dialect}/${bot.botId}/analytics/${path}`, { token: owner.token });

    for (const dialect of ["bots", "typebots"]) {
      expect((await get("stats", dialect)).body).toEqual({
        stats: { totalViews: 2, totalStarts: 1, totalCompleted: 0 },
      });
      expect((await get("inDepthData", dialect)).body).toEqual({
        totalAnswers: [
          { blockId: "plan", total: 2 },
          { blockId: "stars", total: 1 },
          { blockId: "why", total: 1 },
          { blockId: "extras", total: 0 },
          { blockId: "name", total: 0 },
        ],
        offDefaultPathVisitedEdges: [{ id: idOf("e1"), total: 2, to: { groupId: idOf("g1") } }],
      });
    }
    await api.client.post(`/api/v1/bots/${bot.botId}/unpublish`, { token: owner.token });
    for (const dialect of ["bots", "typebots"]) {
      expect((await get("stats", dialect)).at("code")).toBe("bot.not_published");
      expect((await get("inDepthData", dialect)).at("code")).toBe("bot.not_published");
    }
    expect((await getInsight(bot.botId)).at("insight.views")).toBe(2);
  });
});

test("blocks and edges are listed in the order of the flow", async () => {
  const choice = asks("choice input", {}, { id: "size", items: [{ ...plans[0], outgoingEdgeId: idOf("e1") }] });
  const stored = flowOf([asks("text input", {}, { id: "why" })], [asks("text input", {}, { id: "name" })], [choice]);
  const [events, groups] = [[{ id: "start", type: "start", outgoingEdgeId: idOf("e2") }], [...stored.groups]];
  const bot = await publish(api.client, { token: owner.token, workspaceId }, { ...stored, events, groups });
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "Free");
  await count();

  const insight = (await getInsight(bot.botId)).at("insight");
  expect(Object(insight).blocks).toMatchObject([
    { blockId: "size", groupId: idOf("g2"), groupTitle: "Group 2", reached: 1 },
    { blockId: "name", groupId: idOf("g1"), groupTitle: "Group 1", reached: 1 },
    { blockId: "why", groupId: idOf("g0"), groupTitle: "Group 0", reached: 0 },
  ]);
  expect(Object(insight).edges).toMatchObject([
    {
      edgeId: idOf("e1"),
      from: { groupId: idOf("g2"), groupTitle: "Group 2", blockId: "size", itemId: "free" },
      to: { groupId: idOf("g1"), groupTitle: "Group 1", blockId: null },
    },
  ]);

  const later = { bot: { groups: stored.groups.slice(0, 2), edges: stored.edges.slice(0, 2) } };
  await api.client.patch(`/api/v1/bots/${bot.botId}`, { token: owner.token, body: later });
  await publishAgain(bot.botId);
  const afterwards = Object((await getInsight(bot.botId)).at("insight"));
  expect(afterwards.blocks.at(-1)).toMatchObject({ blockId: "size", groupId: null, groupTitle: null });
  expect(afterwards.edges).toMatchObject([{ edgeId: idOf("e1"), from: null, to: { groupTitle: "Group 1" } }]);
});

test("periods follow a time zone with an offset of 45 minutes", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  await putResults(bot.botId, 2);
  const [first, second] = await api.deps.sql<{ id: string }[]>`select id from results where bot_id = ${bot.botId}`;
  // The last second before midnight in Kathmandu, and midnight.
  await api.deps.sql`update results set created_at = '2026-03-09T18:14:59Z' where id = ${first?.id ?? ""}`;
  await api.deps.sql`update results set created_at = '2026-03-09T18:15:00Z' where id = ${second?.id ?? ""}`;
  const before = new Date(Date.now() - 90_000).toISOString();
  await count();

  const views = async (query: Record<string, string>) => (await getInsight(bot.botId, query)).at("insight.views");
  expect(await views({ from: "2026-03-09T18:15:00Z", to: "2026-03-10T18:15:00Z" })).toBe(1);
  expect(await views({ from: "2026-03-10T00:00:00+05:45" })).toBe(1);
  expect(await views({ to: "2026-03-10T00:00:00+05:45" })).toBe(1);
  const rounded = await getInsight(bot.botId, { from: "2026-03-09T18:15:01Z", to: "2026-03-09T18:16:00Z" });
  expect(rounded.at("insight")).toMatchObject({
    from: "2026-03-09T18:15:00.000Z",
    to: "2026-03-09T18:30:00.000Z",
    views: 1,
  });
  const today = await getInsight(bot.botId, { timeFilter: "today", timeZone: "Asia/Kathmandu" });
  expect(today.text("insight.from")).toEndWith("18:15:00.000Z");
  expect(today.text("insight.asOf") >= before).toBe(true);
  expect(today.at("insight.to")).toBeNull();
});

test("views of the chat page are counted, except for prefetch and HEAD requests", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const page = (headers: Record<string, string> = {}, method = "GET") =>
    api.handle(new Request(`http://localhost/${bot.publicId.toUpperCase()}`, { method, headers }));
  for (const _ of [1, 2, 3]) expect((await page()).status).toBe(200);
  await page({ "Sec-Purpose": "prefetch;prerender" });
  await page({}, "HEAD");
  await api.handle(new Request("http://localhost/nobody-is-here"));
  const chat = await start(api.client, bot.publicId);
  await count();
  await api.deps.sql`update insight_results set next_at = clock() + interval '30 minutes'`;
  await say(api.client, chat.text("sessionId"), "Free");

  const stopped = startNoteWriter(api.deps.sql, api.deps.insightNotes, { onFailure: fail });
  await stopped.stop();
  await readAll();
  expect((await getInsight(bot.botId)).at("insight")).toMatchObject({ pageViews: 3, views: 1, starts: 1 });
  expect((await getInsight(bot.botId, { version: 2 })).at("insight.pageViews")).toBe(0);
  expect((await getInsight(bot.botId, { timeFilter: "lastMonth" })).at("insight.pageViews")).toBe(0);

  // A failing writer loses its pending counts, but writes no count twice.
  await page();
  const closed = connect(api.databaseUrl, { connections: 1 });
  await closed.end();
  const failures: unknown[] = [];
  await startNoteWriter(closed, api.deps.insightNotes, { onFailure: (error) => failures.push(error) }).stop();
  expect(failures).toHaveLength(1);
  await page();
  await startNoteWriter(api.deps.sql, api.deps.insightNotes, { onFailure: fail }).stop();
  expect((await getInsight(bot.botId)).at("insight.pageViews")).toBe(4);
});

longTest("results that are noted as changed are counted immediately", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  // The search for new results does not find this many results in one shard before they are ten minutes old.
  const ids = await putResults(bot.botId, 100, { shard: 7 });
  api.deps.insightNotes.noteChanged(ids);
  await startNoteWriter(api.deps.sql, api.deps.insightNotes, { onFailure: fail }).stop();
  await readAll();

  expect((await getInsight(bot.botId)).at("insight.views")).toBe(100);
});

test("the result of an ended chat is checked again once, after 16 minutes", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flowOf([asks("text input")]));
  const chat = await start(api.client, bot.publicId);
  const resultId = chat.text("resultId");
  await say(api.client, chat.text("sessionId"), "Ada");
  await readAll();
  const [rest] = await api.deps.sql`
    select round(extract(epoch from next_at - clock()) / 60)::integer as minutes
    from insight_results
    where result_id = ${resultId}`;
  expect(rest).toEqual({ minutes: 16 });
  expect((await getInsight(bot.botId)).at("insight.completions")).toBe(1);

  // Simulates that 20 minutes have passed since the chat started.
  const older = derivedId(new Date(Date.now() - 1_200_000), Buffer.alloc(16, 3)).slice(0, 24) + resultId.slice(24);
  await api.deps.sql`update results set id = ${older} where id = ${resultId}`;
  await api.deps.sql`update sessions set id = ${older}, result_id = ${older} where result_id = ${resultId}`;
  await api.deps.sql`update insight_results set result_id = ${older}, next_at = clock() where result_id = ${resultId}`;
  await readAll();
  const [row] = await api.deps.sql`select next_at, is_counted from insight_results where result_id = ${older}`;
  expect(row).toMatchObject({ nextAt: null, isCounted: true });
});

function fail(error: unknown): never {
  throw error;
}

test("invalid periods and filters are rejected", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const wrong = { timeZone: "Mars/Olympus", from: "yesterday", version: "0", timeFilter: "ever" };
  for (const [name, value] of Object.entries(wrong)) {
    expect((await getInsight(bot.botId, { [name]: value })).at("data.issues.0.path")).toBe(name);
  }
  const backwards = { from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  expect((await getInsight(bot.botId, backwards)).at("data.issues.0.path")).toBe("to");
  expect((await getInsight("nobody")).at("code")).toBe("bot.not_found");
  expect((await getInsight(bot.botId, { version: 99 })).at("insight")).toMatchObject({
    views: 0,
    blocks: [],
    edges: [],
  });
});
