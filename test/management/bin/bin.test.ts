import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

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
  await threads.close();
  await api.close();
});

const flow = flowOf([asks("text input"), asks("number input")]);

describe("an archived bot", () => {
  test("an archived bot continues its running chats, but starts no new ones", async () => {
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const sessionId = (await start(api.client, publicId)).text("sessionId");

    expect((await post(`bots/${botId}/archive`)).at("bot.isArchived")).toBe(true);
    expect((await post(`bots/${botId}/archive`)).at("bot.publicId")).toBe(publicId);

    expect((await start(api.client, publicId)).at("code")).toBe("bot.not_found");
    expect((await say(api.client, sessionId, "Hello")).at("input.type")).toBe("number input");
    expect(await listed({ isArchived: true })).toEqual([botId]);
    expect(await listed({})).not.toContain(botId);
    expect((await get(`bots/${botId}`)).at("bot.isArchived")).toBe(true);
    for (const [method, path, body] of [
      ["PATCH", "", { bot: { name: "New" } }],
      ["POST", "/publish", {}],
      ["POST", "/unpublish", {}],
      ["POST", "/publications/1/publish", {}],
    ] as const) {
      const answer = await api.client.send(method, `/api/v1/bots/${botId}${path}`, { token: owner.token, body });
      expect(answer.at("code")).toBe("bot.archived");
    }

    expect((await post(`bots/${botId}/restore`)).body).toMatchObject({
      bot: { isArchived: false, publicId },
      lostPublicId: null,
    });
    expect((await start(api.client, publicId)).status).toBe(200);
    await remove(`bots/${botId}`);
  });
});

describe("a deleted bot", () => {
  test("a deleted bot is restored with its public ID and results", async () => {
    const folderId = await makeFolder();
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, { ...flow, folderId });
    const started = await start(api.client, publicId);
    await say(api.client, started.text("sessionId"), "Hello");
    await remove(`bots/${botId}`);

    expect((await say(api.client, started.text("sessionId"), "5")).at("code")).toBe("session.ended");
    expect((await start(api.client, publicId)).at("code")).toBe("bot.not_found");
    const bin = await get(`workspaces/${workspaceId}/bin`);
    expect(bin.list("entries")).toContainEqual({
      ...{ kind: "bot", id: botId, name: "Chat", deletedWith: null },
      deletedAt: expect.any(String),
      erasedAt: expect.any(String),
    });
    expect(Date.parse(bin.text("entries.0.erasedAt")) - Date.parse(bin.text("entries.0.deletedAt"))).toBe(
      30 * 86_400_000,
    );

    const [one, other] = await Promise.all([post(`bots/${botId}/restore`), post(`bots/${botId}/restore`)]);
    for (const answer of [one, other]) expect(answer.body).toMatchObject({ bot: { id: botId, publicId, folderId } });
    const results = await get(`bots/${botId}/results`);
    expect(results.at("results.*.answers.0.content")).toEqual(["Hello"]);
    expect((await start(api.client, publicId)).status).toBe(200);
    await remove(`bots/${botId}`);
    await remove(`folders/${folderId}`);
  });

  test("a deleted bot is restored without addresses that another bot now uses", async () => {
    const [outer, inner] = [await makeFolder(), await makeFolder()];
    await patch(`folders/${inner}`, { folder: { parentFolderId: outer } });
    const botId = await makeBot({ publicId: "wanted", customDomain: "wanted.example.com", folderId: inner });
    await post(`bots/${botId}/archive`);
    await remove(`bots/${botId}`);
    await remove(`folders/${inner}`);
    const rival = await makeBot({ publicId: "Wanted", customDomain: "wanted.example.com" });

    expect((await post(`bots/${botId}/restore`)).body).toMatchObject({
      bot: { publicId: null, customDomain: null, isArchived: true, folderId: outer },
      lostPublicId: "wanted",
      lostCustomDomain: "wanted.example.com",
    });
    for (const path of [`bots/${botId}`, `bots/${rival}`, `folders/${outer}`]) await remove(path);
  });

  test("a bot is erased on request, but only from the bin", async () => {
    const botId = await makeBot({});
    await putResult(api.deps.sql, botId, { answers: [{ content: "secret" }] });

    expect((await post(`bots/${botId}/erase`)).at("code")).toBe("bin.not_there");
    await remove(`bots/${botId}`);
    expect((await post(`bots/${botId}/erase`)).body).toEqual({ message: "success", isErased: true });

    expect(await api.deps.sql`select from bots where id = ${botId}`).toHaveLength(0);
    expect(await api.deps.sql`select from answers where bot_id = ${botId}`).toHaveLength(0);
    expect((await post(`bots/${botId}/restore`)).at("code")).toBe("bot.not_found");
  });
});

