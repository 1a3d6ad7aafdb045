import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { createDependencies, type Dependencies } from "../../src/dependencies.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { testKey } from "../support/events.ts";
import { cleanupStack } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

const apiKey = "sk-planted-0123456789-4f2a";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let model: FakeModel;
let credentialsId: string;
const cleanups = cleanupStack();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  model = await startFakeModel();
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  credentialsId = await makeCredentials("openai", { apiKey, baseUrl: model.baseUrl });
});
afterEach(cleanups.run);
afterAll(async () => {
  await threads.close();
  await api.close();
  await model.close();
});

async function makeCredentials(type: string, data: object): Promise<string> {
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: { type, name: "Ours", data },
  });
  return made.text("credentials.id");
}

/** Asks the visitor's name, a model what it says to that, and shows its answer. */
const answers = (options: object, type = "openai") => [
  asks("text input", { variableId: "v-Name" }),
  {
    id: "model",
    type,
    options: {
      action: "Create chat completion",
      credentialsId,
      model: "echo",
      messages: [
        { id: "m1", role: "user", content: "I am {{Name}}" },
        { id: "m2", role: "system", content: "Be kind" },
      ],
      responseMapping: [{ id: "r1", variableId: "v-Email" }],
      ...options,
    },
  },
  says("Answer: {{Email}}"),
];

async function hold(blocks: readonly object[], said = "Ana") {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flowOf(blocks));
  const started = await start(api.client, bot.publicId);
  const asked = model.asked.length;
  const answer = await say(api.client, started.text("sessionId"), said);
  const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
  const logs = await api.client.get(path, { token: owner.token });
  return {
    texts: answer.at("messages.*.content.plainText"),
    asked: model.asked.slice(asked),
    logs: logs.at("logs.*.description"),
    /** All that anybody can read of it. */
    everything: JSON.stringify([answer.body, logs.body]),
  };
}

describe("a model's answer", () => {
  test("goes into a variable, and the next bubble shows it", async () => {
    const { texts, asked, logs } = await hold(answers({ temperature: "0.5" }));

    expect(texts).toEqual(["Answer: You said: I am Ana"]);
    expect(logs).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers["authorization"]).toBe(`Bearer ${apiKey}`);
    expect(asked[0]?.body).toMatchObject({
      model: "echo",
      temperature: 0.5,
      messages: [
        { role: "system", content: "Be kind" },
        { role: "user", content: "I am Ana" },
      ],
    });
  });

  test.each(["groq", "deepseek", "perplexity"])("comes from a block of %s, too", async (type) => {
    const own = await makeCredentials(type, { apiKey, baseUrl: model.baseUrl });

    expect((await hold(answers({ credentialsId: own }, type))).texts).toEqual(["Answer: You said: I am Ana"]);
  });

  test("counts its tokens for variables", async () => {
    const responseMapping = [{ id: "r", item: "Total tokens", variableId: "v-Email" }];

    expect((await hold(answers({ responseMapping }))).texts).toEqual(["Answer: 16"]);
  });

  test("is asked for with the turns of a dialogue, by position", async () => {
    const sets = {
      id: "sets",
      type: "Set variable",
      options: { variableId: "v-Email", expressionToEvaluate: 'return ["One", "", "Three", "Four"]', isCode: true },
    };
    const messages = [{ id: "d", role: "Dialogue", dialogueVariableId: "v-Email" }];
    const { asked } = await hold([asks("text input"), sets, ...answers({ messages }).slice(1)]);

    expect(asked[0]?.body["messages"]).toEqual([
      { role: "user", content: "One" },
      { role: "user", content: "Three" },
      { role: "assistant", content: "Four" },
    ]);
  });

  test("is not asked for with what a visitor types as a template", async () => {
    const { asked } = await hold(answers({}), "{{Email}} {{secret.KEY}}");

    expect(asked[0]?.body["messages"]).toContainEqual({ role: "user", content: "I am {{Email}} {{secret.KEY}}" });
  });

  test.each<[string, string, string[]]>([
    ["thinking", "You said: I am Ana", []],
    ["long", "You said: I am Ana", ["The answer reached the most that it may have, and ends there"]],
    ["filtered", "You said: I am Ana", ["The provider withheld a part of the answer"]],
    ["cut", "You said:", ["The answer was cut off by its provider, and ends there"]],
    ["endless", "You said: I am Ana", ["The answer was cut off by its provider, and ends there"]],
    ["untold", "You said: I am Ana", []],
    ["fails-429-once", "You said: I am Ana", []],
    ["reads-badly", "You said: I am Ana", []],
  ])("of the model %s is told as it is", async (name, text, logged) => {
    const { texts, logs } = await hold(answers({ model: name }));

    expect(texts).toEqual([`Answer: ${text}`]);
    expect(logs).toEqual(logged);
  });
});

