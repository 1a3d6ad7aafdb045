import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { createReader } from "../../../src/chat/threads/aside.ts";
import type { Pool } from "../../../src/chat/threads/pool.ts";
import { openBody, readBody } from "../../../src/core/documents/incoming-body.ts";
import { parseJson } from "../../../src/core/documents/incoming-json.ts";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { ThreadLost } from "../../../src/core/interpreter/step-errors.ts";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { flowOf, says } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const { bodyOnThreadBytes, keyNames, keys } = limits.request;

let api: TestApi;
let threads: Threads;
let user: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { RATE_LIMITS: "off" } });
  user = await api.makeUser();
  workspaceId = await api.makeWorkspace(user);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const flow = () => flowOf([says("Hello")], [says("Bye")]);
/** Pads a text with spaces. A thread parses bodies above the threshold. */
const padded = (text: string) => text.padEnd(bodyOnThreadBytes + 1, " ");
const importing = (rawBody: string) => api.client.post("/api/v1/bots/import", { token: user.token, rawBody });

describe("a large body", () => {
  test("a large body is parsed without blocking other requests", async () => {
    const before = Promise.withResolvers<void>();
    const original = threads.readBody;
    const read = spyOn(threads, "readBody");
    let handedOver = 0;
    read.mockImplementation(async (...given) => {
      handedOver++;
      await before.promise;
      read.mockRestore();
      return original(...given);
    });
    const answered: string[] = [];
    const large = importing(padded(JSON.stringify({ workspaceId, bot: { name: "Large", ...flow() } })));
    const noted = large.then(() => answered.push("large"));
    const small = JSON.stringify({ workspaceId, bot: { name: "Small", ...flow() } });
    expect((await importing(small.padEnd(bodyOnThreadBytes, " "))).text("bot.name")).toBe("Small");
    answered.push("small");
    expect((await api.client.get("/api/healthz")).status).toBe(200);
    answered.push("health");
    await waitFor(() => handedOver === 1, { what: "the large body on its way to the thread" });
    before.resolve();
    await noted;
    expect(answered).toEqual(["small", "health", "large"]);
    expect((await large).text("bot.name")).toBe("Large");
  });

  test.each([
    ["is not JSON", '{"workspaceId": }'],
    ["nests too deeply", `{"workspaceId":"w","other":${"[".repeat(300)}${"]".repeat(300)}}`],
    ["lacks a field", JSON.stringify({ bot: flow() })],
    ["contains an invalid flow", `{"workspaceId":"w","bot":{"groups":[{"id":7}]}}`],
    ["is a list", "[1]"],
    ["is blank", " "],
  ])("a large body is rejected with the same message as a small body if it %s", async (_, text) => {
    const ofWorkspace = text.replace('"w"', JSON.stringify(workspaceId));
    const [small, large] = [await importing(ofWorkspace), await importing(padded(ofWorkspace))];
    expect(small.status).toBe(400);
    expect([large.at("code"), large.at("message"), large.at("data")]).toEqual([
      small.at("code"),
      small.at("message"),
      small.at("data"),
    ]);
  });

  test("a large body is sanitised like a small body, and keeps its keys", async () => {
    const text = `{"workspaceId":"${workspaceId}","__proto__":{"x":1},"bot":{"name":"a\\u0000b\\ud83d","version":"6.1"}}`;
    const read = openBody(readBody(new TextEncoder().encode(padded(text))));
    expect(Object.keys(Object(read))).toEqual(["workspaceId", "__proto__", "bot"]);
    expect(read).toEqual(parseJson(text));
    expect((await importing(padded(text))).text("bot.name")).toBe("a\uFFFDb\uFFFD");
  });

  test("the flow in a large body is checked only once", () => {
    const opened = (bot: object) => Object(openBody(readBody(new TextEncoder().encode(JSON.stringify({ bot })))));
    const { bot } = opened(flow());
    // If the bodies were checked again, the first would be rejected, and the second accepted.
    bot.edges = 7;
    expect(readFlowParts(bot, "bot")).toMatchObject({ edges: 7 });
    expect(() => readFlowParts(bot, "typebot")).toThrow("typebot.edges must be");
    const { bot: wrong } = opened({ edges: 7 });
    wrong.edges = [];
    expect(() => readFlowParts(wrong, "bot")).toThrow("bot.edges must be");
  });
});

describe("the keys of a body", () => {
  const manyNames = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0])));

  test("a body with too many different keys is rejected with the limit", async () => {
    expect(Object.keys(Object(parseJson(manyNames(keyNames))))).toHaveLength(keyNames);
    const refused = await importing(`{"workspaceId":"${workspaceId}","bot":{},"more":[${manyNames(keyNames)}]}`);
    expect([refused.at("code"), refused.at("message")]).toEqual([
      "request.malformed",
      "The body has more than 50,000 different keys.",
    ]);
  });

  test("a body with too many keys is rejected, even if all keys have the same name", () => {
    const many = (count: number) => `[${Array(count).fill('{"a":0}').join()}]`;
    expect(parseJson(many(keys))).toHaveLength(keys);
    expect(() => parseJson(many(keys + 1))).toThrow("The body has more than 500,000 keys.");
  });
});

test("a body is rejected as server.overloaded if its thread is killed or lost", async () => {
  const failing = (error: Error): Pool => ({
    runBatch: () => Promise.reject(error),
    runAside: () => Promise.reject(error),
    state: () => "running",
    close: async () => {},
  });
  for (const error of [new AppError("step.over_budget"), new ThreadLost("It ended")]) {
    const read = createReader(() => failing(error));
    await expect(read({ body: new Uint8Array() }, "somebody")).rejects.toMatchObject({ code: "server.overloaded" });
  }
});
