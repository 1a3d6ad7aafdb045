import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";

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

const score = { id: newId(), name: "My score", value: "4" };
const name = { id: newId(), name: "Name", value: "Vera" };
const sets = (expressionToEvaluate: string, options: object = {}) => ({
  ...{ id: newId(), type: "Set variable" },
  options: { variableId: score.id, expressionToEvaluate, ...options },
});

function loopOf(...blocks: object[]) {
  const flow = flowOf([asks("text input"), ...blocks, { ...says("Done"), outgoingEdgeId: idOf("e0") }]);
  return { ...flow, variables: [score, name] };
}

async function logsOf(flow: object) {
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  const first = await say(api.client, sessionId, "one");
  await say(api.client, sessionId, "two");
  const stored = await api.client.get(`/api/v1/bots/${botId}/results/${started.text("resultId")}/logs`, {
    token: owner.token,
  });
  const texts = ["status", "context", "description", "details"].map((key) => stored.at(`logs.*.${key}`));
  return { texts, visitors: first.at("logs") };
}

describe("an expression that is used as text", () => {
  test("an expression that fails is logged once per chat", async () => {
    const block = sets("{{My score}} + bonus");
    const { texts, visitors } = await logsOf(loopOf(block));

    expect(texts).toEqual([
      ["warning"],
      ["Set variable"],
      ["The expression could not be evaluated, and is used as text instead: bonus is not defined"],
      [`Set variable ${block.id} in "Group 0", line 1:\n{{My score}} + bonus`],
    ]);
    expect(visitors).toEqual([]);
  });

  test("two blocks with invalid expressions cause one log entry each", async () => {
    const blocks = [sets("{{Name}}.shout()"), sets("Math.round({{My score}}")];
    const { texts } = await logsOf(loopOf(...blocks));

    expect(texts[3]).toEqual(
      expect.arrayContaining([
        `Set variable ${blocks[0]?.id} in "Group 0", line 1:\n{{Name}}.shout()`,
        `Set variable ${blocks[1]?.id} in "Group 0", line 1:\nMath.round({{My score}}`,
      ]),
    );
    expect(texts[0]).toEqual(["warning", "warning"]);
  });

  test("the log contains the script's error if the text is marked as code", async () => {
    const block = sets("hello + 1", { isCode: true });
    const { texts, visitors } = await logsOf(loopOf(block));
    const error = {
      context: "While evaluating set variable expression",
      description: '{"context":"While executing function","description":"[undefined] hello is not defined"}',
    };

    expect(texts).toEqual([
      ["error"],
      [error.context],
      [error.description],
      [`Set variable ${block.id} in "Group 0", line 1:\nhello + 1`],
    ]);
    expect(visitors).toEqual([error]);
  });

  test("inline code that cannot be computed is logged", async () => {
    const bubble = says("You have {{= {{My score}} + + =}} points");
    const { texts, visitors } = await logsOf(loopOf(bubble));

    expect(texts[1]).toEqual(["Inline code"]);
    expect(texts[3]).toEqual([`text ${bubble.id} in "Group 0", line 1:\n {{My score}} + + `]);
    expect(visitors).toEqual([]);
  });

  test("an expression that the visitor's browser returns unchanged is logged", async () => {
    const block = sets("{{My score}} + window.nothing.here", { isExecutedOnClient: true });
    const flow = loopOf(block);
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const started = await start(api.client, publicId);
    const asked = await say(api.client, started.text("sessionId"), "go");
    await say(
      api.client,
      started.text("sessionId"),
      asked.text("clientSideActions.0.setVariable.scriptToExecute.content"),
    );
    const logs = await api.client.get(`/api/v1/bots/${botId}/results/${started.text("resultId")}/logs`, {
      token: owner.token,
    });

    expect(logs.at("logs.*.description")).toEqual([
      "The expression could not be evaluated, and is used as text instead: it failed in the visitor's browser",
    ]);
    expect(logs.at("logs.*.details")).toEqual([
      `Set variable ${block.id} in "Group 0":\n{{My score}} + window.nothing.here`,
    ]);
  });
});

test("a text that contains variables is not an expression, and is not logged", async () => {
  const { texts } = await logsOf(loopOf(sets("Thank you, {{Name}}!"), says("{{= {{My score}} + 1 =}}")));
  expect(texts[0]).toEqual([]);
});

test("the log entry of a failing script contains the block and the line", async () => {
  const script = {
    ...{ id: newId(), type: "Code" },
    options: {
      isExecutedOnClient: false,
      content:
        "const points = 1;\nsetVariable('Name', `$\u{7b} {{Name}} }`);\nsetVariable('Name', `$\u{7b}{{My score}}} points`)",
    },
  };
  const { texts, visitors } = await logsOf(loopOf(script));

  expect(texts[2]).toEqual(Array(2).fill("[undefined] {{My score}} is not defined"));
  expect(texts[3]).toEqual(Array(2).fill(`Code ${script.id} in "Group 0", line 3`));
  expect(visitors).toEqual([
    { context: "While executing function", description: "[undefined] {{My score}} is not defined" },
  ]);
});
