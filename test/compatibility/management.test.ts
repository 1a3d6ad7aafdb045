import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import type { Operation } from "../../src/management/operations/operation.ts";
import { operations } from "../../src/service/operations.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, nameAndEmail, say, says } from "../support/chat.ts";
import { type Answer, valueAt } from "../support/client.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { publishTypebot } from "./bot.ts";

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

const make = (typebot: object): Promise<Answer> =>
  api.client.post("/api/v1/typebots", { token: owner.token, body: { workspaceId, typebot } });
const get = (path: string, query = {}) => api.client.get(`/api/v1/typebots${path}`, { token: owner.token, query });
const patch = (typebotId: string, body: object) =>
  api.client.patch(`/api/v1/typebots/${typebotId}`, { token: owner.token, body });

/** Names of this product that no response of these paths may contain, except in texts of authors. */
const ownWords = ["bot", "bots", "botId", "publishedBot", "publishedBotId", "messengerCredentialsId"];

describe("a bot on /typebots", () => {
  test("a bot on /typebots has the reference product's field names", async () => {
    const made = await make({
      name: "Shop",
      settings: { whatsApp: { isEnabled: true }, metadata: { googleTagManagerId: "GTM-1" } },
    });

    expect(made.at("typebot")).toMatchObject({
      name: "Shop",
      workspaceId,
      whatsAppCredentialsId: null,
      spaceId: null,
      settings: { whatsApp: { isEnabled: true }, metadata: { googleTagManagerId: "GTM-1" } },
    });
    const got = await get(`/${made.text("typebot.id")}`);
    expect(got.body).toEqual({ typebot: made.at("typebot"), currentUserMode: "write" });
    expect(namesIn(got.body).filter((name) => ownWords.includes(name))).toEqual([]);
  });

  test("a bot on /typebots is the same bot as on /bots, with other field names", async () => {
    const made = await make({ settings: { whatsApp: { isEnabled: true } } });
    const { spaceId: _, whatsAppCredentialsId, ...theirs } = record(made.at("typebot"));
    const ours = await api.client.get(`/api/v1/bots/${made.text("typebot.id")}`, { token: owner.token });

    expect(ours.at("bot")).toEqual({
      ...theirs,
      // Fields that only this product's editors use.
      publicationNumber: null,
      revision: 0,
      editor: null,
      messengerCredentialsId: whatsAppCredentialsId,
      settings: { messenger: { isEnabled: true } },
    });
  });

  test("a bot on /typebots keeps texts that equal API names", async () => {
    const link = { id: "link", type: "Typebot link", options: { typebotId: "other", groupId: "g", botId: "kept" } };
    const theme = { bot: { bots: 1 }, typebot: 2 };
    const made = await make({ ...flowOf([link]), theme });

    expect(made.at("typebot.groups.0.blocks.0")).toEqual(link);
    expect(made.at("typebot.theme")).toEqual(theme);
  });

  test("a bot on /typebots is changed field by field", async () => {
    const made = await make({ name: "Shop" });
    const typebotId = made.text("typebot.id");
    const changed = await patch(typebotId, {
      typebot: { whatsAppCredentialsId: "wa", isClosed: true, updatedAt: made.text("typebot.updatedAt") },
    });
    const late = await patch(typebotId, { typebot: { name: "Late", updatedAt: made.text("typebot.updatedAt") } });
    const forced = await patch(typebotId, {
      typebot: { whatsAppCredentialsId: null, updatedAt: made.text("typebot.updatedAt") },
      overwrite: true,
    });

    expect(changed.at("typebot")).toMatchObject({ name: "Shop", whatsAppCredentialsId: "wa", isClosed: true });
    expect(late).toMatchObject({ status: 409, body: { code: "bot.conflict" } });
    expect(late.at("data.updatedAt")).toBe(changed.at("typebot.updatedAt"));
    expect(forced.at("typebot")).toMatchObject({ whatsAppCredentialsId: null, isClosed: true });
  });

  test("a bot on /typebots can have an empty name, which existing clients send", async () => {
    expect((await make({ name: "" })).at("typebot.name")).toBe("");
  });

  test("an invalid bot on /typebots is rejected with the request's field names", async () => {
    const wrong = await make({ name: 5, groups: [{ id: 1 }] });
    const missing = await api.client.post("/api/v1/typebots", { token: owner.token, body: { workspaceId, bot: {} } });

    expect(wrong).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(wrong.at("data.issues.*.path")).toEqual(["typebot.groups[0].id", "typebot.name"]);
    expect(missing.at("data.issues")).toEqual([{ path: "typebot", message: "is required" }]);
    const closing = await make({});
    expect(await patch(closing.text("typebot.id"), { typebot: { whatsAppCredentialsId: 5 } })).toMatchObject({
      status: 400,
      body: { data: { issues: [{ path: "typebot.whatsAppCredentialsId" }] } },
    });
  });

  test("a bot on /typebots accepts names of built-in properties as ordinary keys", async () => {
    const theme = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    const made = await make({ theme });

    expect(JSON.stringify(made.at("typebot.theme"))).toBe(JSON.stringify(theme));
    const odd = await api.client.post("/api/v1/typebots", {
      token: owner.token,
      rawBody: `{"workspaceId":"${workspaceId}","typebot":{},"constructor":1,"__proto__":{"x":1}}`,
    });
    expect(odd.status).toBe(200);
  });

  test("a bot on /typebots is listed, imported and deleted", async () => {
    const apart = await api.makeWorkspace(owner);
    const { typebotId } = await publishTypebot(api.client, { token: owner.token, workspaceId: apart }, nameAndEmail);
    const file = (await get(`/${typebotId}`)).at("typebot");
    const imported = await api.client.post("/api/v1/typebots/import", {
      token: owner.token,
      body: { workspaceId: apart, typebot: file },
    });
    const listed = await get("", { workspaceId: apart });

    expect(imported.at("typebot")).toMatchObject({ name: "Chat", publicId: null, spaceId: null });
    expect(imported.text("typebot.id")).not.toBe(typebotId);
    expect(listed.at("typebots.*.id")).toEqual(expect.arrayContaining([typebotId, imported.text("typebot.id")]));
    expect(listed.list("typebots").find((entry) => valueAt(entry, "id") === typebotId)).toMatchObject({
      spaceId: null,
      accessRight: "write",
      publishedTypebotId: expect.stringMatching(/^[0-9a-z]{26}$/),
    });
    const deleted = await api.client.delete(`/api/v1/typebots/${typebotId}`, { token: owner.token });
    expect(deleted.at("message")).toBe("success");
    expect(await get(`/${typebotId}`)).toMatchObject({ status: 404, body: { code: "bot.not_found" } });
  });

  test("a bot on /typebots is published and unpublished", async () => {
    const { typebotId } = await publishTypebot(api.client, { token: owner.token, workspaceId }, nameAndEmail);
    const published = await get(`/${typebotId}/publishedTypebot`);
    const again = await api.client.post(`/api/v1/typebots/${typebotId}/publish`, { token: owner.token, body: {} });
    const taken = await api.client.post(`/api/v1/typebots/${typebotId}/unpublish`, { token: owner.token });

    expect(published.body).toMatchObject({
      publishedTypebot: { typebotId, version: "6.1", lastActivityAt: null },
      version: "6.1",
    });
    expect(again.body).toMatchObject({ message: "success", publishedTypebot: { version: "6.1" }, warnings: [] });
    expect(taken.body).toEqual({ message: "success" });
    expect((await get(`/${typebotId}/publishedTypebot`)).body).toEqual({ publishedTypebot: null, version: "3" });
  });

  test("the list of bots on /typebots is complete if the request has no limit", async () => {
    const apart = await api.makeWorkspace(owner);
    for (let count = 0; count < limits.lists.defaultPageSize + 1; count++) {
      await api.client.post("/api/v1/typebots", { token: owner.token, body: { workspaceId: apart, typebot: {} } });
    }

    expect((await get("", { workspaceId: apart })).list("typebots")).toHaveLength(limits.lists.defaultPageSize + 1);
    expect((await get("", { workspaceId: apart, limit: 10 })).list("typebots")).toHaveLength(10);
  });

  test("a bot on /typebots lists its collaborators", async () => {
    const made = await make({});
    const typebotId = made.text("typebot.id");
    const reader = await api.makeUser({ name: "Reader" });
    await api.client.put(`/api/v1/bots/${typebotId}/collaborators/${reader.userId}`, {
      token: owner.token,
      body: { type: "READ" },
    });

    expect((await get(`/${typebotId}/collaborators`)).at("collaborators")).toMatchObject([
      { typebotId, userId: reader.userId, type: "READ", user: { name: "Reader" } },
    ]);
  });
});

