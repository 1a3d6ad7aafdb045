import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { blocks } from "../../../src/core/blocks/index.ts";
import type { FlowBlock, FlowDocument } from "../../../src/core/interpreter/flow.ts";
import { createProgramCache, programCacheBytes } from "../../../src/core/tasks/program-cache.ts";
import { prove } from "../../../src/core/test-conversations/prove.ts";
import { type TestConversation, TestConversationSchema } from "../../../src/core/test-conversations/schema.ts";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { idOf } from "../../support/builder-ids.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { runCommand } from "../../support/service.ts";

const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript: await createSandbox() };
/** Decodes a conversation as the service does. */
const readConversation = (given: unknown): TestConversation => Value.Decode(TestConversationSchema, given);
const folder = temporaryFolder();
afterAll(folder.remove);

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});

const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "begin" }],
  groups: [
    {
      id: "door",
      title: "Door",
      blocks: [
        text("hello", "Tea or coffee?"),
        {
          id: "drink",
          type: "choice input",
          items: [
            { id: "tea", content: "Tea", outgoingEdgeId: "to-tea" },
            { id: "coffee", content: "Coffee" },
            { id: "water", content: "Water" },
          ],
          options: { variableId: idOf("drink") },
        },
        {
          id: "order",
          type: "Webhook",
          options: { webhook: { url: "https://example.com/orders" }, responseVariableMapping: [] },
        },
      ],
    },
    { id: "tea-room", title: "Tea room", blocks: [text("poured", "Here is your tea, {{Drink}}")] },
  ],
  edges: [
    { id: "begin", to: { groupId: "door" } },
    { id: "to-tea", to: { groupId: "tea-room" } },
  ],
  variables: [{ id: idOf("drink"), name: "Drink" }],
};

const order = { kind: "http", statusCode: 200, text: "{}" } as const;
const drinking = (say: string, more: object = {}): TestConversation => ({
  title: `Somebody drinks ${say}`,
  turns: [{ expect: { shows: ["Tea or coffee?"], asks: "choice input" } }, { say, expect: {}, ...more }],
});

test("a conversation with the expected outcome passes", () => {
  const proof = prove(tools, flow, [
    drinking("Tea", { expect: { answers: ["Tea"], variables: { Drink: "Tea" }, ends: true } }),
  ]);

  expect(proof.outcomes).toEqual([{ title: "Somebody drinks Tea", hasPassed: true, problems: [] }]);
  expect(proof.coverage).toEqual({
    blocks: { total: 4, met: 3, missed: ["order"] },
    edges: { total: 2, met: 2, missed: [] },
    items: { total: 3, met: 1, missed: ["coffee", "water"] },
  });
});

test("the coverage of several conversations is combined", () => {
  const { coverage } = prove(tools, flow, [drinking("Tea"), drinking("Coffee", { reports: [order] })]);

  expect(coverage.blocks.missed).toEqual([]);
  expect(coverage.items.missed).toEqual(["water"]);
});

test("a mismatch is reported with its turn, the expected text and the actual text", () => {
  const { outcomes } = prove(tools, flow, [
    drinking("Tea", { expect: { shows: ["Here is your coffee"], ends: true } }),
  ]);

  expect(outcomes[0]?.problems).toEqual([
    {
      turn: 2,
      part: "shows",
      message: 'At turn 2, "shows" differs from the expectation',
      expected: ["Here is your coffee"],
      actual: ["Here is your tea, Tea"],
    },
  ]);
});

test("the result of a call comes from its turn or from a mock", () => {
  const mocks = [{ blockId: "order", report: order }];
  const expected = { expects: { kind: "http", method: "DELETE" }, report: order };
  const { outcomes } = prove(tools, flow, [
    drinking("Coffee", { reports: [order] }),
    { ...drinking("Coffee"), mocks },
    drinking("Coffee"),
    drinking("Coffee", { effects: [expected] }),
    drinking("Tea", { effects: [expected] }),
  ]);

  expect(outcomes.map(({ problems }) => problems.map(({ message }) => message.slice(0, 36)))).toEqual([
    [],
    [],
    ["The conversation has no result for {"],
    ["Another effect was requested"],
    ['The flow did not request {"expects":'],
  ]);
});

