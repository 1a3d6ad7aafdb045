import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { sizeOf } from "../support/campaigns.ts";
import { publish, say, says, start } from "../support/chat.ts";
import { longTest } from "../support/long-test.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { again, nestedLists, script, sets, trap } from "./flows.ts";

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

const timeoutMs = 120_000;

async function walkInto(flow: object) {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, bot.publicId);
  const sessionId = started.text("sessionId");
  const answer = await say(api.client, sessionId, "go");
  const session = await api.client.get(`/api/v1/sessions/${sessionId}`);
  const calm = answer.status === 200 ? undefined : await say(api.client, sessionId, "calm");
  const logs = await api.client.get(`/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`, {
    token: owner.token,
  });
  return { answer, session, calm, logs: JSON.stringify(logs.at("logs.*")) };
}

/**
 * Scripts have a budget of ticks, and a step has a time limit. On a slow or busy machine, a step reaches the time limit
 * first.
 */
const scriptsOrTime = ["scripts", "time"];

/** Expects that the step is rejected for one of the limits, and that the chat is unchanged. */
async function expectRefused(flow: object, ...limits: readonly string[]): Promise<void> {
  const { answer, session, calm, logs } = await walkInto(flow);

  expect(answer).toMatchObject({ status: 422, body: { code: "step.over_budget" } });
  expect(limits).toContain(answer.text("data.limit"));
  expect(session.at("session.input.id")).toBe("choose");
  expect(session.list("session.steps")).toHaveLength(1);
  expect(calm?.at("messages.*.content.plainText")).toEqual(["Still here"]);
  expect(logs).toContain("This step exceeds the limit of work in one step.");
}

/**
 * Expects the step to continue, with a log of the failure. On a slow or busy machine, a step may reach its time limit
 * before a script has used up its ticks, and is then rejected.
 */
async function expectLogged(blocks: readonly object[], log: string): Promise<void> {
  const { answer, logs } = await walkInto(trap([...blocks, says("And on")]));

  if (answer.status === 422) {
    expect(answer).toMatchObject({ body: { code: "step.over_budget", data: { limit: "time" } } });
    return;
  }
  expect(answer.status).toBe(200);
  expect(answer.at("messages.*.content.plainText")).toEqual(["And on"]);
  expect(logs).toContain(log);
}

describe("the limits of a step", () => {
  test("a step is refused when its blocks form a loop without an input", () =>
    expectRefused(trap([says("Round"), again]), "blocks"));

  test("a step is refused when a flow links to itself", () => {
    const link = { id: "link", type: "Typebot link", options: { typebotId: "current", groupId: "trap" } };
    return expectRefused(trap([link]), "linkedFlows");
  });

  test("a step is refused when variables exceed their size limit", () => {
    const half = "'x'.repeat(900_000)";
    return expectRefused(trap([sets(idOf("A"), half), sets(idOf("B"), half)]), "variables");
  });

  test("a step is refused when a text doubles repeatedly", () => {
    const doubling = Array.from({ length: 30 }, (_, index) => sets(idOf("A"), "{{A}} and {{A}}", `doubles ${index}`));
    return expectRefused(trap([sets(idOf("A"), "'x'.repeat(100)"), ...doubling]), "variables");
  });

  longTest("a step is refused when a long text is shown repeatedly", () => {
    const shown = { ...says("{{A}}"), id: "shows" };
    const back = { id: "back", type: "Jump", options: { groupId: "trap", blockId: "shows" } };
    return expectRefused(trap([sets(idOf("A"), "'x'.repeat(500_000)"), shown, back]), "characters");
  });

  test("a step is refused when one message refers to a long text very often", () =>
    expectRefused(
      trap([sets(idOf("A"), "'x'.repeat(500_000)"), says("{{A}}".repeat(sizeOf({ short: 100_000, long: 1_000_000 })))]),
      "characters",
    ));

  longTest("a step is refused when one card becomes 20,000 cards with 1,000 paths each", () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => ({ id: `p${index}`, text: "Take" }));
    const cards = { id: "cards", type: "cards", items: [{ id: "card", title: "{{A}}", paths }] };
    return expectRefused(
      trap([sets(idOf("A"), "return Array.from({ length: 20_000 }, () => 'x')"), cards]),
      "characters",
    );
  });

  test("a step is refused when two long lists are compared pair by pair", () => {
    const comparisons = [{ id: "c", variableId: idOf("A"), comparisonOperator: "Starts with", value: "{{A}}" }];
    const condition = { id: "condition", type: "Condition", items: [{ id: "i", content: { comparisons } }] };
    return expectRefused(
      trap([sets(idOf("A"), "return Array.from({ length: 20_000 }, () => 'x')"), condition]),
      "characters",
    );
  });

  longTest(
    "a step is refused when many choices use a pattern that backtracks endlessly",
    () => {
      const comparisons = [{ id: "c", variableId: idOf("A"), comparisonOperator: "Matches regex", value: "(a+)+$" }];
      const items = Array.from({ length: sizeOf({ short: 1_000, long: 10_000 }) }, (_, index) => ({
        id: `i${index}`,
        content: `Choice ${index}`,
        displayCondition: { isEnabled: true, condition: { comparisons } },
      }));
      const storm = { id: "storm", type: "choice input", items };
      return expectRefused(trap([sets(idOf("A"), "'a'.repeat(40) + 'b'"), storm]), ...scriptsOrTime);
    },
    timeoutMs,
  );

  longTest(
    "a step is refused when a loop of blocks repeats inline code that never ends",
    () => expectRefused(trap([says("{{= for (;;); return 1 =}}"), again]), ...scriptsOrTime),
    timeoutMs,
  );
});

