import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { limits } from "../../../src/limits/index.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createDueWorld, type DueWorld } from "./due-world.ts";

let world: DueWorld;

beforeAll(async () => {
  world = await createDueWorld();
});
afterEach(async () => {
  await moveClock(world.api.deps.sql, 0);
  await world.api.deps.sql`truncate due_steps`;
});
afterAll(() => world.close());

const client = () => world.api.client;

const asking = (timeout: object, type = "text input", options: object = {}, more: object = {}) =>
  flowOf(
    [says("Your name?"), asks(type, { timeout, ...options }, more), says("Thank you")],
    [says("Are you there?"), asks("url input", {}, { id: idOf("second") })],
  );
const tenMinutes = { after: 600, outgoingEdgeId: idOf("e1") };

async function startWith(flow: object, body: object = {}) {
  const bot = await world.make(flow);
  const started = await start(client(), bot.publicId, body);
  return { started, sessionId: started.text("sessionId"), resultId: started.text("resultId"), bot };
}

describe("an input with a time-out", () => {
  test("a flow follows the time-out edge of an unanswered input", async () => {
    const { sessionId } = await startWith(asking(tenMinutes));

    await world.pass(599);
    expect((await world.read(sessionId)).at("session.input.type")).toBe("text input");
    await world.pass(601);

    const session = await world.read(sessionId);
    expect(session.at("session.steps.1")).toMatchObject({
      reply: null,
      messages: [{ content: { plainText: "Are you there?" } }],
    });
    expect(session.at("session.input.type")).toBe("url input");
    expect(session.at("session.revision")).toBe(2);
    expect(await world.rows()).toEqual([]);
  });

  test("an input with a time-out accepts an answer in time", async () => {
    const { sessionId } = await startWith(asking(tenMinutes));
    expect(await world.rows()).toEqual(["timeout"]);

    const answered = await say(client(), sessionId, "Ana");

    expect(answered.at("messages.0.content.plainText")).toBe("Thank you");
    expect(await world.rows()).toEqual([]);
  });

  test("a time-out without an edge continues the flow after the input", async () => {
    const { sessionId } = await startWith(asking({ after: 60 }));

    await world.pass(61);

    const session = await world.read(sessionId);
    expect(session.at("session.steps.1.messages.0.content.plainText")).toBe("Thank you");
    expect(session.at("session.isEnded")).toBe(true);
  });

  test("an input with a time-out does not restart its time when a reply is refused", async () => {
    const { sessionId } = await startWith(asking(tenMinutes, "email input"));
    const dueAt = async () => (await world.api.deps.sql`select id, due from due_steps`)[0];
    const before = await dueAt();

    await moveClock(world.api.deps.sql, 300);
    const refused = await say(client(), sessionId, "no e-mail");

    expect(refused.at("input.type")).toBe("email input");
    expect(await dueAt()).toEqual(before);
    await world.pass(601);
    expect((await world.read(sessionId)).at("session.steps.2.messages.0.content.plainText")).toBe("Are you there?");
  });

  test("an input with a time-out restarts its time at the next visit", async () => {
    const again = flowOf([asks("text input", { timeout: tenMinutes }, { outgoingEdgeId: idOf("e0") })], [says("Gone")]);
    const { sessionId } = await startWith(again);

    const row = async () =>
      (await world.api.deps.sql<{ visit: string; due: Date }[]>`select visit, due from due_steps`)[0];
    const before = await row();
    await say(client(), sessionId, "once more");
    const after = await row();

    expect(await world.rows()).toEqual(["timeout"]);
    expect(after?.visit).not.toBe(before?.visit);
    expect(after?.due.getTime()).toBeGreaterThan(before?.due.getTime() ?? 0);
  });

  test("an input with a time-out restarts its time after going back", async () => {
    const questions = [asks("text input", { timeout: tenMinutes }), asks("number input", { timeout: { after: 60 } })];
    const flow = {
      ...flowOf(questions, [asks("url input")]),
      settings: { general: { isGoBackEnabled: true } },
    };
    const { sessionId } = await startWith(flow);
    await say(client(), sessionId, "Ana");
    expect(await world.rows()).toEqual(["timeout"]);

    const back = await client().post(`/api/v1/sessions/${sessionId}/goBack`);

    expect(back.at("input.type")).toBe("text input");
    expect(await world.rows()).toEqual(["timeout"]);
    await world.pass(61);
    expect((await world.read(sessionId)).at("session.input.type")).toBe("text input");
    await world.pass(601);
    expect((await world.read(sessionId)).at("session.input.type")).toBe("url input");
  });

  test("the time of an input restarts when an event's edge leads back to the input", async () => {
    const flow = flowOf(
      [asks("text input", { timeout: tenMinutes })],
      [{ ...says("Once more"), outgoingEdgeId: idOf("e0") }],
    );
    const event = (id: string, type: string, options: object = {}) => ({
      ...{ id: idOf(id), graphCoordinates: { x: 0, y: 0 }, type, options, outgoingEdgeId: idOf(`to ${id}`) },
    });
    const lead = (id: string, group: string) => ({
      ...{ id: idOf(`to ${id}`), from: { eventId: idOf(id) }, to: { groupId: idOf(group) } },
    });
    const events = [...flow.events, event("again", "command", { command: "again" }), event("said", "reply")];
    const edges = [...flow.edges, lead("again", "g0"), lead("said", "g1")];
    const { sessionId } = await startWith({ ...flow, events, edges });

    await moveClock(world.api.deps.sql, 300);
    const asked = await say(client(), sessionId, { type: "command", command: "again" });
    expect([asked.status, asked.at("input.type")]).toEqual([200, "text input"]);
    expect(await world.rows()).toEqual(["timeout"]);
    await world.pass(899);
    expect((await world.read(sessionId)).at("session.revision")).toBe(2);
    const said = await say(client(), sessionId, "Ana");
    expect([said.at("messages.0.content.plainText"), said.at("input.type")]).toEqual(["Once more", "text input"]);
    await world.pass(1_498);
    expect((await world.read(sessionId)).at("session.revision")).toBe(3);
    await world.pass(1_500);
    expect((await world.read(sessionId)).at("session.revision")).toBe(4);
  });

  test("the time of an input does not restart after a refused reply's event", async () => {
    for (const back of [[], [{ id: idOf("back"), type: "Return" }]]) {
      const flow = flowOf(
        [asks("email input", { timeout: { ...tenMinutes, outgoingEdgeId: idOf("e2") } })],
        [{ ...says("Refused"), ...(back.length === 0 && { outgoingEdgeId: idOf("e0") }) }, ...back],
        [says("Are you there?"), asks("url input")],
      );
      const event = { id: idOf("invalid"), type: "invalidReply", outgoingEdgeId: idOf("e1") };
      const events = [...flow.events, { ...event, graphCoordinates: { x: 0, y: 0 } }];
      const { sessionId } = await startWith({ ...flow, events });

      await moveClock(world.api.deps.sql, 300);
      const refused = await say(client(), sessionId, "no e-mail");
      expect([refused.at("messages.0.content.plainText"), refused.at("input.type")]).toEqual([
        "Refused",
        "email input",
      ]);
      await world.pass(601);
      expect((await world.read(sessionId)).at("session.revision")).toBe(3);
      await moveClock(world.api.deps.sql, 0);
    }
  });

  test("an input keeps its time-out during a help command", async () => {
    const flow = asking(tenMinutes);
    const events = [
      ...flow.events,
      {
        id: idOf("help"),
        type: "command",
        options: { command: "help", resumeAfter: true },
        outgoingEdgeId: idOf("e2"),
      },
      { id: idOf("leave"), type: "command", options: { command: "leave" }, outgoingEdgeId: idOf("e1") },
    ];
    const groups = [...flow.groups, { ...flow.groups[1], id: idOf("g2"), blocks: [says("Help")] }];
    const edges = [...flow.edges, { id: idOf("e2"), from: { eventId: idOf("help") }, to: { groupId: idOf("g2") } }];
    const { sessionId } = await startWith({ ...flow, events, groups, edges });
    const visit = async () => (await world.api.deps.sql`select visit from due_steps`)[0];
    const before = await visit();

    await say(client(), sessionId, { type: "command", command: "help" });
    expect(await visit()).toEqual(before);
    await say(client(), sessionId, { type: "command", command: "leave" });

    expect(await world.rows()).toEqual([]);
  });

  test("an input with a time-out extends the session past the time-out", async () => {
    const { sessionId } = await startWith(asking({ after: 20 * 86_400, outgoingEdgeId: idOf("e1") }, "email input"));
    const daysLeft = async () => {
      const [row] = await world.api.deps.sql<{ days: number }[]>`
        select extract(epoch from expires_at - clock()) / 86400 as days from sessions where id = ${sessionId}`;
      return Number(row?.days);
    };
    expect(await daysLeft()).toBeGreaterThan(20.9);

    await say(client(), sessionId, "no e-mail");
    expect(await daysLeft()).toBeGreaterThan(20.9);
    await world.pass(20 * 86_400 + 1);

    const session = await world.read(sessionId);
    expect(session.at("session.input.type")).toBe("url input");
    expect(await daysLeft()).toBeLessThan(1.1);
  });

  test("an input with a time-out can read the number of seconds from a variable", async () => {
    const flow = asking({ ...tenMinutes, after: "{{Name}}" });
    await startWith(flow, { prefilledVariables: { Name: "30" } });
    const [row] = await world.api.deps.sql<{ seconds: number }[]>`
      select extract(epoch from due - created_at)::integer as seconds from due_steps`;
    expect(row?.seconds).toBe(30);
  });

  test.each([
    ["0", 0],
    ["less than 0", -5],
    ["a text", "soon"],
    ["an empty variable", "{{Name}}"],
    ["a number with a unit", "10 minutes"],
  ])("a time-out is ignored with a log entry if its time is %s", async (_, after) => {
    const { resultId } = await startWith(asking({ ...tenMinutes, after }));

    expect(await world.rows()).toEqual([]);
    expect(await world.logs(resultId)).toEqual(["The time limit is not a number of seconds"]);
  });

  test("a time-out of more than 30 days is shortened to 30 days and logged", async () => {
    const { resultId } = await startWith(asking({ ...tenMinutes, after: 1e9 }));
    const [row] = await world.api.deps.sql<{ seconds: number }[]>`
      select extract(epoch from due - created_at)::integer as seconds from due_steps`;

    expect(row?.seconds).toBe(limits.timers.longestSeconds);
    expect(await world.logs(resultId)).toEqual(["The time limit was shortened to 30 days"]);
  });
});