describe("results on /typebots", () => {
  test("results on /typebots include only visitors who answered", async () => {
    const { typebotId, publicId } = await publishTypebot(api.client, { token: owner.token, workspaceId }, nameAndEmail);
    const begin = () => api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    const silent = await begin();
    const spoken = await begin();
    await say(api.client, spoken.text("sessionId"), "Ada");

    const theirs = await get(`/${typebotId}/results`, { limit: 500, cursor: "0" });
    const ours = await api.client.get(`/api/v1/bots/${typebotId}/results`, { token: owner.token });
    expect(theirs.at("results.*.id")).toEqual([spoken.text("resultId")]);
    expect(theirs.at("results.0")).toMatchObject({ typebotId, hasStarted: true, lastChatSessionId: null });
    const keys = ["id", "createdAt", "typebotId", "variables", "isCompleted", "hasStarted", "isArchived"];
    expect(Object.keys(Object(theirs.at("results.0")))).toEqual(
      [...keys, "tags", "note", "answers", "lastChatSessionId"], // no publicationNumber
    );
    expect(ours.at("results.*.publicationNumber")).toEqual([1, 1]);
    const [bot] = (await get("", { workspaceId })).list("typebots");
    expect(bot).toMatchObject({ publicationNumber: 1 });
    expect(ours.at("results.*.id")).toEqual([spoken.text("resultId"), silent.text("resultId")]);
    expect(await get(`/${typebotId}/results`, { limit: 501 })).toMatchObject({ status: 400 });
    expect(
      await api.client.get(`/api/v1/bots/${typebotId}/results`, { token: owner.token, query: { limit: 500 } }),
    ).toMatchObject({
      status: 400,
    });
  });

  test("results on /typebots are returned in pages", async () => {
    const { typebotId, publicId } = await publishTypebot(api.client, { token: owner.token, workspaceId }, nameAndEmail);
    const spoken: string[] = [];
    for (const answers of [true, false, true, false, true]) {
      const begun = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
      if (answers) {
        await say(api.client, begun.text("sessionId"), "Ada");
        spoken.unshift(begun.text("resultId"));
      }
    }
    const first = await get(`/${typebotId}/results`, { limit: 2 });
    const second = await get(`/${typebotId}/results`, { limit: 2, cursor: first.text("nextCursor") });

    expect([first.at("results.*.id"), second.at("results.*.id")]).toEqual([spoken.slice(0, 2), spoken.slice(2)]);
    expect(second.at("nextCursor")).toBeUndefined();
  });

  test("a result on /typebots can be read and deleted", async () => {
    const { typebotId, publicId } = await publishTypebot(api.client, { token: owner.token, workspaceId }, nameAndEmail);
    const begun = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    const resultId = begun.text("resultId");
    await say(api.client, begun.text("sessionId"), "Ada");

    expect((await get(`/${typebotId}/results/${resultId}`)).at("result")).toMatchObject({ id: resultId, typebotId });
    expect((await get(`/${typebotId}/results/${resultId}/logs`)).body).toEqual({ logs: [] });
    const deleted = await api.client.delete(`/api/v1/typebots/${typebotId}/results`, {
      token: owner.token,
      query: { resultIds: resultId },
    });
    expect(deleted.body).toEqual({ deletedCount: 1, isComplete: true });
    expect(await get(`/${typebotId}/results/${resultId}`)).toMatchObject({ status: 404 });
  });
});

