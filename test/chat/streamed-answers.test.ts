import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { listen } from "../../src/service/serving.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, says, start } from "../support/chat.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";
import { cleanupStack } from "../support/service.ts";
import { type Events, openEvents, type ReadEvent, textOf } from "../support/streamed.ts";
import { waitFor } from "../support/wait.ts";

let chats: ModelChats;
let server: ReturnType<typeof listen>;
let origin: string;
const cleanups = cleanupStack();

beforeAll(async () => {
  chats = await createModelChats({ HOST: "127.0.0.1", RATE_LIMITS: "off" });
  server = listen(chats.api.deps, { port: 0, isShared: false });
  origin = `http://127.0.0.1:${server.port}`;
});
afterEach(cleanups.run);
afterAll(async () => {
  await server.drain();
  await chats.close();
});

/** Forty words, which the fake model repeats after two words of its own. */
const speech = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
const whole = `You said: ${speech}`;

test("a step is streamed as its messages and the model's text", async () => {
  const word = holdWord(3);
  const sessionId = await begin(answering({}));

  const events = await say(sessionId, speech);
  const early = await events.until(hasRead("You said: word0 "));
  const sentBefore = word.isReached();
  word.release();
  const late = await events.rest();

  const all = [...early, ...late];
  expect(Object(late.at(-1)?.data).revision).toBe(2);
  expect(sentBefore).toBe(true);
  expect(events.response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(events.response.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(events.response.headers.get("x-accel-buffering")).toBe("no");
  expect(events.response.headers.get("access-control-allow-origin")).toBe("*");
  expect(all[0]).toEqual({
    event: "said",
    id: undefined,
    data: { messages: [expect.objectContaining({ id: idOf("says Wait") })] },
  });
  expect(all.at(-1)?.event).toBe("step");
  expect(textOf(all)).toBe(whole);
  const deltas = all.filter(({ event }) => event === "delta");
  expect(deltas.every(({ data }) => Object(data).blockId === idOf("says {{Email}}"))).toBe(true);
  expect(ids(deltas)).toEqual(ids(deltas).toSorted((a, b) => a - b));
  expect(spoken(all)).toEqual(["Wait", whole, "Thanks"]);
});

test("a short step, or a failure before the first event, gets a JSON response", async () => {
  const quick = await begin([asks("text input"), says("Thanks")]);

  const over = await say(quick, "Ana");
  const unknown = await say("06ey3k2m5q8r1t4v7x0z9w2b5d", "Ana");

  expect(over.response.headers.get("content-type")).toStartWith("application/json");
  expect(over.response.status).toBe(200);
  expect(unknown.response.headers.get("content-type")).toStartWith("application/json");
  expect(unknown.response.status).toBe(404);
});

test("a longer step is answered with an event stream even without partial text", async () => {
  const word = holdWord(0);
  const sessionId = await begin(answering({}, []));

  const events = await say(sessionId, "Ana");
  word.release();

  expect(events.response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(spoken(await events.rest())).toEqual(["You said: Ana", "Thanks"]);
});

test("a connection that breaks at every tenth word is resumed", async () => {
  const words = holdWords(10);
  const sessionId = await begin(answering({}));

  const read: ReadEvent[] = [];
  const asked = chats.model.asked.length;
  let last: ReadEvent | undefined;
  for (let at = 10; at <= 40; at += 10) {
    const events = await say(sessionId, speech, { key: "broken", after: last?.id });
    await words.reached(at);
    read.push(...(await events.until(hasRead(whole.split(" ").slice(0, at).join(" ")))));
    last = read.at(-1);
    events.close();
    words.release();
  }
  const end = await (await say(sessionId, speech, { key: "broken", after: last?.id })).rest();

  expect(textOf([...read, ...end])).toBe(whole);
  expect(spoken(end)).toEqual(["Wait", whole, "Thanks"]);
  expect([...read, ...end].filter(({ event }) => event === "said")).toHaveLength(1);
  expect(chats.model.asked.length).toBe(asked + 1);
});

test("several readers of one step each get the complete answer", async () => {
  const word = holdWord(20);
  const sessionId = await begin(answering({}));

  const first = await say(sessionId, speech, { key: "two" });
  await waitFor(() => word.isReached());
  const second = await say(sessionId, speech, { key: "two" });
  const other = await say(sessionId, "Something else", { key: "two" });
  word.release();
  const [one, two] = [await first.rest(), await second.rest()];
  const stored = await say(sessionId, speech, { key: "two" });
  expect([one, two].map((events) => Object(events.at(-1)?.data).revision)).toEqual([2, 2]);

  expect(textOf(one)).toBe(whole);
  expect(textOf(two)).toBe(whole);
  expect(two.at(-1)).toEqual(one.at(-1));
  expect(other.response.status).toBe(422);
  expect(stored.response.headers.get("idempotency-replayed")).toBe("true");
  expect(await stored.response.json()).toEqual(one.at(-1)?.data);
});

test("a step continues and is stored after its reader has disconnected", async () => {
  const word = holdWord(5);
  const sessionId = await begin(answering({}));

  const events = await say(sessionId, speech, { key: "gone" });
  await waitFor(() => word.isReached());
  events.close();
  word.release();
  const stored = await waitFor(async () => {
    const again = await chats.api.client.get(`/api/v1/sessions/${sessionId}`);
    return again.list("session.steps").length > 1 && again;
  });

  expect(stored.at("session.steps.1.messages.*.content.plainText")).toEqual(["Wait", whole, "Thanks"]);
  expect(chats.api.deps.answersUnderWay.usage().held).toBe(0);
});

test("a reader who disconnects before the first event is released immediately", async () => {
  const word = holdWord(0);
  const sessionId = await begin(answering({}, []));
  const leaving = new AbortController();
  const answer = chats.api.handle(
    new Request(`${origin}/api/v1/sessions/${sessionId}/continueChat`, {
      method: "POST",
      headers: { Accept: "text/event-stream", "Content-Type": "application/json" },
      body: JSON.stringify({ message: speech }),
      signal: leaving.signal,
    }),
  );
  const { answersUnderWay } = chats.api.deps;
  await waitFor(() => word.isReached());
  const before = answersUnderWay.usage().held;
  leaving.abort();
  const after = answersUnderWay.usage().held;
  word.release();
  await (await answer).body?.cancel();

  expect([before, after]).toEqual([1, 0]);
});

test("a stopped answer ends with the partial text", async () => {
  const word = holdWord(4);
  const sessionId = await begin(answering({}));
  const left = chats.model.left();

  const events = await say(sessionId, speech);
  const early = await events.until(hasRead("You said: word0 word1 "));
  const stop = (body: object) => chats.api.client.post(`/api/v1/sessions/${sessionId}/stopAnswer`, { body });
  const otherStep = await stop({ afterRevision: 2 });
  const stopping = await stop({ afterRevision: 1 });
  const late = await events.rest();
  await waitFor(() => chats.model.left() === left + 1);
  word.release();

  expect(otherStep.body).toEqual({ isStopping: false });
  expect(stopping.body).toEqual({ isStopping: true });
  const again = () => chats.api.client.post(`/api/v1/sessions/${sessionId}/stopAnswer`);
  await waitFor(async () => (await again()).at("isStopping") === false, { what: "nothing to be left to stop" });
  expect(spoken(late).map((text) => text.trimEnd())).toEqual(["Wait", "You said: word0 word1", "Thanks"]);
  expect(textOf([...early, ...late])).toBe("You said: word0 word1 ");
  expect(logsOf(late)).toEqual(["The answer ends early, because the visitor stopped it"]);
});

test("a page whose origin the bot does not allow cannot stop the answer", async () => {
  const word = holdWord(4);
  const { token, workspaceId } = chats;
  const flow = { ...flowOf(answering({})), settings: { security: { allowedOrigins: ["https://shop.example"] } } };
  const { publicId } = await publish(chats.api.client, { token, workspaceId }, flow);
  const sessionId = (await start(chats.api.client, publicId)).text("sessionId");

  const events = await say(sessionId, speech);
  const early = await events.until(hasRead("You said: word0 word1 "));
  const headers = { Origin: "https://elsewhere.example" };
  const stopping = await chats.api.client.post(`/api/v1/sessions/${sessionId}/stopAnswer`, { headers });
  word.release();
  const late = await events.rest();

  expect([stopping.status, stopping.at("code")]).toEqual([403, "origin.not_allowed"]);
  expect(textOf([...early, ...late])).toBe(whole);
});

test("a start sends the session id early, so that the answer can be stopped", async () => {
  const word = holdWord(2);
  const publicId = await publishBlocks([
    ...answering({ messages: [{ id: "m", role: "user", content: "Hello there" }] }).slice(1),
  ]);

  const events = await openEvents(`${origin}/api/v1/bots/${publicId}/startChat`, { body: {} });
  const early = await events.until(({ event }) => event === "delta");
  const { sessionId } = Object(early[0]?.data);
  const unknown = await chats.api.client.post(`/api/v1/sessions/06ey3k2m5q8r1t4v7x0z9w2b5d/stopAnswer`);
  const stopping = await chats.api.client.post(`/api/v1/sessions/${sessionId}/stopAnswer`);
  const late = await events.rest();
  word.release();

  expect(early[0]?.event).toBe("said");
  expect(unknown.status).toBe(404);
  expect(stopping.body).toEqual({ isStopping: true });
  expect(Object(late.at(-1)?.data).sessionId).toBe(sessionId);
});

test("the rounds of an answer with tool calls are streamed as one text", async () => {
  const tools = [{ id: "t", type: "function", name: "shout", code: "return 'LOUD'" }];
  const sessionId = await begin(answering({ model: "tools", tools }));

  const events = await (await say(sessionId, "say Let me see.\ncall shout {}")).rest();

  expect(spoken(events)[1]).toBe(textOf(events));
  expect(textOf(events)).toContain("\n\n");
});

test("an answer whose first call fails is streamed once", async () => {
  const sessionId = await begin(answering({ model: "reads-badly" }));

  const events = await (await say(sessionId, speech)).rest();

  expect(events.map(({ event }) => event).filter((event) => event !== "delta")).toEqual(["said", "step"]);
  expect(textOf(events)).toBe(whole);
});

test("a failing model streams nothing, and the step reports the failure", async () => {
  const sessionId = await begin(answering({ model: "fails-401" }));

  const events = await (await say(sessionId, "Ana")).rest();

  expect(textOf(events)).toBe("");
  expect(spoken(events)).toEqual(["Wait", "There is no answer at the moment. Please, try again.", "Thanks"]);
});

test("a failure after the first event is reported by the last event", async () => {
  const jump = { id: "jump", type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("says Thanks") } };
  const sessionId = await begin([...answering({}), jump]);

  const { response, rest } = await say(sessionId, "Ana");
  const events = await rest();

  expect(response.status).toBe(200);
  expect(textOf(events)).toBe("You said: Ana");
  expect(events.at(-1)?.event).toBe("error");
  const requestId = response.headers.get("x-request-id");
  expect(events.at(-1)?.data).toMatchObject({ code: "step.over_budget", status: 422, requestId });
});

test("a reader above the limit gets a JSON response instead of a stream", async () => {
  const { answersUnderWay } = chats.api.deps;
  const readers = Array.from({ length: limits.streamedAnswers.readers }, () => answersUnderWay.reader());
  const sessionId = await begin(answering({}));

  const whole = await say(sessionId, "Ana");
  for (const reader of readers) reader?.leave();

  expect(answersUnderWay.usage()).toEqual({ held: 0, waiting: 0, refused: 1 });
  expect(whole.response.headers.get("content-type")).toStartWith("application/json");
});

test("a preview streams its answer", async () => {
  const word = holdWord(2);
  const { token, workspaceId } = chats;
  const blocks = answering({ messages: [{ id: "m", role: "user", content: "Hello there" }] }).slice(1);
  const made = await chats.api.client.post("/api/v1/bots", {
    token,
    body: { workspaceId, bot: { name: "Draft", ...flowOf(blocks) } },
  });

  const events = await openEvents(`${origin}/api/v1/bots/${made.text("bot.id")}/preview/startChat`, {
    body: {},
    headers: { Authorization: `Bearer ${token}` },
  });
  const early = await events.until(hasRead("You said: "));
  word.release();
  const late = await events.rest();

  expect(early.map(({ event }) => event)).toContain("said");
  expect(textOf([...early, ...late])).toBe("You said: Hello there");
  expect(spoken(late)).toEqual(["Wait", "You said: Hello there", "Thanks"]);
});

function answering(options: object, before: readonly object[] = [says("Wait")]): object[] {
  const [name = {}, model = {}] = chats.answers({
    messages: [{ id: "m", role: "user", content: "{{Name}}" }],
    ...options,
  });
  return [name, ...before, model, says("{{Email}}"), says("Thanks")];
}

async function publishBlocks(blocks: readonly object[]): Promise<string> {
  const { token, workspaceId } = chats;
  return (await publish(chats.api.client, { token, workspaceId }, flowOf(blocks))).publicId;
}

async function begin(blocks: readonly object[]): Promise<string> {
  return (await start(chats.api.client, await publishBlocks(blocks))).text("sessionId");
}

function say(
  sessionId: string,
  message: string,
  options: { key?: string; after?: string | undefined } = {},
): Promise<Events> {
  return openEvents(`${origin}/api/v1/sessions/${sessionId}/continueChat`, { ...options, body: { message } });
}

/** Pauses the model after its nth word, or before its first word if `nth` is 0. */
function holdWord(nth: number) {
  const gate = Promise.withResolvers<void>();
  let isReached = false;
  const wait = (word: number) => {
    if (word !== nth) return undefined;
    isReached = true;
    return gate.promise;
  };
  cleanups.add(nth === 0 ? chats.model.onAsked(() => wait(0)) : chats.model.onWord(wait));
  cleanups.add(gate.resolve);
  return { isReached: () => isReached, release: () => gate.resolve() };
}

/** Pauses the model after every `every` words, until it is released. */
function holdWords(every: number) {
  let held: { word: number; release(): void } | undefined;
  cleanups.add(
    chats.model.onWord((word) => {
      if (word === 0 || word % every !== 0) return undefined;
      const gate = Promise.withResolvers<void>();
      held = { word, release: gate.resolve };
      return gate.promise;
    }),
  );
  cleanups.add(() => held?.release());
  return { reached: (word: number) => waitFor(() => held?.word === word), release: () => held?.release() };
}

function hasRead(text: string): (event: ReadEvent) => boolean {
  return ({ id }) => Number(id?.split(".")[1]) >= text.length;
}

function ids(events: readonly ReadEvent[]): number[] {
  return events.map(({ id }) => Number(id?.split(".")[1]));
}

function spoken(events: readonly ReadEvent[]): string[] {
  const messages: { content: { plainText: string } }[] = Object(events.at(-1)?.data).messages ?? [];
  return messages.map(({ content }) => content.plainText);
}

function logsOf(events: readonly ReadEvent[]): string[] {
  const logs: { description: string }[] = Object(events.at(-1)?.data).logs ?? [];
  return logs.map(({ description }) => description);
}
