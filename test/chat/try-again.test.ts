import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { goBack } from "../../src/chat/go-back.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { noOrigins } from "../../src/management/access/origins.ts";
import { listen } from "../../src/service/serving.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { cleanupStack } from "../support/service.ts";
import { openEvents, textOf } from "../support/streamed.ts";
import { waitFor } from "../support/wait.ts";

let chats: ModelChats;
let server: ReturnType<typeof listen>;
let outside: OutsideServer;
const cleanups = cleanupStack();

beforeAll(async () => {
  outside = await startOutside((_, response) => response.end("{}"));
  chats = await createModelChats({ HOST: "127.0.0.1", RATE_LIMITS: "off" }, { safeFetch: outsideFetch() });
  server = listen(chats.api.deps, { port: 0, isShared: false });
});
afterEach(cleanups.run);
afterAll(async () => {
  await server.drain();
  await chats.close();
  await outside.close();
});

const allowed = { general: { isGoBackEnabled: true }, answers: { canTryAgain: true } };

function answering(options: object, more: readonly object[] = []): object[] {
  const [name = {}, model = {}] = chats.answers({
    messages: [{ id: "m", role: "user", content: "{{Name}}" }],
    ...options,
  });
  return [name, model, says("{{Email}}"), ...more, asks("number input")];
}

