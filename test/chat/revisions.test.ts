import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { moveClock } from "../support/moved-clock.ts";
import { createDueWorld, type DueWorld } from "./due/due-world.ts";

let world: DueWorld;
/** A second node on the same database. */
let otherNode: Client;

beforeAll(async () => {
  world = await createDueWorld();
  const other = createApp(createDependencies(world.api.deps));
  otherNode = createClient({ handle: (request) => other.handle(request) });
});
afterEach(async () => {
  await moveClock(world.api.deps.sql, 0);
  await world.api.deps.sql`truncate due_steps`;
});
afterAll(() => world.close());

const colour = asks("text input", { variableId: idOf("Name") }, { id: idOf("colour") });
const mail = asks("email input", { variableId: idOf("Email") });
const settings = { general: { isGoBackEnabled: true } };
const twoQuestions = { ...flowOf([says("Colour?"), colour, says("Mail?"), mail]), settings };

/** Adds the command `help`, which runs the blocks and then, by default, returns to the open question. */
const withCommand = (blocks: readonly object[], more: object = { type: "Return" }) => {
  const flow = flowOf([says("Mail?"), mail, says("Colour?"), colour], [...blocks, { id: idOf("return"), ...more }]);
  const event = { id: idOf("help"), type: "command", outgoingEdgeId: idOf("e1"), options: { command: "help" } };
  return { ...flow, events: [...flow.events, { ...event, graphCoordinates: { x: 0, y: 0 } }] };
};

