import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resultValues } from "../../src/management/insight/result-values.job.ts";
import { nameConnections } from "../../src/platform/database/connections.sql.ts";
import { migrations } from "../../src/platform/database/migrations.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { putEndpoint } from "../support/events.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

type Chat = { readonly sessionId: string; readonly resultId: string };

const variable = (name: string, more: object = {}) => ({ id: idOf(name), name, ...more });
const ask = (name: string, id = `asks-${name}`) => asks("text input", { variableId: idOf(name) }, { id });
const set = (name: string, value: string, id = `sets-${name}`) => ({
  ...{ id, type: "Set variable" },
  options: { variableId: idOf(name), expressionToEvaluate: value },
});
const settings = { general: { isGoBackEnabled: true, rememberUser: { isEnabled: true, storage: "local" } } };

const publishFlow = async (blocks: readonly object[], more: object = {}) => {
  const names = ["Name", "Color", "Size"].map((name) => variable(name));
  const bot = await publish(
    api.client,
    { token: owner.token, workspaceId },
    { ...flowOf(blocks), variables: names, ...more, settings },
  );
  const begin = async (result?: { readonly resultId: string }, client: Client = api.client): Promise<Chat> => {
    const started = await start(client, bot.publicId, result ? { resultId: result.resultId } : {});
    return { sessionId: started.text("sessionId"), resultId: started.text("resultId") };
  };
  return {
    ...bot,
    begin,
    beginTwo: async () => {
      const first = await begin();
      return [first, await begin(first)] as const;
    },
  };
};
const reply = async ({ sessionId }: Chat, message: string, client: Client = api.client) => {
  const said = await say(client, sessionId, message);
  if (said.status !== 200) throw new Error(JSON.stringify(said.body));
};
const goBack = async ({ sessionId }: Chat) =>
  (await api.client.post(`/api/v1/sessions/${sessionId}/goBack`, {})).status;
const get = (path: string) => api.client.get(path, { token: owner.token });
const resultOf = async ({ botId }: { botId: string }, { resultId }: Chat) =>
  Object((await get(`/api/v1/bots/${botId}/results/${resultId}`)).at("result"));
const variablesOf = async (bot: { botId: string }, chat: Chat): Promise<unknown> => {
  const { variables } = await resultOf(bot, chat);
  return Object.fromEntries(variables.map((one: { name: string; value: unknown }) => [one.name, one.value]));
};
const threeQuestions = [ask("Name"), ask("Color"), ask("Size"), says("Thank you")];

