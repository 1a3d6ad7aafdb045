import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let publicId: string;
let botId: string;

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  ({ publicId, botId } = await publish(api.client, { token: owner.token, workspaceId }, nameAndEmail));
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);
const resultOf = (id: string, resultId: string) =>
  api.client.get(`/api/v1/bots/${id}/results/${resultId}`, { token: owner.token });

describe("a chat", () => {
  test("a chat starts with the first messages and the open input", async () => {
    const answer = await start(api.client, publicId);

    expect(answer.status).toBe(200);
    expect(answer.at("messages.*.content.plainText")).toEqual(["Your name?"]);
    expect(answer.at("input")).toEqual({
      id: idOf("asks text input"),
      type: "text input",
      options: { variableId: idOf("Name") },
    });
    expect(answer.at("bot.id")).toBe(botId);
    expect(answer.at("progress")).toBeCloseTo(33.33, 1);
    const result = await resultOf(botId, answer.text("resultId"));
    expect(result.at("result")).toMatchObject({ hasStarted: false, isCompleted: false, answers: [], variables: [] });
  });

  test("a start returns the theme with variables filled in", async () => {
    const settings = { metadata: { title: "Hello" } };
    const named = (theme: object) => ({ ...nameAndEmail, theme, settings });
    const plain = await published(named({ general: { font: { type: "Google", family: "Inter" } } }));
    const personal = await published(named({ general: { font: { type: "Google", family: "{{Name}}" } } }));
    const familyFor = async (id: string, name: string) =>
      (await start(api.client, id, { prefilledVariables: { Name: name } })).at("bot.theme.general.font.family");
    const theirs = async (id: string, dialect: "bots" | "typebots") => {
      const answer = await api.client.post(`/api/v1/${dialect}/${id}/startChat`, { body: {} });
      return answer.at(dialect === "bots" ? "bot.settings" : "typebot.settings");
    };

    for (const name of ["Lora", "Arvo", "Inter", "Lato", "Karla"]) {
      expect(await familyFor(personal.publicId, name)).toBe(name);
      expect(await familyFor(plain.publicId, name)).toBe("Inter");
    }
    // The language of the second bot is unknown.
    const silent = await published({ ...flowOf([asks("text input")]), settings });
    for (const _ of [1, 2, 3, 4]) {
      expect(await theirs(plain.publicId, "bots")).toEqual({ ...settings, general: { language: "en" } });
      expect(await theirs(plain.publicId, "typebots")).toEqual({ ...settings, general: { isBrandingEnabled: false } });
      expect(await theirs(silent.publicId, "bots")).toEqual(settings);
      expect(await theirs(silent.publicId, "typebots")).toEqual({ ...settings, general: { isBrandingEnabled: false } });
    }
  });

  test("a chat is stored as a result with answers and variables", async () => {
    const started = await start(api.client, publicId);
    await say(api.client, started.text("sessionId"), "Ana");
    const last = await say(api.client, started.text("sessionId"), "ANA@example.com");

    expect(last.at("messages.*.content.plainText")).toEqual(["Thank you"]);
    expect(last.at("input")).toBeUndefined();
    expect(last.at("progress")).toBe(100);
    expect(last.at("lastMessageNewFormat")).toBe("ana@example.com");
    const result = await resultOf(botId, started.text("resultId"));
    expect(result.at("result")).toMatchObject({
      hasStarted: true,
      isCompleted: true,
      answers: [
        {
          blockId: idOf("asks text input"),
          groupId: idOf("g0"),
          variableId: idOf("Name"),
          content: "Ana",
          storageUsed: 0,
        },
        {
          blockId: idOf("asks email input"),
          groupId: idOf("g0"),
          variableId: idOf("Email"),
          content: "ana@example.com",
        },
      ],
      variables: [
        { id: idOf("Name"), name: "Name", value: "Ana" },
        { id: idOf("Email"), name: "Email", value: "ana@example.com" },
      ],
    });
  });

  test("a chat asks again after an invalid answer, and does not store the answer", async () => {
    const started = await start(api.client, publicId);
    await say(api.client, started.text("sessionId"), "Ana");
    const again = await say(api.client, started.text("sessionId"), "not an address");

    expect(again.status).toBe(200);
    expect(again.at("messages.*.content.plainText")).toEqual([
      "This email doesn't seem to be valid. Can you type it again?",
    ]);
    expect(again.at("input.id")).toBe(idOf("asks email input"));
    const result = await resultOf(botId, started.text("resultId"));
    expect(result.at("result.answers.*.content")).toEqual(["Ana"]);
  });

  test("a chat accepts no more replies once it has ended", async () => {
    const { publicId: bubbles } = await published(flowOf([says("Only this")]));
    const started = await start(api.client, bubbles);
    const answer = await say(api.client, started.text("sessionId"), "Hello?");

    expect(answer).toMatchObject({ status: 404, body: { code: "session.ended" } });
  });

  test("a reply to an unknown session is rejected with `session.not_found`", async () => {
    const answer = await say(api.client, "01m7wf8v32x7w29z2tsw3wwqgq", "Hello?");

    expect(answer).toMatchObject({ status: 404, body: { code: "session.not_found" } });
    expect(await say(api.client, "nonsense", "Hello?")).toMatchObject({
      status: 404,
      body: { code: "session.not_found" },
    });
  });

  test("a chat expires after its lifetime", async () => {
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    await api.deps
      .sql`update sessions set expires_at = clock() where shard = ${shardOf(sessionId)} and id = ${sessionId}`;

    expect(await say(api.client, sessionId, "Ana")).toMatchObject({ status: 404, body: { code: "session.expired" } });
    expect(await api.client.get(`/api/v1/sessions/${sessionId}`)).toMatchObject({
      status: 404,
      body: { code: "session.expired" },
    });
  });

  test("a reply is rejected if a newer release served the last request of the chat", async () => {
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");
    await api.deps.sql`
      update sessions set revision = revision + 1, state = ${JSON.stringify({ format: 99 })} where shard = ${shardOf(sessionId)} and id = ${sessionId}`;

    const answer = await say(api.client, sessionId, "Ana");
    expect(answer).toMatchObject({ status: 503, body: { code: "server.newer_state" } });
    expect(answer.headers.get("retry-after")).toBe("5");
  });

  test("a chat stays on the flow version with which it started", async () => {
    const bot = await published(flowOf([says("One?"), asks("text input"), says("Old end")]));
    const started = await start(api.client, bot.publicId);
    const changed = flowOf([says("New?"), asks("text input"), says("New end")]);
    await api.client.patch(`/api/v1/bots/${bot.botId}`, { token: owner.token, body: { bot: changed } });
    await api.client.post(`/api/v1/bots/${bot.botId}/publish`, { token: owner.token, body: { force: true } });

    const old = await say(api.client, started.text("sessionId"), "x");
    const fresh = await start(api.client, bot.publicId);

    expect(old.at("messages.*.content.plainText")).toEqual(["Old end"]);
    expect(fresh.at("messages.*.content.plainText")).toEqual(["New?"]);
  });

  test("the session of a chat returns its messages, its replies and its open input", async () => {
    const started = await start(api.client, publicId);
    await say(api.client, started.text("sessionId"), "Ana");
    const answer = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);

    expect(answer.at("session.steps.*.reply")).toEqual([null, { type: "text", text: "Ana" }]);
    expect(answer.at("session.steps.1.messages.0.content.plainText")).toBe("Hello Ana, and your e-mail?");
    expect(answer.at("session.input.type")).toBe("email input");
    expect(answer.at("session.bot.id")).toBe(botId);
    expect(answer.at("session.isEnded")).toBe(false);
  });
});

