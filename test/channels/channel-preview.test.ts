import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, publish, says } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";

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

async function makeBot(...blocks: readonly object[]) {
  return await publish(api.client, { token: owner.token, workspaceId }, flowOf(blocks));
}

const show = (botId: string, body: object = {}, token = owner.token) =>
  api.client.post(`/api/v1/bots/${botId}/channelPreview`, { token, body: { channel: "telegram", ...body } });

const tea = {
  id: "tea",
  type: "choice input",
  items: [
    { id: "green", content: "Green" },
    { id: "black", content: "Black tea" },
  ],
};

test("a preview shows the messages that Telegram would send", async () => {
  const { botId } = await makeBot(says("Hello"), says("Which tea?"), tea, says("A good one"), asks("text input"));
  const first = await show(botId);
  const sessionId = first.text("sessionId");
  const second = await show(botId, { sessionId, message: "2." });
  const results = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });

  expect(first.body).toMatchObject({
    messages: [
      { method: "sendMessage", body: { text: "Hello" } },
      {
        method: "sendMessage",
        body: {
          text: "Which tea?",
          reply_markup: {
            inline_keyboard: [
              [
                { text: "Green", callback_data: "1.0" },
                { text: "Black tea", callback_data: "1.1" },
              ],
            ],
          },
        },
      },
    ],
    choices: {
      "1.0": { kind: "reply", text: "green", replyId: "green" },
      "1.1": { kind: "reply", text: "black", replyId: "black" },
    },
    losses: [],
    isWaiting: true,
  });
  expect(second.body).toMatchObject({ sessionId, messages: [{ body: { text: "A good one" } }], isWaiting: true });
  expect(results.at("results")).toEqual([]);
});

test("a preview skips blocks that need a browser", async () => {
  const { botId } = await makeBot(
    says("One"),
    { id: "pause", type: "Wait", options: { secondsToWaitFor: "90", shouldPause: true } },
    { id: "script", type: "Code", options: { content: "document.title" } },
    says("Two"),
    { id: "away", type: "Redirect", options: { url: "javascript:alert(1)" } },
    {
      id: "map",
      type: "embed",
      content: { url: "https://example.com/map", waitForEvent: { isEnabled: true, name: "done" } },
    },
    says("Three"),
  );
  const shown = await show(botId);

  expect(shown.at("messages.*.body.text")).toEqual(["One", "Two", "https://example.com/map", "Three"]);
  expect(shown.at("messages.*.afterSeconds")).toEqual([undefined, 90, undefined, undefined]);
  expect(shown.at("losses")).toEqual(["browser_only", "unsafe_address"]);
  expect(shown.at("isWaiting")).toBe(false);
});

test("a text and the buttons of the next question are sent as one message", async () => {
  const pixel = { id: "p", type: "Code", options: { content: "1" } };
  const { botId } = await makeBot(says("Which tea?"), pixel, tea);
  const alone = await makeBot(pixel, asks("text input"));
  const picture = await makeBot({ id: "i", type: "image", content: { url: "data:image/png;base64,AA" } });

  expect((await show(botId)).body).toMatchObject({
    messages: [{ body: { text: "Which tea?", reply_markup: { inline_keyboard: [[{}, {}]] } } }],
    losses: ["browser_only"],
  });
  expect((await show(alone.botId)).at("messages")).toEqual([]);
  expect(await show(picture.botId)).toMatchObject({ body: { messages: [], losses: ["unsafe_address"] } });
});

test("a text typed in a preview is not used as the result of a pending call", async () => {
  const listens = { id: "l", type: "webhook", options: { responseVariableMapping: [] } };
  const { botId } = await makeBot(says("Wait"), listens, says("It came"));
  const shown = await show(botId);
  const said = await show(botId, { sessionId: shown.text("sessionId"), message: "hello" });

  expect(shown.body).toMatchObject({ messages: [{ body: { text: "Wait" } }], losses: [], isWaiting: false });
  expect(said).toMatchObject({ status: 200, body: { messages: [], isWaiting: false } });
});

test("a preview of the custom channel shows the formatting of a text", async () => {
  const bold = {
    id: "b",
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: "Tea", bold: true }] }] },
  };
  const { botId } = await makeBot(bold, tea);
  const shown = await show(botId, { channel: "webhook" });

  expect(shown.at("messages")).toEqual([
    {
      method: "message",
      body: {
        type: "question",
        text: "Tea",
        spans: [{ kind: "bold", from: 0, length: 3 }],
        asks: {
          kind: "choice",
          choices: [
            { token: "0.0", title: "Green" },
            { token: "0.1", title: "Black tea" },
          ],
        },
      },
    },
  ]);
});

test("a preview rejects live chats and chats of other bots", async () => {
  const { botId, publicId } = await makeBot(asks("text input"));
  const other = await makeBot(asks("text input"));
  const live = await api.client.post(`/api/v1/bots/${publicId}/startChat`, { body: {} });
  const elsewhere = await show(other.botId);
  const stranger = await api.makeUser();

  expect(await show(botId, { sessionId: live.text("sessionId") })).toMatchObject({
    body: { code: "session.not_preview" },
  });
  expect(await show(botId, { sessionId: elsewhere.text("sessionId") })).toMatchObject({ status: 404 });
  expect(await show(botId, { sessionId: "0".repeat(26) })).toMatchObject({ body: { code: "session.not_found" } });
  expect(await show(botId, {}, stranger.token)).toMatchObject({ body: { code: "bot.not_found" } });
  expect(await show(botId, { channel: "pigeon" })).toMatchObject({ body: { code: "request.invalid" } });
});

test("the list of channel types contains the schema of each type", async () => {
  const { body } = await api.client.get("/api/v1/channel-types", { token: owner.token });

  expect(body).toMatchObject({
    channelTypes: [
      { type: "telegram", secrets: { properties: { botToken: { title: "Bot token" } } } },
      { type: "webhook", settings: { properties: { url: { title: "URL of your service" } } } },
    ],
  });
});
