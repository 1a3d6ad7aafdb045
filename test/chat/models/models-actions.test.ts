import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, says, start } from "../../support/chat.ts";
import { createModelChats, type ModelChats, plantedKey } from "../../support/model-chats.ts";

let chats: ModelChats;

beforeAll(async () => {
  chats = await createModelChats();
});
afterAll(() => chats.close());

const block = (options: object, type = "openai") => ({
  id: "model",
  type,
  options: { credentialsId: chats.credentialsId, ...options },
});

const sets = (name: string, code: string) => ({
  id: `sets ${name}`,
  type: "Set variable",
  options: { variableId: idOf(name), expressionToEvaluate: code, isCode: true },
});

const hold = (blocks: readonly object[], said = "Ana", settings = {}) =>
  chats.hold([asks("text input", { variableId: idOf("Name") }), ...blocks], said, settings);

describe("the text that replaces a missing answer", () => {
  const failing = (bubble: object) =>
    hold([...chats.answers({ model: "fails-401" }).slice(1, 2), bubble, says("Next")]);

  test("if a model does not answer, its bubble shows the text for a missing answer", async () => {
    const ours = await failing(says("So: {{Email}}!"));
    const other = await failing(says("Thank you"));
    const blocks = chats.answers({ model: "fails-401" }).slice(1);
    const own = await hold(blocks, "Ana", { general: { systemMessages: { noAnswer: "Nobody, {{Name}}" } } });
    const none = await hold(blocks, "Ana", { general: { systemMessages: { noAnswer: "" } } });

    expect(ours.messages).toMatchObject([
      {
        id: "model",
        type: "text",
        notice: { code: "model.no_answer" },
        content: { plainText: "There is no answer at the moment. Please, try again." },
      },
      { content: { plainText: "Next" } },
    ]);
    expect(other.texts).toEqual(["Thank you", "Next"]);
    expect(own.texts).toEqual(["Nobody, Ana"]);
    expect(none.texts).toEqual([]);
  });

  test("the text for a missing answer is shown even if the next block shows no text", async () => {
    const sentence = "There is no answer at the moment. Please, try again.";
    const condition = { id: "if", type: "Condition", items: [{ id: "i", content: { comparisons: [] } }] };
    for (const silent of [condition, sets("Age", "return 1")]) {
      const { texts } = await failing(silent);
      expect(texts).toEqual([sentence, "Next"]);
    }
    const none = await hold([...chats.answers({ model: "fails-401" }).slice(1, 2), sets("Age", "return 1")], "Ana", {
      general: { systemMessages: { noAnswer: "" } },
    });
    expect(none.texts).toEqual([]);
  });
});

describe("fallback models", () => {
  test("fallback models are called in order", async () => {
    const credentialsId = await chats.makeCredentials("groq", { apiKey: plantedKey, baseUrl: chats.model.baseUrl });
    const fallbacks = [
      { type: "groq", credentialsId, model: "fails-402" },
      { type: "groq", credentialsId, model: "echo" },
    ];
    const { texts, asked, logs } = await hold(chats.answers({ model: "fails-401", fallbacks }).slice(1));

    expect(texts).toEqual(["Answer: You said: I am Ana"]);
    expect(asked.map(({ body }) => body["model"])).toEqual(["fails-401", "fails-402", "echo"]);
    expect(logs).toEqual([
      "fails-402 of groq was called instead: key, Incorrect API key provided: •••",
      "echo of groq was called instead: credit, Insufficient balance",
    ]);
  });

  test("fallback models are not called if the request itself is invalid", async () => {
    const fallbacks = [{ type: "openai", credentialsId: chats.credentialsId, model: "echo" }];

    expect((await hold(chats.answers({ model: "fails-400", fallbacks }).slice(1))).asked).toHaveLength(1);
  });
});

test("a conversation that is too long loses at most five of its oldest messages", async () => {
  const messages = ["One", "Two", "Three"].map((content) => ({ role: "user", content }));
  const system = { role: "system", content: "Be kind" };
  const { texts, logs, asked } = await hold(
    chats.answers({ model: "too-long", messages: [system, ...messages] }).slice(1),
  );
  const endless = await hold(
    chats.answers({ model: "fails-413", messages: Array.from({ length: 9 }, () => messages[0]) }).slice(1),
  );

  expect(texts).toEqual(["Answer: You said: Three"]);
  expect(asked[2]?.body["messages"]).toEqual([system, messages[2]]);
  expect(logs).toEqual(Array(2).fill("Max tokens limit reached, automatically trimming first message."));
  expect(endless.asked).toHaveLength(6);
});