async function begin(flow: object) {
  const bot = await world.make(flow);
  const started = await start(world.api.client, bot.publicId);
  return { bot, started, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

type Said = { readonly message?: unknown; readonly afterRevision?: unknown };
const act = (sessionId: string, operation: string, body: Said, key?: string, client = world.api.client) =>
  client.post(`/api/v1/sessions/${sessionId}/${operation}`, {
    body,
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });
const sayAfter = (sessionId: string, message: unknown, afterRevision?: number, key?: string) =>
  act(sessionId, "continueChat", { message, ...(afterRevision !== undefined && { afterRevision }) }, key);
const answersOf = async (resultId: string) => {
  const rows = await world.api.deps.sql<{ blockId: string; content: string }[]>`
    select block_id, content from answers where result_id = ${resultId} and replaced_at is null order by revision`;
  return rows.map(({ blockId, content }) => [blockId, content]);
};

describe("the step number in a response", () => {
  test("responses contain the step number", async () => {
    const { started, sessionId } = await begin(twoQuestions);
    const answered = await sayAfter(sessionId, "blue", 1);
    const refused = await sayAfter(sessionId, "no mail", 2);
    const back = await act(sessionId, "goBack", { afterRevision: 3 });

    expect([started, answered, refused, back].map((one) => one.at("revision"))).toEqual([1, 2, 3, 4]);
    expect(Object.keys(Object(answered.body))[0]).toBe("revision");
    expect((await world.read(sessionId)).at("session.revision")).toBe(4);
  });

  test("a repeated request returns the original step number, even on another node", async () => {
    const { bot, sessionId } = await begin(twoQuestions);
    const startKey = { headers: { "Idempotency-Key": "a-start-of-a-chat" } };
    const starts = await Promise.all([1, 2].map(() => start(world.api.client, bot.publicId, {}, startKey)));
    const first = await sayAfter(sessionId, "blue", 1, "k");
    await sayAfter(sessionId, "ana@example.com", 2);
    const again = await sayAfter(sessionId, "blue", 1, "k");
    const elsewhere = await act(sessionId, "continueChat", { message: "blue", afterRevision: 1 }, "k", otherNode);
    const rows = await world.api.deps.sql<{ response: { revision?: number } }[]>`
      select response from steps where session_id = ${sessionId}`;

    expect(starts.map((one) => one.at("revision"))).toEqual([1, 1]);
    expect([again.at("revision"), elsewhere.at("revision")]).toEqual([2, 2]);
    expect(again.body).toEqual(first.body);
    expect(rows.map(({ response }) => response.revision)).toEqual([undefined, undefined, undefined]);
  });

  test("an ended chat returns the number of its last step, and discards a late text", async () => {
    const flow = flowOf([asks("text input", { timeout: { after: 60, outgoingEdgeId: idOf("e1") } })], [says("Bye")]);
    const { sessionId } = await begin(flow);
    await world.pass(61);
    const late = await sayAfter(sessionId, "late");
    expect([late.at("revision"), late.at("messages.*.content.plainText")]).toEqual([2, ["Bye"]]);
    expect(late.at("repeated")).toEqual({ messages: 1, clientSideActions: 0 });
  });

  test("responses to existing clients contain no step number", async () => {
    const { bot } = await begin(twoQuestions);
    const started = await world.api.client.post(`/api/v1/typebots/${bot.publicId}/startChat`, { body: {} });
    const sessionId = started.text("sessionId");
    const answered = await sayAfter(sessionId, "blue");
    const numbered = await sayAfter(sessionId, "ana@example.com", 2, "own-key");
    const replayed = await sayAfter(sessionId, "ana@example.com", 2, "own-key");

    for (const one of [started, answered, numbered, replayed]) {
      expect(one.status).toBe(200);
      expect(one.at("revision")).toBeUndefined();
      expect([...one.headers.keys()].filter((name) => name.includes("revision"))).toEqual([]);
    }
  });
});

describe("an outdated tab", () => {
  test("an outdated tab cannot answer a question that the tab does not show", async () => {
    const { sessionId, resultId } = await begin(twoQuestions);
    await sayAfter(sessionId, "blue", 1);

    const late = await sayAfter(sessionId, "ana@example.com", 1);

    expect([late.status, late.at("code")]).toEqual([409, "session.moved_on"]);
    expect(late.at("data")).toMatchObject({ revision: 2, isStillAsked: false, steps: [{ revision: 2 }] });
    expect(late.at("data.steps.0.input.id")).toBe(mail.id);
    expect(await answersOf(resultId)).toEqual([[colour.id, "blue"]]);
  });

  test("an outdated tab cannot undo an answer of another tab", async () => {
    const { sessionId, resultId } = await begin(twoQuestions);
    await sayAfter(sessionId, "blue", 1);
    await sayAfter(sessionId, "ana@example.com", 2);

    const late = await act(sessionId, "goBack", { afterRevision: 2 });

    expect([late.status, late.at("code"), late.at("data.revision")]).toEqual([409, "session.moved_on", 3]);
    expect(await answersOf(resultId)).toHaveLength(2);
  });

  test("an outdated tab is informed that another tab went back", async () => {
    const { sessionId } = await begin(twoQuestions);
    await sayAfter(sessionId, "blue", 1);
    await act(sessionId, "goBack", { afterRevision: 2 });
    expect((await sayAfter(sessionId, "red", 1)).at("data")).toMatchObject({ revision: 3, isStillAsked: false });
  });

  test("an outdated tab goes back once per key, even after later steps", async () => {
    const { sessionId } = await begin(twoQuestions);
    await sayAfter(sessionId, "blue", 1);
    const first = await act(sessionId, "goBack", { afterRevision: 2 }, "back");
    await sayAfter(sessionId, "red", 3);
    const again = await act(sessionId, "goBack", { afterRevision: 2 }, "back");
    const other = await act(sessionId, "goBack", { afterRevision: 4 }, "back");

    expect(again.body).toEqual(first.body);
    expect([other.status, other.at("code")]).toEqual([422, "idempotency.key_reused"]);
  });

  test("an outdated tab is informed of a step that another node took", async () => {
    const { sessionId } = await begin(twoQuestions);
    await act(sessionId, "continueChat", { message: "blue", afterRevision: 1 }, undefined, otherNode);
    const late = await sayAfter(sessionId, "red", 1);
    const inTime = await sayAfter(sessionId, "ana@example.com", 2);
    expect([late.at("data.revision"), inTime.at("revision")]).toEqual([2, 3]);
  });
});

describe("an open question", () => {
  test("a question stays open after a refused answer", async () => {
    const { sessionId } = await begin(withCommand([says("Help")]));
    await sayAfter(sessionId, "no mail", 1);
    const late = await sayAfter(sessionId, "ana@example.com", 1);
    expect(late.at("data")).toMatchObject({ revision: 2, isStillAsked: true });
    expect((await sayAfter(sessionId, "ana@example.com", 2)).at("revision")).toBe(3);
  });

  test("a question stays open after a command that returned", async () => {
    const { sessionId } = await begin(withCommand([says("Help")]));
    await sayAfter(sessionId, { type: "command", command: "help" }, 1);
    expect((await sayAfter(sessionId, "ana@example.com", 1)).at("data.isStillAsked")).toBe(true);
  });

  test("a question is not open while a command asks another question", async () => {
    const { sessionId } = await begin(withCommand([says("Which?"), asks("number input")]));
    await sayAfter(sessionId, { type: "command", command: "help" }, 1);
    const meanwhile = await sayAfter(sessionId, "ana@example.com", 1);
    await sayAfter(sessionId, "4", 2);
    const behind = await sayAfter(sessionId, "ana@example.com", 1);

    expect([meanwhile.at("data.isStillAsked"), behind.at("data.isStillAsked")]).toEqual([false, false]);
    expect(behind.at("data.steps.1.input.id")).toBe(mail.id);
  });

  test("a question is open again after the time-out of a command's question", async () => {
    const asked = asks("number input", { timeout: { after: 60 } });
    const { sessionId } = await begin(withCommand([says("Which?"), asked]));
    await sayAfter(sessionId, { type: "command", command: "help" }, 1);
    await world.pass(61);
    expect((await sayAfter(sessionId, "ana@example.com", 1)).at("data")).toMatchObject({
      revision: 3,
      isStillAsked: true,
    });
  });

  test("a question does not count as still open after a loop has led back to it", async () => {
    const jump = { id: idOf("again"), type: "Jump", options: { groupId: idOf("g0"), blockId: colour.id } };
    const timed = { ...colour, options: { timeout: { after: 60, outgoingEdgeId: idOf("e1") } } };
    const ofTime = await begin(flowOf([says("Colour?"), timed], [says("Hurry"), jump]));
    const ofAnswer = await begin(flowOf([says("Colour?"), colour, jump]));
    await world.pass(61);
    await sayAfter(ofAnswer.sessionId, "blue", 1);

    for (const { sessionId } of [ofTime, ofAnswer]) {
      const late = await sayAfter(sessionId, "red", 1);
      expect(late.at("data")).toMatchObject({
        revision: 2,
        isStillAsked: false,
        steps: [{ input: { id: colour.id } }],
      });
    }
    expect(await answersOf(ofTime.resultId)).toEqual([]);
    expect(await answersOf(ofAnswer.resultId)).toEqual([[colour.id, "blue"]]);
  });

  test("a question is not reported as open if too many steps were missed", async () => {
    const { sessionId } = await begin(withCommand([says("Help")]));
    for (let count = 0; count <= limits.timers.missedSteps; count++)
      await sayAfter(sessionId, { type: "command", command: "help" });
    const late = await sayAfter(sessionId, "ana@example.com", 1);
    const later = await sayAfter(sessionId, "ana@example.com", 2);

    expect([late.at("data.isStillAsked"), later.at("data.isStillAsked")]).toEqual([false, true]);
    expect(late.at("data.revision")).toBe(limits.timers.missedSteps + 2);
    expect(late.list("data.steps")).toHaveLength(limits.timers.missedSteps);
  });

  test("a client action of the page does not count as an open question", async () => {
    const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "1", shouldPause: true } };
    const { sessionId } = await begin(withCommand([wait, { ...wait, id: idOf("wait-2") }, says("Done")]));
    await sayAfter(sessionId, { type: "command", command: "help" }, 1);
    const waiting = await sayAfter(sessionId, null, 1);
    await sayAfter(sessionId, null, 2);
    const waitingAgain = await sayAfter(sessionId, null, 2);
    await sayAfter(sessionId, null, 3);
    const behind = await sayAfter(sessionId, null, 2);
    const open = await sayAfter(sessionId, "ana@example.com", 1);

    const all = [waiting, waitingAgain, behind, open];
    expect(all.map((one) => one.at("data.isStillAsked"))).toEqual([false, false, false, true]);
  });
});