describe("the outcome of a model", () => {
  const weather = { name: "weather", parameters: [{ name: "city" }], code: "return city + ': 20 C'" };
  const asks = (type: string, options: object) => ({ id: "asks", type, options: { credentialsId: "c", ...options } });
  const answering = (block: FlowBlock): FlowDocument => ({
    ...flow,
    groups: [{ id: "door", title: "", blocks: [block, text("t", "{{Drink}}")] }],
    edges: [{ id: "begin", to: { groupId: "door" } }],
    variables: [{ id: idOf("drink"), name: "Drink" }],
  });
  const chat = asks("openai", {
    ...{ action: "Create chat completion", model: "m", messages: [{ role: "user", content: "Hello" }] },
    ...{ tools: [weather], responseMapping: [{ variableId: idOf("drink") }] },
  });
  const speech = asks("openai", {
    ...{ action: "Create speech", model: "m", input: "Hello", voice: "alloy", saveUrlInVariableId: idOf("drink") },
  });
  const written = asks("openai", {
    ...{ action: "Create transcription", model: "m", url: "https://x.example/a.mp3" },
    ...{ transcriptionVariableId: idOf("drink") },
  });
  type Reports = NonNullable<TestConversation["turns"][number]["reports"]>;

  test.each<[string, FlowBlock, Reports, string[]]>([
    ["an answer", chat, [{ kind: "model", answer: { text: "Yes" } }], ["Yes"]],
    [
      "calls of tools with arguments as an object or as text, and an answer",
      chat,
      [
        {
          kind: "model",
          answer: {
            text: "Wait.",
            calls: [
              { name: "weather", arguments: { city: "Rome" } },
              { id: "b", name: "weather", arguments: '{"city":"Oslo"}' },
            ],
          },
        },
        { kind: "model", answer: { text: "Both 20 C", tokens: { in: 9 }, ended: "stop" } },
      ],
      ["Wait.\n\nBoth 20 C"],
    ],
    [
      "a failure",
      chat,
      [{ kind: "model", failure: { reason: "credit", status: 402 } }],
      ["There is no answer at the moment. Please, try again."],
    ],
    ["a recording", speech, [{ kind: "speech", url: "https://x.example/a.mp3" }], ["https://x.example/a.mp3"]],
    ["a missing recording", speech, [{ kind: "speech", failure: { reason: "busy" } }], [""]],
    ["a transcription", written, [{ kind: "transcription", text: "Good day" }], ["Good day"]],
    ["a missing transcription", written, [{ kind: "transcription", failure: { reason: "file" } }], [""]],
  ])("the outcome of a model is defined by the conversation: %s", (_, block, reports, shows) => {
    const { outcomes } = prove(tools, answering(block), [
      readConversation({ title: "x", turns: [{ reports, expect: { shows } }] }),
    ]);

    expect(outcomes[0]?.problems).toEqual([]);
  });

  test("a model's answer can be defined in the mock of its block", () => {
    const mocks = [{ blockId: "asks", report: { kind: "model", answer: { text: "Yes" } } }] as const;
    const { outcomes } = prove(tools, answering(chat), [
      readConversation({ title: "x", mocks, turns: [{ expect: { shows: ["Yes"] } }] }),
    ]);

    expect(outcomes[0]?.problems).toEqual([]);
  });

  test("a model's failure must have a known reason", () => {
    const turns = [{ reports: [{ kind: "model", failure: { reason: "weather" } }], expect: {} }];

    expect(() => readConversation({ title: "x", turns })).toThrow();
  });
});