describe("two chats of one result", () => {
  test("a reply in one of two chats changes only its own value", async () => {
    const bot = await publishFlow(threeQuestions);
    const [first, second] = await bot.beginTwo();
    await reply(first, "Ana");
    await reply(second, "Ben");
    await reply(second, "blue");
    await reply(first, "red");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Ben", Color: "red" });

    await reply(second, "XL");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Ben", Color: "red", Size: "XL" });
    const third = await bot.begin(first);
    await reply(third, "Cleo");
    await reply(first, "S");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Cleo", Color: "red", Size: "S" });
  });

  test("a chat does not write back the values that it loaded from its result", async () => {
    const bot = await publishFlow([ask("Color"), ask("Size"), ask("Name")]);
    const first = await bot.begin();
    for (const word of ["red", "S", "Ana"]) await reply(first, word);
    const [second, third] = [await bot.begin(first), await bot.begin(first)];
    for (const word of ["green", "M", "Ben"]) await reply(third, word);
    // The second chat has the size S and the name Ana from the result.
    await reply(second, "blue");

    expect(await variablesOf(bot, first)).toEqual({ Color: "blue", Size: "M", Name: "Ben" });
  });

  test("two chats of one result do not overwrite a value with a default", async () => {
    const variables = [variable("Name"), variable("Color", { value: "grey" }), variable("Size")];
    const bot = await publishFlow([ask("Name"), ask("Color"), ask("Size")], { variables });
    const [first, second] = await bot.beginTwo();
    await reply(second, "Ben");
    await reply(second, "blue");
    await reply(first, "Ana");

    expect(await variablesOf(bot, first)).toEqual({ Name: "Ana", Color: "blue" });
  });

  test("a value that one chat empties is removed from the result", async () => {
    const bot = await publishFlow([ask("Name"), ask("Color"), set("Name", ""), ask("Size")]);
    const [first, second] = await bot.beginTwo();
    await reply(first, "Ana");
    await reply(second, "Ben");
    await reply(second, "blue");
    expect(await variablesOf(bot, first)).toEqual({ Color: "blue" });

    const third = await bot.begin(first);
    await reply(third, "Cleo");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Cleo", Color: "blue" });
  });

  test("two variables with the same name are stored separately", async () => {
    const twice = [variable("Name"), { id: idOf("Other"), name: "Name" }, variable("Color")];
    const asked = [ask("Name"), asks("text input", { variableId: idOf("Other") }, { id: "asks-other" }), ask("Color")];
    const bot = await publishFlow(asked, { variables: twice });
    const [first, second] = await bot.beginTwo();
    for (const word of ["Ana", "Anna"]) await reply(first, word);
    await reply(second, "Ben");
    const idsOf = async () =>
      (await resultOf(bot, first)).variables.map((one: { id: string; value: string }) => `${one.id}: ${one.value}`);
    expect((await idsOf()).toSorted()).toEqual([`${idOf("Name")}: Ben`, `${idOf("Other")}: Anna`].toSorted());

    const path = `/api/v1/bots/${bot.botId}`;
    const { token } = owner;
    const renewed = { ...flowOf([asks("text input", { variableId: idOf("New") }, { id: "asks-new" }), ask("Color")]) };
    const variables = [{ id: idOf("New"), name: "Name" }, variable("Color")];
    await api.client.patch(path, { token, body: { bot: { ...renewed, variables, settings }, overwrite: true } });
    await api.client.post(`${path}/publish`, { token, body: { force: true } });
    const third = await bot.begin(first);
    await reply(third, "Cleo");
    expect(await idsOf()).toEqual([`${idOf("New")}: Cleo`]);
  });

  test("simultaneous replies in two chats of one result are both stored", async () => {
    const bot = await publishFlow(threeQuestions);
    const [first, second] = await bot.beginTwo();
    await reply(second, "Ben");
    await Promise.all([reply(first, "Ana"), reply(second, "blue")]);

    expect(await variablesOf(bot, first)).toEqual({ Name: "Ana", Color: "blue" });
  });

  test("a second chat stores its initial values once the visitor replies", async () => {
    const bot = await publishFlow([set("Size", "M"), ask("Name"), ask("Color")]);
    const first = await bot.begin();
    await reply(first, "Ana");
    await reply(first, "red");
    const started = await start(api.client, bot.publicId, {
      resultId: first.resultId,
      prefilledVariables: { Color: "green" },
    });
    expect(await variablesOf(bot, first)).toEqual({ Size: "M", Name: "Ana", Color: "red" });
    await say(api.client, started.text("sessionId"), "Ben");

    expect(await variablesOf(bot, first)).toEqual({ Size: "M", Name: "Ben", Color: "green" });
  });

  test("in two chats of one result, a reply in a linked bot changes only its own variable", async () => {
    const inner = await publishFlow([ask("Color"), ask("Size")]);
    const link = { id: "link", type: "Typebot link", options: { typebotId: inner.botId, mergeResults: true } };
    const bot = await publishFlow([ask("Name"), link, ask("Name", "asks-again")]);
    const [first, second] = await bot.beginTwo();
    for (const word of ["Ana", "red"]) await reply(first, word);
    for (const word of ["Ben", "blue"]) await reply(second, word);
    await reply(first, "S");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Ben", Color: "blue", Size: "S" });

    await reply(second, "XL");
    await reply(first, "Cleo");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Cleo", Color: "blue", Size: "XL" });
  });

  const inner = async (...blocks: readonly object[]) => {
    const { botId } = await publishFlow(blocks);
    return { id: "link", type: "Typebot link", options: { typebotId: botId, mergeResults: true } };
  };
  test.each([
    { sets: "a reply", words: ["Ana", "Ana"], block: async () => ask("Name", "asks-again") },
    { sets: "a block", words: ["Ana"], block: async () => set("Name", "{{Color}}") },
    { sets: "a merged bot that continues", words: ["Ana", "Ana"], block: () => inner(ask("Name"), ask("Size")) },
    { sets: "a merged bot that ends", words: ["Ana", "Ana"], block: () => inner(ask("Name")) },
    {
      sets: "a block of a merged bot",
      words: ["Ana"],
      block: () => inner(set("Name", "{{Color}}"), ask("Size")),
    },
  ])("$sets sets a value again that the other chat has replaced", async ({ words, block }) => {
    const bot = await publishFlow([ask("Name"), ask("Color"), await block(), ask("Size", "last")]);
    const [first, second] = await bot.beginTwo();
    await reply(first, "Ana");
    await reply(second, "Ben");
    for (const word of words) await reply(first, word);

    expect(await variablesOf(bot, first)).toEqual({ Name: "Ana", Color: "Ana" });
  });

  test("the list and the export contain the values of both chats", async () => {
    const bot = await publishFlow([ask("Name"), ask("Color")]);
    const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://receiver.example/", workspaceId });
    const [first, second] = await bot.beginTwo();
    await reply(first, "Ana");
    await reply(second, "Ben");
    await reply(first, "red");
    await api.deps.sql`update event_endpoints set is_enabled = false where id = ${endpointId}`;

    const { variables } = await resultOf(bot, first);
    expect(variables).toHaveLength(2);
    const [event] = await api.deps.sql`
      select content from event_deliveries where result_id = ${first.resultId} and type = 'result.completed'`;
    expect(event?.["content"]).toEqual({ variables });
    const listed = await get(`/api/v1/bots/${bot.botId}/results`);
    expect(listed.at("results.0.variables")).toEqual(variables);
    const exported = await api.handle(
      new Request(`http://localhost/api/v1/bots/${bot.botId}/results/export?format=ndjson`, {
        headers: { Authorization: `Bearer ${owner.token}` },
      }),
    );
    expect(JSON.parse(await exported.text())).toMatchObject({ variables });
  });
});

