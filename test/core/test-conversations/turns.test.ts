import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { blocks } from "../../../src/core/blocks/index.ts";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { createProgramCache, programCacheBytes } from "../../../src/core/tasks/program-cache.ts";
import { prove } from "../../../src/core/test-conversations/prove.ts";
import { record } from "../../../src/core/test-conversations/record.ts";
import {
  type TestConversation,
  TestConversationSchema,
  type Turn,
} from "../../../src/core/test-conversations/schema.ts";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript: await createSandbox() };

/** A flow that waits for a payment, for the call of another program, and for an answer that does not come. */
const flow = completeFlow(
  readFlowParts(
    flowOf(
      [
        asks("payment input", { amount: "5", currency: "EUR", credentialsId: "account" }),
        says("Paid"),
        {
          id: "waits",
          type: "webhook",
          options: { responseVariableMapping: [{ variableId: idOf("Name"), bodyPath: "data.name" }] },
        },
        says("Hello {{Name}}"),
        asks("text input", { timeout: { after: "600", outgoingEdgeId: idOf("e1") } }),
      ],
      [says("Nobody is there")],
    ),
    "bot",
  ),
);

const turns: Turn[] = [
  { expect: { asks: "payment input" } },
  { pays: "processing", expect: { asks: "payment input", answers: [] } },
  { pays: "succeeded", expect: { shows: ["Paid"], answers: ["Success"], asks: null } },
  { calls: { name: "Ana" }, expect: { shows: ["Hello Ana"], asks: "text input" } },
  { passes: "10m", expect: { shows: ["Nobody is there"], answers: [], ends: true } },
];

function problemsOf(given: readonly Turn[]): string[] {
  const conversation: TestConversation = { title: "Somebody pays", turns: [...given] };
  expect(Value.Check(TestConversationSchema, conversation)).toBe(true);
  return prove(tools, flow, [conversation]).outcomes[0]?.problems.map(({ message }) => message) ?? [];
}

test("a turn can be a payment, an external call or a passage of time", () => {
  expect(problemsOf(turns)).toEqual([]);
});

test.each<[string, Turn[], string]>([
  [
    "a passage of time that is too short",
    [...turns.slice(0, 4), { passes: "9m", expect: {} }],
    "Nothing is due after 9m: the chat waits for another 60s",
  ],
  [
    "a passage of time without a time limit",
    [...turns.slice(0, 1), { passes: "1d", expect: {} }],
    "Nothing is due after 1d, because the chat does not wait for a time limit",
  ],
  [
    "a call while an input is open",
    [...turns.slice(0, 1), { calls: {}, expect: {} }],
    "The chat waits for a reply of its visitor, not for a call",
  ],
  [
    "a payment without an open payment",
    [...turns.slice(0, 3), { pays: "succeeded", expect: {} }],
    "The chat does not request a payment at this turn",
  ],
  [
    "a turn with two events",
    [...turns.slice(0, 1), { say: "x", passes: "1s", expect: {} }],
    'A turn can have only one of "say" and "passes"',
  ],
])("%s is reported with the reason", (_, given, problem) => {
  expect(problemsOf(given)).toEqual([problem]);
});

test("a reply before the time limit is accepted", () => {
  const [first, , paid, called] = turns;
  const parts = [first, paid, called].flatMap((turn) => (turn ? [turn] : []));
  expect(problemsOf([...parts, { say: "Yes", expect: { ends: true } }])).toEqual([]);
  expect(problemsOf([...parts, { passes: "4m", expect: {} }])).toEqual([
    "Nothing is due after 4m: the chat waits for another 360s",
  ]);
});

test("a recorded chat with payments and calls passes as a test", () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));
  const shows = (input: string | null, action?: string) => ({
    messages: [],
    ...(input !== null && { input: { type: input } }),
    clientSideActions: action === undefined ? [] : [{ type: action }],
  });
  const payment = { kind: "payment", paymentIntentSecret: "secret", publicKey: "pk", paymentId: "p1" } as const;
  const recorded = record(
    [
      { reply: null, response: shows("payment input"), createdAt: at(0), reports: [payment] },
      {
        reply: { type: "text", text: "" },
        response: shows("payment input"),
        createdAt: at(5),
        reports: [{ kind: "paymentCheck", status: "processing" }],
      },
      {
        reply: { type: "payment", paymentId: "p1" },
        response: shows(null, "listenForWebhook"),
        createdAt: at(9),
        reports: [],
      },
      {
        reply: { type: "text", text: '{"statusCode":200,"data":{"name":"Ana"}}' },
        response: shows("text input"),
        createdAt: at(10),
        reports: [],
      },
      { reply: { type: "timeout" }, response: shows(null), createdAt: at(611), reports: [] },
    ],
    { title: "Recorded", isPreview: false, isEnded: true },
  );
  expect(recorded.turns.map(({ expect: _, now: __, ...way }) => way)).toEqual([
    {},
    { pays: "processing" },
    { pays: "succeeded" },
    { calls: { statusCode: 200, data: { name: "Ana" } } },
    { passes: "601s" },
  ]);
  expect(JSON.stringify(recorded)).not.toContain("secret");
  expect(problemsOf(recorded.turns.map(({ expect: _, ...turn }) => ({ ...turn, expect: {} })))).toEqual([]);
});
