import { afterAll, beforeAll, expect, test } from "bun:test";
import { botPictures } from "../../../src/management/bots/pictures/pictures.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

const flow = flowOf([says("Hello"), asks("text input", {}, { id: "name" })]);
const draw = () => botPictures(api.deps.sql).removeSome();

async function makeBot(bot: object): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

async function listed(botId: string) {
  const answer = await api.client.get("/api/v1/bots", { token: owner.token, query: { workspaceId } });
  return answer.list("bots").find((bot) => Object(bot).id === botId);
}

async function later(seconds: number): Promise<void> {
  await api.deps.sql`update bots set picture_at = picture_at - make_interval(secs => ${seconds})`;
}

test("the picture of a bot's draft is rendered at most once a minute", async () => {
  const botId = await makeBot({ name: "Drawn", ...flow });
  const before = await listed(botId);
  expect(before).toMatchObject({ picture: null });

  expect(await draw()).toBe(1);
  expect(await draw()).toBe(0);
  expect(await listed(botId)).toEqual({
    ...Object(before),
    picture: { groups: [{ x: 0, y: 0, blocks: "sa" }], edges: [] },
  });

  const longer = { groups: flowOf([says("Hello"), says("again")]).groups };
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: longer } });
  expect(await draw()).toBe(0);
  expect(await listed(botId)).toMatchObject({ picture: { groups: [{ blocks: "sa" }] } });
  await later(61);
  expect(await draw()).toBe(1);
  expect(await listed(botId)).toMatchObject({ picture: { groups: [{ blocks: "ss" }] } });
  await later(61);
  expect(await draw()).toBe(0);
});

test("a copy of a bot gets a separate picture", async () => {
  const botId = await makeBot({ name: "Copied", ...flow });
  await draw();
  const copy = await api.client.post(`/api/v1/bots/${botId}/duplicate`, { token: owner.token, body: {} });
  const exported = await api.client.get(`/api/v1/bots/${botId}/export`, { token: owner.token });
  expect(JSON.stringify(exported.body)).not.toContain("picture");
  expect(await draw()).toBe(1);
  expect(await listed(copy.text("bot.id"))).toMatchObject({ picture: { groups: [{ blocks: "sa" }] } });

  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
  await later(61);
  expect(await draw()).toBe(0);
});

test("the picture of a bot is rendered again after an older node changes the bot", async () => {
  const botId = await makeBot({ name: "Beside", ...flow });
  await draw();
  await later(61);
  // Writes like an older node, which does not support pictures.
  await api.deps.sql`update bots set groups = '[]', revision = revision + 1 where id = ${botId}`;

  expect(await draw()).toBe(1);
  expect(await listed(botId)).toMatchObject({ picture: { groups: [], edges: [] } });
});
