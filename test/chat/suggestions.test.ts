import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { places, searchPath, startFakeAddressSearch } from "../fake-providers/address-search.ts";
import { type FakeProvider, type Fault, faults, providerUrls } from "../fake-providers/kit.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import type { Answer, RequestOptions } from "../support/client.ts";
import { testKey } from "../support/events.ts";
import { createThreads } from "../support/threads.ts";

let api: TestApi;
let search: FakeProvider;
let owner: TestUser;
let workspaceId: string;
let credentialsId: string;
const threads = createThreads({ count: 1 });

/** A key that must not appear anywhere. */
const plantedKey = "planted-key-of-a-search-7c2e";

beforeAll(async () => {
  search = await startFakeAddressSearch();
  api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([search]), RATE_LIMITS: "off" },
  });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  credentialsId = await credentialsOf({ url: `${search.origin}${searchPath}`, header: "X-Key", key: plantedKey });
});
afterEach(() => search.recover());
afterAll(async () => {
  await Promise.all([api.close(), threads.close(), search.close()]);
});

const make = (data: object): Promise<Answer> =>
  api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: { type: "address-search", name: "Ours", data },
  });
const credentialsOf = async (data: object): Promise<string> => (await make(data)).text("credentials.id");

const parts = [
  { part: "Street", variableId: idOf("Name") },
  { part: "Latitude", variableId: idOf("Email") },
];
const address = idOf("asks address input");

function flowWith(options: object = {}, settings: object = {}) {
  const flow = flowOf([
    says("Where do you live?"),
    asks("address input", { credentialsId, parts, ...options }),
    says("In {{Name}}, at {{Email}}", "parts"),
    asks("text input"),
  ]);
  return { ...flow, settings };
}

async function asked(options: object = {}, settings: object = {}) {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flowWith(options, settings));
  const started = await start(api.client, bot.publicId);
  return { ...bot, started, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

const suggest = (
  sessionId: string,
  text: string,
  { blockId = address, ...more }: RequestOptions & { blockId?: string } = {},
) => api.client.post(`/api/v1/sessions/${sessionId}/suggestions`, { ...more, body: { blockId, text } });
const choose = (sessionId: string, text: string, replyId: string) =>
  say(api.client, sessionId, { type: "text", text, metadata: { replyId } });
const resultOf = ({ botId, resultId }: { botId: string; resultId: string }) =>
  api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });

const [first, second] = places;

