import { afterAll, beforeAll, expect, test } from "bun:test";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { createDueWorld, type DueWorld } from "../../chat/due/due-world.ts";
import type { TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";

let world: DueWorld;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  world = await createDueWorld();
  ({ owner } = world);
  workspaceId = await world.api.makeWorkspace(owner);
});
afterAll(() => world.close());

const zone = "Europe/Berlin";
/** Three days, the second with 25 hours. */
const autumn = { from: "2025-10-25T00:00:00+02:00", to: "2025-10-28T00:00:00+01:00", timeZone: zone };

const items = [
  { id: "free", content: "Free", outgoingEdgeId: idOf("e1") },
  { id: "pro", content: "Pro", outgoingEdgeId: idOf("e2") },
];
/** A flow with a loop, and a question with a timeout. */
const flow = {
  ...flowOf(
    [says("Hello"), asks("choice input", {}, { id: "plan", items })],
    [asks("text input", {}, { id: "why", outgoingEdgeId: idOf("e0") })],
    [
      asks(
        "text input",
        { variableId: idOf("Name"), timeout: { after: 60, outgoingEdgeId: idOf("e3") } },
        { id: "name" },
      ),
      says("Bye"),
    ],
    [says("Nobody there")],
  ),
  settings: { general: { isGoBackEnabled: true } },
};

type Story = {
  /** `back` goes back, and `wait` lets the question time out. */
  readonly said: readonly string[];
  readonly isStarted: boolean;
  readonly isCompleted: boolean;
  readonly leftAt?: string;
  /** The number of answers to each question, without undone answers. */
  readonly answered: Readonly<Record<string, number>>;
};

const stories: readonly Story[] = [
  { said: [], isStarted: false, isCompleted: false, leftAt: "plan", answered: {} },
  { said: ["Pro", "Ada"], isStarted: true, isCompleted: true, answered: { plan: 1, name: 1 } },
  {
    said: ["Free", "so", "Free", "so", "Pro", "Bob"],
    ...{ isStarted: true, isCompleted: true, answered: { plan: 3, why: 2, name: 1 } },
  },
  { said: ["Free"], isStarted: true, isCompleted: false, leftAt: "why", answered: { plan: 1 } },
  { said: ["Pro", "back", "Free"], isStarted: true, isCompleted: false, leftAt: "why", answered: { plan: 1 } },
  { said: ["Pro", "wait"], isStarted: true, isCompleted: true, answered: { plan: 1 } },
];

/** The first and last quarter-hours of each day, and the hour that occurs twice. */
const moments = [
  ["2025-10-24T22:05:00Z", "2025-10-25"],
  ["2025-10-25T21:55:00Z", "2025-10-25"],
  ["2025-10-25T22:00:00Z", "2025-10-26"],
  ["2025-10-26T00:30:00Z", "2025-10-26"],
  ["2025-10-26T01:30:00Z", "2025-10-26"],
  ["2025-10-26T22:59:59Z", "2025-10-26"],
  ["2025-10-26T23:00:00Z", "2025-10-27"],
] as const;

type Chat = Story & { readonly resultId: string; readonly day: string; readonly at: string };