describe("a start", () => {
  test("a start of an unknown or unpublished bot is rejected with `bot.not_found`", async () => {
    const bot = await published(nameAndEmail);
    expect(await start(api.client, "no-such-bot")).toMatchObject({ status: 404, body: { code: "bot.not_found" } });
    await api.client.post(`/api/v1/bots/${bot.botId}/unpublish`, { token: owner.token, body: { force: true } });
    expect(await start(api.client, bot.publicId)).toMatchObject({ status: 404, body: { code: "bot.not_found" } });
  });

  test("a start of a closed bot is rejected with the bot's own message", async () => {
    const bot = await published({
      ...nameAndEmail,
      settings: { general: { systemMessages: { botClosed: "Back in May" } } },
    });
    const started = await start(api.client, bot.publicId);
    await api.client.patch(`/api/v1/bots/${bot.botId}`, { token: owner.token, body: { bot: { isClosed: true } } });

    expect(await start(api.client, bot.publicId)).toMatchObject({
      status: 400,
      body: { code: "bot.closed", message: "Back in May" },
    });
    expect((await say(api.client, started.text("sessionId"), "Ana")).status).toBe(200);
  });

  test("a suspended workspace rejects starts and replies", async () => {
    const other = await api.makeWorkspace(owner);
    const bot = await publish(api.client, { token: owner.token, workspaceId: other }, nameAndEmail);
    const started = await start(api.client, bot.publicId);
    await api.deps.sql`update workspaces set is_suspended = true where id = ${other}`;

    expect(await start(api.client, bot.publicId)).toMatchObject({ status: 403, body: { code: "workspace.suspended" } });
    expect(await say(api.client, started.text("sessionId"), "Ana")).toMatchObject({
      status: 403,
      body: { code: "workspace.suspended" },
    });
  });

  test("the first reply starts the flow after a start that only registers", async () => {
    const started = await start(api.client, publicId, {
      isOnlyRegistering: true,
      prefilledVariables: { Name: "Prefilled" },
    });
    expect(started.at("messages")).toEqual([]);
    expect(started.at("input")).toBeUndefined();
    expect((await resultOf(botId, started.text("resultId"))).status).toBe(200);

    const first = await say(api.client, started.text("sessionId"), null);
    expect(first.at("messages.*.content.plainText")).toEqual(["Your name?"]);
    expect(first.at("input.prefilledValue")).toBe("Prefilled");
  });

  test("a message answers the first input if nothing is shown before the input", async () => {
    const bot = await published(flowOf([asks("text input", { variableId: idOf("Name") }), says("Hello {{Name}}")]));
    const started = await start(api.client, bot.publicId, { message: "Ana" });

    expect(started.at("messages.*.content.plainText")).toEqual(["Hello Ana"]);
    expect(started.at("lastMessageNewFormat")).toBeUndefined();
  });

  test("a start's message is logged as unused if a bubble precedes the first input", async () => {
    const description = "The first message of the chat was not used";
    const details = "A message was shown before the first input.";
    for (const [path, headers] of [
      ["bots", {}],
      ["typebots", {}],
      ["bots", { Accept: "text/event-stream, application/json" }],
    ] as const) {
      const body = { message: "Ana" };
      const started = await api.client.post(`/api/v1/${path}/${publicId}/startChat`, { body, headers });
      const { token } = owner;
      const results = `/api/v1/bots/${botId}/results/${started.text("resultId")}`;

      expect(started.at("logs")).toMatchObject([{ status: "info", description, details }]);
      expect((await api.client.get(`${results}/logs`, { token })).at("logs")).toMatchObject([
        { status: "info", description, details },
      ]);
    }
  });

  test("text bubbles are returned as markdown on request", async () => {
    const started = await start(api.client, publicId, { textBubbleContentFormat: "markdown" });
    expect(started.at("messages.*.content")).toEqual([{ type: "markdown", markdown: "Your name?" }]);
  });

  test("prefilled variables that the flow does not have are ignored", async () => {
    const started = await start(api.client, publicId, {
      prefilledVariables: { ["__proto__"]: "x", Unknown: 1, Name: "Ana" },
    });
    expect(started.at("input.prefilledValue")).toBe("Ana");
    expect(started.at("logs")).toEqual([]);
  });

  test("a start with a remembered result continues that result", async () => {
    const bot = await published({
      ...nameAndEmail,
      settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } },
    });
    const first = await start(api.client, bot.publicId);
    await say(api.client, first.text("sessionId"), "Ana");

    const again = await start(api.client, bot.publicId, { resultId: first.text("resultId") });
    const other = await start(api.client, bot.publicId, { resultId: "unknown" });
    expect(again.text("resultId")).toBe(first.text("resultId"));
    expect(again.at("input.prefilledValue")).toBe("Ana");
    expect(other.text("resultId")).not.toBe(first.text("resultId"));
    const result = await resultOf(bot.botId, first.text("resultId"));
    expect(result.at("result.hasStarted")).toBe(true);
  });

  test("a result of a bot that does not remember visitors is not continued", async () => {
    const first = await start(api.client, publicId);
    const again = await start(api.client, publicId, { resultId: first.text("resultId") });
    expect(again.text("resultId")).not.toBe(first.text("resultId"));
  });

  test("a start returns only the settings that a page needs", async () => {
    const settings = {
      general: { isBrandingEnabled: false },
      metadata: { title: "For {{Name}}", customHeadCode: "<script></script>", tagManagerId: "GTM-1" },
      security: { allowedOrigins: [] },
      messenger: { isEnabled: true },
      publicShare: { isEnabled: true },
    };
    const bot = await published({ ...nameAndEmail, settings });
    const started = await start(api.client, bot.publicId, { prefilledVariables: { Name: "Ana" } });

    expect(started.at("bot.settings")).toEqual({
      general: { isBrandingEnabled: false, language: "en" },
      metadata: { title: "For Ana", tagManagerId: "GTM-1" },
    });
    expect(started.at("bot.publishedAt")).toMatch(/^\d{4}-.*Z$/);
  });

  test("a start with a wrong type in its body is rejected", async () => {
    const answer = await start(api.client, publicId, { isStreamEnabled: "yes" });
    expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(answer.at("data.issues.0.path")).toBe("isStreamEnabled");
  });
});