describe("going back in one of two chats", () => {
  test("going back in one of two chats undoes only the chat's own value", async () => {
    const bot = await publishFlow(threeQuestions);
    const [first, second] = await bot.beginTwo();
    for (const word of ["Ana", "red"]) await reply(first, word);
    for (const word of ["Ben", "blue"]) await reply(second, word);
    expect([await goBack(first), await variablesOf(bot, first)]).toEqual([200, { Name: "Ben", Color: "blue" }]);
    expect([await goBack(second), await variablesOf(bot, first)]).toEqual([200, { Name: "Ben" }]);

    await reply(first, "green");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Ben", Color: "green" });
  });

  test("going back in one of two chats restores the chat's earlier value", async () => {
    const bot = await publishFlow([ask("Name"), ask("Color"), ask("Color", "asks-again"), ask("Size")]);
    const [first, second] = await bot.beginTwo();
    for (const word of ["Ana", "red", "green"]) await reply(first, word);
    await reply(second, "Ben");

    expect([await goBack(first), await variablesOf(bot, first)]).toEqual([200, { Name: "Ben", Color: "red" }]);
  });

  test("going back in a chat after its end makes the result incomplete", async () => {
    const bot = await publishFlow([ask("Name"), ask("Color"), set("Size", "M"), says("Thank you")]);
    const [first, second] = await bot.beginTwo();
    for (const word of ["Ana", "red"]) await reply(first, word);
    await reply(second, "Ben");
    expect(await variablesOf(bot, first)).toEqual({ Name: "Ben", Color: "red", Size: "M" });

    expect([await goBack(first), await variablesOf(bot, first)]).toEqual([200, { Name: "Ben" }]);
    expect(await resultOf(bot, first)).toMatchObject({ isCompleted: false });
  });

  test("going back in an older release's chat keeps the other chat's values", async () => {
    const bot = await publishFlow([ask("Name"), ask("Color"), says("Thank you")]);
    const [first, second] = await bot.beginTwo();
    for (const word of ["Ana", "red"]) await reply(first, word);
    await reply(second, "Ben");
    await api.deps.sql`update sessions set state = '' where id = ${first.sessionId}`;

    expect(await goBack(first)).toBe(200);
    expect(await variablesOf(bot, first)).toMatchObject({ Name: "Ben" });
  });
});

