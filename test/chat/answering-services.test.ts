import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { startFakeBlink } from "../fake-providers/blink.ts";
import { startFakeChatNode } from "../fake-providers/chat-node.ts";
import { type FakeDify, startFakeDify } from "../fake-providers/dify.ts";
import { type FakeProvider, type Fault, faults } from "../fake-providers/kit.ts";
import { idOf } from "../support/builder-ids.ts";
import { createServiceChats, plantedServiceKey, type ServiceChats } from "../support/service-chats.ts";

let dify: FakeDify;
let chatNode: FakeProvider;
let blink: FakeProvider;
let chats: ServiceChats;
const accounts = { dify: "", chatNode: "", wrong: "", blink: "" };

beforeAll(async () => {
  [dify, chatNode, blink] = await Promise.all([startFakeDify(), startFakeChatNode(), startFakeBlink()]);
  chats = await createServiceChats([dify, chatNode, blink]);
  accounts.dify = await chats.makeCredentials("dify-ai", { knowledgeApiKey: "knowledge-key-of-dify" });
  accounts.chatNode = await chats.makeCredentials("chat-node");
  accounts.blink = await chats.makeCredentials("blink");
  accounts.wrong = await chats.makeCredentials("chat-node", { apiKey: "wrong-key-of-chatnode-1" });
});
afterAll(async () => {
  await chats.close();
  await Promise.all([dify.close(), chatNode.close(), blink.close()]);
});
afterEach(() => {
  dify.recover();
  chatNode.recover();
  blink.recover();
});

const sends = (options: object = {}) =>
  chats.talk({
    type: "chat-node",
    options: {
      ...{ action: "Send Message", credentialsId: accounts.chatNode, botId: "known-bot", message: "I am {{Name}}" },
      responseMapping: [{ variableId: idOf("Email") }],
      ...options,
    },
  });
const looksUp = (options: object = {}) =>
  chats.talk({
    type: "dify-ai",
    options: {
      ...{ action: "Query Knowledge Base", credentialsId: accounts.dify, datasetId: "known-set", query: "{{Name}}" },
      responseMapping: [{ item: "Retrieved chunks", variableId: idOf("Email") }],
      ...options,
    },
  });

const findsUser = (options: object = {}) =>
  chats.talk({
    type: "blink",
    options: {
      ...{ action: "Get Users", credentialsId: accounts.blink, filter: { value: "u-1" } },
      responseMapping: [{ item: "Email", variableId: idOf("Email") }],
      ...options,
    },
  });