describe("an address input", () => {
  test("the visitor's text is looked up at the author's service", async () => {
    const { started, sessionId } = await asked();
    const before = search.asked.length;
    const found = await suggest(sessionId, "  downing STREET ");

    expect(started.at("input")).toMatchObject({ type: "address input", options: { hasSuggestions: true } });
    expect(JSON.stringify(started.at("input"))).not.toMatch(/credentials|parts/);
    expect(found.at("suggestions.*.text")).toEqual([first.label, second.label]);
    expect(search.asked.slice(before)).toMatchObject([
      { method: "GET", path: "/v1/autocomplete", headers: { "x-key": plantedKey } },
    ]);
    expect(search.asked.at(-1)?.query.get("text")).toBe("downing STREET");
    // Three characters are the minimum for a search.
    expect((await suggest(sessionId, "10x")).at("suggestions")).toEqual([]);
    expect(search.asked.at(-1)?.query.get("text")).toBe("10x");
  });

  test("the parts of the chosen suggestion are stored in variables", async () => {
    const chat = await asked();
    const found = await suggest(chat.sessionId, "Downing");
    const before = search.asked.length;
    const step = await choose(chat.sessionId, second.label, found.text("suggestions.1.id"));

    expect(step.text("messages.0.content.plainText")).toBe("In Downing Street, at 51.5035");
    const result = await resultOf(chat);
    expect(result.at("result.answers.*.content")).toEqual([second.label]);
    expect(result.at("result.variables.*.value")).toEqual(["Downing Street", "51.5035"]);
    // The step makes no further request, because the parts came with the reply.
    expect(search.asked.length).toBe(before);
  });

  test("a visitor can type another address, which has no known parts", async () => {
    const { sessionId } = await asked();
    await suggest(sessionId, "Downing");
    const step = await say(api.client, sessionId, { type: "text", text: first.label });
    expect(step.text("messages.0.content.plainText")).toBe("In , at ");
  });

  test("a suggestion's parts are ignored if they belong to another text", async () => {
    const other = await asked();
    const stolen = (await suggest(other.sessionId, "Downing")).text("suggestions.0.id");
    const [facts = "", signature = ""] = stolen.split(".");
    const forged = Buffer.from(JSON.stringify({ Street: "Forged Street", Latitude: "0" })).toString("base64url");
    const tokens = [stolen, `${forged}.${signature}`, `${facts}.${"a".repeat(43)}`, forged, "", `${stolen}x`];

    for (const token of tokens) {
      const { sessionId } = await asked();
      const step = await choose(sessionId, first.label, token);
      expect(step.text("messages.0.content.plainText")).toBe("In , at ");
    }
    const { sessionId } = await asked();
    const own = (await suggest(sessionId, "Downing")).text("suggestions.0.id");
    const step = await choose(sessionId, "1 Other Street, Elsewhere", own);
    expect(step.text("messages.0.content.plainText")).toBe("In , at ");
  });

  test("the id of a suggestion for another input of the same chat is ignored", async () => {
    const later = { ...asks("address input", { credentialsId, parts }), id: idOf("later") };
    const flow = flowOf([
      asks("address input", { credentialsId, parts }),
      later,
      says("In {{Name}}"),
      asks("text input"),
    ]);
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    const id = (await suggest(sessionId, "Downing")).text("suggestions.0.id");
    await choose(sessionId, first.label, id);
    const own = await suggest(sessionId, "Downing", { blockId: later.id });
    const step = await choose(sessionId, first.label, id);

    expect(own.at("suggestions.*.text")).toHaveLength(2);
    expect(step.text("messages.0.content.plainText")).toBe("In ");
  });

  test("a chat with a chosen suggestion is replayed exactly", async () => {
    const chat = await asked();
    const found = await suggest(chat.sessionId, "Rivoli");
    await choose(chat.sessionId, places[2].label, found.text("suggestions.0.id"));
    const { token } = owner;
    const at = (path: string) => `/api/v1/bots/${chat.botId}/${path}`;

    const impact = await api.client.post(at("impact"), { token, body: {} });
    expect(impact.body).toMatchObject({ same: 1, places: [] });
    const recorded = await api.client.post(at("testConversations/record"), {
      token,
      body: { sessionId: chat.sessionId, title: "An address" },
    });
    expect(recorded.at("problems")).toEqual([]);
    const kept = { token, body: { conversation: recorded.at("conversation") } };
    expect((await api.client.put(at("testConversations/recorded"), kept)).status).toBe(200);
    const run = await api.client.post(at("testConversations/run"), { token, body: {} });
    expect(run.at("hasPassed")).toBe(true);
  });

  test("a suggestion has no id if the bot stores no parts", async () => {
    const { sessionId } = await asked({ parts: [{ part: "City" }] });
    const found = await suggest(sessionId, "Rivoli");
    expect(found.at("suggestions")).toEqual([{ text: "Rue de Rivoli 99, 75001 Paris, France" }]);
  });

  test("the key of an address search can be part of the URL", async () => {
    const inAddress = await credentialsOf({ url: `${search.origin}${searchPath}&api_key={{key}}`, key: plantedKey });
    const { sessionId } = await asked({ credentialsId: inAddress });
    expect((await suggest(sessionId, "Rivoli")).at("suggestions.*.text")).toEqual([places[2].label]);
    expect(search.asked.at(-1)?.query.get("api_key")).toBe(plantedKey);
  });

  test("typed text is sent as one parameter of the service's URL", async () => {
    const { sessionId } = await asked();
    await suggest(sessionId, "a&api_key=b#c/../{{key}} \ud800");
    expect(search.asked.at(-1)).toMatchObject({ path: "/v1/autocomplete" });
    expect([...(search.asked.at(-1)?.query.keys() ?? [])]).toEqual(["text"]);
    expect(search.asked.at(-1)?.query.get("text")).toBe("a&api_key=b#c/../{{key}} \ufffd");
  });

  test("a suggestion in a linked flow sets that flow's variables", async () => {
    const linked = await publish(api.client, { token: owner.token, workspaceId }, flowWith());
    const link = { id: idOf("link"), type: "Typebot link", options: { typebotId: linked.botId, groupId: idOf("g0") } };
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flowOf([link]));
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    const found = await suggest(sessionId, "Rivoli");
    const step = await choose(sessionId, places[2].label, found.text("suggestions.0.id"));
    expect(step.text("messages.0.content.plainText")).toBe("In Rue de Rivoli, at 48.8611");
  });

  test("a preview has suggestions, and a preview without a token makes no call", async () => {
    const { botId } = await asked();
    const preview = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token: owner.token, body: {} });
    const found = await suggest(preview.text("sessionId"), "Rivoli");
    const step = await choose(preview.text("sessionId"), places[2].label, found.text("suggestions.0.id"));
    expect(step.text("messages.0.content.plainText")).toBe("In Rue de Rivoli, at 48.8611");

    const bot = { ...flowWith(), id: botId };
    const anonymous = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { body: { bot } });
    const before = search.asked.length;
    const none = await suggest(anonymous.text("sessionId"), "Rivoli");
    expect([none.status, none.body]).toEqual([200, { suggestions: [] }]);
    expect(search.asked.length).toBe(before);
  });
});

