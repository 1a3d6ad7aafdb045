import { afterAll, beforeAll, expect, test } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf } from "../../support/chat.ts";
import { createModelChats, type ModelChats, plantedKey, withVariables } from "../../support/model-chats.ts";

let chats: ModelChats;

beforeAll(async () => {
  chats = await createModelChats();
});
afterAll(() => chats.close());

const tried = async (block: object, body: object = {}) => {
  const { api, token, workspaceId } = chats;
  const bot = { name: "Tried", ...withVariables(flowOf([asks("text input"), block])) };
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot } });
  return api.client.post(`/api/v1/bots/${made.text("bot.id")}/blocks/model/testCall`, { token, body });
};

test("a test call of a model block shows the request and the answer", async () => {
  const [, block = {}] = chats.answers({});
  const { body, at } = await tried(block, { variables: { Name: "Ana" } });

  expect(body).toMatchObject({
    request: { service: "openai", method: "POST", url: "", headers: [] },
    ...{ outcome: "answered", refusal: null, statusCode: null, isCut: false, logs: [] },
    variables: [{ id: idOf("Email"), name: "Email", value: at("data") }],
  });
  expect(at("request.body")).toContain("I am Ana");
  expect(at("data")).toContain("I am Ana");
  expect(JSON.stringify(body)).not.toContain(plantedKey);
});

test("a test call with a rejected key shows the provider's status", async () => {
  const [, block = {}] = chats.answers({ model: "fails-401" });
  const { body, at } = await tried(block);

  expect([at("outcome"), at("statusCode"), at("variables.0.value")]).toEqual(["answered", 401, null]);
  expect(at("logs.0.status")).toBe("error");
  expect(JSON.stringify(body)).not.toContain(plantedKey);
});

test("a test call of a block that makes no call returns the reason", async () => {
  const [, block = {}] = chats.answers({ model: "" });
  const answer = await tried(block);

  expect(answer).toMatchObject({ status: 409, body: { code: "block.no_call" } });
  expect(answer.at("message")).toBe("With its current options, this block makes no call: No model provided.");
});

test("a block that changes data is tried only after a confirmation", async () => {
  const options = { action: "Send Message", credentialsId: idOf("account"), botId: "bot", message: "Hello" };
  const block = { id: "model", type: "chat-node", options };

  expect(await tried(block)).toMatchObject({ status: 409, body: { code: "block.writes" } });
  // These credentials do not exist, so nothing is sent.
  expect((await tried(block, { mayWrite: true })).at("code")).not.toBe("block.writes");
});