describe("Generate variables", () => {
  const wanted = [
    { type: "string", variableId: idOf("Email"), description: "Of {{Name}}" },
    { type: "number", variableId: idOf("Age"), isRequired: false },
    { type: "array", variableId: idOf("Tags") },
    { type: "enum", variableId: idOf("Size"), values: ["S", "L"] },
  ];
  const extract = (prompt: string, more: object = {}) =>
    hold([
      sets("Age", "return 7"),
      block({ action: "Generate variables", model: "json", prompt, variablesToExtract: wanted, ...more }),
      says("{{Email}} {{Age}} {{Tags}} {{Size}}"),
    ]);

  test("Generate variables stores only the values that it found", async () => {
    const found = '{"Email":"a@b.c","Age":null,"Tags":["x"],"Size":"L"}';
    const { texts, asked, logs } = await extract(`answer ${found}`);
    const fenced = await extract(`answer \`\`\`json\n${found}\n\`\`\``);

    expect(texts).toEqual(['a@b.c 7 ["x"] L']);
    expect(fenced.texts).toEqual(texts);
    expect(logs).toEqual([]);
    expect(asked[0]?.body["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: {
        schema: {
          required: ["Email", "Age", "Tags", "Size"],
          properties: {
            Email: { type: "string", description: "Of Ana" },
            Age: { type: ["number", "null"] },
            Tags: { type: "array", items: { type: "string" } },
            Size: { type: "string", enum: ["S", "L"] },
          },
        },
      },
    });
  });

  test("Generate variables retries once with the error message", async () => {
    const { texts, asked, logs } = await extract('answer nothing\nanswer {"Email":"a@b.c","Age":true,"Size":"M"}');

    expect(texts).toEqual(["a@b.c 7  "]);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.text).toContain("The answer is not a JSON object");
    expect(logs).toEqual([
      "The value of Age has the wrong type, and was dropped",
      "The answer has no Tags",
      "The value of Size has the wrong type, and was dropped",
    ]);
  });

  test("Generate variables logs a repeated variable and missing options", async () => {
    const found = 'answer {"Email":"a@b.c"}';
    const twice = await extract(found, { variablesToExtract: [wanted[0], wanted[0]] });

    expect(twice.logs).toEqual(["The variable Email is listed twice, and only the first entry is used"]);
    expect((await extract(" ")).logs).toEqual(["No prompt provided"]);
    expect((await extract(found, { variablesToExtract: [] })).logs).toEqual(["No variables to extract"]);
  });
});

describe("Ask Model", () => {
  const ask = (more: object) =>
    hold([
      block({
        action: "Ask Model",
        model: "gpt-fake",
        message: "I am {{Name}}",
        instructions: "Be brief",
        responseMapping: [{ item: "Message", variableId: idOf("Email") }],
        ...more,
      }),
      says("{{Email}}"),
    ]);

  test("Ask Model continues from the response whose id the flow has stored", async () => {
    const { texts, asked } = await hold([
      ...[1, 2].map((id) => ({
        ...block({
          action: "Ask Model",
          model: "gpt-fake",
          message: "I am {{Name}}",
          responseIdVariableId: idOf("Age"),
          responseMapping: [{ variableId: idOf("Email") }],
        }),
        id: `model ${id}`,
      })),
      says("{{Email}}"),
    ]);

    expect(texts).toEqual(["You said: I am Ana"]);
    expect(asked.map(({ body }) => body["store"])).toEqual([true, true]);
    expect(asked[1]?.body["previous_response_id"]).toStartWith("resp_");
  });

  test("Ask Model runs functions on the server", async () => {
    const functions = [{ name: "now", code: "return 'noon'" }];
    const { texts, asked } = await ask({ message: "call now {}", functions });

    expect(texts).toEqual(["The tools said: noon"]);
    expect(asked[0]?.body).toMatchObject({ store: false, instructions: "Be brief" });
  });

  test("Ask Model logs an empty message, and shows the text for a missing answer", async () => {
    const { logs, texts } = await ask({ message: " " });

    expect(logs).toEqual(["No message provided"]);
    expect(texts).toEqual(["There is no answer at the moment. Please, try again."]);
  });

  test("Ask Assistant makes no call, and its log entry recommends Ask Model", async () => {
    const { logs, asked } = await ask({ action: "Ask Assistant", assistantId: "asst_1" });

    expect(logs).toEqual(['OpenAI switched the Assistants API off on 2026-08-26: use the action "Ask Model"']);
    expect(asked).toEqual([]);
  });
});