describe("a deleted folder", () => {
  test("a deleted folder is restored with the content that is still in its parent", async () => {
    const [outer, gone, inside] = [await makeFolder(), await makeFolder(), await makeFolder()];
    await patch(`folders/${gone}`, { folder: { parentFolderId: outer } });
    await patch(`folders/${inside}`, { folder: { parentFolderId: gone } });
    const [stays, leaves] = [await makeBot({ folderId: gone }), await makeBot({ folderId: gone })];

    await remove(`folders/${gone}`);
    expect((await get(`folders/${gone}`)).at("code")).toBe("folder.not_found");
    expect(await listed({ folderId: outer })).toEqual(expect.arrayContaining([stays, leaves]));
    expect((await get(`folders/${inside}`)).at("folder.parentFolderId")).toBe(outer);
    expect((await get(`folders?workspaceId=${workspaceId}&parentFolderId=${outer}`)).at("folders.*.id")).toEqual([
      inside,
    ]);
    await patch(`bots/${leaves}`, { bot: { folderId: null } });
    const refused = await patch(`bots/${leaves}`, { bot: { folderId: gone } });
    expect(refused.at("code")).toBe("folder.not_found");
    expect((await patch(`folders/${inside}`, { folder: { parentFolderId: gone } })).at("code")).toBe(
      "folder.not_found",
    );

    const [one, other] = await Promise.all([post(`folders/${gone}/restore`), post(`folders/${gone}/restore`)]);
    for (const answer of [one, other]) expect(answer.at("folder.parentFolderId")).toBe(outer);
    expect(await listed({ folderId: gone })).toEqual([stays]);
    expect((await get(`folders/${inside}`)).at("folder.parentFolderId")).toBe(gone);
    await remove(`folders/${outer}`, { withContent: true });
    await remove(`bots/${leaves}`);
  });

  test("a folder is deleted and restored with its content on request", async () => {
    const [gone, inside] = [await makeFolder(), await makeFolder()];
    await patch(`folders/${inside}`, { folder: { parentFolderId: gone } });
    const deep = await makeBot({ folderId: inside, publicId: "deep-down" });

    await remove(`folders/${gone}`, { withContent: true });
    for (const path of [`bots/${deep}`, `folders/${inside}`]) expect((await get(path)).status).toBe(404);
    const entries = (await get(`workspaces/${workspaceId}/bin`)).list("entries");
    expect(entries).toContainEqual(expect.objectContaining({ id: deep, deletedWith: gone }));
    expect(entries).toContainEqual(expect.objectContaining({ id: gone, deletedWith: null }));

    expect((await post(`folders/${gone}/restore`)).at("lost")).toEqual([]);
    expect((await get(`bots/${deep}`)).body).toMatchObject({ bot: { folderId: inside, publicId: "deep-down" } });
    expect((await get(`folders/${inside}`)).at("folder.parentFolderId")).toBe(gone);

    await remove(`folders/${gone}`, { withContent: true });
    expect((await post(`folders/${gone}/erase`)).body).toEqual({ message: "success" });
    expect((await post(`bots/${deep}/restore`)).at("code")).toBe("bot.not_found");
    expect((await post(`folders/${inside}/restore`)).at("code")).toBe("folder.not_found");
  });

  test("a folder is erased only from the bin", async () => {
    const folderId = await makeFolder();
    expect((await post(`folders/${folderId}/erase`)).at("code")).toBe("bin.not_there");
    await remove(`folders/${folderId}`);
  });
});

