import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listBots } from "../../../src/management/bots/bot-lists.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { createExplainer } from "../../support/plans.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

/** The ids of bots by name. The bots were created a minute apart. */
const bots: Record<string, string> = {};
const names = ["Äpfel & Birnen", "apple survey", "100 % Banana", "Cherry_tree", "banana split", "Zebra"];

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  for (const name of names) bots[name] = await makeBot({ name });
  await api.spreadCreation("bots", Object.values(bots));
});
afterAll(() => api.close());

describe("a search for bots", () => {
  test.each([
    ["APPLE", ["apple survey"]],
    ["nana", ["100 % Banana", "banana split"]],
    ["äpf", ["Äpfel & Birnen"]],
    ["%", ["100 % Banana"]],
    ["_", ["Cherry_tree"]],
    ["a", ["100 % Banana", "apple survey", "banana split", "Zebra"]],
    ["\\", []],
    ["nothing", []],
    ["  ", names.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))],
  ])("a search for %p finds %p", async (search, found) => {
    expect(namesOf(await list({ search, sort: "name" }))).toEqual(found);
  });

  test("a search for bots finds a bot by a part of its public ID", async () => {
    const botId = await makeBot({ name: "Nameless", publicId: "Findable.Address-1" });

    const found = await list({ search: "able.addr" });

    expect(found.list("bots")).toMatchObject([{ id: botId, publicId: "Findable.Address-1", address: null }]);
    await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
  });

  test("a search for bots that finds one of 20,000 bots reads fewer than 10 rows", async () => {
    const elsewhere = await api.makeWorkspace(owner);
    // The rows are as wide as real rows of bots. With narrow rows, a full scan would be faster than the index.
    await api.deps.sql`
      insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings)
      select gen_random_uuid(), ${elsewhere}, '6.1', 'Bot ' || md5(number::text), '[]', '[]', '[]', '{}',
        jsonb_build_object('metadata', (select string_agg(md5(number || '/' || part), '') from generate_series(1, 16) as part))
      from generate_series(1, 20000) as number`;
    await api.deps.sql`analyze bots`;
    const explainer = createExplainer(api.databaseUrl);
    const asked = { folderId: undefined, userId: owner.userId, after: undefined, limit: 51 };

    await listBots(explainer.sql, { ...asked, workspaceId: elsewhere, search: "c4ca4238a0b923820dcc" });
    const touched = await explainer.rowsTouched();
    await explainer.close();

    expect(touched).toBeLessThan(10);
  });
});