describe("origins", () => {
  const closed = { ...nameAndEmail, settings: { security: { allowedOrigins: ["https://good.example"] } } };

  test("a start from a forbidden origin is rejected, and stores no result", async () => {
    const bot = await published(closed);
    const answer = await start(api.client, bot.publicId, {}, { headers: { Origin: "https://evil.example" } });
    const results = await api.client.get(`/api/v1/bots/${bot.botId}/results`, { token: owner.token });

    expect(answer).toMatchObject({ status: 403, body: { code: "origin.not_allowed" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(results.at("results")).toEqual([]);
  });

  test("a bot with allowed origins accepts replies only from these origins", async () => {
    const bot = await published(closed);
    const started = await start(api.client, bot.publicId, {}, { headers: { Origin: "https://good.example" } });
    const sessionId = started.text("sessionId");

    expect((await start(api.client, bot.publicId)).status).toBe(200);
    expect(
      (await start(api.client, bot.publicId, {}, { headers: { Origin: "http://localhost", Host: "localhost" } }))
        .status,
    ).toBe(200);
    expect(await say(api.client, sessionId, "Ana", { headers: { Origin: "https://evil.example" } })).toMatchObject({
      status: 403,
    });
    expect((await say(api.client, sessionId, "Ana", { headers: { Origin: "https://good.example" } })).status).toBe(200);
  });
});

test("a reply of more than 64 KB is rejected", async () => {
  const frame = JSON.stringify({ type: "text", text: "" }).length;
  const { publicId: asking } = await published(flowOf([asks("text input"), asks("text input", {}, { id: "two" })]));
  const sessionId = (await start(api.client, asking)).text("sessionId");

  expect((await say(api.client, sessionId, "x".repeat(limits.reply.bytes - frame + 1))).status).toBe(413);
  const long = "x".repeat(limits.reply.bytes);
  for (const message of [
    { type: "text", text: "Ana", attachedFileUrls: [long] },
    { type: "text", text: "Ana", metadata: { replyId: long } },
    { type: "audio", url: long },
    { type: "command", command: long },
    // Each character takes six bytes in the database.
    "\u0001".repeat(limits.reply.bytes / 6),
  ])
    expect((await say(api.client, sessionId, message)).status).toBe(413);
  expect((await say(api.client, sessionId, "x".repeat(limits.reply.bytes - frame))).status).toBe(200);
});

describe("commands", () => {
  test("a command without a matching event in the flow is rejected", async () => {
    const started = await start(api.client, publicId);
    const answer = await say(api.client, started.text("sessionId"), { type: "command", command: "menu" });

    expect(answer).toMatchObject({ status: 400, body: { code: "command.not_found" } });
    expect((await say(api.client, started.text("sessionId"), "Ana")).at("input.type")).toBe("email input");
  });

  test("a command is rejected at the start of a flow that begins with a question", async () => {
    const { publicId: asking } = await published(flowOf([asks("text input")]));
    const answer = await start(api.client, asking, { message: { type: "command", command: "menu" } });

    expect(answer).toMatchObject({ status: 400, body: { code: "command.not_found" } });
  });
});

describe("step budgets", () => {
  const round = [says("Round", "b1"), { ...says("and round", "b2"), outgoingEdgeId: idOf("e0") }];
  const logsOf = async (id: string) => {
    const results = await api.client.get(`/api/v1/bots/${id}/results`, { token: owner.token });
    const logs = await api.client.get(`/api/v1/bots/${id}/results/${results.text("results.0.id")}/logs`, {
      token: owner.token,
    });
    return { results, logs };
  };

  test("a start in an endless loop is rejected with the loop's blocks", async () => {
    const bot = await published(flowOf(round));
    const answer = await start(api.client, bot.publicId);
    const { results, logs } = await logsOf(bot.botId);
    const sessions = await api.deps.sql`select id from sessions where bot_id = ${bot.botId}`;

    expect(answer).toMatchObject({ status: 422, body: { code: "step.over_budget", data: { limit: "blocks" } } });
    expect(answer.at("data.blockIds")).toEqual(["b1", "b2"]);
    expect(results.at("results.*.hasStarted")).toEqual([false]);
    expect(logs.at("logs.0.details")).toContain('"blockIds":["b1","b2"]');
    expect(sessions).toHaveLength(0);
  });

  test("a reply that enters an endless loop leaves the session unchanged", async () => {
    const bot = await published(
      flowOf(
        [asks("text input"), ...round].map((block, index) =>
          index === 2 ? { ...block, outgoingEdgeId: idOf("e1") } : block,
        ),
        round.map((block) => ({
          ...block,
          id: `again ${block.id}`,
          ...("outgoingEdgeId" in block && { outgoingEdgeId: idOf("e1") }),
        })),
      ),
    );
    const started = await start(api.client, bot.publicId);
    const refused = await say(api.client, started.text("sessionId"), "Go");
    const session = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);
    const { logs } = await logsOf(bot.botId);

    expect(refused).toMatchObject({ status: 422, body: { code: "step.over_budget" } });
    expect(session.at("session.input.type")).toBe("text input");
    expect(session.list("session.steps")).toHaveLength(1);
    expect(logs.at("logs.0.description")).toBe("This step exceeds the limit of work in one step.");
  });
});