describe("speech", () => {
  const speaks = (more: object) =>
    block({
      action: "Create speech",
      input: "Hello {{Name}}",
      voice: "nova",
      saveUrlInVariableId: idOf("Email"),
      ...more,
    });

  test("speech is stored as a file of the result, played, and transcribed", async () => {
    const { messages, asked, texts } = await hold([
      speaks({}),
      { id: "plays", type: "audio", content: { url: "{{Email}}" } },
      {
        ...block({ action: "Create transcription", url: "{{Email}}", transcriptionVariableId: idOf("Name") }),
        id: "writes",
      },
      says("{{Name}}"),
    ]);
    const url = String(Array.isArray(messages) ? messages[0].content.url : "");
    const played = await chats.api.handle(new Request(url.replace(/^http:\/\/[^/]+/, "http://localhost")));

    expect(asked[0]).toMatchObject({
      path: "/v1/audio/speech",
      body: { model: "tts-1", input: "Hello Ana", voice: "nova", response_format: "mp3" },
    });
    expect(await played.text()).toBe("ID3 Hello Ana");
    expect(played.headers.get("content-type")).toBe("audio/mpeg");
    expect(asked[1]?.path).toBe("/v1/audio/transcriptions");
    for (const { headers } of asked) expect(headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(asked[1]?.text).toContain("ID3 Hello Ana");
    expect(asked[1]?.text).toContain("whisper-1");
    expect(texts).toEqual([undefined, "What was said"]);
    const [file] = await chats.api.deps.sql`select is_answered from files`;
    expect(file).toEqual({ isAnswered: true });
  });

  test("the address of a speech file does not depend on the Host header", async () => {
    const { publicId } = await publish(
      chats.api.client,
      { token: chats.token, workspaceId: chats.workspaceId },
      { ...flowOf([speaks({ input: "Hello" }), says("{{Email}}")]) },
    );
    const started = await start(chats.api.client, publicId, {}, { headers: { Host: "elsewhere.example" } });

    expect(started.at("messages.0.content.plainText")).toStartWith("http://localhost:3000/api/files/");
  });

  test("a failed speech request empties its variable and logs the reason", async () => {
    const refused = await hold([sets("Email", "return 'before'"), speaks({ model: "fails-401" }), says("<{{Email}}>")]);
    const silent = await hold([speaks({ input: " " })]);
    const lost = await hold([
      block({ action: "Create transcription", url: "http://10.0.0.1/a.mp3", transcriptionVariableId: idOf("Email") }),
    ]);

    expect(refused.texts).toEqual(["<>"]);
    expect(refused.logs).toEqual(["The provider rejected the key"]);
    expect(silent.logs).toEqual(["No input provided"]);
    expect(lost.logs).toEqual(["The file cannot be read"]);
  });
});

describe("the older block OpenAI", () => {
  const legacy = (options: object) =>
    block(
      {
        task: "Create chat completion",
        model: "echo",
        responseMapping: [{ id: "r", valueToExtract: "Message content", variableId: idOf("Email") }],
        ...options,
      },
      "OpenAI",
    );

  test("the older OpenAI block alternates between two message lists", async () => {
    const content = { assistantMessagesVariableId: idOf("Email"), userMessagesVariableId: idOf("Tags") };
    const { asked, texts } = await hold([
      sets("Email", "return ['Hi']"),
      sets("Tags", "return ['One', '{' + '{Name}}']"),
      legacy({
        messages: [{ id: "m", role: "Messages sequence ✨", content }],
        advancedSettings: { temperature: 0.5 },
      }),
      says("{{=JSON.stringify({{Email}})=}}"),
    ]);

    expect(asked[0]?.body).toMatchObject({
      temperature: 0.5,
      messages: [
        { role: "user", content: "One" },
        { role: "assistant", content: "Hi" },
        { role: "user", content: "{{Name}}" },
      ],
    });
    expect(texts).toEqual(['["Hi","You said: {{Name}}"]']);
  });

  test("the older OpenAI block logs refusals and missing accounts, and skips image tasks", async () => {
    const messages = ["One", "Two"].map((content) => ({ role: "user", content }));
    const refused = await hold([
      sets("Email", "return ['Hi']"),
      legacy({ model: "fails-400", messages }),
      says("{{Email}}"),
    ]);
    const nobody = await hold([legacy({ credentialsId: undefined, messages })]);
    const image = await hold([legacy({ task: "Create image" })]);

    expect(refused.logs).toEqual([
      "Max tokens limit reached, automatically trimming first message.",
      "OpenAI API error - 400",
    ]);
    expect(nobody.logs).toEqual(["Make sure to select an OpenAI account"]);
    expect([image.logs, image.asked]).toEqual([[], []]);
  });
});

describe("limits of an answer", () => {
  test("an answer shows no picture from a third-party server", async () => {
    const { texts } = await hold(
      chats.answers({ messages: [{ role: "user", content: "!![a](https://x.example/?q=secret) ![b][c] !" }] }).slice(1),
    );

    expect(`${texts}`).not.toContain("![");
  });

  test("a model call fails for an overly long line or a forbidden address", async () => {
    const long = await hold(chats.answers({ model: "long-line" }).slice(1));
    const own = await chats.makeCredentials("openai", { apiKey: plantedKey, baseUrl: "https://models.example/v1" });
    const bases = await Promise.all(
      ["http://10.0.0.1/v1", "https://models.example/v1?a=1", "https://u:p@models.example/v1"].map((baseUrl) =>
        hold(chats.answers({ credentialsId: own, baseUrl }).slice(1)),
      ),
    );

    expect(long.logs).toEqual(["The provider's response cannot be read"]);
    expect(JSON.stringify(long.entries)).toContain("A line is longer than");
    for (const { logs, asked } of bases) {
      expect(logs).toEqual(["The model was not called, because its address is not allowed"]);
      expect(asked).toEqual([]);
    }
  });

  test("an answer whose credentials are deleted keeps its partial text", async () => {
    const credentialsId = await chats.makeCredentials("openai", { apiKey: plantedKey, baseUrl: chats.model.baseUrl });
    const tools = [{ name: "wait", code: "return 1" }];
    const gone = chats.model.onAsked((asked) => {
      if (!asked.text.includes("delete me")) return;
      return chats.api.deps.sql`delete from credentials where id = ${credentialsId}`;
    });
    const messages = [{ role: "user", content: "say One moment.\ncall wait {}\ndelete me" }];
    const { texts, logs, asked } = await hold(
      chats.answers({ credentialsId, model: "tools", tools, messages }).slice(1),
    );
    gone();

    expect(texts).toEqual(["Answer: One moment."]);
    expect(logs).toEqual(["Could not find credentials for block openai"]);
    expect(asked).toHaveLength(1);
  });
});

test("the linter reports blocks without a model or credentials", async () => {
  const { api, token, workspaceId } = chats;
  const blocks = [
    { ...block({ action: "Create chat completion" }), id: "a" },
    { ...block({ action: "Ask Assistant", model: "gpt" }), id: "b" },
    { ...block({ action: "Create chat completion", model: "gpt", credentialsId: "nobody" }), id: "c" },
    { ...block({ action: "Create chat completion", model: "gpt" }), id: "d" },
  ];
  const bot = { name: "Chat", ...flowOf(blocks) };
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot } });
  const linted = await api.client.post(`/api/v1/bots/${made.text("bot.id")}/lint`, { token, body: {} });
  const findings = linted.at("findings");
  const told = Array.isArray(findings) ? findings.map(({ rule, blockId }) => `${rule} ${blockId}`) : [];

  expect(told).toContain("advice a");
  expect(told).toContain("advice b");
  expect(told).toContain("credentials_missing c");
  expect(told.filter((one) => one.endsWith(" d"))).toEqual([]);
});
