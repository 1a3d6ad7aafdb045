import { afterAll, beforeAll, expect, test } from "bun:test";
import { type FakeDify, startFakeDify } from "../../fake-providers/dify.ts";
import { type Fault, providerUrls } from "../../fake-providers/kit.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createModelChats, type ModelChats } from "../../support/model-chats.ts";

const keys = { apiKey: "app-key-of-dify", knowledgeApiKey: "knowledge-key-of-dify" };

let dify: FakeDify;
let chats: ModelChats;
let credentialsId: string;

beforeAll(async () => {
  dify = await startFakeDify();
  chats = await createModelChats({ PROVIDER_URLS: providerUrls([dify]) });
  credentialsId = await chats.makeCredentials("dify-ai", keys);
});
afterAll(async () => {
  await chats.close();
  await dify.close();
});

const app = (options: object = {}) => ({
  id: "app",
  type: "dify-ai",
  options: {
    action: "Create Chat Message",
    credentialsId,
    query: "I am {{Name}}",
    conversationVariableId: idOf("Age"),
    responseMapping: [{ variableId: idOf("Email") }, { item: "Total Tokens", variableId: idOf("Tags") }],
    ...options,
  },
});

const blocks = (options?: object) => [
  asks("text input", { variableId: idOf("Name") }),
  app(options),
  says("{{Email}} [{{Age}}, {{Tags}}]"),
];

test("a Dify app gets the configured inputs", async () => {
  const inputs = [
    { key: "topic", value: "{{Name}}" },
    { key: " ", value: "left out" },
  ];
  const held = await chats.hold(blocks({ inputs, user: "u-{{Name}}" }));
  expect(held.texts).toEqual(['I am Ana (1, {"topic":"Ana"}) [conversation-1, 12]']);
  const { headers, json } = dify.asked.at(-1) ?? {};
  expect(headers?.["authorization"]).toBe("Bearer app-key-of-dify");
  expect(json).toEqual({
    query: "I am Ana",
    inputs: { topic: "Ana" },
    user: "u-Ana",
    response_mode: "streaming",
    conversation_id: "",
  });
  expect(held.logs).toEqual([]);
  const agent = await chats.hold(blocks({ query: "agent {{Name}}" }));
  expect(agent.texts).toEqual(["agent Ana (1, {}) [conversation-2, 11]"]);
  expect(dify.asked.at(-1)?.json).toMatchObject({ user: "system@typebot.io" });
});

test("a Dify conversation continues within its chat", async () => {
  const { api, token, workspaceId } = chats;
  const flow = flowOf([
    ...blocks(),
    asks("text input", { variableId: idOf("Name") }, { id: idOf("again") }),
    { ...app(), id: "app2" },
    says("{{Email}} [{{Age}}]"),
  ]);
  const more = ["Age", "Tags", "Size"].map((name) => ({ id: idOf(name), name }));
  const bot = await publish(api.client, { token, workspaceId }, { ...flow, variables: [...flow.variables, ...more] });
  const talk = async (between: () => void) => {
    const started = await start(api.client, bot.publicId);
    await say(api.client, started.text("sessionId"), "Ana");
    between();
    const answer = await say(api.client, started.text("sessionId"), "Bea");
    const logs = await api.client.get(`/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`, { token });
    return { texts: answer.at("messages.*.content.plainText"), logs: logs.at("logs.*.description") };
  };
  expect(await talk(() => {})).toEqual({ texts: ["I am Bea (2, {}) [conversation-3]"], logs: [] });
  expect(await talk(() => dify.forget())).toEqual({
    texts: ["I am Bea (1, {}) [conversation-1]"],
    logs: ["The provider no longer has the conversation: a new conversation was started"],
  });
});

test.each<readonly [string, readonly string[], readonly string[]]>([
  ["cut", ["I am cut (1, {}) [conversation, 11]"], ["The answer ends early, because its provider cut it off"]],
  ["moderated", ["I am moderated (1, {}) [conversation, 11]"], ["The provider withheld a part of the answer"]],
  ["broken", ["I am broken (1, {}) [conversation, 11]"], ["The provider rejected the request"]],
])("an answer of Dify that is %s keeps the text that arrived before the end", async (word, texts, logs) => {
  const held = await chats.hold(blocks({ query: `I am ${word}` }));
  const shown = JSON.stringify(held.texts)
    .replace(/conversation-\d+/, "conversation")
    .replace(/\d+\]/, "11]");
  expect(JSON.parse(shown)).toEqual(texts);
  expect(held.logs).toEqual([...logs]);
});

test("a chat shows the partial text of a Dify app that fails", async () => {
  const { api, token, workspaceId } = chats;
  const failing = app({ query: "I am broken", failure: { outgoingEdgeId: "wrong" } });
  const flow = flowOf([...blocks().slice(0, 1), failing, says("{{Email}}"), says("Not here")]);
  const bot = await publish(
    api.client,
    { token, workspaceId },
    {
      ...flow,
      groups: [
        ...flow.groups,
        { ...flow.groups[0], id: "apart", title: "Apart", blocks: [{ ...says("Sorry"), id: "sorry" }] },
      ],
      edges: [...flow.edges, { id: "wrong", from: { blockId: "app" }, to: { groupId: "apart" } }],
      variables: [...flow.variables, ...["Age", "Tags"].map((name) => ({ id: idOf(name), name }))],
    },
  );
  const started = await start(api.client, bot.publicId);
  const answer = await say(api.client, started.text("sessionId"), "Ana");
  const logs = await api.client.get(`/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`, { token });

  expect(answer.at("messages.*.content.plainText")).toEqual(["I am broken (1, {})", "Sorry"]);
  expect(logs.list("logs")).toMatchObject([
    { description: "The provider rejected the request", details: "status 400: Quota exceeded" },
  ]);
});

const sentence = "There is no answer at the moment. Please, try again.";

test.each<readonly [Fault, string]>([
  ["401", "The provider rejected the key"],
  ["403", "The provider rejected the key"],
  ["404", "The provider does not have this model"],
  ["429", "The provider received too many requests from this account"],
  ["500", "The provider is overloaded or not available"],
  ["hang", "The model took too long"],
  ["malformed", "The provider's response cannot be read"],
  ["html", "The provider's response cannot be read"],
  ["cut", "The provider's response cannot be read"],
])("an app that fails with the fault %s shows the visitor one message, and logs the reason", async (fault, log) => {
  dify.fail(fault, { times: 9 });
  const held = await chats.hold(blocks({ timeout: 1 }));
  dify.recover();
  expect(held.texts).toEqual([sentence]);
  expect(held.logs).toEqual([log]);
  expect(held.everything).not.toContain(keys.apiKey);
});

test("a Dify block sends no request without credentials or without a message", async () => {
  const before = dify.asked.length;
  const without = await chats.hold(blocks({ credentialsId: "gone" }));
  expect([without.texts, without.logs]).toEqual([[sentence], ["Could not find credentials for block dify-ai"]]);
  const silent = await chats.hold(blocks({ query: " " }));
  expect(silent.logs).toEqual(["No message provided"]);
  expect(dify.asked.length).toBe(before);
});
