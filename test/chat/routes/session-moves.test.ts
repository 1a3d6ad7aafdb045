import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
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

const name = asks("text input", { variableId: idOf("Name") });
const before = flowOf([says("Name?"), name, says("Old {{Name}}"), asks("email input")]);
const after = flowOf([says("Name?"), name, says("New {{Name}}"), asks("email input")]);

async function begin() {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, before);
  const started = await start(api.client, bot.publicId);
  return { ...bot, sessionId: started.text("sessionId") };
}

async function publishAgain(botId: string, flow: object) {
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

const move = (sessionId: string, word = "updateBot", token = owner.token) =>
  api.client.post(`/api/v1/sessions/${sessionId}/${word}`, { token });
const texts = async (sessionId: string, message: string) =>
  (await say(api.client, sessionId, message)).at("messages.*.content.plainText");

test.each(["updateBot", "updateTypebot"])("%s moves only the named chat to the published version", async (word) => {
  const chat = await begin();
  const other = await start(api.client, chat.publicId);
  await publishAgain(chat.botId, after);
  expect((await move(chat.sessionId, word)).body).toEqual({ message: "success" });
  expect((await move(chat.sessionId, word)).body).toEqual({ message: "success" });

  expect(await texts(chat.sessionId, "Ana")).toEqual(["New Ana"]);
  expect(await texts(other.text("sessionId"), "Bea")).toEqual(["Old Bea"]);
  expect((await move(chat.sessionId, word)).body).toEqual({ message: "success" });
});

test("a chat that cannot continue in the published version stays unchanged", async () => {
  const chat = await begin();
  await publishAgain(chat.botId, flowOf([says("Mail?"), asks("email input")]));
  const refused = await move(chat.sessionId);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "session.not_movable", data: { obstacle: "input_removed" } },
  });
  expect(await texts(chat.sessionId, "Ana")).toEqual(["Old Ana"]);

  await api.client.post(`/api/v1/bots/${chat.botId}/unpublish`, { token: owner.token });
  expect((await move(chat.sessionId)).at("code")).toBe("bot.not_published");
  const preview = await api.client.post(`/api/v1/bots/${chat.botId}/preview/startChat`, {
    token: owner.token,
    body: {},
  });
  expect((await move(preview.text("sessionId"))).at("data.obstacle")).toBe("preview");
});

test("a busy, expired or ended chat cannot be moved to another version", async () => {
  const chat = await begin();
  await publishAgain(chat.botId, after);
  await api.deps.sql`update sessions set claim_until = clock() + interval '5 seconds' where id = ${chat.sessionId}`;
  expect(await move(chat.sessionId)).toMatchObject({ status: 409, body: { code: "session.busy" } });
  await api.deps.sql`update sessions set claim_until = null where id = ${chat.sessionId}`;
  const stranger = await api.makeUser();
  expect((await move(chat.sessionId, "updateBot", stranger.token)).at("code")).toBe("session.not_found");
  await api.deps.sql`update sessions set expires_at = clock() - interval '1 second' where id = ${chat.sessionId}`;
  expect((await move(chat.sessionId)).at("code")).toBe("session.expired");
  await api.deps.sql`update sessions set is_ended = true where id = ${chat.sessionId}`;
  expect((await move(chat.sessionId)).at("code")).toBe("session.ended");
});