async function begin(blocks: readonly object[], settings: object = allowed) {
  const { token, workspaceId } = chats;
  const bot = await publish(chats.api.client, { token, workspaceId }, { ...flowOf(blocks), settings });
  const started = await start(chats.api.client, bot.publicId);
  return { ...bot, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

const tryAgain = (sessionId: string, key: string = crypto.randomUUID(), body: object = {}) =>
  chats.api.client.post(`/api/v1/sessions/${sessionId}/tryAgain`, {
    body,
    headers: { "Idempotency-Key": key },
  });
const historyOf = (sessionId: string) => chats.api.client.get(`/api/v1/sessions/${sessionId}`);
const marksOf = (response: { at(path: string): unknown }) => response.at("messages.*.unfinished");

describe("a truncated answer", () => {
  const endings = { long: "length", cut: "cut", endless: "cut" };
  for (const [model, why] of Object.entries(endings)) {
    test(`a truncated answer of the model ${model} is marked in its step, in the stored chat and in the transcript`, async () => {
      const { botId, resultId, sessionId } = await begin(answering({ model }));

      const step = await say(chats.api.client, sessionId, "Tell me");
      const path = `/api/v1/bots/${botId}/results/${resultId}/transcript`;
      const { token } = chats;

      expect(marksOf(step)).toEqual([why]);
      expect((await historyOf(sessionId)).at("session.steps.1.messages.*.unfinished")).toEqual([why]);
      const transcript = await chats.api.client.get(path, { token });
      expect(transcript.list("transcript").at(-1)).toMatchObject({ role: "bot", unfinished: why });
      const text = await fetch(`http://127.0.0.1:${server.port}${path}?format=text`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(await text.text()).toContain(`(This answer is incomplete: ${why}.)`);
    });
  }

  test("a stopped answer is marked as stopped, but a later complete answer is not", async () => {
    const gate = Promise.withResolvers<void>();
    let isReached = false;
    cleanups.add(
      chats.model.onWord((word) => {
        if (word !== 3) return undefined;
        isReached = true;
        return gate.promise;
      }),
    );
    cleanups.add(gate.resolve);
    const { sessionId } = await begin(
      answering({}, [{ ...chats.answers({})[1], id: "second" }, says("Answer: {{Email}}")]),
    );

    const saying = say(chats.api.client, sessionId, "one two three four five");
    await waitFor(() => isReached);
    await chats.api.client.post(`/api/v1/sessions/${sessionId}/stopAnswer`);
    await waitFor(() => chats.model.left() > 0);
    gate.resolve();
    const step = await saying;

    expect(step.at("messages.*.id")).toEqual([idOf("says {{Email}}"), idOf("says Answer: {{Email}}")]);
    expect(marksOf(step)).toEqual(["stopped", undefined]);
  });

  test("existing clients get neither the mark of an incomplete answer nor a retry", async () => {
    const { token, workspaceId } = chats;
    const flow = { ...flowOf(answering({ model: "cut" })), settings: allowed };
    const { publicId } = await publish(chats.api.client, { token, workspaceId }, flow);
    const started = await chats.api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    const sessionId = started.text("sessionId");

    const step = await say(chats.api.client, sessionId, "Tell me");

    expect(step.at("messages.*.content.plainText")).toEqual(["You said:"]);
    expect(JSON.stringify(step.body)).not.toMatch(/unfinished|canTryAgain/);
    expect((await tryAgain(sessionId)).at("code")).toBe("session.nothing_to_repeat");
  });
});

describe("a retry of an answer", () => {
  test("a retry replaces the old answer", async () => {
    const { botId, resultId, sessionId } = await begin(answering({ model: "cut" }));
    const first = await say(chats.api.client, sessionId, "Tell me");
    const asked = chats.model.asked.length;

    const again = await tryAgain(sessionId);

    expect([first.at("canTryAgain"), again.at("canTryAgain")]).toEqual([true, true]);
    expect(again.at("messages.*.content.plainText")).toEqual(["You said:"]);
    expect(chats.model.asked.length).toBe(asked + 1);
    const history = await historyOf(sessionId);
    expect(history.at("session.steps.*.reply.text")).toEqual([undefined, "Tell me"]);
    expect(history.list("session.steps")).toHaveLength(2);
    expect(history.at("session.revision")).toBe(4);
    const result = await chats.api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: chats.token });
    expect(result.at("result.answers.*.content")).toEqual(["Tell me"]);
  });

  test("a retry calls the model once per key, and again for another key", async () => {
    const { sessionId } = await begin(answering({}));
    await say(chats.api.client, sessionId, "Tell me");
    const asked = chats.model.asked.length;

    const [one, two] = await Promise.all([tryAgain(sessionId, "same-key"), tryAgain(sessionId, "same-key")]);
    const three = await tryAgain(sessionId, "same-key");
    await tryAgain(sessionId);

    expect([two.body, three.body]).toEqual([one.body, one.body]);
    expect(three.headers.get("idempotency-replayed")).toBe("true");
    expect(chats.model.asked.length).toBe(asked + 2);
  });

  test("a retry in an outdated tab is refused", async () => {
    const { sessionId } = await begin(answering({}));
    await say(chats.api.client, sessionId, "Tell me");
    const first = await tryAgain(sessionId, "numbered", { afterRevision: 2 });
    const asked = chats.model.asked.length;

    const again = await tryAgain(sessionId, "numbered", { afterRevision: 2 });
    const older = await tryAgain(sessionId, "older-tab", { afterRevision: 2 });

    expect([first.status, first.at("revision"), again.at("revision")]).toEqual([200, 4, 4]);
    expect(again.body).toEqual(first.body);
    expect([older.status, older.at("code"), older.at("data.isStillAsked")]).toEqual([409, "session.moved_on", false]);
    expect(chats.model.asked.length).toBe(asked);
    expect((await historyOf(sessionId)).at("session.revision")).toBe(4);
  });

  test("a retry streams the new answer, and a reconnection resumes the stream", async () => {
    const gate = Promise.withResolvers<void>();
    const { sessionId } = await begin(answering({}));
    await say(chats.api.client, sessionId, "one two three four");
    cleanups.add(chats.model.onWord((word) => (word === 4 ? gate.promise : undefined)));
    cleanups.add(gate.resolve);
    const url = `http://127.0.0.1:${server.port}/api/v1/sessions/${sessionId}/tryAgain`;

    const broken = await openEvents(url, { body: {}, key: "broken" });
    const early = await broken.until(({ event }) => event === "delta");
    broken.close();
    const resumed = await openEvents(url, { body: {}, key: "broken", after: early.at(-1)?.id });
    gate.resolve();
    const late = await resumed.rest();

    expect(textOf([...early, ...late])).toBe("You said: one two three four");
    expect(late.at(-1)?.event).toBe("step");
  });

  test("a retry continues after a crash between its two steps", async () => {
    const { sessionId } = await begin(answering({}));
    await say(chats.api.client, sessionId, "Tell me");
    const crash = (key: string) =>
      goBack(chats.api.deps, {
        sessionId,
        key: `again ${key}`,
        origins: noOrigins,
        hops: noHops,
        isTryingAgain: true,
      });

    await crash("first-key");
    const goneOn = await tryAgain(sessionId, "first-key");
    await crash("second-key");
    await say(chats.api.client, sessionId, "Something else");
    const late = await tryAgain(sessionId, "second-key");

    expect(goneOn.at("messages.*.content.plainText")).toEqual(["You said: Tell me"]);
    expect([late.status, late.at("code")]).toEqual([409, "session.moved_on"]);
  });

  test("a retry draws new random values, which stay the same after going back", async () => {
    const draws = { id: "draws", type: "Set variable", options: { variableId: idOf("Name"), type: "Random ID" } };
    const { sessionId } = await begin(answering({}, [draws, says("Drawn {{Name}}")]));
    const drawnBy = (step: { at(path: string): unknown }) => String(step.at("messages.1.content.plainText"));
    const first = drawnBy(await say(chats.api.client, sessionId, "Tell me"));
    const again = drawnBy(await tryAgain(sessionId));
    await chats.api.client.post(`/api/v1/sessions/${sessionId}/goBack`);
    const back = drawnBy(await say(chats.api.client, sessionId, "Tell me more"));

    expect(again).toStartWith("Drawn ");
    expect(again).not.toBe(first);
    expect(back).toBe(again);
  });

  const refusals: readonly [string, () => object[], object, string][] = [
    ["the bot offers no retries", () => answering({}), { general: { isGoBackEnabled: true } }, "nothing_to_repeat"],
    ["going back is not allowed", () => answering({}), { answers: { canTryAgain: true } }, "go_back_not_allowed"],
    [
      "no model was called",
      () => [asks("text input"), says("Hello"), asks("number input")],
      allowed,
      "nothing_to_repeat",
    ],
    ["the step called a server", () => answering({}, [webhook()]), allowed, "nothing_to_repeat"],
    [
      "the step has something to send",
      () =>
        answering({}, [
          {
            id: "mail",
            type: "Email",
            options: { credentialsId: "ours", recipients: ["a@example.com"], subject: "Hi" },
          },
        ]),
      allowed,
      "nothing_to_repeat",
    ],
    [
      "the visitor's browser has acted",
      () => answering({}, [{ id: "go", type: "Redirect", options: { url: "https://example.com", isNewTab: true } }]),
      allowed,
      "nothing_to_repeat",
    ],
    ["a tool of the model acted", () => answering({ model: "tools", tools: [acting()] }), allowed, "nothing_to_repeat"],
  ];
  for (const [name, blocks, settings, code] of refusals) {
    test(`a retry is refused if ${name}, and changes nothing`, async () => {
      const { sessionId } = await begin(blocks(), settings);
      const step = await say(chats.api.client, sessionId, "call act {}");
      const requests = outside.requests.length;

      const again = await tryAgain(sessionId);

      expect(step.at("canTryAgain")).toBeUndefined();
      expect(again.at("code")).toBe(`session.${code}`);
      expect((await historyOf(sessionId)).at("session.revision")).toBe(2);
      expect(outside.requests.length).toBe(requests);
    });
  }

  test("a retry is allowed if a tool of the model only computes", async () => {
    const tools = [{ id: "t", type: "function", name: "act", code: "return 'done'" }];
    const { sessionId } = await begin(answering({ model: "tools", tools }));
    const step = await say(chats.api.client, sessionId, "call act {}");
    const again = await tryAgain(sessionId);
    await say(chats.api.client, sessionId, "no number");
    const late = await tryAgain(sessionId);
    const unknown = await tryAgain("06ey3k2m5q8r1t4v7x0z9w2b5d");
    const malformed = await tryAgain("nothing");

    expect([step.at("canTryAgain"), again.status]).toEqual([true, 200]);
    expect(late.at("code")).toBe("session.nothing_to_repeat");
    expect([unknown.at("code"), malformed.at("code")]).toEqual(["session.not_found", "session.not_found"]);
  });
});

function acting() {
  return { id: "t", type: "function", name: "act", code: `return await fetch('${outside.url("/act")}')` };
}

function webhook() {
  return { id: "hook", type: "Webhook", options: { webhook: { url: outside.url("/hook"), method: "POST" } } };
}