test("figures, series and lists equal a manual count", async () => {
  const { client, deps } = world.api;
  const bot = await publish(client, { token: owner.token, workspaceId }, flow);
  const chats: Chat[] = [];
  for (const [index, [at, day]] of moments.entries()) {
    if (index === 2) await publishAgain(bot.botId);
    if (index === 4) await publishAgain(bot.botId, { percent: 50 });
    for (const story of stories) chats.push({ ...story, at, day, resultId: await tell(bot.publicId, story) });
  }
  await world.pass(61);
  for (const { resultId, at } of chats) await deps.sql`update results set created_at = ${at} where id = ${resultId}`;
  const brought = { id: "brought", createdAt: "2025-10-26T12:00:00Z", hasStarted: true, isCompleted: false };
  const body = { source: "https://elsewhere.example", results: [{ ...brought, variables: [], answers: [] }] };
  const imported = await client.post(`/api/v1/bots/${bot.botId}/results/import`, { token: owner.token, body });
  expect(imported.at("added")).toBe(1);
  for (const task of resultValues(deps.sql)) while ((await task.removeSome()) > 0);
  const erasure = { variable: "Name", value: "Bob" };
  const erased = await client.post(`/api/v1/workspaces/${workspaceId}/person-erasures`, {
    token: owner.token,
    body: erasure,
  });
  expect(erased.status).toBe(200);
  await count();

  const versions = await versionsOf(bot.botId);
  expect(new Set(versions.values())).toEqual(new Set([1, 2, 3, null]));
  const standing = chats.filter(({ resultId }) => versions.has(resultId));
  expect(standing).toHaveLength(chats.length - moments.length);
  const other: Pick<Chat, "day" | "isStarted" | "isCompleted"> = {
    ...{ day: "2025-10-26", isStarted: true, isCompleted: false },
  };
  for (const version of [undefined, 1, 2, 3]) {
    const counted = standing.filter(({ resultId }) => version === undefined || versions.get(resultId) === version);
    const all = version === undefined ? [...counted, other] : counted;
    const query = { ...autumn, ...(version !== undefined && { version }) };
    const seen = Object((await get(bot.botId, "", query)).at("insight"));
    expect(seen).toMatchObject(totalsOf(all));
    const questions = ["plan", "why", "name"].map((blockId) => {
      const answered = counted.filter((chat) => chat.answered[blockId] !== undefined);
      const left = counted.filter(({ leftAt }) => leftAt === blockId);
      return {
        blockId,
        answered: answered.length,
        answers: answered.reduce((sum, chat) => sum + (chat.answered[blockId] ?? 0), 0),
        left: left.length,
        silent: left.filter(({ isStarted }) => !isStarted).length,
      };
    });
    expect(seen.blocks).toMatchObject(
      [idOf("says Hello"), "plan", "why", "name", idOf("says Bye"), idOf("says Nobody there")].flatMap(
        (blockId) =>
          questions.find((one) => one.blockId === blockId) ??
          (seen.blocks.some((one: { blockId: string }) => one.blockId === blockId) ? { blockId } : []),
      ),
    );
    const series = Object((await get(bot.botId, "/series", { ...query, step: "day" })).at("series"));
    expect(series.points).toMatchObject(
      ["2025-10-25", "2025-10-26", "2025-10-27"].map((day) => totalsOf(all.filter((chat) => chat.day === day))),
    );
    for (const blockId of ["plan", "why"]) {
      const listed = await client.get(`/api/v1/bots/${bot.botId}/results`, {
        token: owner.token,
        query: { ...query, leftAt: blockId, limit: 100 },
      });
      expect(
        listed
          .list("results")
          .map((result) => Object(result).id)
          .toSorted(),
      ).toEqual(counted.flatMap(({ leftAt, resultId }) => (leftAt === blockId ? [resultId] : [])).toSorted());
    }
  }
  const inAll = await client.get(`/api/v1/workspaces/${workspaceId}/insight`, { token: owner.token, query: autumn });
  expect(inAll.at("insight")).toMatchObject({
    ...totalsOf([...standing, other]),
    bots: [{ botId: bot.botId, ...totalsOf([...standing, other]) }],
  });
}, 60_000);

test("the figures of one messenger exclude chats of other messengers", async () => {
  const { deps } = world.api;
  const bot = await publish(world.api.client, { token: owner.token, workspaceId }, flow);
  const put = async (
    createdAt: string,
    channel: string | null,
    more: { isCompleted?: boolean; version?: number } = {},
  ) => {
    const { resultId } = await putResult(deps.sql, bot.botId, { createdAt, hasStarted: true, version: 1, ...more });
    await deps.sql`update results set channel = ${channel} where id = ${resultId}`;
    return resultId;
  };
  await put("2025-10-24T22:05:00Z", "telegram");
  await put("2025-10-26T22:59:59Z", "telegram", { isCompleted: true });
  await put("2025-10-26T12:00:00Z", "telegram", { version: 2 });
  await put("2025-10-26T12:00:00Z", "webhook");
  await put("2025-10-26T12:00:00Z", null);
  const binned = await put("2025-10-26T12:00:00Z", "telegram");
  await put("2025-10-28T12:00:00Z", "telegram");
  await deps.sql`update results set is_archived = true where id = ${binned}`;
  await count();
  const query = { ...autumn, channel: "telegram", version: 1 };

  expect((await get(bot.botId, "", { ...query, withBefore: "true" })).at("insight")).toMatchObject({
    ...{ views: 2, starts: 2, completions: 1, pageViews: 0, before: { views: 0 } },
  });
  expect((await get(bot.botId, "/series", { ...query, step: "day" })).at("series.points")).toMatchObject([
    { views: 1, completions: 0 },
    { views: 1, completions: 1 },
    { views: 0 },
  ]);
  expect((await get(bot.botId, "", { ...autumn, channel: "telegram" })).at("insight.views")).toBe(3);
  expect((await get(bot.botId, "", autumn)).at("insight.views")).toBe(5);
  expect((await get(bot.botId, "", { ...autumn, channel: "pigeon" })).at("insight.views")).toBe(0);
});

