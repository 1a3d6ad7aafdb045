import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
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

const timeout = { after: 60, outgoingEdgeId: idOf("e1") };
const otherQuestion = flowOf(
  [asks("text input", { timeout, variableId: idOf("Name") }), says("Hello {{Name}}")],
  [says("Are you there?"), asks("url input")],
);
const sameQuestion = flowOf(
  [says("Your name?"), asks("text input", { timeout, variableId: idOf("Name") }), says("Hello {{Name}}")],
  [
    says("Are you there?"),
    { id: idOf("jump"), type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("asks text input") } },
  ],
);
const noQuestion = flowOf([asks("text input", { timeout })], [says("Good bye")]);

async function startWith(flow: object) {
  const bot = await world.make(flow);
  const started = await start(world.api.client, bot.publicId);
  return { sessionId: started.text("sessionId"), resultId: started.text("resultId"), bot };
}

const sayAfter = (sessionId: string, message: string, afterRevision: number, headers: Record<string, string> = {}) =>
  world.api.client.post(`/api/v1/sessions/${sessionId}/continueChat`, { headers, body: { message, afterRevision } });

const texts = (answer: { at(path: string): unknown }, path = "messages"): unknown[] => {
  const list = answer.at(path);
  return Array.isArray(list) ? list.map((_, index) => answer.at(`${path}.${index}.content.plainText`)) : [];
};

const answersOf = async (resultId: string) =>
  (await world.api.deps.sql<{ content: string }[]>`select content from answers where result_id = ${resultId}`).map(
    ({ content }) => content,
  );

async function startCalled() {
  const responseVariableMapping = [{ variableId: idOf("Name"), bodyPath: "data.name" }];
  const flow = flowOf(
    [asks("text input", { timeout })],
    [
      { id: "listen", type: "webhook", options: { responseVariableMapping } },
      says("Called by {{Name}}"),
      asks("url input"),
    ],
  );
  const chat = await startWith(flow);
  await world.pass(61);
  const path = `/api/v1/bots/${chat.bot.botId}/blocks/listen/results/${chat.resultId}/executeWebhook`;
  await world.api.client.post(path, { token: world.owner.token, body: { name: "the shop" } });
  return chat;
}

describe("a reply with the last seen step", () => {
  test("a reply that names the latest step is accepted", async () => {
    const { sessionId } = await startWith(otherQuestion);
    expect(texts(await sayAfter(sessionId, "Ana", 1))).toEqual(["Hello Ana"]);
  });

  test("a reply that names an outdated step is refused", async () => {
    const { sessionId, resultId } = await startWith(otherQuestion);
    await world.pass(61);

    const refused = await sayAfter(sessionId, "Ana", 1);
    const counted = await sayAfter(sessionId, "https://example.com", 2);

    expect(refused.status).toBe(409);
    expect(refused.at("code")).toBe("session.moved_on");
    expect(refused.at("data.revision")).toBe(2);
    expect(refused.at("data.steps.0")).toMatchObject({
      revision: 2,
      messages: [{ content: { plainText: "Are you there?" } }],
      input: { type: "url input" },
    });
    expect(counted.status).toBe(200);
    expect(counted.at("repeated")).toBeUndefined();
    expect(await answersOf(resultId)).toEqual(["https://example.com"]);
  });

  test("a reply that names an outdated step of an ended chat is refused", async () => {
    const { sessionId } = await startWith(noQuestion);
    await world.pass(61);

    const refused = await sayAfter(sessionId, "Ana", 1);

    expect(refused.at("code")).toBe("session.moved_on");
    expect(refused.at("data.steps.0.messages.0.content.plainText")).toBe("Good bye");
    expect((await sayAfter(sessionId, "Ana", 2)).at("code")).toBe("session.ended");
  });

  test("a reply that names a step that does not exist is refused", async () => {
    const { sessionId } = await startWith(otherQuestion);
    const refused = await sayAfter(sessionId, "Ana", 7);
    expect([refused.status, refused.at("data")]).toEqual([409, { revision: 1, steps: [], isStillAsked: false }]);
  });

  test("a repeated reply with the same key gets the same response", async () => {
    const { sessionId } = await startWith(otherQuestion);
    const key = { "idempotency-key": "k" };
    const first = await sayAfter(sessionId, "Ana", 1, key);
    const again = await sayAfter(sessionId, "Ana", 1, key);
    expect(again.body).toEqual(first.body);
  });
});