describe("failures that a step logs", () => {
  test(
    "a step continues with a log entry when a script never ends",
    () => expectLogged([script("for (;;);")], "[undefined] Script execution timed out."),
    timeoutMs,
  );

  test("a step continues with a log entry when a script uses unlimited memory", () =>
    expectLogged([script("const all = []; for (;;) all.push(new Array(1000).fill(1))")], "[undefined] out of memory"));

  longTest("a step continues with a log entry when a script returns 100 MB", () =>
    expectLogged([script("return 'x'.repeat(100e6)")], "[undefined] out of memory"),
  );

  test("a step continues with a log entry when a script's result exceeds 1 MB", () =>
    expectLogged([script("return 'x'.repeat(2e6)")], "The result is larger than 1 MB."));

  test(
    "a step continues with a log entry when a pattern backtracks endlessly",
    () => {
      const comparisons = [{ id: "c", variableId: idOf("A"), comparisonOperator: "Matches regex", value: "(a+)+$" }];
      const condition = { id: "condition", type: "Condition", items: [{ id: "i", content: { comparisons } }] };
      return expectLogged([sets(idOf("A"), "'a'.repeat(40) + 'b'"), condition], "takes too long");
    },
    timeoutMs,
  );
});

describe("large values within the limits", () => {
  test("a list of 10,000 items is processed", async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      type: "li",
      children: [{ type: "lic", children: [{ text: `Item ${index}` }] }],
    }));
    const { answer } = await walkInto(
      trap([{ id: "list", type: "text", content: { richText: [{ type: "ul", children: items }] } }]),
    );

    expect(answer.status).toBe(200);
    expect(answer.text("messages.0.content.plainText").split("\n")).toHaveLength(10_000);
  });

  test("lists nested 40 levels deep are processed", async () => {
    const { answer } = await walkInto(
      trap([{ id: "list", type: "text", content: { richText: [nestedLists(40)] } }, says("And on")]),
    );

    expect(answer.status).toBe(200);
    expect(answer.at("messages.1.content.plainText")).toBe("And on");
  });

  test("a reply of 30,000 nested JSON lists is processed", async () => {
    const mapping = [{ variableId: idOf("A"), bodyPath: "data.a" }];
    const listening = { id: "listens", type: "webhook", options: { responseVariableMapping: mapping } };
    const flow = trap([listening, says("Heard")]);
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const started = await start(api.client, bot.publicId);
    const sessionId = started.text("sessionId");
    await say(api.client, sessionId, "go");

    const answer = await say(api.client, sessionId, `{"data":${"[".repeat(30_000)}${"]".repeat(30_000)}}`);

    expect(answer.at("messages.*.content.plainText")).toEqual(["Heard"]);
  });
});

describe("oversized values in a flow", () => {
  const written = (flow: object) =>
    api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: { name: "Large", ...flow } } });

  test("a flow with 10,000 groups is rejected", async () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => ({
      id: `g${index}`,
      title: "",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [],
    }));
    const answer = await written(trap([], { groups }));

    expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(JSON.stringify(answer.at("data.issues"))).toContain(`must be at most ${limits.flow.groups} groups`);
  });

  test("a text with lists nested 300 levels deep is rejected", async () => {
    const answer = await written(trap([{ id: "t", type: "text", content: { richText: [nestedLists(300)] } }]));

    expect(answer.status).toBe(400);
  });
});