function totalsOf(chats: readonly Pick<Chat, "isStarted" | "isCompleted">[]) {
  return {
    views: chats.length,
    starts: chats.filter(({ isStarted }) => isStarted).length,
    completions: chats.filter(({ isCompleted }) => isCompleted).length,
  };
}

async function tell(publicId: string, { said }: Story): Promise<string> {
  const { client } = world.api;
  const started = await start(client, publicId);
  const sessionId = started.text("sessionId");
  for (const reply of said) {
    if (reply === "back") await client.post(`/api/v1/sessions/${sessionId}/goBack`);
    else if (reply !== "wait") await say(client, sessionId, reply);
  }
  return started.text("resultId");
}

test("the previous period has the same number of days as the period", async () => {
  const bot = await publish(world.api.client, { token: owner.token, workspaceId }, flow);
  const at = ["2025-10-21T22:00:00Z", "2025-10-24T21:59:00Z", "2025-10-24T22:00:00Z", "2025-03-27T23:00:00Z"];
  for (const createdAt of at) await putResult(world.api.deps.sql, bot.botId, { createdAt });
  await count();
  const before = async (query: Record<string, string>) =>
    (await get(bot.botId, "", { ...query, withBefore: "true" })).at("insight.before");

  expect(await before(autumn)).toMatchObject({
    ...{ from: "2025-10-21T22:00:00.000Z", to: "2025-10-24T22:00:00.000Z", views: 2, medianSeconds: null },
  });
  // The 30th of March has 23 hours.
  const spring = { from: "2025-03-31T00:00:00+02:00", to: "2025-04-03T00:00:00+02:00", timeZone: zone };
  expect(await before(spring)).toMatchObject({
    ...{ from: "2025-03-27T23:00:00.000Z", to: "2025-03-30T22:00:00.000Z", views: 1 },
  });
  expect(await before({ timeFilter: "allTime" })).toBeNull();
  expect((await get(bot.botId, "", autumn)).at("insight")).not.toHaveProperty("before");
  const lastMonth = Object((await get(bot.botId, "", { timeFilter: "lastMonth", withBefore: "true" })).at("insight"));
  expect(lastMonth.before.to).toBe(lastMonth.from);
  const today = Object((await get(bot.botId, "", { timeFilter: "today", withBefore: "true" })).at("insight"));
  expect(Date.parse(today.from) - Date.parse(today.before.from)).toBe(86_400_000);
  expect(Date.parse(today.before.to)).toBeLessThanOrEqual(Date.parse(today.from));
});