describe("missing suggestions", () => {
  test.each<readonly [Fault]>(faults.map((fault) => [fault]))(
    "no suggestions are returned if the service fails with %s, and the service's key is not revealed",
    async (fault) => {
      const chat = await asked();
      search.fail(fault);
      const none = await suggest(chat.sessionId, "Downing");
      const typed = await say(api.client, chat.sessionId, { type: "text", text: "10 Downing Street" });

      expect([none.status, none.body]).toEqual([200, { suggestions: [] }]);
      expect(typed.text("messages.0.content.plainText")).toBe("In , at ");
      const { token } = owner;
      const everything = await Promise.all([
        api.client.get(`/api/v1/sessions/${chat.sessionId}`),
        resultOf(chat),
        api.client.get(`/api/v1/bots/${chat.botId}/results/${chat.resultId}/logs`, { token }),
        api.client.get(`/api/v1/workspaces/${workspaceId}/credentials/${credentialsId}`, { token }),
        api.client.get(`/api/v1/workspaces/${workspaceId}/credentials`, { token }),
      ]);
      expect(everything.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(JSON.stringify([chat.started, none, typed, ...everything].map(({ body }) => body))).not.toContain(
        plantedKey,
      );
    },
  );

  test("no suggestions are returned in an expired chat or suspended workspace", async () => {
    const { sql } = api.deps;
    const [expired, suspended] = [await asked(), await asked()];
    await sql`update sessions set expires_at = clock() where id = ${expired.sessionId}`;
    const before = search.asked.length;
    const late = await suggest(expired.sessionId, "Downing");
    await sql`update workspaces set is_suspended = true where id = ${workspaceId}`;
    const held = await suggest(suspended.sessionId, "Downing");
    await sql`update workspaces set is_suspended = false where id = ${workspaceId}`;

    expect([late, held].map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, { suggestions: [] }]));
    expect(search.asked.length).toBe(before);
    expect((await suggest(suspended.sessionId, "Downing")).at("suggestions.*.text")).toHaveLength(2);
  });

  test("no suggestions are returned while a chat waits for another kind of input", async () => {
    const flow = flowOf([{ id: idOf("listen"), type: "webhook", options: {} }]);
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    const none = await suggest(sessionId, "Downing", { blockId: idOf("listen") });
    expect([none.status, none.body]).toEqual([200, { suggestions: [] }]);
  });

  test("no suggestions are returned while the service hangs", async () => {
    const { sessionId } = await asked();
    search.fail("hang", { times: 100 });
    const all = await Promise.all(Array.from({ length: 30 }, () => suggest(sessionId, "Downing")));
    expect(all.map(({ status, body }) => [status, body])).toEqual(Array(30).fill([200, { suggestions: [] }]));
  });

  test("no suggestions are returned without an open input, a text or credentials", async () => {
    const { sessionId } = await asked();
    const before = search.asked.length;
    const elsewhere = await suggest(sessionId, "Downing", { blockId: idOf("asks text input") });
    const blank = await suggest(sessionId, "  a  ");
    await say(api.client, sessionId, { type: "text", text: "Home" });
    const late = await suggest(sessionId, "Downing");
    const later = await suggest(sessionId, "Downing", { blockId: idOf("asks text input") });
    await say(api.client, sessionId, { type: "text", text: "Bye" });
    const ended = await suggest(sessionId, "Downing");
    const without = await suggest((await asked({ credentialsId: undefined })).sessionId, "Downing");
    const gone = await suggest((await asked({ credentialsId: idOf("gone") })).sessionId, "Downing");

    const all = [elsewhere, blank, late, later, ended, without, gone];
    expect(all.map(({ status, body }) => [status, body])).toEqual(all.map(() => [200, { suggestions: [] }]));
    expect(search.asked.length).toBe(before);
  });

  test("no suggestions are returned with a key that the service rejects", async () => {
    const wrong = await credentialsOf({
      url: `${search.origin}${searchPath}`,
      header: "X-Key",
      key: "wrong-planted-key",
    });
    const { sessionId } = await asked({ credentialsId: wrong });
    expect((await suggest(sessionId, "Downing")).at("suggestions")).toEqual([]);
    const path = `/api/v1/workspaces/${workspaceId}/credentials/${wrong}`;
    const seen = await api.client.get(path, { token: owner.token });
    expect(seen.at("credentials.lastProblem.message")).toBe("Unknown key: •••");
  });

  test("no suggestions are returned with another workspace's credentials", async () => {
    const stranger = await api.makeUser();
    const theirs = await api.makeWorkspace(stranger);
    const bot = await publish(api.client, { token: stranger.token, workspaceId: theirs }, flowWith());
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    const before = search.asked.length;
    expect((await suggest(sessionId, "Downing")).at("suggestions")).toEqual([]);
    expect(search.asked.length).toBe(before);
  });
});