describe("a list of bots", () => {
  test("a list of bots is sorted and paged", async () => {
    const byName = ["100 % Banana", "apple survey", "banana split", "Cherry_tree", "Zebra", "Äpfel & Birnen"];
    await rename("apple survey", "apple survey");
    await answer("Zebra", 1);
    await answer("banana split", 2);

    expect(await everyPage({ sort: "name" })).toEqual(byName);
    expect(await everyPage({ sort: "createdAt" })).toEqual(names.toReversed());
    expect((await everyPage({ sort: "updatedAt" })).at(0)).toBe("apple survey");
    const byAnswer = await everyPage({ sort: "lastAnsweredAt" });
    expect(byAnswer.slice(0, 2)).toEqual(["banana split", "Zebra"]);
    expect(byAnswer.toSorted()).toEqual(names.toSorted());
  });

  test("a list of bots contains the time of a bot's last answer", async () => {
    const botId = await makeBot({ name: "Answered", publicId: "answered" });
    await publish(botId);
    await publish(botId);
    const place = { id: botId };

    expect((await list({ search: "Answered" })).list("bots")).toMatchObject([
      { ...place, address: "http://localhost/answered", publicationNumber: 2, lastAnsweredAt: null },
    ]);
    bots["Answered"] = botId;
    await answer("Answered", 0);
    expect((await list({ search: "Answered" })).at("bots.0.lastAnsweredAt")).toMatch(/Z$/);
    expect(namesOf(await list({ isPublished: true }))).toEqual(["Answered"]);
    expect(namesOf(await list({ isPublished: false }))).not.toContain("Answered");
    await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
  });

  test("a list of bots shows each bot's state and figures of the last seven days", async () => {
    const botId = await makeBot({ name: "Standing" });
    const stateOf = async () => (await list({ search: "Standing" })).at("bots.0.state");
    expect(await stateOf()).toBe("draft");
    await publish(botId);
    expect(await stateOf()).toBe("live");
    const settings = { general: { isBrandingEnabled: true } };
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { settings } } });

    const [changed] = (await list({ search: "Standing" })).list("bots");
    expect(changed).toMatchObject({
      state: "changed",
      lastChange: { at: expect.stringMatching(/Z$/), by: "Somebody" },
      lastSevenDays: { startedCount: 0, completedCount: 0 },
      errorCount: 0,
    });

    bots["Standing"] = botId;
    await count(botId, { kind: "start", chats: 3, daysAgo: 2 });
    await count(botId, { kind: "completion", chats: 2, daysAgo: 2 });
    await count(botId, { kind: "start", chats: 50, daysAgo: 9 });
    const resultId = await answer("Standing", 0);
    await api.deps.sql`
      insert into logs (shard, result_id, id, bot_id, status, description)
      values (${shardOf(resultId)}, ${resultId}, ${newId()}, ${botId}, 'error', 'The request failed')`;
    const [troubled] = (await list({ search: "Standing" })).list("bots");
    expect(troubled).toMatchObject({
      state: "trouble",
      errorCount: 1,
      lastSevenDays: { startedCount: 3, completedCount: 2 },
    });

    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { isClosed: true } } });
    expect(await stateOf()).toBe("closed");
    await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
  });

  test("a list of bots marks a bot whose published flow differs from its draft", async () => {
    const botId = await makeBot({ name: "Rolled back" });
    const at = `/api/v1/bots/${botId}`;
    const stateOf = async () => (await list({ search: "Rolled back" })).at("bots.0.state");
    const write = (isBrandingEnabled: boolean) =>
      api.client.patch(at, { token: owner.token, body: { bot: { settings: { general: { isBrandingEnabled } } } } });
    await write(true);
    await publish(botId);
    await write(false);
    await publish(botId);
    expect(await stateOf()).toBe("live");

    await api.client.post(`${at}/publications/1/publish`, { token: owner.token, body: {} });
    expect(await stateOf()).toBe("changed");
    await api.client.post(`${at}/publications/2/publish`, { token: owner.token, body: {} });
    expect(await stateOf()).toBe("live");
    await api.client.post(`${at}/publications/1/publish`, { token: owner.token, body: {} });
    await api.client.post(`${at}/publications/1/restore`, { token: owner.token, body: {} });
    expect(await stateOf()).toBe("live");
    await write(false);
    expect(await stateOf()).toBe("changed");

    await count(botId, { kind: "view", chats: 7, daysAgo: 0, unit: "month", version: 3 });
    const history = await api.client.get(`${at}/publications`, { token: owner.token });
    expect(history.list("publications").map((one) => Object(one).figures.views)).toEqual([0, 0, 7, 0, 0]);
    await api.client.delete(at, { token: owner.token });
  });

  test("a list of bots rejects a cursor of another list", async () => {
    const page = await list({ limit: 1, sort: "name", search: "a" });
    const cursor = page.text("nextCursor");

    expect((await list({ limit: 1, sort: "name", search: "a", cursor })).status).toBe(200);
    expect((await list({ limit: 1, sort: "name", search: "b", cursor })).at("code")).toBe("cursor.invalid");
    expect((await list({ limit: 1, sort: "updatedAt", search: "a", cursor })).at("code")).toBe("cursor.invalid");
    expect((await list({ sort: "size" })).at("data.issues.0.path")).toBe("sort");
    expect((await list({ search: "x".repeat(300) })).at("data.issues.0.path")).toBe("search");
  });
});

function list(query: Record<string, string | number | boolean>) {
  return api.client.get("/api/v1/bots", { token: owner.token, query: { workspaceId, ...query } });
}

function namesOf(answer: Awaited<ReturnType<typeof list>>): unknown {
  return answer.at("bots.*.name");
}

async function everyPage(query: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, limit: 2, ...(cursor && { cursor }) });
    found.push(...page.list("bots").map((_, index) => page.text(`bots.${index}.name`)));
    cursor = page.at("nextCursor") === undefined ? undefined : page.text("nextCursor");
  } while (cursor !== undefined);
  return found;
}

async function makeBot(bot: object): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

async function publish(botId: string): Promise<void> {
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

async function rename(old: string, name: string): Promise<void> {
  await api.client.patch(`/api/v1/bots/${bots[old]}`, { token: owner.token, body: { bot: { name } } });
}

async function count(
  botId: string,
  {
    kind,
    chats,
    daysAgo,
    unit = "day",
    version,
  }: { kind: string; chats: number; daysAgo: number; unit?: "day" | "month"; version?: number },
): Promise<void> {
  await api.deps.sql`
    with measure as (
      insert into insight_measures (bot_id, kind, subject, value)
      values (${botId}, ${kind}, '', '')
      on conflict (bot_id, kind, subject, value) do update set kind = excluded.kind
      returning id
    )
    insert into insight_counts (bot_id, unit, starts_at, version, measures, chats, times)
    select ${botId}, ${unit}, date_trunc(${unit}, clock() - make_interval(days => ${daysAgo})), coalesce(${version ?? null}::integer, id),
      array[id], array[${chats}::integer], array[${chats}::integer]
    from measure`;
}

async function answer(name: string, hours: number): Promise<string> {
  const resultId = newId();
  await api.deps.sql`
    insert into results (shard, id, bot_id, has_started, updated_at)
    values (${shardOf(resultId)}, ${resultId}, ${bots[name] ?? ""}, true, clock() + make_interval(hours => ${hours}))`;
  return resultId;
}