describe("chats on /typebots", () => {
  test("chats on /typebots use the reference product's format", async () => {
    const settings = { metadata: { googleTagManagerId: "GTM-1" } };
    const flow = { ...nameAndEmail, settings };
    const { typebotId, publicId } = await publishTypebot(api.client, { token: owner.token, workspaceId }, flow);
    const begun = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    const next = await say(api.client, begun.text("sessionId"), "Ada");
    const session = await api.client.get(`/api/v1/sessions/${begun.text("sessionId")}`);

    expect(begun.at("typebot")).toMatchObject({
      id: typebotId,
      version: "6.1",
      settings,
      publishedAt: expect.any(String),
    });
    expect(begun.at("bot")).toBeUndefined();
    expect(namesIn(next.body).filter((name) => ownWords.includes(name))).toEqual([]);
    expect(session.at("session.bot")).toEqual(begun.at("typebot"));
  });

  test("a preview on /typebots runs the draft or the flow in the request", async () => {
    const made = await make(flowOf([says("Draft"), asks("text input")]));
    const typebotId = made.text("typebot.id");
    const path = `/api/v1/typebots/${typebotId}/preview/startChat`;
    const draft = await api.client.post(path, { token: owner.token, body: { isStreamEnabled: true } });
    const named = await api.client.post(path, { token: owner.token, body: { typebot: typebotId } });
    const supplied = await api.client.post(path, {
      body: { typebot: { ...flowOf([says("Mine"), asks("text input")]), id: "mine" }, sessionId: "wished" },
    });

    expect(draft.at("messages.*.content.plainText")).toEqual(["Draft"]);
    expect(named.at("messages.*.content.plainText")).toEqual(["Draft"]);
    expect(supplied.at("messages.*.content.plainText")).toEqual(["Mine"]);
    expect(supplied.at("typebot.id")).toBe(typebotId);
    const wrong = await api.client.post(path, { body: { typebot: { groups: [{ id: 5 }] } } });
    expect(wrong).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(wrong.at("data.issues.0.path")).toStartWith("typebot.");
  });
});