test("a suggestion request is rejected for an invalid chat, origin or text length", async () => {
  const { sessionId } = await asked({}, { security: { allowedOrigins: ["https://shop.test"] } });
  const elsewhere = await suggest(sessionId, "Downing", { headers: { Origin: "https://other.test" } });
  const own = await suggest(sessionId, "Downing", { headers: { Origin: "https://shop.test" } });
  const nowhere = await suggest("06ey3k2m5q8r1t4v7x0z9w2b5d", "Downing");
  const lengths = [await suggest(sessionId, "ab"), await suggest(sessionId, "a".repeat(201))];

  expect(elsewhere.at("code")).toBe("origin.not_allowed");
  expect(own.at("suggestions.*.text")).toHaveLength(2);
  expect(nowhere.at("code")).toBe("session.not_found");
  expect(lengths.map((one) => one.at("code"))).toEqual(["request.invalid", "request.invalid"]);
});

describe("credentials for an address search", () => {
  test.each<readonly [member: string, object]>([
    ["data.url", { url: "https://search.example.com/v1?text=Paris" }],
    ["data.url", { url: "https://{{query}}.example.com/v1" }],
    ["data.url", { url: "https://search.example.com{{query}}" }],
    ["data.url", { url: "https://{{query}}@search.example.com/v1" }],
    ["data.url", { url: "https://ann:pw@search.example.com/v1?text={{query}}" }],
    ["data.url", { url: "https://search.example.com/v1#{{query}}" }],
    ["data.url", { url: "file:///etc/passwd?{{query}}" }],
    ["data.url", { url: "search.example.com/{{query}}" }],
    ["data.url", { url: "http://127.0.0.1:9/?text={{query}}" }],
    ["data.url", { url: "http://169.254.169.254/{{query}}" }],
    ["data.header", { url: "https://search.example.com/{{query}}", key: plantedKey }],
    ["data.header", { url: "https://search.example.com/{{query}}", header: "X Key", key: plantedKey }],
    ["data.key", { url: "https://search.example.com/{{query}}", header: "X-Key" }],
    ["data.key", { url: "https://search.example.com/{{query}}", header: "X-Key", key: "a\r\nHost: b" }],
  ])("credentials for an address search are rejected because of %s: %j", async (member, data) => {
    const refused = await make(data);
    expect([refused.at("code"), refused.at("data.issues.*.path")]).toEqual(["request.invalid", [member]]);
  });

  test.each([
    { url: "https://search.example.com/v1/{{query}}.json?key={{key}}", key: "pk.1" },
    { url: "https://search.example.com/v1?text={{query}}", header: "Authorization", key: "Bearer planted-key" },
    { url: " https://photon.example.com/api?q={{query}}&limit=5 " },
  ])("credentials for an address search are accepted as %j", async (data) => {
    expect((await make(data)).status).toBe(200);
  });

  test("address search credentials require the key again for a new server", async () => {
    const made = await make({ url: "https://search.example.com/v1?text={{query}}", header: "X-Key", key: plantedKey });
    const path = `/api/v1/workspaces/${workspaceId}/credentials/${made.text("credentials.id")}`;
    const moved = await api.client.patch(path, {
      token: owner.token,
      body: { data: { url: "https://search.other.example/v1?text={{query}}" } },
    });
    const changed = await api.client.patch(path, {
      token: owner.token,
      body: { data: { url: "https://search.example.com/v2?text={{query}}" } },
    });
    expect([moved.status, moved.at("data.issues.*.path")]).toEqual([400, ["data.key"]]);
    expect(changed.status).toBe(200);
  });
});
