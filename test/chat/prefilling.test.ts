import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { visitor } from "../support/web-page.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let shop: { botId: string; publicId: string };

const variables = [
  { id: idOf("Price"), name: "Price", value: "100", isPrefillable: false },
  { id: idOf("Name"), name: "Name" },
];
const flow = {
  ...flowOf([says("{{Name}} pays {{Price}}"), asks("text input", { variableId: idOf("Name") })]),
  variables,
};
const ignored = '"prefilledVariables.Price";in=body';
const given = { prefilledVariables: { Price: "1", Name: "Ana" } };
const entry = {
  status: "info",
  description: "Prefilled values were ignored, because these variables cannot be prefilled",
  details: "Price",
};

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  shop = await published(flow);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const published = (content: object) => publish(api.client, { token: owner.token, workspaceId }, content);
const said = "messages.*.content.plainText";

test("a start ignores a value for a protected variable", async () => {
  const started = await start(api.client, shop.publicId, given);

  expect(started.at(said)).toEqual(["Ana pays 100"]);
  expect(started.headers.get("Parley-Ignored")).toBe(ignored);
  expect(started.at("logs")).toEqual([entry]);
  const path = `/api/v1/bots/${shop.botId}/results/${started.text("resultId")}/logs`;
  expect((await api.client.get(path, { token: owner.token })).at("logs")).toMatchObject([entry]);
});

test("a start without a protected variable gets no Parley-Ignored header", async () => {
  const started = await start(api.client, shop.publicId, { prefilledVariables: { Name: "Ana" } });

  expect(started.at(said)).toEqual(["Ana pays 100"]);
  expect(started.headers.get("Parley-Ignored")).toBeNull();
  expect(started.at("logs")).toEqual([]);
});

test("a repeated start returns the same Parley-Ignored header", async () => {
  const headers = { "Idempotency-Key": "a-visitor-of-the-shop" };
  const first = await start(api.client, shop.publicId, given, { headers, query: { utm: "mail" } });
  const again = await start(api.client, shop.publicId, given, { headers, query: { utm: "mail" } });

  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
  for (const { headers: sent } of [first, again]) expect(sent.get("Parley-Ignored")).toBe(`"utm";in=query, ${ignored}`);
});

test("a strict start with a protected variable is rejected", async () => {
  const bot = await published(flow);
  const refused = await start(api.client, bot.publicId, given, { headers: { Prefer: "handling=strict" } });

  expect([refused.status, refused.at("data.issues")]).toEqual([
    400,
    [{ path: "prefilledVariables.Price", message: "cannot be prefilled" }],
  ]);
  const results = await api.client.get(`/api/v1/bots/${bot.botId}/results`, { token: owner.token });
  expect(results.list("results")).toEqual([]);
});

test("starts of versions and previews cannot set a protected variable", async () => {
  const { botId, publicId } = shop;
  const token = owner.token;
  const bodies = { token, body: given };
  const ways = [
    await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: given }),
    await api.client.post(`/api/v1/bots/${botId}/publications/1/startChat`, bodies),
    await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, bodies),
    await api.client.post(`/api/v1/bots/x/preview/startChat`, { body: { ...given, bot: flow } }),
    await start(api.client, publicId, { ...given, isOnlyRegistering: true }),
  ];

  expect(ways.map(({ headers }) => headers.get("Parley-Ignored"))).toEqual(ways.map(() => ignored));
  for (const answer of ways.slice(0, 4)) expect(answer.at(said)).toEqual(["Ana pays 100"]);
  const registered = ways[4]?.text("sessionId") ?? "";
  expect((await say(api.client, registered, "hi")).at(said)).toEqual(["Ana pays 100"]);
});

test("the page's address cannot set a protected variable", async () => {
  const page = visitor(api);
  const response = await api.handle(new Request(`http://localhost/${shop.publicId}?Price=1&Name=Ana`));
  const shown = await page.visit(`/${shop.publicId}?Price=1&Name=Ana`);
  const answered = await page.post(shown, { text: "Bob" });

  expect(response.headers.get("Parley-Ignored")).toBe('"Price";in=query');
  expect(shown.said).toEqual(["bot: Ana pays 100"]);
  expect(answered.said[0]).toBe("bot: Ana pays 100");
});

test("a mark on one of two variables with equal names protects both", async () => {
  const twins = [{ id: idOf("Other"), name: "Price" }, ...variables];
  const bot = await published({ ...flow, variables: twins });
  const started = await start(api.client, bot.publicId, given);

  expect(started.at(said)).toEqual(["Ana pays 100"]);
});

test("a remembered result still restores a protected variable's value", async () => {
  const sets = {
    id: idOf("sets"),
    type: "Set variable",
    options: { variableId: idOf("Price"), expressionToEvaluate: "40" },
  };
  const bot = await published({
    ...flow,
    variables: [
      { id: idOf("Price"), name: "Price", isPrefillable: false },
      { id: idOf("Name"), name: "Name" },
    ],
    groups: flowOf([says("From {{Price}}"), sets, asks("text input", { variableId: idOf("Name") })]).groups,
    settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } },
  });
  const first = await start(api.client, bot.publicId, given);
  await say(api.client, first.text("sessionId"), "Ana");
  const again = await start(api.client, bot.publicId, { ...given, resultId: first.text("resultId") });

  expect([first.at(said), again.at(said)]).toEqual([["From "], ["From 40"]]);
});

test("an author's test values for a block may set protected variables", async () => {
  const url = "http://127.0.0.1:9/{{Price}}";
  const call = { id: idOf("call"), type: "Webhook", options: { webhook: { method: "GET", url } } };
  const bot = { name: "Tried", ...flow, groups: flowOf([call]).groups };
  const { token } = owner;
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot } });
  const path = `/api/v1/bots/${made.text("bot.id")}/blocks/${idOf("call")}/testCall`;
  const tried = await api.client.post(path, { token, body: { variables: { Price: "7" } } });

  expect(tried.at("request.url")).toBe("http://127.0.0.1:9/7");
});

test("the protection mark is preserved when a bot is imported", async () => {
  const { token } = owner;
  const { botId } = shop;
  const marks = "bot.variables.*.isPrefillable";
  const exported = await api.client.get(`/api/v1/bots/${botId}`, { token });
  const existing = await api.client.get(`/api/v1/typebots/${botId}`, { token });
  const publication = await api.client.get(`/api/v1/bots/${botId}/publishedBot`, { token });
  const imported = await api.client.post(`/api/v1/bots/import`, {
    token,
    body: { workspaceId, bot: exported.at("bot") },
  });
  const patched = await api.client.patch(`/api/v1/bots/${imported.text("bot.id")}`, {
    token,
    body: { bot: { variables: [...variables, { id: idOf("New"), name: "New", isPrefillable: null }] } },
  });

  expect(exported.at(marks)).toEqual([false, undefined]);
  expect(existing.at("typebot.variables.*.isPrefillable")).toEqual([false, undefined]);
  expect(publication.at("publishedBot.variables.*.isPrefillable")).toEqual([false, undefined]);
  expect(imported.at(marks)).toEqual([false, undefined]);
  expect(patched.at(marks)).toEqual([false, undefined, null]);
});

test("a protection mark that is not a boolean is rejected", async () => {
  const wrong = { ...flow, name: "Wrong", variables: [{ ...variables[0], isPrefillable: "no" }] };
  const refused = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: wrong } });

  expect([refused.status, refused.at("data.issues.0.path")]).toEqual([400, "bot.variables[0].isPrefillable"]);
});
