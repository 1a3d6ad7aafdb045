import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { countContent } from "../support/results.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const published = (flow: object, workspace = workspaceId) =>
  publish(api.client, { token: owner.token, workspaceId: workspace }, flow);
const change = (botId: string, flow: object) =>
  api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });
const resultsOf = async (botId: string) =>
  (await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token })).list("results");
const resultOf = async (botId: string, resultId: string) =>
  (await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token })).at("result");
const logsOf = async (botId: string, resultId: string) =>
  (await api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token: owner.token })).list("logs");
const preview = (botId: string, body: object = {}) =>
  api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token: owner.token, body });

/** A flow that asks for a name and repeats the name. */
const child = flowOf([
  says("Inner: your name?"),
  asks("text input", { variableId: idOf("Name") }),
  says("Inner says {{Name}}"),
]);

const linkTo = (botId: string, options: object = {}) =>
  flowOf([
    says("Outer"),
    { id: "link", type: "Typebot link", options: { typebotId: botId, ...options } },
    says("Outer says {{Name}}"),
  ]);

describe("a link to another bot of the workspace", () => {
  test("a link that merges results stores the answers in one result", async () => {
    const inner = await published(child);
    const outer = await published(linkTo(inner.botId, { mergeResults: true }));
    const started = await start(api.client, outer.publicId);
    const last = await say(api.client, started.text("sessionId"), "Ana");

    expect(started.at("messages.*.content.plainText")).toEqual(["Outer", "Inner: your name?"]);
    expect(last.at("messages.*.content.plainText")).toEqual(["Inner says Ana", "Outer says Ana"]);
    expect(last.at("input")).toBeUndefined();
    expect(await resultOf(outer.botId, started.text("resultId"))).toMatchObject({
      hasStarted: true,
      isCompleted: true,
      answers: [{ blockId: idOf("asks text input"), content: "Ana" }],
      variables: [{ name: "Name", value: "Ana" }],
    });
    expect(await resultsOf(inner.botId)).toEqual([]);
  });

  test("an answer in a linked bot is stored even if its result is in the bin", async () => {
    const questions = [asks("text input", {}, { id: "one" }), asks("text input", { variableId: idOf("Name") })];
    const inner = await published(flowOf(questions));
    const outer = await published(linkTo(inner.botId, { mergeResults: false }));
    const started = await start(api.client, outer.publicId);
    await say(api.client, started.text("sessionId"), "Ana");
    const [result] = await resultsOf(inner.botId);
    expect(result).toMatchObject({ answers: [{ content: "Ana" }] });
    const results = `/api/v1/bots/${inner.botId}/results`;
    await api.client.delete(`${results}?all=true`, { token: owner.token });

    const last = await say(api.client, started.text("sessionId"), "Oslo");
    expect(last.at("messages.*.content.plainText")).toEqual(["Outer says "]);
    expect(await resultsOf(inner.botId)).toEqual([]);

    const ids = [Object(result).id];
    await api.client.post(`${results}/restore`, { token: owner.token, body: { resultIds: ids } });
    expect(await resultsOf(inner.botId)).toMatchObject([
      {
        answers: [{ content: "Ana" }, { content: "Oslo" }],
        variables: [{ name: "Name", value: "Oslo" }],
        isCompleted: true,
      },
    ]);
  });

  test.each(["erased but not deleted", "erased and deleted"])(
    "a link to another bot stores nothing in a result that was %s, and logs the erasure once",
    async (how) => {
      const { sql } = api.deps;
      const questions = ["one", "two", "three"].map((id) => asks("text input", { variableId: idOf("Name") }, { id }));
      const inner = await published(flowOf(questions));
      const outer = await published(linkTo(inner.botId, { mergeResults: false }));
      const started = await start(api.client, outer.publicId);
      await say(api.client, started.text("sessionId"), "Ana");
      const ids = (await resultsOf(inner.botId)).map((result) => Object(result).id);
      const body = { resultIds: ids };
      await api.client.delete(`/api/v1/bots/${inner.botId}/results?all=true`, { token: owner.token });
      await api.client.post(`/api/v1/bots/${inner.botId}/results/erase`, { token: owner.token, body });
      // Deletes the results, as the clean-up does later.
      if (how === "erased and deleted") await sql`delete from results where bot_id = ${inner.botId}`;

      for (const word of ["Ben", "Cleo"])
        expect((await say(api.client, started.text("sessionId"), word)).status).toBe(200);
      expect(await countContent(sql, inner.botId)).toMatchObject({ answers: 0 });
      expect([
        ...(await sql`select variables from results where bot_id = ${inner.botId} and variables::text <> '[]'`),
      ]).toEqual([]);
      expect(await logsOf(outer.botId, started.text("resultId"))).toMatchObject([
        { status: "info", description: "An answer was not stored, because the result of the linked bot was erased" },
      ]);
    },
  );

  test("a linked bot's result is reused after going back past the link", async () => {
    const inner = await published(flowOf([asks("email input")]));
    const outer = await published({
      ...flowOf([
        asks("text input", { variableId: idOf("Name") }),
        { id: "link", type: "Typebot link", options: { typebotId: inner.botId } },
        asks("number input"),
      ]),
      settings: { general: { isGoBackEnabled: true } },
    });
    const sessionId = (await start(api.client, outer.publicId)).text("sessionId");
    const goBack = async () =>
      expect((await api.client.post(`/api/v1/sessions/${sessionId}/goBack`, {})).status).toBe(200);
    for (const word of ["Ana", "ana@example.com"]) await say(api.client, sessionId, word);
    const [first] = await resultsOf(inner.botId);
    await goBack();
    await goBack();
    for (const word of ["Ben", "ben@example.com"]) await say(api.client, sessionId, word);

    const results = await resultsOf(inner.botId);
    expect(results).toMatchObject([
      { id: Object(first).id, isCompleted: true, answers: [{ content: "ben@example.com" }] },
    ]);
    expect(results).toHaveLength(1);
  });

  test("two visits of a linked bot create two results", async () => {
    const inner = await published(flowOf([asks("email input")]));
    const link = (id: string) => ({ id, type: "Typebot link", options: { typebotId: inner.botId } });
    const outer = await published({
      ...flowOf([link("one"), asks("number input"), link("two"), asks("url input")]),
      settings: { general: { isGoBackEnabled: true } },
    });
    const sessionId = (await start(api.client, outer.publicId)).text("sessionId");
    for (const word of ["ana@example.com", "1"]) await say(api.client, sessionId, word);
    expect(await resultsOf(inner.botId)).toHaveLength(2);
    await api.client.post(`/api/v1/sessions/${sessionId}/goBack`, {});
    for (const word of ["2", "ben@example.com"]) await say(api.client, sessionId, word);

    const said = (await resultsOf(inner.botId)).map((result) => Object(result).answers[0].content);
    expect(said.toSorted()).toEqual(["ana@example.com", "ben@example.com"]);
  });

  test("a merging link stores the answers of a visitor who leaves in the middle", async () => {
    const inner = await published(flowOf([asks("text input", { variableId: idOf("Name") }), asks("email input")]));
    const outer = await published(linkTo(inner.botId, { mergeResults: true }));
    const started = await start(api.client, outer.publicId);
    await say(api.client, started.text("sessionId"), "Ana");

    expect(await resultOf(outer.botId, started.text("resultId"))).toMatchObject({
      hasStarted: true,
      isCompleted: false,
      answers: [{ content: "Ana" }],
      variables: [{ name: "Name", value: "Ana" }],
    });
  });

  test("a link without merging creates a separate result", async () => {
    const inner = await published(child);
    const outer = await published(linkTo(inner.botId));
    const started = await start(api.client, outer.publicId);
    const open = await resultsOf(inner.botId);
    const last = await say(api.client, started.text("sessionId"), "Ana");

    expect(open).toMatchObject([{ hasStarted: false, isCompleted: false, answers: [] }]);
    expect(last.at("messages.*.content.plainText")).toEqual(["Inner says Ana", "Outer says "]);
    expect(await resultsOf(inner.botId)).toMatchObject([
      {
        hasStarted: true,
        isCompleted: true,
        answers: [{ blockId: idOf("asks text input"), content: "Ana" }],
        variables: [{ name: "Name", value: "Ana" }],
      },
    ]);
    expect(await resultOf(outer.botId, started.text("resultId"))).toMatchObject({
      hasStarted: false,
      isCompleted: false,
      answers: [],
      variables: [],
    });
  });

  test("a preview runs the draft of a linked bot", async () => {
    const inner = await published(flowOf([says("Published")]));
    const outer = await published(linkTo(inner.botId));
    await change(inner.botId, flowOf([says("Draft")]));

    const live = await start(api.client, outer.publicId);
    const draft = await preview(outer.botId);

    expect(live.at("messages.*.content.plainText")).toEqual(["Outer", "Published", "Outer says "]);
    expect(draft.at("messages.*.content.plainText")).toEqual(["Outer", "Draft", "Outer says "]);
    expect(await resultsOf(inner.botId)).toHaveLength(1);
  });

  test("a preview hides a linked bot's draft from people without access", async () => {
    const inner = await published(flowOf([says("Published")]));
    await change(inner.botId, flowOf([says("Secret draft")]));
    const link = { id: "link", type: "Typebot link", options: { typebotId: inner.botId } };
    const outer = await published(flowOf([asks("text input"), link, says("Outer")]));
    const [member, reader, both, administrator] = await Promise.all([
      ...[1, 2, 3].map(() => api.makeUser()),
      api.makeUser({ scope: "admin" }),
    ]);
    const collaborate = (userId: string, botId: string) =>
      api.client.put(`/api/v1/bots/${botId}/collaborators/${userId}`, { token: owner.token, body: { type: "WRITE" } });
    await api.client.put(`/api/v1/workspaces/${workspaceId}/members/${member?.userId}`, {
      token: owner.token,
      body: { role: "MEMBER" },
    });
    for (const user of [reader, both]) await collaborate(user?.userId ?? "", outer.botId);
    await collaborate(both?.userId ?? "", inner.botId);
    const walk = async (token = "", body: object = {}) => {
      const path = `/api/v1/bots/${outer.botId}/preview/startChat`;
      const sessionId = (await api.client.post(path, { token, body })).text("sessionId");
      return await say(api.client, sessionId, "x");
    };

    for (const user of [owner, member, both, administrator]) {
      expect((await walk(user?.token)).at("messages.*.content.plainText")).toEqual(["Secret draft", "Outer"]);
    }
    const own = flowOf([asks("text input"), link, says("Outer")]);
    for (const body of [{}, { bot: own }]) {
      const refused = await walk(reader?.token, body);
      expect(refused.at("messages.*.content.plainText")).toEqual(["Outer"]);
      expect(refused.at("logs")).toEqual([
        { description: "Failed to link typebot", details: `Typebot with ID ${inner.botId} not found` },
      ]);
    }
    const live = await start(api.client, outer.publicId);
    const answered = await say(api.client, live.text("sessionId"), "x");
    expect(answered.at("messages.*.content.plainText")).toEqual(["Published", "Outer"]);
  });

  test("a preview of a bot that links to another bot stores no result in either bot", async () => {
    const inner = await published(child);
    const outer = await published(linkTo(inner.botId));
    const started = await preview(outer.botId);
    const last = await say(api.client, started.text("sessionId"), "Ana");

    expect(last.at("messages.*.content.plainText")).toEqual(["Inner says Ana", "Outer says "]);
    expect(await resultsOf(inner.botId)).toEqual([]);
    expect(await resultsOf(outer.botId)).toEqual([]);
  });

  test("a chat in a linked bot keeps its version after a new publication", async () => {
    const inner = await published(child);
    const outer = await published(linkTo(inner.botId));
    const started = await start(api.client, outer.publicId);
    await change(inner.botId, flowOf([says("New")]));
    await api.client.post(`/api/v1/bots/${inner.botId}/publish`, { token: owner.token, body: { force: true } });

    const last = await say(api.client, started.text("sessionId"), "Ana");
    expect(last.at("messages.*.content.plainText")).toEqual(["Inner says Ana", "Outer says "]);
  });
});