test("the points of a series follow each other without gaps", async () => {
  const bot = await publish(world.api.client, { token: owner.token, workspaceId }, flow);
  for (const [createdAt] of moments) await putResult(world.api.deps.sql, bot.botId, { createdAt });
  await count();

  for (const timeZone of ["UTC", zone, "Asia/Kathmandu"]) {
    for (const step of ["hour", "day", "week", "month"]) {
      const { points, from, to } = Object(
        (await get(bot.botId, "/series", { ...autumn, timeZone, step })).at("series"),
      );
      expect([points.at(0).from, points.at(-1).to]).toEqual([from, to]);
      for (const [index, point] of points.entries()) if (index > 0) expect(point.from).toBe(points[index - 1].to);
      expect(points.reduce((sum: number, { views }: { views: number }) => sum + views, 0)).toBe(moments.length);
    }
  }
  const hours = Object((await get(bot.botId, "/series", { ...autumn, step: "hour" })).at("series"));
  expect(hours.points).toHaveLength(73);
  expect((await get(bot.botId, "/series", autumn)).at("series.step")).toBe("day");
  // The period "all time" begins with the first result.
  const all = Object((await get(bot.botId, "/series", { timeFilter: "allTime", timeZone: zone })).at("series"));
  expect([all.from, all.points[0].from]).toEqual([null, "2025-10-24T22:00:00.000Z"]);
  // Empty points are omitted only if there would be too many points.
  const long = { from: "1970-01-01T00:00:00Z", to: "2025-10-28T00:00:00Z", step: "day" };
  expect(Object((await get(bot.botId, "/series", long)).at("series")).points).toHaveLength(4);
  // Points end at the present, because anyone can request a period in the far future.
  const ahead = await get(bot.botId, "/series", { from: "2025-10-25T00:00:00Z", to: "2999-01-01T00:00:00Z" });
  expect([ahead.status, Object(ahead.at("series")).points.length > 4]).toEqual([200, true]);
  const never = await get(bot.botId, "/series", { from: "2990-01-01T00:00:00Z", to: "3999-01-01T00:00:00Z" });
  expect(Object(never.at("series")).points).toEqual([]);
  const tooLong = await get(bot.botId, "/series", { timeFilter: "allTime", step: "hour" });
  expect([tooLong.status, tooLong.at("data.issues.0.path")]).toEqual([400, "step"]);
});

test("a workspace lists a bot without chats after the busy bots", async () => {
  const fresh = await world.api.makeWorkspace(owner);
  const place = { token: owner.token, workspaceId: fresh };
  const quiet = await publish(world.api.client, place, { ...flow, name: "A quiet one" });
  const busy = await publish(world.api.client, place, { ...flow, name: "Busy" });
  for (const _ of [1, 2]) await putResult(world.api.deps.sql, busy.botId, { hasStarted: true });
  await count();

  const series = Object((await get(quiet.botId, "/series", {})).at("series"));
  expect(series.points).toHaveLength(7);
  for (const query of [{ timeFilter: "allTime" }, { from: "1970-01-01T00:00:00Z" }])
    expect(Object((await get(quiet.botId, "/series", query)).at("series")).points).toEqual([]);
  const seen = await world.api.client.get(`/api/v1/workspaces/${fresh}/insight`, { token: owner.token });
  const none = { views: 0, starts: 0, completions: 0, failedChats: 0 };
  expect(seen.at("insight")).toMatchObject({
    ...{ views: 2, starts: 2, step: "day", before: none },
    bots: [
      { botName: "Busy", views: 2, before: none, trend: [0, 0, 0, 0, 0, 0, 2] },
      { botName: "A quiet one", ...none, trend: [0, 0, 0, 0, 0, 0, 0] },
    ],
  });
  // A GUEST sees the bots on which they collaborate.
  const guest = await world.api.makeUser();
  const { client, deps } = world.api;
  await deps.sql`insert into members (workspace_id, user_id, role) values (${fresh}, ${guest.userId}, 'GUEST')`;
  const seenBy = () => client.get(`/api/v1/workspaces/${fresh}/insight`, { token: guest.token });
  expect((await seenBy()).at("insight")).toMatchObject({ views: 0, bots: [] });
  await deps.sql`insert into collaborators (bot_id, user_id, type) values (${busy.botId}, ${guest.userId}, 'READ')`;
  expect((await seenBy()).at("insight")).toMatchObject({ views: 2, bots: [{ botName: "Busy" }] });
});

async function publishAgain(botId: string, body: object = {}): Promise<void> {
  const options = { token: owner.token, body: { force: true, ...body } };
  expect((await world.api.client.post(`/api/v1/bots/${botId}/publish`, options)).status).toBe(200);
}

async function versionsOf(botId: string): Promise<ReadonlyMap<string, number | null>> {
  const found = await world.api.client.get(`/api/v1/bots/${botId}/results`, {
    token: owner.token,
    query: { timeFilter: "allTime", limit: 100 },
  });
  return new Map(found.list("results").map((result) => [Object(result).id, Object(result).publicationNumber]));
}

function get(botId: string, path: string, query: Record<string, string | number>) {
  return world.api.client.get(`/api/v1/bots/${botId}/insight${path}`, { token: owner.token, query });
}

async function count(): Promise<void> {
  const { sql } = world.api.deps;
  await sql`update insight_results set next_at = clock() where next_at is not null`;
  const job = insight(sql);
  while ((await job.removeSome()) > 0);
}
