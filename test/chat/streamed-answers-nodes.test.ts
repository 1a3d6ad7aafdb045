import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createAnswersElsewhere } from "../../src/chat/steps/answers-elsewhere.ts";
import { createAnswersUnderWay } from "../../src/chat/steps/answers-under-way.ts";
import { deleteOldAnswers } from "../../src/management/row-erasure/clean-up.sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { listen } from "../../src/service/serving.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { flowOf, publish, says, start } from "../support/chat.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testKey } from "../support/events.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";
import { cleanupStack } from "../support/service.ts";
import { type Events, openEvents, type ReadEvent, textOf } from "../support/streamed.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

let database: TestDatabase;
let threads: Threads;
let chats: ModelChats;
let other: TestApi;
const servers: ReturnType<typeof listen>[] = [];
const cleanups = cleanupStack();

beforeAll(async () => {
  database = await createTestDatabase();
  const shared = { database: { ...database, close: async () => {} }, through: async (url: string) => url };
  const config = { HOST: "127.0.0.1", RATE_LIMITS: "off", ENCRYPTION_KEY: testKey } as const;
  chats = await createModelChats(config, shared);
  threads = createThreads({ count: 1 });
  other = await createTestApi({ ...shared, threads, config: { ...config, MODEL_SERVERS: chats.model.origin } });
  for (const { deps } of [chats.api, other]) servers.push(listen(deps, { port: 0, isShared: false }));
});
afterEach(cleanups.run);
afterAll(async () => {
  for (const server of servers) await server.drain();
  await other.close();
  await threads.close();
  await chats.close();
  await database.close();
});

const speech = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
const whole = `You said: ${speech}`;

test("a broken connection is resumed on another node without loss", async () => {
  const words = holdWords(10);
  const sessionId = await begin();
  const asked = chats.model.asked.length;

  const read: ReadEvent[] = [];
  for (const [turn, at] of [10, 20, 30, 40].entries()) {
    const events = await say(turn % 2, sessionId, { after: read.at(-1)?.id });
    await words.reached(at);
    read.push(...(await events.until(hasRead(whole.split(" ").slice(0, at).join(" ")))));
    events.close();
    words.release();
  }
  const end = await (await say(1, sessionId, { after: read.at(-1)?.id })).rest();

  // The last words of a finished answer arrive with the step.
  const told = textOf([...read, ...end]);
  expect(whole).toStartWith(told);
  expect(told.split(" ").length).toBeGreaterThan(40);
  expect(messagesOf(end)).toEqual(["Wait", whole, "Thanks"]);
  expect(read.filter(({ event }) => event === "restart")).toEqual([]);
  expect(chats.model.asked.length).toBe(asked + 1);
  await noRows();
});

test("a request to another node stops an answer within 2.5 seconds", async () => {
  const words = holdWords(4);
  const sessionId = await begin();
  const left = chats.model.left();

  const events = await say(0, sessionId);
  await words.reached(4);
  const stop = (body: object) => other.client.post(`/api/v1/sessions/${sessionId}/stopAnswer`, { body });
  const otherStep = await stop({ afterRevision: 2 });
  const askedAt = performance.now();
  const stopping = await stop({ afterRevision: 1 });
  await waitFor(() => chats.model.left() === left + 1);
  const stoppedMs = performance.now() - askedAt;
  words.release();

  expect(otherStep.body).toEqual({ isStopping: false });
  expect(stopping.body).toEqual({ isStopping: true });
  expect(messagesOf(await events.rest())[1]?.trimEnd()).toBe("You said: word0 word1");
  expect(stoppedMs).toBeLessThan(2_500);
  await noRows();
});

test("a request to another node stops a start", async () => {
  const words = holdWords(4);
  const left = chats.model.left();
  const path = `/api/v1/bots/${await publishBlocks(answering(speech).slice(1))}/startChat`;
  const events = await openEvents(`${originOf(0)}${path}`, { key: "a-start-to-be-stopped", body: {} });
  const [said] = await events.until(({ event }) => event === "said");
  const stopping = await other.client.post(`/api/v1/sessions/${Object(said?.data).sessionId}/stopAnswer`);
  await waitFor(() => chats.model.left() === left + 1);
  words.release();

  expect(stopping.body).toEqual({ isStopping: true });
  expect((await events.rest()).at(-1)?.event).toBe("step");
});

test("a streamed start can be joined on another node", async () => {
  const words = holdWords(3);
  const options = { key: "a-start-on-two-nodes", body: {} };
  const path = `/api/v1/bots/${await publishBlocks(answering("Say something").slice(1))}/startChat`;

  const first = await openEvents(`${originOf(0)}${path}`, options);
  await words.reached(3);
  const second = await openEvents(`${originOf(1)}${path}`, options);
  const [said] = await second.until(hasRead("You said: Say "));
  words.release();
  const [one, two] = [await first.rest(), await second.rest()];

  expect(Object(said?.data).sessionId).toBe(Object(two.at(-1)?.data).sessionId);
  expect(two.at(-1)).toEqual(one.at(-1));
});