test("a script's clock and random numbers come from the conversation", () => {
  const script = {
    id: "when",
    type: "Set variable",
    options: { variableId: idOf("v"), expressionToEvaluate: "new Date().toISOString() + Math.random()" },
  };
  const timed = {
    ...flow,
    variables: [{ id: idOf("v"), name: "When" }],
    groups: [{ id: "door", title: "", blocks: [script, text("t", "{{When}}")] }],
    edges: [{ id: "begin", to: { groupId: "door" } }],
  };
  const said = (conversation: object) =>
    prove(tools, timed, [{ title: "", turns: [{ expect: { shows: [] } }], ...conversation }]).outcomes[0]?.problems[0]
      ?.actual;
  const seeded = (seed: string) => said({ now: "2030-01-02T03:04:05.000Z", turns: [{ seed, expect: { shows: [] } }] });

  expect(JSON.stringify(said({}))).toStartWith('["2026-11-20T12:00:00.000Z');
  expect(JSON.stringify(seeded("0".repeat(32)))).toStartWith('["2030-01-02T03:04:05.000Z');
  expect(seeded("0".repeat(32))).toEqual(seeded("0".repeat(32)));
  expect(seeded("0".repeat(32))).not.toEqual(seeded("1".repeat(32)));
});

test("a conversation that runs for too long is reported", () => {
  const lap = [...Array(4_000).keys()].map((number) => text(`t${number}`, "x"));
  const long = {
    ...flow,
    groups: [{ id: "door", title: "", blocks: [...lap, { id: "ask", type: "text input", outgoingEdgeId: "begin" }] }],
    edges: [{ id: "begin", to: { groupId: "door" } }],
  };
  const turns = Array.from({ length: 200 }, () => ({ say: "on", expect: {} }));
  const { outcomes } = prove(tools, long, [
    { title: "endless", turns },
    { title: "short", turns: turns.slice(0, 2) },
  ]);

  expect(outcomes.map(({ hasPassed }) => hasPassed)).toEqual([false, true]);
  expect(outcomes[0]?.problems).toMatchObject([{ turn: 13, message: expect.stringContaining("does not end") }]);
});

test("an endless step and a reply after the end of a chat are reported", () => {
  const loop = {
    ...flow,
    groups: [{ id: "door", title: "", blocks: [{ ...text("t", "x"), outgoingEdgeId: "begin" }] }],
  };
  const { outcomes } = prove(tools, loop, [{ title: "loop", turns: [{ expect: { refused: null } }] }]);
  const after = prove(tools, flow, [{ title: "", turns: [...drinking("Tea").turns, { say: "more", expect: {} }] }]);

  expect(outcomes[0]?.problems).toMatchObject([{ part: "refused", actual: { code: "step.over_budget" } }]);
  expect(after.outcomes[0]?.problems).toMatchObject([{ turn: 3, message: expect.stringContaining("after its end") }]);
});

test("parley test reports passed, failed and invalid tests", async () => {
  const path = (name: string) => join(folder.path, name);
  await Bun.write(path("bot.json"), JSON.stringify(flow));
  await Bun.write(path("good.json"), JSON.stringify({ ...drinking("Tea"), flow: "bot.json" }));
  await Bun.write(path("bad.json"), JSON.stringify([drinking("Tea", { expect: { shows: ["Coffee"] } })]));
  await Bun.write(path("none.json"), JSON.stringify({ title: "x", turns: [{ expect: { show: [] } }] }));

  const good = await runCommand(["test", path("good.json")]);
  const bad = await runCommand(["test", path("bad.json"), "--flow", path("bot.json")]);
  const none = await runCommand(["test", path("none.json"), "--flow", path("bot.json")]);

  expect(good).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("1 passed, 0 failed\nblocks: 3 of 4 reached, not order\n"),
  });
  expect(bad).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('actual:   ["Here is your tea, Tea"]') });
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("/turns/0/expect/show") });

  await Bun.write(path("tests/good.json"), JSON.stringify({ ...drinking("Tea"), flow: "../bot.json" }));
  await Bun.write(path("tests/lost.json"), JSON.stringify({ ...drinking("Tea"), flow: "../lost.json" }));
  const all = await runCommand(["test", path("tests"), path("good.json"), "--json"]);
  const mistyped = await runCommand(["test", path("test")]);
  expect([all.exitCode, JSON.parse(all.stdout)]).toMatchObject([
    1,
    {
      files: [
        { name: path("tests/good.json"), hasPassed: true },
        { name: path("tests/lost.json"), problem: expect.stringContaining("lost.json cannot be read") },
        { name: path("good.json"), hasPassed: true },
      ],
      hasPassed: false,
    },
  ]);
  expect(mistyped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("does not exist") });
});
