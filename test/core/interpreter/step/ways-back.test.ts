import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowBlock, FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import type { Reply, SessionState } from "../../../../src/core/interpreter/program/state.ts";
import { type AdvanceInput, advance } from "../../../../src/core/interpreter/step/advance.ts";
import { closeStep } from "../../../../src/core/interpreter/step/step.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";

const runScript = await createSandbox();

/**
 * Returns a flow with a question, and with commands `0`, `1` …, each of which asks its own question before a `Return`
 * block.
 */
function flowOfCommands(commands: number): FlowDocument {
  const words = Array.from({ length: commands }, (_, index) => `${index}`);
  const asking = (id: string, ...after: FlowBlock[]) => ({
    id,
    title: id,
    blocks: [{ id: `asks ${id}`, type: "text input" }, ...after],
  });
  return {
    version: "6.1",
    events: [
      { id: "start", type: "start", outgoingEdgeId: "to main" },
      ...words.map((word) => ({
        id: word,
        type: "command",
        outgoingEdgeId: `to ${word}`,
        options: { command: word },
      })),
    ],
    groups: [asking("main"), ...words.map((word) => asking(word, { id: `returns ${word}`, type: "Return" }))],
    edges: ["main", ...words].map((id) => ({ id: `to ${id}`, to: { groupId: id } })),
    variables: [],
  };
}

/**
 * Starts a chat of the flow. The returned functions reply, and return the id of the open question, the logs of the
 * step, and the state.
 */
function chatOf(flow: FlowDocument) {
  const program = compile("program", "bot", flow, blocks);
  let state: SessionState | undefined;
  const take = (input: AdvanceInput) => {
    const context = {
      now: 0,
      seed: "0".repeat(32),
      isLive: true,
      contentFormat: "richText" as const,
      blocks,
      runScript,
    };
    const done = advance(context, program, () => program, input);
    if (done.kind !== "stepped") throw new Error(`It is ${done.kind}`);
    state = closeStep(done.step);
    const { input: asked, logs } = done.step.record;
    return { asks: asked?.id, logs: logs.map(({ description }) => description), state };
  };
  take({
    kind: "start",
    resultId: "result",
    isStreamEnabled: false,
    isOnlyRegistering: false,
    reply: null,
    options: {},
  });
  const say = (reply: Reply) => {
    if (!state) throw new Error("The chat has not begun");
    return take({ kind: "reply", state, reply });
  };
  return {
    command: (word: string) => say({ type: "command", command: word }),
    text: () => say({ type: "text", text: "on" }),
  };
}

test("eight nested return points are used in reverse order", () => {
  const chat = chatOf(flowOfCommands(9));
  for (let index = 0; index < 9; index++) chat.command(`${index}`);
  const asked = Array.from({ length: 9 }, () => chat.text().asks);
  expect(asked).toEqual(["asks 7", "asks 6", "asks 5", "asks 4", "asks 3", "asks 2", "asks 1", "asks 0", "asks main"]);
});

test("the ninth nested return point replaces the oldest one", () => {
  const chat = chatOf(flowOfCommands(11));
  const logs = Array.from({ length: 11 }, (_, index) => chat.command(`${index}`).logs);
  expect(logs.flat()).toEqual(["More than 8 nested events are running, so the first event cannot return"]);
  const asked = Array.from({ length: 9 }, () => chat.text());
  expect(asked.map(({ asks }) => asks)).toEqual([
    ...["asks 9", "asks 8", "asks 7", "asks 6", "asks 5", "asks 4", "asks 3", "asks 2", "asks 1"],
  ]);
  // All marks are used, so the next `Return` block has no effect.
  expect(chat.text().asks).toBeUndefined();
  expect(asked.at(-1)?.state.covered).toEqual({ marks: [], isCut: true });
});

test("a command that is repeated at one question creates one return point", () => {
  const chat = chatOf(flowOfCommands(2));
  chat.command("0");
  for (let times = 0; times < 20; times++) chat.command("1");
  const { state } = chat.command("1");
  expect([state.returnMark?.blockId, state.covered?.marks.map(({ blockId }) => blockId)]).toEqual([
    "asks 1",
    ["asks main", "asks 0"],
  ]);
});

test("a command at an earlier question drops newer return points", () => {
  const flow = flowOfCommands(1);
  const leadsBack = { id: "again", type: "command", outgoingEdgeId: "to main", options: { command: "again" } };
  const chat = chatOf({ ...flow, events: [...(flow.events ?? []), leadsBack] });
  chat.command("0");
  // The command leads from the question of the command `0` to the first question, which already has a mark.
  expect(chat.command("again").asks).toBe("asks main");
  const { state } = chat.command("0");
  expect(state.returnMark).toEqual({ status: "pending", blockId: "asks main" });
  expect(state.covered).toBeUndefined();
});