describe("the two API formats", () => {
  const compatible = operations.filter(
    ({ path }) => path.startsWith("/api/v1/typebots") || path.endsWith("/updateTypebot"),
  );

  test("each operation on /typebots has a Parley operation with equal rules", () => {
    const twins = compatible.flatMap(({ method, path }) => {
      const own = path
        .replace("/typebots", "/bots")
        .replace(":typebotId", ":botId")
        .replace(/([a-z])Typebot/, "$1Bot");
      return operations.filter((operation) => operation.method === method && operation.path === own);
    });
    expect(compatible).toHaveLength(29);
    expect(compatible.map(rulesOf)).toEqual(twins.map(rulesOf));
  });

  test("the two API formats are documented in separate groups", () => {
    expect([...new Set(compatible.map(({ tag }) => tag))]).toEqual(["Compatible paths"]);
    const others = operations.filter(({ path }) => path.startsWith("/api/v1/bots"));
    expect(others.some(({ tag }) => tag === "Compatible paths")).toBe(false);
  });

  test("the documentation of the compatible paths contains no Parley names", () => {
    const documented = compatible.flatMap(({ body, bodyExample, answer, answerExample }) => [
      ...namesIn(JSON.parse(JSON.stringify([body ?? {}, answer]))),
      ...namesIn([bodyExample, answerExample]),
    ]);
    expect(documented.filter((name) => ownWords.includes(name))).toEqual([]);
  });
});

function rulesOf({ method, summary, auth, host, errors }: Operation) {
  return { method, summary, kind: auth.kind, scope: auth.scope, host, errors };
}

function namesIn(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

function record(value: unknown): Record<string, unknown> {
  return { ...Object(value) };
}