describe("a link without a target", () => {
  const gone = async (botId: string) => {
    const outer = await published(linkTo(botId));
    const started = await start(api.client, outer.publicId);
    expect(started.at("messages.*.content.plainText")).toEqual(["Outer", "Outer says "]);
    expect(started.at("logs")).toEqual([
      { description: "Failed to link typebot", details: `Typebot with ID ${botId} not found` },
    ]);
    expect(await logsOf(outer.botId, started.text("resultId"))).toMatchObject([
      { status: "error", description: "Failed to link typebot", details: `Typebot with ID ${botId} not found` },
    ]);
  };

  test("a link to an unknown bot is logged, and the chat continues", async () => {
    await gone("01m7wf8v32x7w29z2tsw3wwqgq");
  });

  test("a link to a value that is not an id is logged, and the chat continues", async () => {
    await gone("support-bot");
  });

  test("a link to a bot of another workspace is logged, and the chat continues", async () => {
    const other = await published(child, await api.makeWorkspace(owner));
    await gone(other.botId);
  });

  test("a link to an unpublished bot is logged, and the chat continues", async () => {
    const inner = await published(child);
    await api.client.post(`/api/v1/bots/${inner.botId}/unpublish`, { token: owner.token, body: { force: true } });
    await gone(inner.botId);
  });

  test("a link to a deleted bot is logged, and the chat continues", async () => {
    const inner = await published(child);
    await api.client.delete(`/api/v1/bots/${inner.botId}`, { token: owner.token });
    await gone(inner.botId);
  });
});