describe("a deleted workspace", () => {
  test("a deleted workspace is restored with its bots and domains", async () => {
    const doomed = await api.makeWorkspace(owner);
    const bound = await api.makeToken(owner.userId, { workspaceId: doomed });
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId: doomed }, flow);
    const deletedBefore = await makeBot({}, doomed);
    await remove(`bots/${deletedBefore}`);
    const domain = await post(`workspaces/${doomed}/custom-domains`, { name: "doomed.example.com" });
    expect((await post(`workspaces/${doomed}/erase`)).at("code")).toBe("bin.not_there");
    await remove(`workspaces/${doomed}`);

    expect((await get("workspaces/bin")).list("workspaces")).toMatchObject([{ id: doomed }]);
    expect((await api.client.get("/api/v1/users/me", { token: bound })).at("code")).toBe("token.invalid");
    expect((await start(api.client, publicId)).at("code")).toBe("bot.not_found");
    const [one, other] = await Promise.all([
      post(`workspaces/${doomed}/restore`),
      post(`workspaces/${doomed}/restore`),
    ]);
    for (const answer of [one, other]) expect(answer.at("workspace.id")).toBe(doomed);

    expect((await start(api.client, publicId)).status).toBe(200);
    expect((await api.client.get(`/api/v1/bots/${botId}`, { token: bound })).at("bot.publicId")).toBe(publicId);
    expect((await get(`bots/${deletedBefore}`)).at("code")).toBe("bot.not_found");
    const domains = await get(`workspaces/${doomed}/custom-domains`);
    expect(domains.list("customDomains")).toMatchObject([{ id: domain.at("customDomain.id"), state: "pending" }]);

    await remove(`workspaces/${doomed}`);
    expect((await post(`workspaces/${doomed}/erase`)).body).toEqual({ message: "success" });
    expect((await get("workspaces/bin")).at("workspaces")).toEqual([]);
    expect((await post(`workspaces/${doomed}/restore`)).at("code")).toBe("workspace.not_found");
  });
});

describe("deleted results", () => {
  test("deleted results can be restored or erased", async () => {
    const botId = await makeBot({});
    const said = (content: string) => putResult(api.deps.sql, botId, { answers: [{ content }], hasStarted: true });
    const [back, gone, living] = [await said("back"), await said("gone"), await said("living")];
    const ids = [back.resultId, gone.resultId];
    await api.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, body: { resultIds: ids } });

    expect((await get(`bots/${botId}/results/bin?limit=1`)).list("results")).toHaveLength(1);
    const bin = await get(`bots/${botId}/results/bin`);
    expect(bin.list("results").toSorted()).toHaveLength(2);
    const restore = { resultIds: `${back.resultId},${living.resultId}` };
    const restored = await Promise.all([1, 2].map(() => post(`bots/${botId}/results/restore`, restore)));
    expect(restored.map((answer) => answer.at("restoredCount")).toSorted()).toEqual([0, 1]);
    const erased = await post(`bots/${botId}/results/erase`, { resultIds: [gone.resultId, living.resultId] });
    expect(erased.body).toEqual({ erasedCount: 1, isComplete: true });

    const results = await get(`bots/${botId}/results`);
    expect(
      [...results.list("results").map((_, at) => results.text(`results.${at}.answers.0.content`))].toSorted(),
    ).toEqual(["back", "living"]);
    expect((await get(`bots/${botId}/results/bin`)).at("results")).toEqual([]);
    expect((await post(`bots/${botId}/results/restore`, {})).at("code")).toBe("request.invalid");
    await remove(`bots/${botId}`);
  });
});

function get(path: string) {
  return api.client.get(`/api/v1/${path}`, { token: owner.token });
}

function post(path: string, body: object = {}) {
  return api.client.post(`/api/v1/${path}`, { token: owner.token, body });
}

function patch(path: string, body: object) {
  return api.client.patch(`/api/v1/${path}`, { token: owner.token, body });
}

function remove(path: string, body: object = {}) {
  return api.client.delete(`/api/v1/${path}`, { token: owner.token, body });
}

async function listed(query: Record<string, string | boolean>): Promise<unknown> {
  return (await api.client.get("/api/v1/bots", { token: owner.token, query: { workspaceId, ...query } })).at(
    "bots.*.id",
  );
}

async function makeBot(bot: object, place = workspaceId): Promise<string> {
  return (await post("bots", { workspaceId: place, bot })).text("bot.id");
}

async function makeFolder(): Promise<string> {
  return (await post("folders", { workspaceId })).text("folder.id");
}
