import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import canonicalize from "canonicalize";
import type { Change, ChangeSet } from "../../../../src/core/editing/changes/change.ts";
import { limits } from "../../../../src/limits/index.ts";
import { deleteOldPresences } from "../../../../src/management/bots/drafts/presences.sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { asDraft, createDice, randomChanges, smallDraft } from "../../../core/editing/commands.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import type { Answer } from "../../../support/client.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../../support/database-proxy.ts";
import { watchLive } from "../../../support/live-draft.ts";
import { putSignIn } from "../../../support/sign-ins.ts";
import { waitFor } from "../../../support/wait.ts";

let api: TestApi;
let proxy: DatabaseProxy;
let owner: TestUser;
let friend: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi({
    config: { RATE_LIMITS: "off" },
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  owner = await api.makeUser({ name: "Ada" });
  friend = await api.makeUser({ name: "Grace" });
  workspaceId = await api.makeWorkspace(owner, { [friend.userId]: "MEMBER" });
});
afterAll(async () => {
  await api.close();
  await proxy.close();
});

test("the draft of an earlier revision can be read and restored from the log", async () => {
  const botId = await makeBot();
  const dice = createDice(16);
  const drafts = [await draftOf(botId)];
  let names = 0;
  while (drafts.length < limits.editing.setsPerSnapshot + 20) {
    const base = drafts.length - 1;
    let now = asDraft(drafts[base] ?? {});
    const changeSets: ChangeSet[] = [];
    const changes = randomChanges(now, dice, () => `new${names++}`);
    if (changes.length === 0) continue;
    changeSets.push({ id: newId(), title: "Act", changes });
    const answer = await change(botId, base, changeSets);
    expect(answer.status).toBe(200);
    now = asDraft(await draftOf(botId));
    drafts.push({ ...now });
  }
  const wanted = drafts.flatMap((draft, revision) => (revision % 13 === 0 ? [{ draft, revision }] : []));
  for (const { draft, revision } of wanted) {
    const { revision: told, ...was } = Object(await get(`${botId}/history/${revision}`).then((got) => got.at("draft")));
    expect([told, canonicalize(was)]).toEqual([revision, canonicalize(draft)]);
  }
  let revision = drafts.length - 1;
  for (const { draft, revision: wantedRevision } of wanted.filter((_, index) => index % 4 === 0)) {
    const restored = await post(`${botId}/history/${wantedRevision}/restore`);
    expect(restored.at("revision")).toBe(++revision);
    expect(canonicalize(await draftOf(botId))).toBe(canonicalize(draft) ?? "");
  }
  const again = await post(`${botId}/history/${revision}/restore`);
  expect(again.at("revision")).toBe(revision);
  const none = await post(`${botId}/history/${revision + 1}/restore`);
  expect([none.status, none.at("code")]).toEqual([404, "revision.not_found"]);
});

test("a restore whose write changes no row is rejected as too large", async () => {
  const { sql } = api.deps;
  const botId = await makeBot();
  await change(botId, 0, [rename("Small")]);
  // Let writes change no row, as if the flow were too large. A flow of this size would make the test slow.
  await sql.unsafe(`
    create function no_row() returns trigger language plpgsql as 'begin return null; end';
    create trigger too_large before update on bots for each row execute function no_row()`);
  const refused = await post(`${botId}/history/0/restore`);
  await sql.unsafe("drop trigger too_large on bots");

  expect([refused.status, refused.at("data.issues")]).toEqual([
    400,
    [{ path: "revision", message: "must have a flow of at most 10 MB" }],
  ]);
});

test("a revision is not found if the log does not match the draft", async () => {
  const botId = await makeBot();
  await change(botId, 0, [
    { id: newId(), title: "Add", changes: [{ op: "add", of: "variable", value: { id: idOf("v9"), name: "C" } }] },
  ]);
  await api.deps.sql`update bots set variables = '[]' where id = ${botId}`;
  expect((await get(`${botId}/history/0`)).at("code")).toBe("revision.not_found");
  expect((await change(botId, 1, [rename("Goes on")])).at("revision")).toBe(2);
});

