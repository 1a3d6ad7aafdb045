import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createThreads, type Threads } from "../../src/chat/threads/threads.ts";
import type { ScriptOutcome } from "../../src/core/interpreter/language/script.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";
import { plainRequest } from "../platform/sandbox/scripts.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { publish, say, says, start } from "../support/chat.ts";
import { longTest } from "../support/long-test.ts";
import { type HostileScript, hostileScripts } from "./scripts.ts";

const sandbox = await createSandbox();
const maxTicks = 4_000_000;
const run = ({ source, request }: HostileScript): ScriptOutcome =>
  sandbox({ ...plainRequest, maxTicks, ...request, source });

function expectOutcome({ expected }: HostileScript, outcome: ScriptOutcome): void {
  if ("value" in expected) expect(outcome).toMatchObject({ kind: "returned", value: expected.value });
  else if ("url" in expected) expect(outcome).toMatchObject({ kind: "fetch", url: expected.url });
  else if ("isOverBudget" in expected) expect(outcome).toMatchObject({ kind: "timeout", ticks: maxTicks });
  else {
    expect(["failed", "timeout"]).toContain(outcome.kind);
    expect("error" in outcome ? outcome.error.description : "").toMatch(expected.error);
  }
}

const families = [...Map.groupBy(hostileScripts, ({ family }) => family)];
process.stdout.write(
  `${hostileScripts.length} hostile scripts: ${families.map(([name, list]) => `${list.length} ${name}`).join(", ")}\n`,
);

function heldMegabytes(): number {
  Bun.gc(true);
  return heapStats().heapSize / 1024 / 1024;
}

test("the list contains at least 100 hostile scripts", () => expect(hostileScripts.length).toBeGreaterThanOrEqual(100));

describe.each(families)("hostile scripts (%s)", (_, scripts) => {
  test.each(scripts.map((script) => [script.source.slice(0, 120), script] as const))(
    "a script has its expected outcome twice and changes nothing for the next script: %s",
    (_source, script) => {
      const first = run(script);
      expectOutcome(script, first);
      // The next script runs in an unchanged environment, and an equal script has the same result and the same number
      // of ticks.
      expect(
        sandbox({ ...plainRequest, source: "return [typeof left, ({}).isAdmin, [1].map((x) => x + 1), 1 + 1]" }),
      ).toMatchObject({
        kind: "returned",
        value: ["undefined", undefined, [2], 2],
      });
      expect(run(script)).toEqual(first);
    },
  );
});

longTest("a second run of all hostile scripts retains less than 4 MB", () => {
  const before = heldMegabytes();
  for (const script of hostileScripts) run(script);
  const after = heldMegabytes();
  process.stdout.write(`${before.toFixed(1)} MB held before, ${after.toFixed(1)} MB after\n`);
  expect(after - before).toBeLessThan(4);
});

describe("hostile scripts in one chat", () => {
  let api: TestApi;
  let threads: Threads;

  beforeAll(async () => {
    threads = createThreads({ count: 1, file: new URL("./hasty-worker.ts", import.meta.url).href });
    api = await createTestApi({ threads, config: { RATE_LIMITS: "off" } });
  });
  afterAll(async () => {
    await threads.close();
    await api.close();
  });

  longTest(
    "the same session continues after each hostile script",
    async () => {
      const owner = await api.makeUser();
      const workspaceId = await api.makeWorkspace(owner);
      const bot = await publish(api.client, { token: owner.token, workspaceId }, flowWith(hostileScripts));
      const started = await start(api.client, bot.publicId);
      const sessionId = started.text("sessionId");

      for (const index of hostileScripts.keys()) {
        const answer = await say(api.client, sessionId, `script ${index}`);
        expect([index, answer.status, answer.at("messages.*.content.plainText"), answer.at("input.id")]).toEqual([
          ...[index, 200, [`After ${index}`], "choose"],
        ]);
      }

      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
      const logs = await api.client.get(path, { token: owner.token });
      const failing = hostileScripts.filter(({ expected, request }) => !("value" in expected) && !request);
      expect(logs.list("logs").length).toBeGreaterThanOrEqual(Math.min(failing.length, 100));
    },
    180_000,
  );
});

function flowWith(scripts: readonly HostileScript[]) {
  const graphCoordinates = { x: 0, y: 0 };
  const items = scripts.map((_, index) => ({
    id: `i${index}`,
    content: `script ${index}`,
    outgoingEdgeId: `e${index}`,
  }));
  const groups = scripts.map(({ source }, index) => ({
    id: `g${index}`,
    title: `Script ${index}`,
    graphCoordinates,
    blocks: [
      { id: `s${index}`, type: "Code", options: { isExecutedOnClient: false, content: source } },
      says(`After ${index}`),
      { id: `j${index}`, type: "Jump", options: { groupId: "ask" } },
    ],
  }));
  const edges = ["ask", ...groups.map(({ id }) => id)].map((groupId, index) => ({
    id: index === 0 ? "first" : `e${index - 1}`,
    from: { eventId: "start" },
    to: { groupId },
  }));
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", graphCoordinates, outgoingEdgeId: "first" }],
    groups: [
      { id: "ask", title: "Ask", graphCoordinates, blocks: [{ id: "choose", type: "choice input", items }] },
      ...groups,
    ],
    edges,
    variables: [{ id: idOf("A"), name: "A" }],
  };
}