describe("an impossible step number", () => {
  const strange = [0, -1, 1.5, "1", null, 2_147_483_648, 1e300, [1], true];
  for (const operation of ["continueChat", "goBack", "tryAgain", "stopAnswer"]) {
    test(`${operation} rejects invalid step numbers, and changes nothing`, async () => {
      const { sessionId } = await begin(twoQuestions);
      await sayAfter(sessionId, "blue", 1);
      for (const afterRevision of strange) {
        const refused = await act(sessionId, operation, { afterRevision });
        expect([afterRevision, refused.status, refused.at("code")]).toEqual([afterRevision, 400, "request.invalid"]);
      }
      expect((await world.read(sessionId)).at("session.revision")).toBe(2);
    });
  }

  test("a step number that the chat has not reached is refused, and changes nothing", async () => {
    const { sessionId, resultId } = await begin(twoQuestions);
    for (const afterRevision of [2, 9, 2_147_483_647]) {
      for (const operation of ["continueChat", "goBack", "tryAgain"]) {
        const refused = await act(sessionId, operation, { message: "blue", afterRevision });
        expect([operation, refused.at("code")]).toEqual([operation, "session.moved_on"]);
        expect(refused.at("data")).toEqual({ revision: 1, steps: [], isStillAsked: false });
      }
    }
    expect(await answersOf(resultId)).toEqual([]);
  });
});

test("only one of two simultaneous replies to one step is accepted", async () => {
  const { sessionId, resultId } = await begin(twoQuestions);
  const both = await Promise.all(
    [world.api.client, otherNode].map((client, index) =>
      act(sessionId, "continueChat", { message: ["blue", "red"][index], afterRevision: 1 }, undefined, client),
    ),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await answersOf(resultId)).toHaveLength(1);
});

test("only one of two hundred simultaneous answers to one question is accepted", async () => {
  const { sessionId, resultId } = await begin(twoQuestions);
  const tabs = await Promise.all(
    Array.from({ length: 200 }, (_, tab) => {
      const client = tab % 2 === 0 ? world.api.client : otherNode;
      return act(sessionId, "continueChat", { message: `tab ${tab}`, afterRevision: 1 }, undefined, client);
    }),
  );

  const codes = tabs.map((one) => (one.status === 200 ? "taken" : one.at("code")));
  const taken = codes.indexOf("taken");
  // Requests that waited too long get the response that the chat is busy.
  const others = new Set(codes.filter((_, tab) => tab !== taken));
  expect([...others].filter((code) => code !== "session.moved_on" && code !== "session.busy")).toEqual([]);
  expect(await answersOf(resultId)).toEqual([[idOf("colour"), `tab ${taken}`]]);
});