test("the history lists the authors and their changes by editing session", async () => {
  const botId = await makeBot();
  await change(botId, 0, [rename("A"), rename("B")]);
  await change(botId, 2, [rename("C")], friend);
  await change(botId, 3, [rename("D")]);
  await change(botId, 4, [rename("E")]);
  const { sql } = api.deps;
  await sql`update bot_changes set created_at = created_at - interval '16 minutes' where bot_id = ${botId} and revision <= 4`;
  const history = await get(`${botId}/history`);
  expect(history.at("sittings")).toMatchObject([
    { revision: 5, revisionBefore: 4, by: { name: "Ada" }, changeSets: 1, titles: ["Rename to E"] },
    { revision: 4, revisionBefore: 3, by: { name: "Ada" }, titles: ["Rename to D"] },
    { revision: 3, revisionBefore: 2, by: { userId: friend.userId, name: "Grace" } },
    { revision: 2, revisionBefore: 0, changeSets: 2, titles: ["Rename to B", "Rename to A"] },
  ]);
  const first = await get(`${botId}/history?limit=3`);
  const second = await get(`${botId}/history?limit=3&cursor=${first.text("nextCursor")}`);
  expect([...first.list("sittings"), ...second.list("sittings")]).toEqual([...history.list("sittings")]);
  expect(second.at("nextCursor")).toBeUndefined();
  expect((await get(`${botId}/history?cursor=x`)).at("code")).toBe("cursor.invalid");
});

test("a change set whose response was lost is written once", async () => {
  const botId = await makeBot();
  const set = rename("Lost on its way");
  const fault = proxy.inject({ kind: "cut", when: "after", statement: /insert into bot_changes/, times: 1 });
  const lost = await change(botId, 0, [set]);
  expect([lost.status, fault.met()]).toEqual([503, 1]);
  const answer = await change(botId, 0, [set]);
  expect(answer.body).toMatchObject({ revision: 1, others: [] });
  expect((await get(`${botId}/changes?after=0`)).at("changeSets.*.id")).toEqual([set.id]);

  proxy.inject({ kind: "cut", when: "before", statement: /insert into bot_changes/, times: 1 });
  const never = rename("Never arrived");
  expect((await change(botId, 1, [never])).status).toBe(503);
  expect((await get(`${botId}/changes?after=1`)).list("changeSets")).toEqual([]);
  expect((await change(botId, 1, [never])).at("revision")).toBe(2);
});

test("the log of change sets is deleted with its bot", async () => {
  const botId = await makeBot();
  await change(botId, 0, [rename("Gone soon")]);
  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
  await api.client.post(`/api/v1/bots/${botId}/erase`, { token: owner.token, body: {} });
  await api.deps.sql`delete from bots where id = ${botId}`;
  expect(await api.deps.sql`select from bot_changes where bot_id = ${botId}`).toHaveLength(0);
});