describe("where there is no answer", () => {
  test.each<[string, string, number]>([
    ["fails-401", "The provider refused the key", 1],
    ["fails-402", "The account at the provider has no credit", 1],
    ["fails-400", "The provider refused the request", 1],
    ["fails-413", "The conversation is too long for the model", 1],
    ["fails-500", "The provider is overloaded or out of order", 3],
    ["page", "The provider is overloaded or out of order", 3],
    ["elsewhere", "The provider's answer cannot be read", 1],
    ["empty", "The model's answer is empty", 3],
    ["unreadable", "The provider's answer cannot be read", 3],
    ["nobody-knows-it", "The provider does not know the model", 1],
  ])("as of the model %s, the log says why, and the variable is emptied", async (name, why, calls) => {
    const sets = {
      id: "sets",
      type: "Set variable",
      options: { variableId: "v-Email", expressionToEvaluate: "before" },
    };
    const [asksName, block, bubble] = answers({ model: name });
    const { texts, logs, asked, everything } = await hold(
      [asksName, sets, block, bubble].filter((one) => one !== undefined),
    );

    expect(texts).toEqual(["Answer: "]);
    expect(logs).toEqual([why]);
    expect(asked).toHaveLength(calls);
    expect(everything).not.toContain(apiKey);
  });

  test.each<[string, object, string]>([
    ["an action", { action: undefined }, "openai is not configured"],
    ["a model", { model: " " }, "No model provided"],
    ["messages", { messages: [{ id: "m", role: "user", content: " " }] }, "No messages provided"],
    ["credentials", { credentialsId: undefined }, "Could not find credentials for block openai"],
    ["credentials that are there", { credentialsId: "nobody" }, "Could not find credentials for block openai"],
  ])("since the block has no %s, nothing is called", async (_, options, why) => {
    const { logs, asked } = await hold(answers(options));

    expect(logs).toEqual([why]);
    expect(asked).toEqual([]);
  });

  test("since the block names another server, its credentials' key goes to nobody", async () => {
    const { logs, asked, everything } = await hold(answers({ baseUrl: "https://elsewhere.example/v1" }));

    expect(logs).toEqual(["The model was not called, because its address is not allowed"]);
    expect(everything).toContain("https://elsewhere.example");
    expect(asked).toEqual([]);
  });

  test("since its credentials are another type's, nothing is called", async () => {
    const own = await makeCredentials("groq", { apiKey, baseUrl: model.baseUrl });
    const { logs, asked } = await hold(answers({ credentialsId: own }));

    expect(logs).toEqual(["Could not find credentials for block openai"]);
    expect(asked).toEqual([]);
  });
});

test("an answer that was paid for is not asked for again where the node dies before it saves the step", async () => {
  const standingStill = { seconds: 0.3, renewMs: 600_000 };
  const node = (more: Partial<Dependencies>): Client => {
    const app = createApp({ ...createDependencies(api.deps), ...more });
    return createClient({ handle: (request) => app.handle(request) });
  };
  const dead = Promise.withResolvers<boolean>();
  cleanups.add(() => dead.resolve(false));
  let saves = 0;
  const save = () => {
    saves++;
    return dead.promise;
  };
  const dying = node({
    claimTimes: standingStill,
    saves: { ...api.deps.saves, steps: { ...api.deps.saves.steps, save } },
  });
  const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flowOf(answers({})));
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  const options = { headers: { "Idempotency-Key": "the-same" } };
  const asked = model.asked.length;

  const lost = say(dying, sessionId, "Ana", options);
  await waitFor(() => saves === 1);
  const answer = await say(node({}), sessionId, "Ana", options);
  dead.resolve(false);

  expect(answer.at("messages.*.content.plainText")).toEqual(["Answer: You said: I am Ana"]);
  expect((await lost).body).toEqual(answer.body);
  expect(model.asked.length - asked).toBe(1);
  await waitFor(async () => (await api.deps.sql`select from effect_reports`).length === 0);
});

test("nothing of the library is loaded before a model is called", async () => {
  const app = JSON.stringify(join(import.meta.dir, "../../src/app.ts"));
  const program = `await import(${app}); console.log(Object.keys(require.cache).filter((path) => /model-call|@ai-sdk/.test(path)).join())`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program]);

  expect(stdout.toString().trim()).toEndWith("src/effects/model-call.ts");
  expect(stdout.toString()).not.toContain("@ai-sdk");
});
