import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { createDueWorld, type DueWorld } from "../due/due-world.ts";

let world: DueWorld;
beforeAll(async () => {
  world = await createDueWorld();
});
afterEach(() => moveClock(world.api.deps.sql, 0));
afterAll(() => world.close());

const settings = { general: { isGoBackEnabled: true } };
const draws = (id = "draws") => ({
  id,
  type: "Set variable",
  options: { variableId: idOf("Name"), type: "Random ID" },
});
const shown = (id = "shown") => says("Drawn {{Name}}", id);
const edge = (id: string, group: string) => ({ id, from: { blockId: "unused" }, to: { groupId: idOf(group) } });

async function begin(flow: object, { isPreview = false } = {}) {
  const { client } = world.api;
  const bot = await world.make({ ...flow, settings });
  const { token } = world.owner;
  const started = isPreview
    ? await client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, { token, body: {} })
    : await start(client, bot.publicId);
  const sessionId = started.text("sessionId");
  return {
    sessionId,
    /** Returns the texts that follow a reply. */
    reply: async (message: unknown) =>
      String((await say(client, sessionId, message)).at("messages.*.content.plainText")),
    back: async () => {
      const answer = await client.post(`/api/v1/sessions/${sessionId}/goBack`);
      expect(answer.status).toBe(200);
    },
  };
}

const divided = (() => {
  const items = ["a", "b"].map((path) => ({ id: path, path, outgoingEdgeId: path }));
  const flow = flowOf(
    [asks("text input"), { id: "half", type: "AB test", items, options: { aPercent: 50 } }],
    ...["A", "B"].map((arm) => [says(arm), { ...asks("email input"), id: `asks ${arm}` }]),
  );
  return { ...flow, edges: [...flow.edges, edge("a", "g1"), edge("b", "g2")] };
})();

describe("a repeated random choice", () => {
  test.each([false, true])(
    "an A/B test chooses the same path again after going back, even for a different answer (in a preview: %p)",
    async (isPreview) => {
      for (let visitor = 0; visitor < 6; visitor++) {
        const { reply, back } = await begin(divided, { isPreview });
        const arm = await reply("one");
        await back();
        expect(await reply("two")).toBe(arm);
      }
    },
  );

  test("the random values stay the same after going back several answers", async () => {
    const { reply, back } = await begin(
      flowOf([
        asks("text input"),
        draws(),
        shown("shown 1"),
        asks("email input"),
        draws("more"),
        shown("shown 2"),
        asks("url input"),
      ]),
    );
    const first = await reply("one");
    const second = await reply("a@b.co");
    await back();
    await back();
    expect(await reply("two")).toBe(first);
    await back();
    expect(await reply("three")).toBe(first);
    expect(await reply("c@d.co")).toBe(second);
    expect(first).not.toBe(second);
  });

  test("a random value stays the same after going back and a refused reply", async () => {
    const script = { id: "script", type: "Wait", options: { secondsToWaitFor: "0.01", shouldPause: true } };
    const { reply, back } = await begin(
      flowOf([asks("number input"), draws(), script, draws("more"), shown("shown 3"), asks("email input")]),
    );
    await reply("1");
    const drawn = await reply(null);
    await back();
    expect(await reply("no number")).toContain("Invalid");
    await reply("2");
    expect(await reply(null)).toBe(drawn);
  });
});

describe("a new random choice", () => {
  const loop = flowOf([
    asks("text input"),
    draws(),
    shown("shown 4"),
    { id: "jump", type: "Jump", options: { groupId: idOf("g0") } },
  ]);

  test("each pass through a loop draws a new random value", async () => {
    const { reply, back } = await begin(loop);
    const first = await reply("one");
    const second = await reply("two");
    await back();
    await back();
    const again = [await reply("1"), await reply("2"), await reply("3"), await reply("4")];
    expect(again.slice(0, 2)).toEqual([first, second]);
    expect(new Set(again).size).toBe(4);
  });

  test("a command after going back draws a new random value", async () => {
    const flow = flowOf(
      [asks("text input"), draws(), shown("shown 5"), asks("email input")],
      [draws("help"), shown("shown 6"), { id: "return", type: "Return" }],
    );
    const command = { id: "help", type: "command", options: { command: "help" }, outgoingEdgeId: idOf("e1") };
    const { reply, back } = await begin({
      ...flow,
      events: [...flow.events, { ...command, graphCoordinates: { x: 0, y: 0 } }],
    });
    const drawn = await reply("one");
    await back();
    const helped = await reply({ type: "command", command: "help" });
    expect(helped).toStartWith("Drawn ");
    expect(helped).not.toBe(drawn);
    expect(await reply("two")).toBe(drawn);
  });

  test("a question that times out after going back draws a new random value", async () => {
    const timeout = { after: 60, outgoingEdgeId: "late" };
    const flow = flowOf([asks("text input", { timeout }), draws(), shown("shown 7"), asks("email input")]);
    const { sessionId, reply, back } = await begin({
      ...flow,
      edges: [...flow.edges, edge("late", "g1")],
      groups: [
        ...flow.groups,
        {
          id: idOf("g1"),
          title: "Late",
          graphCoordinates: { x: 0, y: 0 },
          blocks: [draws("late"), shown("shown 8"), asks("url input")],
        },
      ],
    });
    const drawn = await reply("one");
    await back();
    await moveClock(world.api.deps.sql, 61);
    const saidLast = async () => {
      const session = await world.read(sessionId);
      return String(
        session.at(`session.steps.${session.list("session.steps").length - 1}.messages.*.content.plainText`),
      );
    };
    await waitFor(async () => {
      world.due.wake();
      return (await saidLast()).startsWith("Drawn ");
    });
    expect(await saidLast()).not.toBe(drawn);
  });
});

test("a chat stores at most twenty random seeds, however many steps are undone", async () => {
  const blocks = Array.from({ length: 12 }, (_, index) => [
    { ...asks("text input"), id: `asks ${index}` },
    { id: `waits ${index}`, type: "Wait", options: { secondsToWaitFor: "0.01", shouldPause: true } },
  ]);
  const { sessionId, reply, back } = await begin(flowOf(blocks.flat()));
  for (let index = 0; index < 12; index++) {
    await reply("go");
    await reply(null);
  }
  for (let index = 0; index < 12; index++) await back();
  const [row] = await world.api.deps.sql<[{ state: string }]>`select state from sessions where id = ${sessionId}`;
  expect(JSON.parse(row.state).seeds).toHaveLength(20);
});