describe("the stream of a draft's watcher", () => {
  test("a watcher's stream sends later changes and publications", async () => {
    const botId = await makeBot();
    await change(botId, 0, [rename("Before")]);
    const live = await watch(botId, 0);
    expect(await live.next()).toMatchObject({
      event: "changes",
      id: "1",
      data: { changeSets: [{ revision: 1, title: "Rename to Before", by: { name: "Ada" } }] },
    });
    const late = await watch(botId, 1);
    await change(botId, 1, [rename("After")], friend);
    for (const watcher of [live, late]) {
      expect(await watcher.next()).toMatchObject({ event: "changes", data: { changeSets: [{ revision: 2 }] } });
    }
    await post(`${botId}/publish`);
    expect(await late.next()).toEqual({ event: "published", data: { number: 1 } });
    await live.stop();
    await post(`${botId}/archive`);
    expect(await late.next()).toEqual({ event: "closed", data: { reason: "archived" } });
    expect(await late.next()).toBeUndefined();
  });

  test("a watcher's stream sends no change after the token has expired", async () => {
    const botId = await makeBot();
    const { userId, token } = await api.makeUser();
    const body = { type: "READ" };
    await api.client.put(`/api/v1/bots/${botId}/collaborators/${userId}`, { token: owner.token, body });
    const live = await watchLive(api, { token }, botId, 0);
    const { sql } = api.deps;
    await sql.begin(async (holder) => {
      await holder`lock table presences in access exclusive mode`;
      // The watch has begun to read, and waits for the lock.
      await waitFor(async () => {
        const waiting = await sql`select from pg_locks where relation = 'presences'::regclass and not granted`;
        return waiting.length > 0;
      });
      await sql`update api_tokens set expires_at = clock() where user_id = ${userId}`;
      await change(botId, 0, [rename("Secret")]);
    });

    expect(await live.next()).toEqual({ event: "closed", data: { reason: "forbidden" } });
  });

  test.each(["revoked", "expired", "of a user who is deactivated"])(
    "a watcher's stream ends without further changes if its token becomes unusable: %s",
    async (how) => {
      const botId = await makeBot();
      const { userId, token } = await api.makeUser();
      await api.client.put(`/api/v1/bots/${botId}/collaborators/${userId}`, {
        token: owner.token,
        body: { type: "READ" },
      });
      const live = await watchLive(api, { token }, botId, 0);
      const { sql } = api.deps;
      if (how === "revoked") {
        const tokens = await api.client.get("/api/v1/users/me/api-tokens", { token });
        await api.client.delete(`/api/v1/users/me/api-tokens/${tokens.text("apiTokens.0.id")}`, { token });
      } else if (how === "expired") await sql`update api_tokens set expires_at = clock() where user_id = ${userId}`;
      else await sql`update users set deactivated_at = clock() where id = ${userId}`;
      await change(botId, 0, [rename("Secret")]);

      expect(await live.next()).toEqual({ event: "closed", data: { reason: "forbidden" } });
      expect(await live.next()).toBeUndefined();
    },
  );

  test.each([
    ["a collaborator who was removed", "collaborator"],
    ["a member who was removed", "member"],
    ["a member who became a GUEST", "guest"],
  ])("a watcher's stream sends no further changes to %s, and ends", async (_, how) => {
    const botId = await makeBot();
    const { workspaceId = "" } =
      (await api.deps.sql<{ workspaceId: string }[]>`select workspace_id from bots where id = ${botId}`)[0] ?? {};
    const { userId, token } = await api.makeUser();
    const collaborators = `/api/v1/bots/${botId}/collaborators/${userId}`;
    const members = `/api/v1/workspaces/${workspaceId}/members/${userId}`;
    const put = (path: string, body: object) => api.client.put(path, { token: owner.token, body });
    if (how === "collaborator") await put(collaborators, { type: "WRITE" });
    else await put(members, { role: "MEMBER" });
    const live = await watchLive(api, { token }, botId, 0);
    await change(botId, 0, [rename("Seen")]);
    expect(await live.next()).toMatchObject({ event: "changes" });

    if (how === "guest") await put(members, { role: "GUEST" });
    else await api.client.delete(how === "member" ? members : collaborators, { token: owner.token });
    await change(botId, 1, [rename("Secret")]);

    expect(await live.next()).toEqual({ event: "closed", data: { reason: "forbidden" } });
    expect(await live.next()).toBeUndefined();
  });

  test("a watcher's stream serves an administrator of the instance", async () => {
    const botId = await makeBot();
    const administrator = await api.makeUser({ scope: "admin" });
    const live = await watchLive(api, administrator, botId, 0);
    await change(botId, 0, [rename("Seen")]);
    expect(await live.next()).toMatchObject({ event: "changes" });
    await api.deps
      .sql`update api_tokens set workspace_id = ${await api.makeWorkspace(administrator)} where user_id = ${administrator.userId}`;
    await change(botId, 1, [rename("Secret")]);
    expect(await live.next()).toEqual({ event: "closed", data: { reason: "forbidden" } });
  });

  test("a watcher's stream sends no further changes for an ended sign-in", async () => {
    const botId = await makeBot();
    const { id, secret } = await putSignIn(api.deps.sql, owner.userId);
    const live = await watchLive(api, { headers: { "Parley-App": "1", Cookie: `parley=${secret}` } }, botId, 0);
    await api.client.delete(`/api/v1/users/me/sign-ins/${id}`, { token: owner.token });
    await change(botId, 0, [rename("Secret")]);

    expect(await live.next()).toEqual({ event: "closed", data: { reason: "forbidden" } });
  });

  test.each(["collaborator", "member", "guest", "deactivated"])(
    "a watcher's stream no longer shows the presence of a person who lost read access: %s",
    async (how) => {
      const botId = await makeBot();
      const { sql } = api.deps;
      const [bot] = await sql<{ workspaceId: string }[]>`select workspace_id from bots where id = ${botId}`;
      const { userId, token } = await api.makeUser({ name: "Leaver" });
      const collaborators = `/api/v1/bots/${botId}/collaborators/${userId}`;
      const members = `/api/v1/workspaces/${bot?.workspaceId}/members/${userId}`;
      const put = (path: string, body: object) => api.client.put(path, { token: owner.token, body });
      if (how === "collaborator") await put(collaborators, { type: "READ" });
      else await put(members, { role: "MEMBER" });
      const live = await watch(botId, 0);
      const id = newId();
      await api.client.put(`/api/v1/bots/${botId}/presence`, { token, body: { id } });
      expect(await live.next()).toMatchObject({ event: "presence", data: { present: [{ id, userId }] } });

      if (how === "guest") await put(members, { role: "GUEST" });
      else if (how === "deactivated") await sql`update users set deactivated_at = clock() where id = ${userId}`;
      else await api.client.delete(how === "member" ? members : collaborators, { token: owner.token });

      expect(await live.next()).toEqual({ event: "presence", data: { present: [] } });
    },
  );

  test("an administrator of the instance is listed as present", async () => {
    const botId = await makeBot();
    const { token } = await api.makeUser({ scope: "admin" });
    const answer = await api.client.put(`/api/v1/bots/${botId}/presence`, { token, body: { id: newId() } });
    expect(answer.list("present")).toHaveLength(1);
  });

  test("a watcher's stream shows present people and their positions", async () => {
    const botId = await makeBot();
    const live = await watch(botId, 0);
    // The presences are listed in the order of their ids.
    const [tab = "", other = ""] = [newId(), newId()].toSorted();
    const put = (body: object, user = owner) =>
      api.client.put(`/api/v1/bots/${botId}/presence`, { token: user.token, body });
    const ada = { id: tab, userId: owner.userId, name: "Ada", at: "g1" };
    const grace = { id: other, userId: friend.userId, name: "Grace", at: null };
    expect((await put({ id: tab, at: "g1" })).at("present")).toEqual([ada]);
    expect(await live.next()).toEqual({ event: "presence", data: { present: [ada] } });
    expect((await put({ id: other }, friend)).at("present")).toEqual([ada, grace]);
    expect(await live.next()).toEqual({ event: "presence", data: { present: [ada, grace] } });
    const late = await watch(botId, 0);
    expect(await late.next()).toEqual({ event: "presence", data: { present: [ada, grace] } });
    expect((await put({ id: tab, at: "g2" }, friend)).at("data.issues.0.path")).toBe("id");
    expect((await put({ id: other, isHere: false }, friend)).at("present")).toEqual([ada]);
    expect(await live.next()).toEqual({ event: "presence", data: { present: [ada] } });
    const { sql } = api.deps;
    await sql`update presences set seen_at = seen_at - interval '2 minutes' where bot_id = ${botId}`;
    expect(await live.next()).toEqual({ event: "presence", data: { present: [] } });
    expect(await deleteOldPresences(sql, 500)).toBe(1);
    await Promise.all([live.stop(), late.stop()]);
  });

  test("a watcher's stream ends if a missed change is no longer in the log", async () => {
    const botId = await makeBot();
    await change(botId, 0, [rename("First")]);
    const live = await watch(botId, 1);
    // Simulates a second set that another node wrote, and that left the log before this node read it.
    await api.deps.sql`update bots set revision = 2 where id = ${botId}`;
    expect((await change(botId, 2, [rename("Third")])).status).toBe(200);

    expect(await live.next()).toEqual({ event: "closed", data: { reason: "behind" } });
    expect(await live.next()).toBeUndefined();
  });

  test("a watcher's stream is refused for a revision ahead of the draft", async () => {
    const botId = await makeBot();
    expect((await get(`${botId}/live?after=5`)).at("code")).toBe("revision.not_found");
  });

  test("a watcher's stream ends if its reader is slow or the process stops", async () => {
    const botId = await makeBot();
    const slow = await watch(botId, 0);
    const value = "x".repeat(limits.editing.setBytes - 1_000);
    const count = 8;
    for (let base = 0; base < count; base++) {
      const path = ["more"];
      const made: Change = { op: "set", of: "editor", path, value: `${base}${value}` };
      expect((await change(botId, base, [{ id: newId(), title: "Much", changes: [made] }])).status).toBe(200);
    }
    let last: unknown;
    for (let event = await slow.next(); event; event = await slow.next()) last = event;
    expect(last).toEqual({ event: "closed", data: { reason: "slow" } });

    // The client is further behind than one request reads, so it must read the whole bot, or page by page.
    const behind = await change(botId, 0, [rename("Late")]);
    expect([behind.at("code"), behind.at("data.revision"), behind.at("data.conflicts")]).toEqual([
      "bot.conflict",
      count,
      [],
    ]);
    const page = (await get(`${botId}/changes?after=0`)).list("changeSets");
    expect(page.length).toBeGreaterThan(0);
    expect(page.length).toBeLessThan(count);
    expect((await get(`${botId}/history/1`)).text("draft.editor.more").slice(0, 2)).toBe("0x");

    const live = await watch(botId, count);
    await api.deps.draftWatch.close();
    expect(await live.next()).toEqual({ event: "closed", data: { reason: "stopping" } });
    expect((await get(`${botId}/live?after=${count}`)).at("code")).toBe("server.overloaded");
  });
});

const watch = (botId: string, after: number) => watchLive(api, owner, botId, after);

function rename(title: string): ChangeSet {
  return {
    id: newId(),
    title: `Rename to ${title}`,
    changes: [{ op: "set", of: "group", id: "g1", path: ["title"], value: title }],
  };
}

async function makeBot(): Promise<string> {
  const bot = smallDraft();
  const made = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } });
  return made.text("bot.id");
}

async function draftOf(botId: string): Promise<Record<string, unknown>> {
  const { bot } = Object((await get(botId)).body);
  const { version, events, groups, edges, variables, theme, settings, editor } = bot;
  return { version, events, groups, edges, variables, theme, settings, editor };
}

function change(botId: string, base: number, changeSets: ChangeSet[], user = owner): Promise<Answer> {
  return api.client.post(`/api/v1/bots/${botId}/changes`, { token: user.token, body: { base, changeSets } });
}

function get(path: string): Promise<Answer> {
  return api.client.get(`/api/v1/bots/${path}`, { token: owner.token });
}

function post(path: string): Promise<Answer> {
  return api.client.post(`/api/v1/bots/${path}`, { token: owner.token, body: {} });
}