test("two bots that link to each other endlessly are stopped", async () => {
  const link = (id: string, botId: string, groupId: string) => {
    return { id, type: "Typebot link", options: { typebotId: botId, groupId } };
  };
  const one = await published(flowOf([says("Not yet")]));
  const two = await published(flowOf([link("two-to-one", one.botId, idOf("g1"))]));
  const first = [asks("text input"), link("into-the-loop", two.botId, idOf("g0"))];
  await change(one.botId, flowOf(first, [link("one-to-two", two.botId, idOf("g0"))]));
  await api.client.post(`/api/v1/bots/${one.botId}/publish`, { token: owner.token, body: { force: true } });
  const started = await start(api.client, one.publicId);
  const sessionId = started.text("sessionId");
  const answer = await say(api.client, sessionId, "x");

  expect(answer).toMatchObject({ status: 422, body: { code: "step.over_budget" } });
  expect(answer.list("data.blockIds").toSorted()).toEqual(["one-to-two", "two-to-one"]);
  expect((await api.client.get(`/api/v1/sessions/${sessionId}`)).at("session.input.id")).toBe(idOf("asks text input"));
  expect(await resultOf(one.botId, started.text("resultId"))).toMatchObject({ answers: [] });
});

describe("events of a flow over HTTP", () => {
  const withEvents = (
    events: readonly object[],
    edges: readonly object[],
    ...groups: readonly (readonly object[])[]
  ) => {
    const flow = flowOf(...groups);
    return { ...flow, events: [...flow.events, ...events], edges: [...flow.edges, ...edges] };
  };
  const place = { graphCoordinates: { x: 0, y: 0 } };

  test("a command is not stored as an answer", async () => {
    const bot = await published(
      withEvents(
        [{ id: "help", type: "command", options: { command: "help" }, outgoingEdgeId: idOf("e1"), ...place }],
        [],
        [says("Your name?"), asks("text input", { variableId: idOf("Name") }), says("Hello {{Name}}")],
        [says("Help"), { id: "back", type: "Return" }],
      ),
    );
    const started = await start(api.client, bot.publicId);
    const sessionId = started.text("sessionId");
    const helped = await say(api.client, sessionId, { type: "command", command: "help" });
    const unknown = await say(api.client, sessionId, { type: "command", command: "what" });
    const last = await say(api.client, sessionId, "Ana");

    expect(helped.at("messages.*.content.plainText")).toEqual(["Help"]);
    expect(helped.at("input.id")).toBe(idOf("asks text input"));
    expect(unknown).toMatchObject({ status: 400, body: { code: "command.not_found" } });
    expect(last.at("messages.*.content.plainText")).toEqual(["Hello Ana"]);
    expect(await resultOf(bot.botId, started.text("resultId"))).toMatchObject({ answers: [{ content: "Ana" }] });
  });

  test("a reply event receives the reply", async () => {
    const bot = await published(
      withEvents(
        [
          {
            id: "heard",
            type: "reply",
            options: { contentVariableId: idOf("Email") },
            outgoingEdgeId: idOf("e1"),
            ...place,
          },
        ],
        [],
        [asks("text input", { variableId: idOf("Name") }), says("Hello {{Name}}")],
        [says("You said {{Email}}"), { id: "back", type: "Return" }],
      ),
    );
    const started = await start(api.client, bot.publicId);
    const last = await say(api.client, started.text("sessionId"), "Ana");

    expect(last.at("messages.*.content.plainText")).toEqual(["You said Ana", "Hello Ana"]);
    expect(await resultOf(bot.botId, started.text("resultId"))).toMatchObject({
      isCompleted: true,
      answers: [{ content: "Ana" }],
    });
  });

  test("an invalid-reply event replaces the retry message", async () => {
    const bot = await published(
      withEvents(
        [{ id: "missed", type: "invalidReply", outgoingEdgeId: idOf("e1"), ...place }],
        [],
        [asks("email input")],
        [says("That is no address"), { id: "back", type: "Return" }],
      ),
    );
    const started = await start(api.client, bot.publicId);
    const answer = await say(api.client, started.text("sessionId"), "nonsense");

    expect(answer.at("messages.*.content.plainText")).toEqual(["That is no address"]);
    expect(answer.at("input.id")).toBe(idOf("asks email input"));
  });
});

