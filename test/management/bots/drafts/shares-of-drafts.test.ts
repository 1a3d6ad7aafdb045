import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { smallDraft } from "../../../core/editing/commands.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { watchLive } from "../../../support/live-draft.ts";

// Each user has a share of a bot's streams and presences, so that no user can block others.

const { watchersPerBot, watchersPerUser, presencesPerBot, presencesPerUser } = limits.editing;

let api: TestApi;
let owner: TestUser;
let editor: TestUser;
let readers: TestUser[];
let workspaceId: string;
let botId: string;

beforeAll(async () => {
  api = await createTestApi({ config: { RATE_LIMITS: "off" } });
  owner = await api.makeUser({ name: "Ada" });
  editor = await api.makeUser({ name: "Grace" });
  readers = await Promise.all(Array.from({ length: watchersPerBot }, () => api.makeUser({ scope: "read" })));
  const members = Object.fromEntries([editor, ...readers].map(({ userId }) => [userId, "MEMBER"] as const));
  workspaceId = await api.makeWorkspace(owner, members);
  const made = await api.client.post("/api/v1/bots", {
    token: owner.token,
    body: { workspaceId, bot: smallDraft() },
  });
  botId = made.text("bot.id");
});
afterAll(() => api.close());

const reader = (index = 0): TestUser => readers[index] ?? owner;
const watch = (user: TestUser) => watchLive(api, user, botId, 0);
type Watcher = Awaited<ReturnType<typeof watch>>;
async function watchAsMany(user: TestUser, count: number): Promise<Watcher[]> {
  const watchers: Watcher[] = [];
  while (watchers.length < count) watchers.push(await watch(user));
  return watchers;
}
const stopAll = (watchers: readonly Watcher[]) => Promise.all(watchers.map((watcher) => watcher.stop()));
const ended = { event: "closed", data: { reason: "elsewhere" } };

/**
 * Returns how many of the streams were ended, starting with the oldest. All remaining streams must report a new
 * presence.
 */
async function countEnded(watchers: readonly Watcher[]): Promise<number> {
  const id = newId();
  await put(owner, id);
  const first = await Promise.all(
    watchers.map(async (watcher) => {
      for (let event = await watcher.next(); event; event = await watcher.next()) {
        if (event.event === "closed") return event;
        if (event.event === "presence" && JSON.stringify(event.data).includes(id)) return undefined;
      }
      return undefined;
    }),
  );
  const count = first.filter(Boolean).length;
  expect(first.slice(0, count)).toEqual(Array(count).fill(ended));
  return count;
}

const put = (user: TestUser, id: string) =>
  api.client.put(`/api/v1/bots/${botId}/presence`, { token: user.token, body: { id } });
async function putAsMany(user: TestUser, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  for (const id of ids) expect((await put(user, id)).status).toBe(200);
  return ids;
}
async function here(): Promise<Map<string, string[]>> {
  const rows = await api.deps.sql<{ id: string; userId: string }[]>`
    select id, user_id from presences where bot_id = ${botId} order by seen_at`;
  return new Map(
    [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [userId, own.map(({ id }) => id)]),
  );
}
const nobodyHere = () => api.deps.sql`delete from presences where bot_id = ${botId}`;

describe("the streams of a bot", () => {
  test("a new stream above a person's limit ends one of that person's streams", async () => {
    const editing = await watch(editor);
    const opened = await watchAsMany(reader(), watchersPerBot + 5);
    const late = await watch(owner);
    expect(await countEnded(opened)).toBe(opened.length - watchersPerUser);
    expect(await countEnded([editing, late])).toBe(0);
    await stopAll([editing, late, ...opened]);
  });

  test("a new stream at full capacity ends a stream of the person with the most", async () => {
    const people = Math.ceil(watchersPerBot / watchersPerUser);
    const opened: Watcher[][] = [];
    for (let index = 0; index < people; index++) opened.push(await watchAsMany(reader(index), watchersPerUser));
    const editing = await watchAsMany(editor, 2);
    const counts: number[] = [];
    for (const watchers of opened) counts.push(await countEnded(watchers));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(Math.max(...counts)).toBe(1);
    expect(await countEnded(editing)).toBe(0);
    await stopAll([...opened.flat(), ...editing]);
  });

  test("a new stream is refused if too many people have one stream each", async () => {
    const opened = await Promise.all(readers.map(watch));
    const refused = await api.client.get(`/api/v1/bots/${botId}/live?after=0`, { token: editor.token });
    expect([refused.status, refused.at("code")]).toEqual([503, "server.overloaded"]);
    const again = await watch(reader());
    expect(await countEnded([...opened, again])).toBe(1);
    await stopAll([...opened, again]);
  });
});

describe("the presences of a bot", () => {
  test("a new presence above a person's limit ends that person's oldest presence", async () => {
    await nobodyHere();
    const [editing] = await putAsMany(editor, 1);
    const ids = await putAsMany(reader(), presencesPerUser + 3);
    expect(await here()).toEqual(
      new Map([
        [editor.userId, [editing ?? ""]],
        [reader().userId, ids.slice(3)],
      ]),
    );
    // A repeated message displaces no presence, and its own presence becomes the most recent.
    expect((await put(reader(), ids[3] ?? "")).list("present")).toHaveLength(presencesPerUser + 1);
    const [next = ""] = await putAsMany(reader(), 1);
    expect((await here()).get(reader().userId)).toEqual([...ids.slice(5), ids[3] ?? "", next]);
    // A message with the id of another person is rejected, and displaces no presence.
    const before = await here();
    expect((await put(reader(), editing ?? "")).at("code")).toBe("request.invalid");
    expect(await here()).toEqual(before);
  });

  test("a new presence at full capacity never ends a person's only presence", async () => {
    await nobodyHere();
    const people = presencesPerBot / presencesPerUser;
    await Promise.all(readers.slice(0, people).map((one) => putAsMany(one, presencesPerUser)));
    await putAsMany(editor, 2);
    const counts = [...(await here()).values()].map((ids) => ids.length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([
      2,
      ...Array(2).fill(presencesPerUser - 1),
      ...Array(people - 2).fill(presencesPerUser),
    ]);

    // Add as many people as there are presence slots.
    await nobodyHere();
    const { sql } = api.deps;
    const others = Array.from({ length: presencesPerBot }, () => newId());
    await sql`insert into users ${sql(others.map((id) => ({ id, name: "Somebody", email: `${id}@example.com` })))}`;
    await sql`
      insert into collaborators (bot_id, user_id, type)
      select ${botId}, id, 'READ' from users where id = any(${others}::uuid[])`;
    await sql`
      insert into presences (bot_id, id, user_id, at, seen_at)
      select ${botId}, id::text, id, null, clock() from users where id = any(${others}::uuid[])`;
    const refused = await put(editor, newId());
    expect([refused.status, refused.at("code")]).toEqual([503, "server.overloaded"]);
    expect([...(await here()).values()].filter((ids) => ids.length !== 1)).toEqual([]);
  });
});
