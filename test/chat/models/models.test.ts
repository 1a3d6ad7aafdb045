import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies, type Dependencies } from "../../../src/service/dependencies.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { plantedKey as apiKey, createModelChats, type ModelChats } from "../../support/model-chats.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

let chats: ModelChats;
const cleanups = cleanupStack();

beforeAll(async () => {
  chats = await createModelChats();
});
afterEach(cleanups.run);
afterAll(() => chats.close());

const hold: ModelChats["hold"] = (...args) => chats.hold(...args);
const answers: ModelChats["answers"] = (...args) => chats.answers(...args);

describe("a model's answer", () => {
  test("a model's answer is stored in a variable", async () => {
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

  test.each(["groq", "deepseek", "perplexity"])("a model's answer can come from a block of %s", async (type) => {
    const own = await chats.makeCredentials(type, { apiKey, baseUrl: chats.model.baseUrl });

    expect((await hold(answers({ credentialsId: own }, type))).texts).toEqual(["Answer: You said: I am Ana"]);
  });

  const formula = String.raw`\int and \neq`;
  const kept = { exact: `You said: ${formula}`, escaped: `You said: \\${formula}` };

  test.each<[keyof typeof kept, string, "bots" | "typebots", object[]]>([
    ["exact", "the page reads the answer as Markdown", "bots", []],
    ["escaped", "an existing client reads the answer", "typebots", []],
    [
      "escaped",
      "the visitor may also write the variable",
      "bots",
      [asks("email input", { variableId: idOf("Email") })],
    ],
  ])("a model's answer is stored with %s backslashes if %s", async (how, _, spelling, more) => {
    const { api, token, workspaceId } = chats;
    const blocks = answers({ messages: [{ id: "m", role: "user", content: formula }] });
    const { botId, publicId } = await publish(api.client, { token, workspaceId }, flowOf([...blocks, ...more]));
    const started = await api.client.post(`/api/v1/${spelling}/${publicId}/startChat`, { body: {} });
    await say(api.client, started.text("sessionId"), "Ana");

    const path = `/api/v1/bots/${botId}/results/${started.text("resultId")}`;
    const variables = (await api.client.get(path, { token })).list("result.variables");
    expect(variables).toContainEqual(expect.objectContaining({ name: "Email", value: kept[how] }));
  });

  test("the number of tokens of a model's answer is stored in a variable", async () => {
    const responseMapping = [{ id: "r", item: "Total tokens", variableId: idOf("Email") }];

    expect((await hold(answers({ responseMapping }))).texts).toEqual(["Answer: 16"]);
  });

  test("a model's answer is requested with the turns of a dialogue, in order", async () => {
    const sets = {
      id: "sets",
      type: "Set variable",
      options: { variableId: idOf("Email"), expressionToEvaluate: 'return ["One", "", "Three", "Four"]', isCode: true },
    };
    const messages = [{ id: "d", role: "Dialogue", dialogueVariableId: idOf("Email") }];
    const { asked } = await hold([asks("text input"), sets, ...answers({ messages }).slice(1)]);

    expect(asked[0]?.body["messages"]).toEqual([
      { role: "user", content: "One" },
      { role: "user", content: "Three" },
      { role: "assistant", content: "Four" },
    ]);
  });

  test("variables in a visitor's text are not replaced in a request to a model", async () => {
    const { asked } = await hold(answers({}), "{{Email}} {{secret.KEY}}");

    expect(asked[0]?.body["messages"]).toContainEqual({ role: "user", content: "I am {{Email}} {{secret.KEY}}" });
  });

  test.each<[string, string, string[]]>([
    ["thinking", "You said: I am Ana", []],
    ["long", "You said: I am Ana", ["The answer ends early, because it reached its maximum length"]],
    ["filtered", "You said: I am Ana", ["The provider withheld a part of the answer"]],
    ["cut", "You said:", ["The answer ends early, because its provider cut it off"]],
    ["endless", "You said: I am Ana", ["The answer ends early, because its provider cut it off"]],
    ["untold", "You said: I am Ana", []],
    ["fails-429-once", "You said: I am Ana", []],
    ["reads-badly", "You said: I am Ana", []],
  ])(
    "the text from the model %s is stored, with a log entry if the answer is incomplete",
    async (name, text, logged) => {
      const { texts, logs } = await hold(answers({ model: name }));

      expect(texts).toEqual([`Answer: ${text}`]);
      expect(logs).toEqual(logged);
    },
  );
});

describe("a failed or omitted model call", () => {
  test.each<[string, string, number]>([
    ["fails-401", "The provider rejected the key", 1],
    ["fails-402", "The account at the provider has no credit", 1],
    ["fails-400", "The provider rejected the request", 1],
    ["fails-413", "The conversation is too long for the model", 1],
    ["fails-500", "The provider is overloaded or not available", 3],
    ["page", "The provider is overloaded or not available", 3],
    ["elsewhere", "The provider's response cannot be read", 1],
    ["empty", "The model's answer is empty", 3],
    ["unreadable", "The provider's response cannot be read", 3],
    ["nobody-knows-it", "The provider does not have this model", 1],
  ])(
    "a failed call of the model %s is logged with the reason, shows a notice, and empties the answer's variable",
    async (name, why, calls) => {
      const sets = {
        id: "sets",
        type: "Set variable",
        options: { variableId: idOf("Email"), expressionToEvaluate: "before" },
      };
      const [asksName, block, bubble] = answers({ model: name });
      const { texts, logs, asked, everything } = await hold(
        [asksName, sets, block, bubble, says("Stored: [{{Email}}]")].filter((one) => one !== undefined),
      );

      expect(texts).toEqual(["There is no answer at the moment. Please, try again.", "Stored: []"]);
      expect(logs).toEqual([why]);
      expect(asked).toHaveLength(calls);
      expect(everything).not.toContain(apiKey);
    },
  );

  test.each<[string, object, string]>([
    ["action", { action: undefined }, "openai is not configured"],
    ["model", { model: " " }, "No model provided"],
    ["messages", { messages: [{ id: "m", role: "user", content: " " }] }, "No messages provided"],
    ["credentials", { credentialsId: undefined }, "Could not find credentials for block openai"],
    ["existing credentials", { credentialsId: "nobody" }, "Could not find credentials for block openai"],
  ])("no model call is made if the block has no %s", async (_, options, why) => {
    const { logs, asked } = await hold(answers(options));

    expect(logs).toEqual([why]);
    expect(asked).toEqual([]);
  });

  test("no model call is made if the block names another server", async () => {
    const { logs, asked, everything } = await hold(answers({ baseUrl: "https://elsewhere.example/v1" }));

    expect(logs).toEqual(["The model was not called, because its address is not allowed"]);
    expect(everything).toContain("https://elsewhere.example");
    expect(asked).toEqual([]);
  });

  test("no model call is made if the credentials are of another type", async () => {
    const own = await chats.makeCredentials("groq", { apiKey, baseUrl: chats.model.baseUrl });
    const { logs, asked } = await hold(answers({ credentialsId: own }));

    expect(logs).toEqual(["Could not find credentials for block openai"]);
    expect(asked).toEqual([]);
  });
});

test("a paid answer is not requested again if the node dies", async () => {
  const { api, model, token, workspaceId } = chats;
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
  const { publicId } = await publish(api.client, { token, workspaceId }, flowOf(answers({})));
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

test("the model library is not loaded with the app", async () => {
  const app = JSON.stringify(join(import.meta.dir, "../../../src/service/app.ts"));
  const program = `await import(${app}); console.log(Object.keys(require.cache).filter((path) => /model-call\\.|@ai-sdk/.test(path)).join())`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program]);

  expect(stdout.toString().trim()).toEndWith("src/effects/models/model-call.ts");
  expect(stdout.toString()).not.toContain("@ai-sdk");
});