describe("a result's writer", () => {
  const writerOf = async ({ resultId }: Chat) =>
    (await api.deps.sql`select writer_session_id from results where id = ${resultId}`)[0]?.["writerSessionId"];
  const isAlone = () => waitFor(() => api.deps.olderNodes.last.areConnected.writers === false);

  test("a result's only chat is its writer until another chat sets a value", async () => {
    const bot = await publishFlow(threeQuestions);
    const first = await bot.begin();
    await reply(first, "Ana");
    await isAlone();
    await api.deps.sql`update results set writer_session_id = null where id = ${first.resultId}`;
    await reply(first, "red");
    expect(await writerOf(first)).toBe(first.sessionId);

    const second = await bot.begin(first);
    await reply(second, "Ben");
    await reply(first, "S");
    expect(await writerOf(first)).toBeNull();
    expect(await variablesOf(bot, first)).toEqual({ Name: "Ben", Color: "red", Size: "S" });
  });

  test("a result has no writer while a node of an earlier release is connected", async () => {
    const newest = migrations.findIndex(({ name }) => name.endsWith("_writers_of_results"));
    const { url } = nameConnections(api.databaseUrl, 1, newest);
    const older = connect(url, { connections: 1 });
    await older`select 1`;
    const beside = createApp(createDependencies(api.deps));
    const client = createClient({ handle: (request) => beside.handle(request) });
    const bot = await publishFlow(threeQuestions);
    const first = await bot.begin(undefined, client);
    const overwritten = JSON.stringify([{ id: idOf("Size"), name: "Size", value: "XL" }]);
    // Writes as a node of the previous release does.
    await older`update results set variables = ${overwritten}::text::json where id = ${first.resultId}`;
    await reply(first, "Ana", client);

    expect(await writerOf(first)).toBeNull();
    expect(await variablesOf(bot, first)).toEqual({ Size: "XL", Name: "Ana" });
    await older.end();
  });
});

test("a person's result is found by a text from either of its chats", async () => {
  const bot = await publishFlow(threeQuestions);
  const [first, second] = await bot.beginTwo();
  await reply(first, "ana@example.com");
  await reply(second, "ben@example.com");
  await reply(second, "blue");
  for (const task of resultValues(api.deps.sql)) while ((await task.removeSome()) > 0);
  const erase = async (value: string, isDryRun: boolean) => {
    const body = { variable: "Name", value, isDryRun };
    const path = `/api/v1/workspaces/${workspaceId}/person-erasures`;
    const { personErasure, onlyInAnswers } = Object((await api.client.post(path, { token: owner.token, body })).body);
    return { results: personErasure?.results, onlyInAnswers };
  };

  expect(await erase("ben@example.com", true)).toEqual({ results: 1, onlyInAnswers: 0 });
  expect(await erase("ana@example.com", true)).toEqual({ results: 1, onlyInAnswers: 1 });
  expect(await erase("ana@example.com", false)).toMatchObject({ results: 1 });
  expect(await erase("ben@example.com", true)).toMatchObject({ results: 0 });
  expect((await say(api.client, first.sessionId, "red")).status).toBe(404);
});
