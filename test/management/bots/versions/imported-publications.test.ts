import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventTypes } from "../../../../src/events.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { flowOf, publish, says, start } from "../../../support/chat.ts";
import { putEndpoint, testKey } from "../../../support/events.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let member: TestUser;
let writer: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  member = await api.makeUser({ name: "Mia" });
  writer = await api.makeUser();
  await api.makeWorkspace(writer);
  workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER" });
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const makeBot = async () => {
  const body = { workspaceId, bot: { name: "Moved", ...flowOf([says("Draft")]) } };
  return (await api.client.post("/api/v1/bots", { token: owner.token, body })).text("bot.id");
};
const post = (path: string, body: object = {}, token = owner.token) =>
  api.client.post(`/api/v1/bots/${path}`, { token, body });
const versions = async (botId: string) =>
  (await api.client.get(`/api/v1/bots/${botId}/publications`, { token: owner.token })).list("publications");

const stateOf = async (botId: string) => {
  const listed = await api.client.get("/api/v1/bots", { token: owner.token, query: { workspaceId } });
  return Object(listed.list("bots").find((one) => Object(one).id === botId)).state;
};

const versionOf = (number: number, text: string, more: object = {}) => ({
  ...{ number, createdAt: `2024-05-0${number}T07:00:00.000Z`, publishedBy: member.userId, note: text },
  ...{ overruledRules: ["empty_group"], bot: flowOf([says(text)]) },
  ...more,
});

test("versions are imported with their numbers, times and authors", async () => {
  const botId = await makeBot();
  const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://hooks.example", workspaceId, eventTypes });
  const second = versionOf(2, "Two", { publishedBy: writer.userId, isDraft: true });
  expect((await post(`${botId}/publications/import`, versionOf(4, "Four"))).body).toEqual({ isNew: true });
  expect((await post(`${botId}/publications/import`, second)).body).toEqual({ isNew: true });
  expect((await post(`${botId}/publications/import`, versionOf(4, "Four"))).body).toEqual({ isNew: false });
  const other = await post(`${botId}/publications/import`, versionOf(4, "Another"));
  expect(other.at("code")).toBe("publication.number_taken");

  expect(await versions(botId)).toMatchObject([
    {
      ...{ number: 4, createdAt: "2024-05-04T07:00:00.000Z", note: "Four", publishedByName: "Mia", isDraft: false },
      ...{ isCurrent: false, overruledRules: ["empty_group"] },
    },
    // Only members are stored as authors.
    { number: 2, publishedBy: null, isDraft: true },
  ]);
  const events = await api.deps.sql`select type from event_deliveries where endpoint_id = ${endpointId}`;
  expect(events).toHaveLength(0);
  expect((await post(`${botId}/publish`, { force: true })).at("number")).toBe(5);
});

test("an import of a version with an invalid time or for an archived bot is refused", async () => {
  const botId = await makeBot();
  await api.client.put(`/api/v1/bots/${botId}/collaborators/${writer.userId}`, {
    token: owner.token,
    body: { type: "WRITE" },
  });
  const path = `${botId}/publications/import`;
  expect((await post(path, versionOf(1, "One"), writer.token)).at("code")).toBe("workspace.forbidden");
  const late = await post(path, versionOf(1, "One", { createdAt: "2999-01-01T00:00:00Z" }));
  expect(late.at("data.issues")).toEqual([{ path: "createdAt", message: "must not be in the future" }]);
  await post(`${botId}/archive`);
  expect((await post(path, versionOf(1, "One"))).at("code")).toBe("bot.archived");
  expect(await versions(botId)).toEqual([]);
});

test("an unpublished bot is published with an imported version", async () => {
  const botId = await makeBot();
  const resume = (number: number, body: object = {}) => post(`${botId}/publications/${number}/resume`, body);
  for (const number of [1, 2]) await post(`${botId}/publications/import`, versionOf(number, `Version ${number}`));
  await post(`${botId}/publications/import`, versionOf(3, "A draft", { isDraft: true }));
  expect((await resume(4)).at("code")).toBe("publication.not_found");
  expect((await resume(3)).at("code")).toBe("publication.not_found");
  expect((await resume(1, { canary: { number: 4, percent: 10 } })).at("code")).toBe("publication.not_found");
  expect((await resume(1, { canary: { number: 1, percent: 10 } })).at("data.issues.0.path")).toBe("canary.number");

  const resumed = await resume(1, { canary: { number: 2, percent: 1 } });
  expect(resumed.at("number")).toBe(1);
  expect(
    (await versions(botId)).map((one) => [Object(one).number, Object(one).isCurrent, Object(one).isCanary]),
  ).toEqual([
    [3, false, false],
    [2, false, true],
    [1, true, false],
  ]);
  const canary = await api.client.get(`/api/v1/bots/${botId}/canary`, { token: owner.token });
  expect(canary.at("canary")).toMatchObject({ number: 2, percent: 1, currentNumber: 1 });
  expect(await stateOf(botId)).toBe("changed");
  expect((await resume(2)).at("code")).toBe("bot.already_published");
});

test("a bot whose published version equals its draft is live", async () => {
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flowOf([says("Hello")]));
  const bot = (await api.client.get(`/api/v1/bots/${botId}`, { token: owner.token })).at("bot");
  await post(`${botId}/unpublish`);
  await post(`${botId}/publications/import`, versionOf(2, "Equal", { bot }));
  await post(`${botId}/publications/2/resume`);
  expect((await start(api.client, publicId)).at("messages.*.content.plainText")).toEqual(["Hello"]);
  expect(await versions(botId)).toMatchObject([{ number: 2, isCurrent: true }, { number: 1 }]);
  expect(await stateOf(botId)).toBe("live");
});