describe("a transcript", () => {
  const transcript = { id: "told", type: "Set variable", options: { variableId: idOf("Email"), type: "Transcript" } };
  /** Reports the variable unchanged, because a bubble would parse it as Markdown. */
  const reports = {
    id: "reports",
    type: "Webhook",
    options: {
      isExecutedOnClient: true,
      isCustomBody: true,
      webhook: { url: "https://example.com", body: '{ "transcript": "{{Email}}" }' },
    },
  };
  const bold = {
    id: "bold",
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: "Your " }, { text: "mail", bold: true }, { text: "?" }] }] },
  };

  test("a transcript contains texts as Markdown but no refused replies", async () => {
    const bot = await published(
      flowOf([
        bold,
        asks("email input"),
        { id: "picture", type: "image", content: { url: "https://example.com/a.png" } },
        { id: "frame", type: "embed", content: { url: "https://example.com/b" } },
        { id: "pause", type: "Wait", options: { secondsToWaitFor: "1", shouldPause: true } },
        says("And your name?"),
        asks("text input"),
        says("Thanks"),
        transcript,
        reports,
      ]),
    );
    const started = await start(api.client, bot.publicId);
    const sessionId = started.text("sessionId");
    await say(api.client, sessionId, "nonsense");
    await say(api.client, sessionId, "ANA@example.com");
    await say(api.client, sessionId, "a report of the client");
    const last = await say(api.client, sessionId, "Ana");

    expect(last.at("clientSideActions.0.httpRequestToExecute.body.transcript")).toBe(
      [
        'Assistant: "Your **mail**?"',
        'User: "ana@example.com"',
        'Assistant: "https://example.com/a.png"',
        'Assistant: "And your name?"',
        'User: "Ana"',
        'Assistant: "Thanks"',
      ].join("\n\n"),
    );
  });

  test("a transcript begins with the message of the start", async () => {
    const bot = await published(flowOf([asks("email input"), says("Thanks"), transcript, says("{{Email}}")]));
    const started = await start(api.client, bot.publicId, { message: "ANA@example.com" });

    expect(started.at("messages.1.content.plainText")).toBe('User: "ana@example.com"\n\nAssistant: "Thanks"');
  });

  test("a transcript is available in a preview", async () => {
    const bot = await published(flowOf([says("Name?"), asks("text input"), transcript, says("{{Email}}")]));
    const started = await preview(bot.botId);
    const last = await say(api.client, started.text("sessionId"), "Ana");

    expect(last.at("messages.0.content.plainText")).toBe('Assistant: "Name?"\n\nUser: "Ana"');
  });

  test("a transcript is not stored in results", async () => {
    const bot = await published(flowOf([says("Name?"), transcript, asks("text input")]));
    const started = await start(api.client, bot.publicId);

    expect(await resultOf(bot.botId, started.text("resultId"))).toMatchObject({ variables: [] });
  });
});