const inputTypes = [...blocks.values()].filter(({ family }) => family === "input").map(({ type }) => type);

test.each(inputTypes.filter((type) => type !== "payment input"))(
  "a flow follows the time-out edge of an input if no reply arrives in time (type: %s)",
  async (type) => {
    const items = [{ id: idOf("item"), content: "Yes", title: "Yes" }];
    const { sessionId, started } = await startWith(asking(tenMinutes, type, {}, { items }));
    expect(started.at("input.type")).toBe(type);
    expect(JSON.stringify(started.at("input"))).not.toContain("timeout");

    await world.pass(601);

    expect((await world.read(sessionId)).at("session.steps.1.messages.0.content.plainText")).toBe("Are you there?");
  },
);

describe("other blocks that wait", () => {
  test("a flow follows the time-out edge if an external call is late", async () => {
    const flow = flowOf([asks("webhook", { timeout: tenMinutes })], [says("No call"), asks("text input")]);
    const { sessionId } = await startWith(flow);

    await world.pass(601);

    expect((await world.read(sessionId)).at("session.steps.1.messages.0.content.plainText")).toBe("No call");
  });

  test("a flow follows the time-out edge if a page does not send its event in time", async () => {
    const content = { url: "https://example.com", waitForEvent: { isEnabled: true, name: "done" } };
    const flow = flowOf(
      [{ id: idOf("frame"), type: "embed", content, options: { timeout: tenMinutes } }],
      [says("No event"), asks("text input")],
    );
    const { sessionId } = await startWith(flow);

    await world.pass(601);

    expect((await world.read(sessionId)).at("session.steps.1.messages.0.content.plainText")).toBe("No event");
  });

  test("an embed that does not wait for an event has no time-out", async () => {
    const content = { url: "https://example.com" };
    const options = { timeout: tenMinutes };
    await startWith(flowOf([{ id: idOf("frame"), type: "embed", content, options }, asks("text input")]));

    expect(await world.rows()).toEqual([]);
  });

  test("a wait of 90 seconds ends once, whether or not the client reports its end", async () => {
    const waits = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "90", shouldPause: true } };
    const flow = flowOf([waits, says("Time is up"), asks("text input")]);
    const [alone, beside] = [await startWith(flow), await startWith(flow)];
    expect(alone.started.at("clientSideActions.0")).toEqual({
      type: "wait",
      wait: { secondsToWaitFor: 90 },
      expectsDedicatedReply: true,
    });

    const back = await say(client(), beside.sessionId, null);
    await world.pass(91);

    expect(back.at("messages.0.content.plainText")).toBe("Time is up");
    expect((await world.read(alone.sessionId)).at("session.steps.1.messages.0.content.plainText")).toBe("Time is up");
    expect((await world.read(beside.sessionId)).at("session.revision")).toBe(2);
  });

  test("a wait of 30 seconds and a wait without a pause store no due step", async () => {
    const wait = (options: object) => ({ id: idOf("wait"), type: "Wait", options });
    await startWith(flowOf([wait({ secondsToWaitFor: "30", shouldPause: true }), asks("text input")]));
    await startWith(flowOf([wait({ secondsToWaitFor: "90" }), asks("text input")]));

    expect(await world.rows()).toEqual([]);
  });
});