describe("a client without the last revision", () => {
  test("a client without the last revision is shown the missed step", async () => {
    const { sessionId, resultId } = await startWith(otherQuestion);
    await world.pass(61);

    const shown = await say(world.api.client, sessionId, "Ana");

    expect(texts(shown)).toEqual(["Are you there?"]);
    expect(shown.at("input.type")).toBe("url input");
    expect(shown.at("repeated")).toEqual({ messages: 1, clientSideActions: 0 });
    expect(await answersOf(resultId)).toEqual([]);
    const counted = await say(world.api.client, sessionId, "https://example.com");
    expect(counted.status).toBe(200);
    expect(await answersOf(resultId)).toEqual(["https://example.com"]);
  });

  test("a missed step appears once in the history and in the transcript", async () => {
    const { sessionId, resultId, bot } = await startWith(otherQuestion);
    await world.pass(61);
    await say(world.api.client, sessionId, "Ana");

    const session = await world.read(sessionId);
    const { token } = world.owner;
    const path = `/api/v1/bots/${bot.botId}/results/${resultId}/transcript`;
    const transcript = await world.api.client.get(path, { token });

    expect(session.at("session.steps.*.isTimeOver")).toEqual([undefined, true, undefined]);
    expect(session.at("session.steps.1.messages")).toHaveLength(1);
    expect(session.at("session.steps.2.messages")).toEqual([]);
    expect(JSON.stringify(transcript.body).split("Are you there?")).toHaveLength(2);
  });

  test("a client without the last revision can answer a reopened question", async () => {
    const { sessionId, resultId } = await startWith(sameQuestion);
    await world.pass(61);
    await world.pass(122);

    const answered = await say(world.api.client, sessionId, "Ana");

    expect(texts(answered)).toEqual(["Are you there?", "Are you there?", "Hello Ana"]);
    expect(await answersOf(resultId)).toEqual(["Ana"]);
  });

  test("a client without the last revision is shown the last step of an ended chat", async () => {
    const { sessionId } = await startWith(noQuestion);
    await world.pass(61);

    const shown = await say(world.api.client, sessionId, "Ana");

    expect(shown.status).toBe(200);
    expect(texts(shown)).toEqual(["Good bye"]);
    expect(shown.at("input")).toBeUndefined();
  });

  test("a client without the last revision gets one response per key", async () => {
    const { sessionId } = await startWith(otherQuestion);
    await world.pass(61);
    const options = { headers: { "idempotency-key": "k" } };

    const first = await say(world.api.client, sessionId, "Ana", options);
    const again = await say(world.api.client, sessionId, "Ana", options);

    expect(again.body).toEqual(first.body);
  });

  test("a client without the last revision gets at most twenty missed steps", async () => {
    const { sessionId } = await startWith(sameQuestion);
    for (let time = 1; time <= 25; time++) await world.pass(61 * time);

    const answered = await say(world.api.client, sessionId, "Ana");

    expect(texts(answered)).toHaveLength(21);
  });

  test("a reply after a timed-out wait for a call answers the new question", async () => {
    const flow = flowOf([asks("webhook", { timeout })], [says("No call"), asks("url input")]);
    const { sessionId, resultId } = await startWith(flow);
    await world.pass(61);

    await say(world.api.client, sessionId, "https://example.com");

    expect(await answersOf(resultId)).toEqual(["https://example.com"]);
  });

  test("a client without the last revision is shown an external call's step", async () => {
    const { sessionId } = await startCalled();
    const shown = await say(world.api.client, sessionId, "Ana");

    expect(texts(shown)).toEqual(["Called by the shop"]);
    expect(shown.at("input.type")).toBe("url input");
  });
});

describe("a test conversation that is recorded from a chat", () => {
  const recordOf = async ({ sessionId, bot }: Awaited<ReturnType<typeof startWith>>) =>
    world.api.client.post(`/api/v1/bots/${bot.botId}/testConversations/record`, {
      token: world.owner.token,
      body: { sessionId },
    });

  test("a recorded test conversation marks a reply whose sender missed a time-out", async () => {
    for (const flow of [otherQuestion, sameQuestion]) {
      const chat = await startWith(flow);
      await world.pass(61);
      await say(world.api.client, chat.sessionId, "Ana");
      await moveClock(world.api.deps.sql, 0);

      const recorded = await recordOf(chat);

      expect(recorded.at("problems")).toEqual([]);
      expect(recorded.at("conversation.turns.*.isUnaware")).toEqual([undefined, undefined, true]);
      expect(recorded.at("conversation.turns.1.expect.shows")).toContain("Are you there?");
      expect(recorded.at("conversation.turns.2.expect.shows")).toEqual(flow === sameQuestion ? ["Hello Ana"] : []);
    }
  });

  test("a test conversation recorded from a chat with an external call passes", async () => {
    const chat = await startCalled();
    await say(world.api.client, chat.sessionId, "https://example.com");
    await moveClock(world.api.deps.sql, 0);

    const recorded = await recordOf(chat);

    expect(recorded.at("problems")).toEqual([]);
    expect(recorded.at("conversation.turns.*.expect.asks")).toEqual(["text input", null, "url input", "url input"]);
  });

  test("a reply whose sender saw the time-out is not marked in a recorded test", async () => {
    const chat = await startWith(sameQuestion);
    await world.pass(61);
    await sayAfter(chat.sessionId, "Ana", 2);
    await moveClock(world.api.deps.sql, 0);
    const recorded = await recordOf(chat);
    expect(recorded.at("problems")).toEqual([]);
    expect(recorded.at("conversation.turns.*.isUnaware")).toEqual([undefined, undefined, undefined]);
  });

  test("a recorded test conversation includes a start that only registers", async () => {
    const bot = await world.make(sameQuestion);
    const started = await start(world.api.client, bot.publicId, { isOnlyRegistering: true });
    const sessionId = started.text("sessionId");
    await say(world.api.client, sessionId, "Hello");

    const recorded = await recordOf({ sessionId, resultId: started.text("resultId"), bot });

    expect(recorded.at("conversation.start")).toEqual({ isOnlyRegistering: true });
    expect(recorded.at("problems")).toEqual([]);
  });
});
