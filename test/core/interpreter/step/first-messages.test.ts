import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { type AdvanceInput, advance } from "../../../../src/core/interpreter/step/advance.ts";
import { closeStep, type Step } from "../../../../src/core/interpreter/step/step.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";

const runScript = await createSandbox();
const says = { id: "says", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello" }] }] } };
const asks = (type: string) => ({ id: "asks", type });
const waits = { id: "waits", type: "Wait", options: { secondsToWaitFor: "1", shouldPause: true } };
const sets = { id: "sets", type: "Set variable" };
const choice = { ...asks("choice input"), items: [{ id: "a", content: "A" }] };

function chatOf(flowBlocks: readonly object[], { isLeading = true } = {}) {
  const flow: FlowDocument = JSON.parse(
    JSON.stringify({
      version: "6",
      events: [{ id: "start", type: "start", ...(isLeading && { outgoingEdgeId: "first" }) }],
      groups: [{ id: "group", title: "Group", blocks: flowBlocks }],
      edges: [{ id: "first", to: { groupId: "group" } }],
      variables: [],
    }),
  );
  const program = compile("program", "bot", flow, blocks);
  const context = {
    ...{ now: 0, seed: "0".repeat(32), isLive: true, contentFormat: "richText" as const, blocks, runScript },
  };
  return (input: AdvanceInput): Step => {
    const done = advance(context, program, () => program, input);
    if (done.kind !== "stepped") throw new Error(`It is ${done.kind}`);
    return done.step;
  };
}

const started = (text: string | null, { isOnlyRegistering = false } = {}): AdvanceInput => ({
  kind: "start",
  resultId: "result",
  isStreamEnabled: false,
  isOnlyRegistering,
  reply: text === null ? null : { type: "text", text },
  options: {},
});
const description = "The first message of the chat was not used";
const noted = (details: string) => [{ status: "info", description, details }];

test.each([
  ["a message is shown first", [says, asks("text input")], "A message was shown before the first input."],
  ["the chat first waits for the client", [waits, asks("text input")], "The chat first waits for the client."],
  ["the flow asks nothing", [sets], "The flow did not ask a question."],
  [
    "the first input is a choice",
    [choice],
    "The first input has a type that does not accept the first message: choice input.",
  ],
  ["the first group has no blocks", [], "The flow does not start with a block."],
])("the first message of a chat is logged as unused if %s", (_, flowBlocks, details) => {
  const step = chatOf(flowBlocks);

  expect(step(started("Ana")).record.logs).toEqual(noted(details));
  expect(step(started(null)).record.logs).toEqual([]);
});

test("the first message of a chat is logged as unused if the start has no target", () => {
  const step = chatOf([asks("text input")], { isLeading: false });
  expect(step(started("Ana")).record.logs).toEqual(noted("The flow does not start with a block."));
});

test.each(["text input", "email input", "file input", "rating input"])(
  "the first message of a chat is not logged as unused if the first input is a %s",
  (type) => {
    expect(chatOf([asks(type)])(started("5")).record.logs).toEqual([]);
  },
);

test("the first message of a chat that is only registered is logged as unused", () => {
  const step = chatOf([says, asks("text input")]);
  const registered = step(started("Ana", { isOnlyRegistering: true }));
  const state = closeStep(registered);
  const replied = (reply: { type: "text"; text: string } | null) => step({ kind: "reply", state, reply });

  expect(registered.record.logs).toEqual(noted("The start ran no block, because it only registered the chat."));
  expect(step(started(null, { isOnlyRegistering: true })).record.logs).toEqual([]);
  expect(replied({ type: "text", text: "Ana" }).record.logs).toEqual(
    noted("A message was shown before the first input."),
  );
  expect(replied(null).record.logs).toEqual([]);
});

test("a time-out reply before the flow starts neither starts it nor logs anything", () => {
  const step = chatOf([says, asks("text input")]);
  const state = closeStep(step(started(null, { isOnlyRegistering: true })));
  const { record } = step({ kind: "reply", state, reply: { type: "timeout" } });

  expect([record.logs, record.messages]).toEqual([[], []]);
});

test("a reply that starts a flow without blocks is logged as unused", () => {
  const step = chatOf([]);
  const state = closeStep(step(started(null, { isOnlyRegistering: true })));
  const replied = (reply: { type: "text"; text: string } | null) => step({ kind: "reply", state, reply });

  expect(replied({ type: "text", text: "Ana" }).record.logs).toEqual(noted("The flow does not start with a block."));
  expect(replied(null).record.logs).toEqual([]);
});
