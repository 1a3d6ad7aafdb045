import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BusyCall } from "../../../src/effects/safe-fetch/safe-fetch-exchange.ts";
import { limits } from "../../../src/limits/index.ts";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies } from "../../../src/service/dependencies.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createModelChats, type ModelChats, plantedKey } from "../../support/model-chats.ts";
import { outsideFetch } from "../../support/outside.ts";

let chats: ModelChats;

beforeAll(async () => {
  chats = await createModelChats({}, { safeFetch: outsideFetch() });
  await chats.api.client.put(`/api/v1/workspaces/${chats.workspaceId}/secrets/KEY`, {
    token: chats.token,
    body: { value: "planted-Value_0123456789" },
  });
});
afterAll(() => chats.close());

const hold = (code: string, options: object, type = "openai") =>
  chats.hold([
    asks("text input", { variableId: idOf("Name") }),
    {
      id: "sets",
      type: "Set variable",
      options: { variableId: idOf("Tags"), expressionToEvaluate: code, isCode: true },
    },
    ...chats.answers(options, type).slice(1),
  ]);

const dialogue = { role: "Dialogue", dialogueVariableId: idOf("Tags") };
const user = (content: string) => ({ role: "user", content });
const system = { role: "system", content: "Be kind" };

describe("a conversation that is too long for one call", () => {
  test("a conversation that is too long loses only the oldest turns of its dialogue", async () => {
    const turns = "return Array.from({ length: 251 }, (_, index) => 'turn ' + index)";
    const messages = [system, user("First"), dialogue, user("Last")];
    const { asked, logs } = await hold(turns, { messages });
    const told = asked[0]?.body["messages"];

    expect(told).toHaveLength(limits.models.messages);
    expect(told).toMatchObject(
      [system, user("First"), user("turn 54"), { role: "assistant", content: "turn 55" }].concat(
        Array.from({ length: limits.models.messages - 5 }, () => expect.anything()),
        [user("Last")],
      ),
    );
    expect(logs).toEqual(["The conversation is too long, so its oldest messages (54) were left out"]);
  });

  test("a conversation that is too long is reported if no message is left", async () => {
    const long = `return 'x'.repeat(${limits.models.characters + 1})`;
    const why = ["The conversation is too long, so its oldest messages (1) were left out", "No messages provided"];

    for (const type of ["openai", "OpenAI"]) {
      const { asked, logs, texts } = await hold(
        long,
        { messages: [system, user("{{Tags}}")], task: "Create chat completion" },
        type,
      );
      expect([type, asked, logs]).toEqual([type, [], why]);
      if (type === "openai") expect(texts).toEqual(["There is no answer at the moment. Please, try again."]);
    }
  });
});

describe("invalid options", () => {
  test("invalid options are omitted or limited, with a log entry", async () => {
    const warm = await hold("return 1", { temperature: "{{Name}}", maxTokens: "many" });
    const high = await hold("return 1", { temperature: 2.5, maxTokens: limits.models.mostTokens + 1, timeout: -5 });
    const plain = await hold("return 1", { temperature: " ", maxTokens: "" });

    for (const { asked, logs } of [warm, high]) {
      expect(asked[0]?.body).toMatchObject({ max_tokens: limits.models.tokens });
      expect(asked[0]?.body["temperature"]).toBeUndefined();
      expect(logs).toEqual(["The temperature is not a number from 0 to 2, so it was left out"]);
    }
    expect(plain.asked[0]?.body).not.toContainAnyKeys(["temperature", "max_tokens"]);
    expect(plain.logs).toEqual([]);
  });
});

describe("a temperature that the model does not support", () => {
  const cold = () => chats.answers({ model: "cold", temperature: 0.5 });
  const note = "The model does not support a temperature, which was left out";

  test("an unsupported temperature is logged once per version of a bot", async () => {
    const { api, token, workspaceId } = chats;
    const bot = await publish(api.client, { token, workspaceId }, flowOf(cold()));
    const logsOf = async () => {
      const started = await start(api.client, bot.publicId);
      await say(api.client, started.text("sessionId"), "Ana");
      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
      return (await api.client.get(path, { token })).at("logs.*.description");
    };
    const triedOut = async () => {
      const started = await api.client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, { token, body: {} });
      return (await say(api.client, started.text("sessionId"), "Ana")).at("logs.*.description");
    };

    expect([await logsOf(), await logsOf()]).toEqual([[note], []]);
    expect([await triedOut(), await triedOut()]).toMatchObject([
      expect.arrayContaining([note]),
      expect.arrayContaining([note]),
    ]);
    const another = await publish(api.client, { token, workspaceId }, flowOf(cold()));
    const started = await start(api.client, another.publicId);
    const answer = await say(api.client, started.text("sessionId"), "Ana");
    expect(answer.at("logs.*.description")).toEqual([note]);
  });
});

describe("a conversation that ends with the assistant", () => {
  test.each(["openai", "OpenAI"])(
    "a conversation that ends with the assistant is logged, because newer models reject such a conversation (%s)",
    async (type) => {
      const messages = [user("Hello"), { role: "assistant", content: "Yes" }];
      const { logs, texts } = await hold("return 1", { messages, task: "Create chat completion" }, type);

      expect(logs).toEqual(["The conversation ends with a message of the assistant, which newer models reject"]);
      if (type === "openai") expect(texts).toEqual(["Answer: You said: Yes"]);
    },
  );
});

