import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "../../../../src/platform/database/sql.ts";
import { inTurn, type Transaction } from "../../../../src/platform/database/turns.sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../../support/chat.ts";
import type { Answer } from "../../../support/client.ts";
import { putResult } from "../../../support/results.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";
import { waitFor } from "../../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let here: string;
let there: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  here = await api.makeWorkspace(owner);
  there = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const flow = flowOf([asks("text input"), asks("number input")]);

describe("moving a bot", () => {
  test("a published bot that moves to another workspace keeps its results", async () => {
    const friend = await api.makeUser();
    const linked = await makeBot({ name: "Linked" });
    const link = { id: "link", type: "Typebot link", options: { typebotId: linked } };
    const pay = { id: "pay", type: "payment input", options: { credentialsId: "stripe-1" } };
    const call = {
      id: "call",
      type: "Webhook",
      options: { webhook: { url: "https://crm.example.com/{{secret.CRM_KEY}}" } },
    };
    const gone = `http://localhost/api/workspace-files/${newId()}.png`;
    const shown = { id: "shown", type: "image", content: { url: gone } };
    const asked = flowOf([asks("text input"), asks("number input"), link, pay, call, shown]);
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId: here }, asked);
    await post(`workspaces/${here}/custom-domains`, { name: "moved.example.com" });
    await patch(botId, { customDomain: "moved.example.com" });
    await api.deps.sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${friend.userId}, 'WRITE')`;
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    const folderId = await makeFolder(there);

    const moved = await post(`bots/${botId}/move`, { workspaceId: there, folderId });

    expect(moved.body).toMatchObject({
      bot: { workspaceId: there, folderId, publicId, customDomain: null },
      lostCustomDomain: "moved.example.com",
      missingCredentials: [{ groupId: idOf("g0"), blockId: "pay", id: "stripe-1" }],
      missingBots: [{ groupId: idOf("g0"), blockId: "link", id: linked }],
      missingSecrets: ["CRM_KEY"],
      missingFiles: [gone],
    });
    expect((await say(api.client, sessionId, "Hello")).at("input.type")).toBe("number input");
    expect((await start(api.client, publicId)).status).toBe(200);
    expect((await get(`bots/${botId}/results`)).list("results")).toHaveLength(2);
    expect((await get(`bots/${botId}/collaborators`)).at("collaborators")).toEqual([]);
    expect(await idsIn(here)).not.toContain(botId);
    expect(await idsIn(there)).toContain(botId);

    expect((await post(`bots/${botId}/move`, { workspaceId: here })).body).toMatchObject({
      bot: { workspaceId: here, folderId: null },
      missingBots: [],
    });
  });

  test("moving a bot to another workspace cancels its invitations", async () => {
    const botId = await makeBot();
    await api.deps.sql`
      insert into invitations (id, workspace_id, bot_id, email, role, type, code_hash, expires_at)
      values (
        ${newId()}, ${here}, ${botId}, 'friend@example.com', 'GUEST', 'READ', ${Buffer.from(newId())}, clock() + interval '1 day'
      )`;
    const invited = () => api.deps.sql`select from invitations where bot_id = ${botId}`;

    await post(`bots/${botId}/move`, { workspaceId: here, folderId: await makeFolder(here) });
    expect(await invited()).toHaveLength(1);
    await post(`bots/${botId}/move`, { workspaceId: there });
    expect(await invited()).toHaveLength(0);
  });

  test("moving a bot to an inaccessible workspace or folder is refused", async () => {
    const botId = await makeBot();
    const stranger = await api.makeUser();
    const theirs = await api.makeWorkspace(stranger, { [owner.userId]: "GUEST" });
    const foreign = await makeFolder(there);

    for (const [body, code] of [
      [{ workspaceId: theirs }, "workspace.forbidden"],
      [{ workspaceId: newId() }, "workspace.not_found"],
      [{ folderId: foreign }, "folder.not_found"],
      [{ folderId: newId() }, "folder.not_found"],
      [{ folderId: "nonsense" }, "folder.not_found"],
    ] as const) {
      expect((await post(`bots/${botId}/move`, body)).at("code")).toBe(code);
    }
    expect((await get(`bots/${botId}`)).body).toMatchObject({ bot: { workspaceId: here, folderId: null } });
  });
});

describe("duplicating a bot", () => {
  // A change of folders locks the workspace first. Locks in the opposite order cause a deadlock, which represents any
  // unforeseen deadlock.
  test.each([
    { order: "a workspace, then its folder", tables: ["workspaces", "folders"] },
    { order: "a folder, then its workspace", tables: ["folders", "workspaces"] },
  ])("duplicating a bot succeeds while another transaction locks $order", async ({ tables }) => {
    const botId = await makeBot();
    const folderId = await makeFolder(here);
    const [first = "", second = ""] = tables;
    let copy: Promise<Answer> | undefined;
    let isOver = false;

    await locking(async (sql) => {
      const lock = (table: string) =>
        sql`select from ${sql(table)} where id in (${here}, ${folderId}) for no key update`;
      await lock(first);
      copy ??= post(`bots/${botId}/duplicate`, { folderId }).finally(() => {
        isOver = true;
      });
      // The database may end either side of a deadlock. If it ended this transaction, the copy has continued.
      await waitFor(async () => isOver || (await blocked()) > 0, { what: "the copy to wait" });
      await lock(second);
    });

    expect((await copy)?.body).toMatchObject({ bot: { folderId } });
  });

  test("a duplicate is not put into a folder that is deleted concurrently", async () => {
    const botId = await makeBot();
    const folderId = await makeFolder(here);
    await patch(botId, { folderId });
    const copies: Promise<Answer>[] = [];

    await locking(async (sql) => {
      await sql`select from workspaces where id = ${here} for no key update`;
      copies.push(...[{ folderId }, {}].map((body) => post(`bots/${botId}/duplicate`, body)));
      await waitFor(async () => (await blocked()) === 2, { what: "the copies to wait" });
      await sql`update bots set folder_id = null where id = ${botId}`;
      await sql`update folders set deleted_at = clock(), erase_after = clock() where id = ${folderId}`;
    });
    const [named, unnamed] = await Promise.all(copies);

    expect(named?.at("code")).toBe("folder.not_found");
    expect(unnamed?.body).toMatchObject({ bot: { folderId: null } });
  });

  test("duplicating a bot copies the test conversations, but not the public share", async () => {
    const settings = { general: { isBrandingEnabled: false }, publicShare: { isEnabled: true } };
    const botId = await makeBot({ ...flow, name: "Shared", settings });
    const conversation = { title: "Greets", turns: [{ expect: {} }] };
    const test = { token: owner.token, body: { isRequired: true, conversation } };
    expect((await api.client.put(`/api/v1/bots/${botId}/testConversations/greets`, test)).status).toBe(200);

    const copy = await post(`bots/${botId}/duplicate`);

    const copied = await get(`bots/${copy.text("bot.id")}/testConversations/greets`);
    expect(copied.at("testConversation")).toMatchObject({ name: "greets", isRequired: true, conversation });
    expect(copy.at("bot.settings")).toEqual({ general: { isBrandingEnabled: false } });
    const stranger = await api.makeUser();
    const seen = await api.client.get(`/api/v1/bots/${copy.text("bot.id")}`, { token: stranger.token });
    expect(seen.at("code")).toBe("bot.not_found");
  });

  test("duplicating a bot creates a separate draft, with the results on request", async () => {
    const { botId } = await publish(api.client, { token: owner.token, workspaceId: here }, { ...flow, name: "First" });
    for (const content of ["one", "two"]) {
      await putResult(api.deps.sql, botId, { answers: [{ content }, { content: `${content}!` }], hasStarted: true });
    }
    const [noted] = (await get(`bots/${botId}/results`)).list("results");
    const place = `/api/v1/bots/${botId}/results/${Object(noted).id}`;
    await api.client.patch(place, { token: owner.token, body: { tags: ["lead"], note: "Called" } });
    const before = await get(`bots/${botId}/results`);

    const plain = await post(`bots/${botId}/duplicate`, {});
    const full = await post(`bots/${botId}/duplicate`, { name: "Second", withResults: true });

    expect(plain.body).toMatchObject({ bot: { name: "First (copy)", publicId: null }, copiedResults: 0 });
    expect(full.body).toMatchObject({ bot: { name: "Second", publicId: null, groups: flow.groups }, copiedResults: 2 });
    expect((await get(`bots/${plain.text("bot.id")}/results`)).at("results")).toEqual([]);
    const copy = await get(`bots/${full.text("bot.id")}/results`);
    for (const path of [
      "createdAt",
      "hasStarted",
      "variables",
      "tags",
      "note",
      "answers.0.content",
      "answers.1.content",
    ]) {
      expect(copy.at(`results.*.${path}`)).toEqual(before.at(`results.*.${path}`));
    }
    const ids = new Set([...copy.list("results"), ...before.list("results")].map((result) => Object(result).id));
    expect(ids.size).toBe(4);
    const id = copy.text("results.0.id");
    const logs = await get(`bots/${full.text("bot.id")}/results/${id}/logs`);
    expect(logs.list("logs")).toHaveLength(1);
    expect((await get(`bots/${botId}/results`)).body).toEqual(before.body);
  });

  test("duplicating a bot with more results than the limit is refused", async () => {
    const botId = await makeBot();
    await api.deps.sql`
      insert into results (shard, id, bot_id)
      select number % 1024, gen_random_uuid(), ${botId}
      from generate_series(1, 100001) as number`;
    const before = await idsIn(here);

    expect((await post(`bots/${botId}/duplicate`, { withResults: true })).at("code")).toBe("bot.too_many_results");

    expect(await idsIn(here)).toEqual(before);
    await api.deps.sql`delete from results where bot_id = ${botId}`;
  });

  test("a duplicate into a folder of another workspace is refused", async () => {
    const botId = await makeBot();
    const foreign = await makeFolder(there);
    expect((await post(`bots/${botId}/duplicate`, { folderId: foreign })).at("code")).toBe("folder.not_found");
  });
});

describe("linked bots", () => {
  test("linked bots are listed in both directions", async () => {
    const inner = await makeBot({ name: "Inner" });
    const links = flowOf([
      { id: "a", type: "Typebot link", options: { typebotId: inner, mergeResults: true } },
      { id: "b", type: "Typebot link", options: { typebotId: "gone", mergeResults: false } },
      { id: "c", type: "Typebot link", options: { typebotId: "current" } },
    ]);
    const outer = await makeBot({ name: "Outer", ...links });
    // This bot contains the other bot's id in a text, but does not link to it.
    await makeBot({ name: "Talks of it", ...flowOf([{ id: "t", type: "text", content: { plainText: inner } }]) });

    const fromOuter = await get(`bots/${outer}/linkedBots`);
    expect(fromOuter.at("bots.*.name")).toEqual(["Inner"]);
    expect(fromOuter.at("missingBots")).toEqual([{ groupId: idOf("g0"), blockId: "b", id: "gone" }]);
    const fromInner = await get(`bots/${inner}/linkedBots`);
    expect(fromInner.body).toMatchObject({ bots: [], linkedFrom: [{ id: outer, name: "Outer", isPublished: false }] });
    expect((await get(`typebots/${outer}/linkedTypebots`)).at("typebots.*.name")).toEqual(["Inner"]);
  });
});

describe("bots that link to a bot", () => {
  test("bots that link to a moved, archived or deleted bot are listed", async () => {
    const inner = await makeBot({ name: "Inner" });
    const link = { ...flow, ...flowOf([{ id: "link", type: "Typebot link", options: { typebotId: inner } }]) };
    const author = { token: owner.token, workspaceId: here };
    const drafted = await makeBot({ name: "By draft", ...link });
    const { botId: versioned } = await publish(api.client, author, { name: "By version", ...link });
    const { botId: tried } = await publish(api.client, author, { name: "By canary", ...flow });
    await patch(tried, link);
    expect((await post(`bots/${tried}/publish`, { percent: 10 })).status).toBe(200);
    for (const botId of [versioned, tried]) await patch(botId, flow);
    await makeBot({ name: "Talks of it", ...flowOf([{ id: "t", type: "text", content: { plainText: inner } }]) });
    const linkedFrom = [
      { id: tried, name: "By canary", isPublished: true },
      { id: versioned, name: "By version", isPublished: true },
      { id: drafted, name: "By draft", isPublished: false },
    ];

    expect((await get(`bots/${inner}/linkedBots`)).at("linkedFrom")).toEqual(linkedFrom);
    expect((await post(`bots/${inner}/archive`)).at("linkedFrom")).toEqual(linkedFrom);
    await post(`bots/${inner}/restore`);
    const folderId = await makeFolder(here);
    expect((await post(`bots/${inner}/move`, { folderId })).at("linkedFrom")).toEqual([]);
    expect((await post(`bots/${inner}/move`, { workspaceId: there })).at("linkedFrom")).toEqual(linkedFrom);
    expect((await bulk("move", [inner], { workspaceId: here, folderId })).at("linkedFrom")).toEqual([]);
    // A bot of the same request is not reported as a bot with a broken link.
    expect((await bulk("archive", [inner, drafted])).at("linkedFrom")).toEqual(linkedFrom.slice(0, 2));
    for (const botId of [inner, drafted]) await post(`bots/${botId}/restore`);
    const binned = await api.client.delete(`/api/v1/folders/${folderId}?withContent=true`, { token: owner.token });
    expect(binned.at("linkedFrom")).toEqual(linkedFrom);
    await post(`bots/${inner}/restore`);
    const deleted = await api.client.delete(`/api/v1/bots/${inner}`, { token: owner.token });
    expect(deleted.at("linkedFrom")).toEqual(linkedFrom);
  });

  test("bots that link to a bot are listed only if the caller may read them", async () => {
    const inner = await makeBot({ name: "Inner" });
    const link = flowOf([{ id: "link", type: "Typebot link", options: { typebotId: inner } }]);
    await makeBot({ name: "Secret", ...link });
    const friend = await api.makeUser();
    await api.deps.sql`insert into collaborators (bot_id, user_id, type) values (${inner}, ${friend.userId}, 'READ')`;
    const seen = await api.client.get(`/api/v1/bots/${inner}/linkedBots`, { token: friend.token });
    expect(seen.at("linkedFrom")).toEqual([]);
  });
});

describe("several bots in one request", () => {
  test("several bots in one request are archived, moved and deleted together", async () => {
    const botIds = await Promise.all([makeBot(), makeBot(), makeBot()]);
    const folderId = await makeFolder(there);

    expect((await bulk("move", botIds, { workspaceId: there, folderId })).body).toEqual({
      message: "success",
      count: 3,
      linkedFrom: [],
    });
    expect((await idsIn(there, folderId)).toSorted()).toEqual(botIds.toSorted());
    expect((await bulk("archive", [...botIds, ...botIds])).at("count")).toBe(3);
    expect(await idsIn(there, folderId)).toEqual([]);
    expect((await bulk("delete", botIds)).at("count")).toBe(3);
    expect((await get(`workspaces/${there}/bin`)).at("entries.*.id")).toEqual(expect.arrayContaining(botIds));
  });

  test("several bots in one request are all left unchanged if one bot is refused", async () => {
    const botIds = await Promise.all([makeBot(), makeBot()]);
    const stranger = await api.makeUser();
    const foreign = (
      await api.client.post("/api/v1/bots", {
        token: stranger.token,
        body: { workspaceId: await api.makeWorkspace(stranger), bot: {} },
      })
    ).text("bot.id");

    for (const bad of [foreign, newId(), "nonsense"]) {
      for (const action of ["archive", "delete", "move"]) {
        const answer = await bulk(action, [...botIds, bad], { folderId: null });
        expect(answer.body).toMatchObject({ code: "bot.not_found", data: { botId: bad } });
      }
    }
    expect((await bulk("move", botIds, { folderId: newId() })).at("code")).toBe("folder.not_found");
    expect((await bulk("move", botIds)).at("data.issues.0.path")).toBe("folderId");
    expect((await bulk("archive", [])).at("code")).toBe("request.invalid");
    expect(
      (
        await bulk(
          "archive",
          Array.from({ length: 101 }, () => newId()),
        )
      ).at("code"),
    ).toBe("request.invalid");
    expect((await bulk("paint", botIds)).at("data.issues.0.path")).toBe("action");
    expect(await idsIn(here)).toEqual(expect.arrayContaining(botIds));
  });
});

/** Lets the work lock rows on a separate connection, and repeats the work if the database ended it in a deadlock. */
async function locking(work: (sql: Transaction) => Promise<void>): Promise<void> {
  const locker = connect(api.databaseUrl, { connections: 1 });
  try {
    await inTurn(locker, work);
  } finally {
    await locker.end();
  }
}

async function blocked(): Promise<number> {
  const [row] = await api.deps.sql<[{ count: number }]>`
    select count(*)::integer as count
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}

function get(path: string) {
  return api.client.get(`/api/v1/${path}`, { token: owner.token });
}

function post(path: string, body: object = {}) {
  return api.client.post(`/api/v1/${path}`, { token: owner.token, body });
}

function patch(botId: string, bot: object) {
  return api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
}

function bulk(action: string, botIds: readonly string[], more: object = {}) {
  return post("bots/bulk", { action, botIds, ...more });
}

async function idsIn(workspaceId: string, folderId?: string): Promise<string[]> {
  const query = { workspaceId, limit: 100, ...(folderId && { folderId }) };
  const bots = await api.client.get("/api/v1/bots", { token: owner.token, query });
  return bots.list("bots").map((_, index) => bots.text(`bots.${index}.id`));
}

async function makeBot(bot: object = {}): Promise<string> {
  return (await post("bots", { workspaceId: here, bot })).text("bot.id");
}

async function makeFolder(workspaceId: string): Promise<string> {
  return (await post("folders", { workspaceId })).text("folder.id");
}