describe("ChatNode: Send Message", () => {
  test("Send Message of ChatNode stores the answer in a variable", async () => {
    expect((await sends()).texts).toEqual(["Went on: 1: I am Ana"]);
    const mapsThread = { responseMapping: [{ item: "Thread ID", variableId: idOf("Email") }] };
    expect((await sends({ ...mapsThread, threadId: "mine" })).texts).toEqual(["Went on: mine"]);
    expect((await sends({ threadId: "mine" })).texts).toEqual(["Went on: 2: I am Ana"]);
    expect(chatNode.asked.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${plantedServiceKey}` },
      json: { message: "I am Ana", chat_session_id: "mine" },
    });
  });

  test.each<[string, object, string]>([
    ["no account", { credentialsId: undefined }, "Could not find credentials for block chat-node"],
    ["no bot", { botId: " " }, "No ChatNode bot is chosen"],
    ["no message", { message: " " }, "No message provided"],
  ])("Send Message of ChatNode sends no request if the block has %s", async (_, options, description) => {
    const before = chatNode.asked.length;
    const { texts, logs } = await sends(options);
    expect([texts, logs.map((log) => log.description)]).toEqual([["Failed: "], [description]]);
    expect(chatNode.asked.length).toBe(before);
  });

  test("Send Message of ChatNode logs the provider's error without the key", async () => {
    expect((await sends({ botId: "../gone" })).logs[0]?.details).toBe("status 400: Bot not found");
    const wrong = await sends({ credentialsId: accounts.wrong });
    expect(wrong.logs[0]?.details).toBe("status 401: Unauthorized");
    expect(wrong.everything).not.toContain("wrong-key-of-chatnode-1");
  });
});

describe("Dify: Query Knowledge Base", () => {
  test("Query Knowledge Base of Dify stores the matching chunks as a list", async () => {
    expect((await looksUp()).texts).toEqual(['Went on: ["The first chunk","About Ana"]']);
    expect((await looksUp({ query: "nothing" })).texts).toEqual(["Went on: []"]);
    expect(dify.asked.at(-1)?.headers["authorization"]).toBe("Bearer knowledge-key-of-dify");
  });

  test("Query Knowledge Base of Dify truncates a query to 250 characters", async () => {
    const { logs } = await looksUp({ query: "é".repeat(251) });
    expect(dify.asked.at(-1)?.json).toEqual({ query: "é".repeat(250) });
    expect(logs.map(({ description }) => description)).toEqual([
      "The text was truncated, because Dify accepts at most 250 characters",
    ]);
  });

  test.each<[string, object, string]>([
    ["no account", { credentialsId: undefined }, "Could not find credentials for block dify-ai"],
    ["no data set", { datasetId: "" }, "No Dify data set is chosen"],
    ["no query", { query: " " }, "No query provided"],
    ["an unknown data set", { datasetId: "unknown" }, "Dify rejected the request"],
  ])("Query Knowledge Base of Dify follows the failure edge if the block has %s", async (_, options, description) => {
    const { texts, logs } = await looksUp(options);
    expect([texts, logs.map((log) => log.description)]).toEqual([["Failed: "], [description]]);
  });
});

describe("Blink: Get Users", () => {
  test("Get Users of Blink finds a user by user id or employee id", async () => {
    expect((await findsUser()).texts).toEqual(["Went on: ana@example.com"]);
    const { path, query, headers } = blink.asked.at(-1) ?? {};
    expect([path, query?.toString(), headers?.["authorization"]]).toEqual([
      ...["/v2/users", "user_id=u-1", `Bearer ${plantedServiceKey}`],
    ]);
    const byNumber = { filter: { by: "Employee ID", value: " 1008" } };
    expect((await findsUser(byNumber)).texts).toEqual(["Went on: bob@example.com"]);
    expect(blink.asked.at(-1)?.query.toString()).toBe("employee_id=1008");
    const withoutItem = { responseMapping: [{ variableId: idOf("Email") }] };
    expect((await findsUser(withoutItem)).texts).toEqual(["Went on: u-1"]);
  });

  test("Get Users of Blink adds a log entry if no user is found", async () => {
    const { texts, logs } = await findsUser({ filter: { by: "Employee ID", value: "u-1" } });
    expect(texts).toEqual(["Went on: "]);
    expect(logs).toMatchObject([{ status: "info", description: "No Blink users were found" }]);
  });

  test.each<[string, object, string]>([
    ["no account", { credentialsId: undefined }, "Could not find credentials for block blink"],
    ["a filter without a value", { filter: { employeeId: "1007" } }, "No Blink user is chosen"],
  ])("Get Users of Blink makes no request if the block has %s", async (_, options, description) => {
    const before = blink.asked.length;
    const { texts, logs } = await findsUser(options);
    expect([texts, logs.map((log) => log.description)]).toEqual([["Failed: "], [description]]);
    expect(blink.asked.length).toBe(before);
  });
});

const sentences: Readonly<Record<Exclude<Fault, "hang">, string>> = {
  ...{ "401": "rejected the request", "403": "rejected the request", "404": "rejected the request" },
  ...{
    "429": "rejected the request",
    "500": "rejected the request",
    "503": "rejected the request",
    cut: "cannot be reached",
  },
  ...{ malformed: "cannot be read", html: "cannot be read" },
};

test.each(faults.filter((fault) => fault !== "hang"))(
  "a block of ChatNode, Dify or Blink follows the failure edge, logs one error and reveals no key (fault: %s)",
  async (fault) => {
    dify.fail(fault, { times: 3 });
    chatNode.fail(fault, { times: 3 });
    blink.fail(fault, { times: 3 });
    for (const { texts, logs, everything } of [await sends(), await looksUp(), await findsUser()]) {
      expect(texts).toEqual(["Failed: "]);
      expect(logs.map(({ status }) => status)).toEqual(["error"]);
      expect(logs[0]?.description).toContain(sentences[fault]);
      expect(everything).not.toMatch(/planted-key|knowledge-key/);
    }
  },
);
