import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { previewed } from "../../../src/web/app/preview/bot.ts";
import {
  answerFrom,
  nameFor,
  type Outcome,
  putProven,
  takenIn,
  withCalls,
  withEnd,
} from "../../../src/web/app/preview/kept-test.ts";
import { readOnlyBot } from "../../../src/web/app/reading/read-only-bot.ts";
import { comparedTexts, missedIn, saidIn } from "../../../src/web/app/screens/tests/service.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost({
    config: { ENCRYPTION_KEY: "k".repeat(32) },
    safeFetch: async () => ({ status: 200, text: '{ "city": "Lyon" }' }),
  });
});
afterAll(() => host.close());

const call = {
  id: "call",
  type: "Webhook",
  options: {
    webhook: { url: "https://api.example.com/city", method: "GET" },
    responseVariableMapping: [{ id: "m", variableId: idOf("Email"), bodyPath: "data.city" }],
  },
};
const flow = (greeting: string) =>
  flowOf([
    says("Your name?", "hi"),
    asks("text input", { variableId: idOf("Name") }),
    call,
    says(greeting, "hello"),
    { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
    says("Bye", "bye"),
  ]);

describe("the name of a saved test", () => {
  test.each([
    ["A big company reaches sales!", "a-big-company-reaches-sales"],
    ["Ärger & Größe", "arger-gro-e"],
    ["日本語", "test"],
    ["  --  ", "test"],
    ["x".repeat(300), "x".repeat(80)],
    ["Taken", "taken-3"],
  ])("the name for %j is %s", (title, name) => {
    expect(nameFor(title, new Set(["taken", "taken-2"]))).toBe(name);
  });
});

describe("the response of a call in a recorded walk", () => {
  const mapped = (...pairs: readonly (readonly [string, string])[]) => ({
    options: {
      responseVariableMapping: pairs.map(([variable, bodyPath]) => ({ variableId: idOf(variable), bodyPath })),
    },
  });
  const taken = new Map<string, unknown>([
    [idOf("code"), "TEAM12"],
    [idOf("town"), "Lyon"],
    [idOf("none"), null],
  ]);

  test.each([
    [[["code", "data.code"]], '{"code":"TEAM12"}'],
    [
      [
        ["code", "data.offer.code"],
        ["town", "data.offer.town"],
      ],
      '{"offer":{"code":"TEAM12","town":"Lyon"}}',
    ],
    [[["code", "data"]], "TEAM12"],
    [[["code", "data.list[0]"]], undefined],
    [
      [
        ["code", "data.code"],
        ["other", "data.other"],
      ],
      undefined,
    ],
    [[["none", "data.code"]], undefined],
    [[], undefined],
  ] as const)("the response for the paths %j is %j", (pairs, answer) => {
    expect(answerFrom(mapped(...pairs), "http", taken)).toBe(answer);
  });

  test("the response of a model is the message content that its block stores", () => {
    const block = (...responseMapping: readonly object[]) => ({ options: { responseMapping } });
    expect(answerFrom(block({ variableId: idOf("code") }), "model", taken)).toBe("TEAM12");
    const several = block(
      { item: "Total tokens", variableId: idOf("code") },
      { item: "Message content", variableId: idOf("town") },
    );
    expect(answerFrom(several, "model", taken)).toBe("Lyon");
    expect(answerFrom(undefined, "model", undefined)).toBeUndefined();
  });

  test("the recorded response of a call contains its block's saved values", () => {
    const variable = (variableId: string, value: string) => ({ kind: "variable", variableId, name: variableId, value });
    const entries = [
      { kind: "block", blockId: "call" },
      { kind: "effect", blockId: "call", effect: "http" },
      variable("code", "A"),
      { ...variable("long", "B"), isCut: true },
      { kind: "block", blockId: "set" },
      variable("town", "C"),
    ];
    const steps = JSON.parse(JSON.stringify([{ revision: 1, wentBackTo: null, entries }]));
    expect([...takenIn(steps)]).toEqual([["call", new Map([["code", "A"]])]]);
  });
});

test("a saved walk starts where it was recorded", () => {
  const recorded = { title: "T", isPreview: true, turns: [{ expect: {} }, { say: "Ada", expect: { shows: ["Hi"] } }] };
  const startFrom = { type: "group", groupId: "g" } as const;
  const kept = withCalls(recorded, {
    ...{ startFrom, variables: { Plan: "pro" } },
    calls: [
      { blockId: "call", effect: "http", status: 404, label: "" },
      { blockId: "ask", effect: "model", status: 200, label: "" },
    ],
    answers: new Map([["ask", "Hello"]]),
  });

  expect(withEnd(kept, { Name: "Ada" })).toEqual({
    title: "T",
    start: { startFrom, prefilledVariables: { Plan: "pro" } },
    mocks: [
      { blockId: "call", report: { kind: "http", statusCode: 404, text: "" } },
      { blockId: "ask", report: { kind: "model", answer: { text: "Hello" } } },
    ],
    turns: [{ expect: {} }, { say: "Ada", expect: { shows: ["Hi"], variables: { Name: "Ada" } } }],
  });
  expect(withCalls(recorded, { startFrom: undefined, variables: {}, calls: [], answers: new Map() })).toEqual({
    title: "T",
    turns: recorded.turns,
  });
});

describe("a saved walk", () => {
  const walk = { title: "T", turns: [{ say: "Ada", expect: { shows: ["Hi"] } }] };
  const outcome = (problems: Outcome["problems"]): Outcome => ({
    ...{ name: "t", title: "T", isRequired: false, durationMs: 1 },
    ...{ hasPassed: problems.length === 0, problems },
  });
  const proven = async (...outcomes: readonly (Outcome | Error)[]) => {
    const stored: object[] = [];
    const left = [...outcomes];
    const done = await putProven(
      walk,
      { Name: "ada" },
      {
        isRequired: true,
        put: async (test) => void stored.push({ values: test.conversation.turns[0]?.expect.variables, ...test }),
        prove: async () => {
          const next = left.shift();
          if (next instanceof Error) throw next;
          return next;
        },
      },
    ).catch(() => undefined);
    return { stored, done };
  };

  test("a saved walk is required only once it has passed", async () => {
    const other = { turn: 1, message: "", part: "variables", expected: { Name: "ada" }, actual: { Name: "Ada" } };
    const { stored, done } = await proven(outcome([other]), outcome([]));
    expect(done?.hasPassed).toBe(true);
    expect(stored).toMatchObject([
      { isRequired: false, values: { Name: "ada" } },
      { isRequired: false, values: { Name: "Ada" } },
      { isRequired: true, values: { Name: "Ada" } },
    ]);
  });

  test("a saved walk is not required if it fails, or if its check fails", async () => {
    for (const end of [outcome([{ turn: 1, message: "", part: "shows" }]), new Error("The service is away")]) {
      expect((await proven(end)).stored).toMatchObject([{ isRequired: false }]);
    }
  });
});

test.each([
  ["write", { isArchived: false, name: "Bot" }, true],
  ["write", { isArchived: true, name: "Bot" }, false],
  ["read", { isArchived: false, name: "Bot" }, false],
  ["guest", { isArchived: false, name: "Bot" }, false],
] as const)("saving a walk with the access %s to the bot %j is allowed: %s", (mode, bot, mayKeep) => {
  const draft = { groups: [], edges: [], variables: [] };
  const { editor } = readOnlyBot(JSON.parse('{ "id": "b" }'), draft);
  const open = { ...{ id: "b", mode, editor }, bot: signal(bot) };
  const naming = () => {
    throw new Error("Nothing is named here");
  };
  expect(previewed(open, naming, undefined).mayKeep()).toBe(mayKeep);
});

test("a comparison lists only the variables that differ", () => {
  const problem = { turn: 2, message: "", part: "variables" };
  expect(
    comparedTexts({ ...problem, expected: { A: "1", B: "2" }, actual: { A: "1", B: "3", C: ["x", null] } }),
  ).toEqual({
    expected: "B = 2\nC = –",
    actual: "B = 3\nC = x\n–",
  });
  expect(comparedTexts({ ...problem, part: "shows", expected: ["Hi", "you"], actual: [] })).toEqual({
    expected: "Hi\nyou",
    actual: "–",
  });
  expect(comparedTexts({ ...problem, expected: {}, actual: undefined }).actual).toBe("–");
  expect(saidIn({ say: { type: "audio", url: "https://a.example/x" }, expect: {} })).toBe("https://a.example/x");
  expect(saidIn({ say: null, expect: {} })).toBeUndefined();
});

test("untested elements are listed by group", () => {
  const coverage = {
    blocks: { total: 3, met: 1, missed: ["b2", "gone"] },
    edges: { total: 2, met: 0, missed: ["e1", "e2", "e3", "lost"] },
    items: { total: 0, met: 0, missed: [] },
  };
  const groups = [
    {
      id: "g1",
      title: "First",
      blocks: [
        { id: "b1", type: "text" },
        { id: "b2", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
      ],
    },
    { id: "g2", title: "", blocks: null },
  ];
  const edges = [
    { id: "e1", from: { blockId: "b1" }, to: { groupId: "g2" } },
    { id: "e2", from: { blockId: "b2", itemId: "yes" }, to: { groupId: "g1" } },
    { id: "e3", from: { eventId: "start" }, to: { groupId: "g1" } },
  ];

  expect(missedIn(JSON.parse(JSON.stringify({ groups, edges })), coverage, "No name")).toEqual({
    groups: [{ id: "g1", title: "First", met: 1, of: 2 }],
    edges: [
      { id: "e1", from: "First", choice: undefined, to: "No name", blockId: "b1" },
      { id: "e2", from: "First", choice: "Yes", to: "First", blockId: "b2" },
      { id: "e3", from: "No name", choice: undefined, to: "First", blockId: undefined },
    ],
  });
});

inBrowser("a preview is saved by keyboard as a required test", async ({ page, context, problems, outside }) => {
  await host.signIn(context);
  const { token } = host.owner;
  const { botId } = await host.publish(flow("Hello {{Name}} of {{Email}}"));
  await page.goto(`${host.builder}/bots/${botId}/tests`);
  await page.getByRole("heading", { name: "No tests yet" }).waitFor();
  expect(await axeProblems(page)).toEqual([]);

  await page.getByRole("button", { name: "Open the preview" }).click();
  const frame = page.frameLocator("iframe");
  await frame.getByRole("textbox").fill("Ada");
  await frame.getByRole("textbox").press("Enter");
  await frame.getByText("Hello Ada of Lyon").waitFor();
  await frame.getByRole("button", { name: "Yes" }).click();
  await frame.getByText("Bye").waitFor();
  await page.getByText("The chat has ended").waitFor();
  // The dialog fails to load. Keys work for the page again, and another press retries.
  await page.getByRole("button", { name: "Save this chat as a test" }).focus();
  await page.route("**/*.js", (route) => route.abort());
  await page.keyboard.press("Enter");
  await page.locator(".app-toast-text", { hasText: "could not be loaded or shown" }).waitFor();
  await page.unroute("**/*.js");
  const hasHeard = await page.evaluateHandle(() => {
    const heard: string[] = [];
    document.addEventListener("keydown", ({ key }) => heard.push(key), { once: true });
    return heard;
  });
  await page.keyboard.press("x");
  expect(await hasHeard.jsonValue()).toEqual(["x"]);
  await page.keyboard.press("Enter");
  await page.keyboard.type("A visitor is greeted");
  await page.getByLabel("What does the test check?").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  // The dialog shows the values that blocks extracted from responses.
  expect(await page.getByLabel("Response of https://api.example.com/city").inputValue()).toBe('{"city":"Lyon"}');
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Save test" }).press("Enter");
  await page.locator(".app-toast-text", { hasText: "Saved as a test." }).waitFor();

  const stored = await host.api.client.get(`/api/v1/bots/${botId}/testConversations/a-visitor-is-greeted`, { token });
  expect(stored.body).toMatchObject({
    testConversation: { isRequired: true, conversation: { title: "A visitor is greeted" } },
  });
  expect(JSON.stringify(stored.body)).toContain('"variables":{"Name":"Ada","Email":"Lyon"}');

  await page.getByRole("button", { name: "Open the tests" }).click();
  await page.getByRole("button", { name: "Run all" }).click();
  await page.getByText("Passed", { exact: true }).waitFor();
  await page.getByText("The tests cover all blocks and lines.").waitFor();

  await host.api.client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: flow("Good day {{Name}}") } });
  await page.getByRole("button", { name: "Run “A visitor is greeted”" }).click();
  await page.getByText("Failed", { exact: true }).waitFor();
  const difference = page.locator(".tests-difference");
  await difference.waitFor();
  expect(await difference.locator("dd").allTextContents()).toEqual(["Hello Ada of Lyon", "Good day Ada"]);
  expect(await page.locator(".tests-turns h3").allTextContents()).toEqual(["Start", "You: Ada", "You: Yes"]);
  expect(await axeProblems(page)).toEqual([]);
  const refused = await host.api.client.post(`/api/v1/bots/${botId}/publish`, { token, body: {} });
  expect(refused.body).toMatchObject({ code: "flow.tests_failed" });

  await page.goto(`${host.builder}/bots/${botId}`);
  await page.getByRole("button", { name: /^Publish/ }).click();
  const publish = page.getByRole("dialog");
  await publish.getByRole("textbox").fill("Politer");
  await publish.getByRole("button", { name: "Publish", exact: true }).click();
  await publish.getByText("A required test failed, so nothing was published.").waitFor();
  expect(await publish.getByRole("alert").textContent()).toContain("“A visitor is greeted”");
  expect(await publish.getByRole("textbox").inputValue()).toBe("Politer");
  await publish.getByRole("button", { name: "Publish anyway" }).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await publish.getByRole("button", { name: "Show where it fails" }).click();
  await difference.waitFor();
  // The URL has no parameter left that would run a test after a reload.
  expect(new URL(page.url()).search).toBe("");

  await page.getByRole("switch", { name: "Required" }).press("Space");
  const isRequired = async () =>
    (await host.api.client.get(`/api/v1/bots/${botId}/testConversations`, { token })).at(
      "testConversations.*.isRequired",
    );
  await page.waitForFunction(
    () => document.querySelector('[role="switch"]:not([aria-disabled]):not(:checked)') !== null,
  );
  expect(await page.evaluate(() => document.activeElement?.role)).toBe("switch");
  expect(await isRequired()).toEqual([false]);
  await page.getByRole("button", { name: "Delete “A visitor is greeted”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No tests yet" }).waitFor();
  expect(outside).toEqual([]);
  // The stopped publication responds with 409, which browsers log.
  const known = /net::ERR_FAILED|status of 409/;
  expect(problems.filter((problem) => !known.test(problem))).toEqual([]);
});