describe("a preview", () => {
  test("a preview without a token makes no model call", async () => {
    const { api, token, workspaceId, model } = chats;
    const flow = flowOf(chats.answers({}));
    const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "P", ...flow } } });
    const preview = async (id: string, body: object, caller: object) => {
      const started = await api.client.post(`/api/v1/bots/${id}/preview/startChat`, { ...caller, body });
      return say(api.client, started.text("sessionId"), "Ana");
    };
    const own = await preview(made.text("bot.id"), {}, { token });
    const supplied = await preview(made.text("bot.id"), { bot: flow }, { token });
    const asked = model.asked.length;
    const anonymous = await preview("any", { bot: flow }, {});

    for (const { at } of [own, supplied]) {
      expect(at("messages.*.content.plainText")).toEqual(["Answer: You said: I am Ana"]);
    }
    expect(anonymous.at("logs.*.description")).toEqual(["An anonymous preview performs no effects"]);
    expect(model.asked.length).toBe(asked);
  });
});

describe("tools above the limits", () => {
  test("tools above the limits are not offered to the model", async () => {
    const named = (name: string, count = 0) => ({
      name,
      code: "return 1",
      parameters: Array.from({ length: count }, (_, index) => ({ name: `p${index}` })),
    });
    const tools = [
      named("wide", limits.models.parameters + 1),
      ...Array.from({ length: limits.models.tools + 1 }, (_, index) => named(`t${index}`, index === 0 ? 64 : 0)),
    ];
    const { asked, logs } = await hold("return 1", { tools });

    expect(asked[0]?.body["tools"]).toHaveLength(limits.models.tools);
    expect(logs).toEqual(
      ["wide", `t${limits.models.tools}`].map(
        (name) =>
          `The tool ${name} is not available to the model, because there are too many tools, or it is too large`,
      ),
    );
  });
});

describe("credentials of a model", () => {
  test("a running answer is completed after its credentials are deleted", async () => {
    const credentialsId = await chats.makeCredentials("openai", { apiKey: plantedKey, baseUrl: chats.model.baseUrl });
    const path = `/api/v1/workspaces/${chats.workspaceId}/credentials/${credentialsId}`;
    const watched = chats.model.onAsked(() => chats.api.client.delete(`${path}?force=true`, { token: chats.token }));
    const { texts, logs } = await hold("return 1", { credentialsId });
    watched();
    const gone = await hold("return 1", { credentialsId });

    expect([texts, logs]).toEqual([["Answer: You said: I am Ana"], []]);
    expect(gone.logs).toEqual(["Could not find credentials for block openai"]);
    expect(gone.asked).toEqual([]);
  });

  test("credentials are not used if no key decrypts them", async () => {
    const credentialsId = await chats.makeCredentials("openai", { apiKey: plantedKey, baseUrl: chats.model.baseUrl });
    await chats.api.deps.sql`update credentials set sealed = '\\x01ff' where id = ${credentialsId}`;
    const { entries, asked } = await hold("return 1", { credentialsId });

    expect(entries).toMatchObject([
      {
        description: "Could not find credentials for block openai",
        details: "No key of this instance decrypts the credentials: enter them again",
      },
    ]);
    expect(asked).toEqual([]);
  });

  test("the path of a block's base URL overrides the path in the credentials", async () => {
    const { origin } = chats.model;
    const credentialsId = await chats.makeCredentials("openai", { apiKey: plantedKey, baseUrl: `${origin}/some/v1/` });
    const theirs = await hold("return 1", { credentialsId });
    const own = await hold("return 1", { credentialsId, baseUrl: `${origin}/other` });

    expect(theirs.asked[0]?.path).toBe("/some/v1/chat/completions");
    expect(own.asked[0]?.path).toBe("/other/chat/completions");
  });
});

test("a model call above a node's limit is not made, and the reason is logged", async () => {
  const { api, token, workspaceId, model } = chats;
  const safeStream = () => Promise.reject(new BusyCall());
  const app = createApp({ ...createDependencies(api.deps), safeStream });
  const node = createClient({ handle: (request) => app.handle(request) });
  const { botId, publicId } = await publish(api.client, { token, workspaceId }, flowOf(chats.answers({})));
  const started = await start(node, publicId);
  const asked = model.asked.length;
  const { at } = await say(node, started.text("sessionId"), "Ana");
  const path = `/api/v1/bots/${botId}/results/${started.text("resultId")}/logs`;

  expect((await api.client.get(path, { token })).at("logs.*.description")).toEqual([
    "The model was not called, because too many calls of models are running",
  ]);
  expect(at("messages.*.content.plainText")).toEqual(["There is no answer at the moment. Please, try again."]);
  expect(model.asked.length).toBe(asked);
});

test("a secret that a script reveals is logged only by its name", async () => {
  const code = 'throw new Error("It is " + {{secret.KEY}})';
  const tools = [{ name: "tell", code }];
  const { logs, everything } = await chats.hold([
    asks("text input", { variableId: idOf("Name") }),
    { id: "script", type: "Code", options: { isExecutedOnClient: false, content: code } },
    ...chats.answers({ model: "tools", tools, messages: [user("call tell {}\n\n{{secret.KEY}}")] }).slice(1, 2),
    says("Told {{secret.KEY}}"),
  ]);

  expect(logs).toEqual([
    expect.stringContaining("It is {{secret.KEY}}"),
    "A secret is empty here, because only requests, and scripts that send them, get its value",
    expect.stringContaining("It is {{secret.KEY}}"),
  ]);
  expect(everything).not.toContain("planted-Value");
  expect(everything).not.toContain("parley_secret_");
});