test("another node shows the partial text of a dead node", async () => {
  const standingStill = { seconds: 3, renewMs: 600_000 };
  const dying = listen(
    { ...createDependencies(chats.api.deps), claimTimes: standingStill },
    { port: 0, isShared: false },
  );
  cleanups.add(() => dying.drain());
  const holding = holdWords(10, { calls: 1 });
  const sessionId = await begin();

  const lost = await openEvents(`http://127.0.0.1:${dying.port}/api/v1/sessions/${sessionId}/continueChat`, asking);
  const before = await lost.until(hasRead(whole.split(" ").slice(0, 10).join(" ")));
  // Every second, the sent pieces are stored for other nodes.
  await waitFor(async () => {
    const [row] = await database.sql<{ content: string }[]>`select content from answers_under_way`;
    return row?.content === textOf(before);
  });
  lost.close();
  const after = await (await say(1, sessionId, { after: before.at(-1)?.id })).rest();
  holding.release();

  const restart = after.findIndex(({ event }) => event === "restart");
  expect(after[restart]?.data).toEqual({ blockId: idOf("says {{Email}}") });
  expect(textOf(after.slice(0, restart))).toBe("");
  expect(textOf(after.slice(restart))).toBe(whole);
  const words = `${textOf(before).trim()}…`;
  expect(after[restart + 1]).toMatchObject({
    event: "said",
    data: { messages: [{}, { content: { plainText: words } }] },
  });
  expect(messagesOf(after)).toEqual(["Wait", words, whole, "Thanks"]);
  const history = await other.client.get(`/api/v1/sessions/${sessionId}`);
  expect(history.at("session.steps.1.messages.*.content.plainText")).toEqual(["Wait", words, whole, "Thanks"]);
  await noRows();
});

test("a step that calls no model writes no progress, however long the step takes", async () => {
  const clock = createVirtualClock();
  const failures: unknown[] = [];
  const elsewhere = createAnswersElsewhere({ sql: database.sql, clock, onFailure: (error) => failures.push(error) });
  const facts = {
    name: null,
    sessionId: newId(),
    contactId: null,
    afterRevision: 1,
    requestHash: "",
    allowedOrigins: null,
  };
  const step = createAnswersUnderWay().begin(facts);
  const written = async (): Promise<number> => {
    await clock.advance(1_000);
    return (await database.sql`select from answers_under_way`).length;
  };

  const end = elsewhere.publish(step, { stepId: newId(), isHeld: () => true });
  const before = [await written(), await written(), await written()];
  step.stopsBy(() => {});
  await waitFor(async () => (await written()) === 1);
  end();
  await waitFor(async () => (await written()) === 0);

  expect(before).toEqual([0, 0, 0]);
  await elsewhere.stop();
  expect(failures).toEqual([]);
});

test("stored pieces of an answer are deleted after a minute", async () => {
  const { sql } = database;
  const row = (agoSeconds: number) => sql`
    insert into answers_under_way (session_id, step_id, written_at)
    values (${newId()}, ${newId()}, clock() - make_interval(secs => ${agoSeconds}))`;
  await row(70);
  await row(10);

  const removed = await deleteOldAnswers(sql, { seconds: 60, limit: 10 });

  expect(removed).toBe(1);
  await sql`delete from answers_under_way`;
});

const asking = { key: "the-same", body: { message: speech } };

function say(node: number, sessionId: string, options: { after?: string | undefined } = {}): Promise<Events> {
  return openEvents(`${originOf(node)}/api/v1/sessions/${sessionId}/continueChat`, { ...asking, ...options });
}

function originOf(node: number): string {
  return `http://127.0.0.1:${servers[node]?.port}`;
}

function answering(content: string): object[] {
  const [name = {}, model = {}] = chats.answers({ messages: [{ id: "m", role: "user", content }] });
  return [name, says("Wait"), model, says("{{Email}}"), says("Thanks")];
}

async function publishBlocks(blocks: readonly object[]): Promise<string> {
  const { token, workspaceId } = chats;
  return (await publish(chats.api.client, { token, workspaceId }, flowOf(blocks))).publicId;
}

async function begin(): Promise<string> {
  return (await start(chats.api.client, await publishBlocks(answering("{{Name}}")))).text("sessionId");
}

/** Pauses the model after every `every` words until it is released. `calls` is the number of calls that are paused. */
function holdWords(every: number, { calls = Number.POSITIVE_INFINITY } = {}) {
  const first = chats.model.asked.length;
  const held: { word: number; release(): void }[] = [];
  cleanups.add(
    chats.model.onWord((word) => {
      if (word === 0 || word % every !== 0 || chats.model.asked.length > first + calls) return undefined;
      const gate = Promise.withResolvers<void>();
      held.push({ word, release: gate.resolve });
      return gate.promise;
    }),
  );
  const release = (): void => {
    for (const one of held) one.release();
  };
  cleanups.add(release);
  return { reached: (word: number) => waitFor(() => held.at(-1)?.word === word), release };
}

function noRows(): Promise<unknown> {
  return waitFor(async () => (await database.sql`select from answers_under_way`).length === 0);
}

function hasRead(text: string): (event: ReadEvent) => boolean {
  return ({ id }) => Number(id?.split(".")[1]) >= text.length;
}

function messagesOf(events: readonly ReadEvent[]): string[] {
  const messages: { content: { plainText: string } }[] = Object(events.at(-1)?.data).messages ?? [];
  return messages.map(({ content }) => content.plainText);
}
