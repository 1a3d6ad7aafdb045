import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { newId, shardOf } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { noteOperation } from "../support/contract.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { publishTypebot } from "./bot.ts";
import { readStream } from "./client-actions.ts";
import { type ExistingClient, openPage, StartRefused, Stuck } from "./existing-client.ts";

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

const published = (flow: object, inWorkspace = workspaceId) =>
  publishTypebot(api.client, { token: owner.token, workspaceId: inWorkspace }, flow);
const open = (publicId: string, more: object = {}) => openPage({ handle: api.handle, publicId, ...more });
const text = (words: string) => ({ type: "text", text: words });
const failed = "Something went wrong. Please, try again.";

const toLoop = {
  ...flowOf(
    [says("Go?"), asks("choice input", {}, { items: [{ id: "yes", content: "Yes", outgoingEdgeId: idOf("e1") }] })],
    [says("Round"), { id: "again", type: "Jump", options: { groupId: idOf("g1") } }],
  ),
};
const setsVariable = flowOf([
  says("One moment"),
  {
    id: "set",
    type: "Set variable",
    options: { variableId: idOf("Name"), expressionToEvaluate: "1 + 1", isExecutedOnClient: true },
  },
  says("It is {{Name}}"),
  asks("text input"),
]);

const ofNewerRelease = (sessionId: string) => withState(sessionId, JSON.stringify({ format: 99 }));
const withState = (sessionId: string, state: string) => api.deps.sql`
  update sessions set revision = revision + 1, state = ${state}
  where shard = ${shardOf(sessionId)} and id = ${sessionId}`;
const expired = (sessionId: string) => api.deps.sql`
  update sessions set expires_at = clock() where shard = ${shardOf(sessionId)} and id = ${sessionId}`;

describe("a reply that cannot be processed", () => {
  test("a reply that causes an endless loop is requested again and logged", async () => {
    const { typebotId, publicId } = await published(toLoop);
    const page = await open(publicId);
    await page.answer(text("Yes"));

    expect(page.seen()).toEqual(["Go?", failed]);
    expect(page.input()?.["type"]).toBe("choice input");
    expect(page.logs).toMatchObject([{ status: "error", context: "step.over_budget" }]);
    expect(await logsOf(typebotId, page)).toEqual(["This step exceeds the limit of work in one step."]);
  });

  test.each([
    ["longer than the limit for replies", text("x".repeat(limits.reply.bytes + 1))],
    ["longer than the limit for request bodies", text("x".repeat(limits.request.chatBodyBytes + 1))],
  ])("a shorter reply is requested if the reply is %s", async (_title, message) => {
    const { typebotId, publicId } = await published(flowOf([asks("text input"), says("Further")]));
    const page = await open(publicId);
    await page.answer(message);
    const asked = page.input()?.["id"];
    await page.answer(text("short"));

    expect(asked).toBe(idOf("asks text input"));
    expect(page.seen()).toEqual(["This message is too long. Please, try again with a shorter one.", "Further"]);
    expect(await logsOf(typebotId, page)).toHaveLength(1);
  });

  test("a reply with an unknown format is requested again", async () => {
    const { publicId } = await published(flowOf([asks("text input")]));
    const page = await open(publicId);
    await page.answer({ type: "hologram" });

    expect(page.seen()).toEqual(["Invalid message. Please, try again."]);
    expect(page.input()?.["type"]).toBe("text input");
  });

  test("a reply is requested again if a newer release served the chat last", async () => {
    const { publicId } = await published(flowOf([says("Name?"), asks("text input")]));
    const page = await open(publicId);
    await ofNewerRelease(page.sessionId());
    await page.answer(text("Ada"));

    expect(page.seen()).toEqual(["Name?", failed]);
    expect(page.input()?.["type"]).toBe("text input");
  });

  test("a reply that causes an internal error is requested again", async () => {
    const { publicId } = await published(flowOf([says("Name?"), asks("text input")]));
    const page = await open(publicId);
    await withState(page.sessionId(), "no state");
    await page.answer(text("Ada"));

    expect(page.seen()).toEqual(["Name?", failed]);
    expect(page.logs).toMatchObject([{ description: "Internal server error", context: "server.internal" }]);
    expect(page.input()?.["type"]).toBe("text input");
  });

  test("a reply is requested again if too many replies are pending in the chat", async () => {
    const { publicId } = await published(flowOf([says("Name?"), asks("text input")]));
    const page = await open(publicId);
    const stop = new AbortController();
    const waiting = Array.from({ length: limits.session.queue + 1 }, () =>
      api.deps.stepLimiter.run(page.sessionId(), () => aborted(stop.signal)),
    );
    await page.answer(text("Ada"));
    stop.abort();
    await Promise.all(waiting);

    expect(page.seen()).toEqual(["Name?", failed]);
    await page.answer(text("Ada"));
    expect(page.isOver()).toBe(true);
  });

  test("a client's report that fails is requested again after a pause", async () => {
    const { publicId } = await published(setsVariable);
    const begun = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    await ofNewerRelease(begun.text("sessionId"));
    const answer = await say(api.client, begun.text("sessionId"), text("2"));

    expect(answer.at("messages")).toEqual([]);
    expect(answer.at("input")).toBeUndefined();
    expect(answer.at("clientSideActions")).toEqual([
      { type: "wait", wait: { secondsToWaitFor: 3 } },
      { type: "setVariable", setVariable: expect.anything(), expectsDedicatedReply: true },
    ]);
  });

  test("a command without an event leaves the input unchanged, and is logged", async () => {
    const { typebotId, publicId } = await published(flowOf([says("Name?"), asks("text input")]));
    const page = await open(publicId);
    await page.command("dance");

    expect(page.seen()).toEqual(["Name?"]);
    expect(page.input()?.["type"]).toBe("text input");
    expect(await logsOf(typebotId, page)).toEqual(["Command event not found"]);
  });

  test("a reply after the chat's end gets a message that the chat has ended", async () => {
    const { publicId } = await published(flowOf([says("Only this")]));
    const page = await open(publicId);
    await page.event(text("Hello?"));

    expect(page.seen()).toEqual(["Only this", "This chat has ended."]);
    expect(page.isOver()).toBe(true);
  });

  /** Old relays read `status` and `message` at the top level. Every Parley error also contains the remaining keys. */
  const goneKeys = ["code", "message", "requestId", "status"];

  test("a relay's reply after the chat's end is rejected with 404", async () => {
    const asked = await published(flowOf([says("Hello"), asks("text input"), says("Bye")]));
    const never = await published(flowOf([says("Only this")]));
    for (const { publicId } of [asked, never]) {
      const started = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
      const sessionId = started.text("sessionId");
      if (publicId === asked.publicId) await say(api.client, sessionId, "Ada");
      const gone = await say(api.client, sessionId, "Hello?");

      expect(Object.keys(Object(gone.body)).toSorted()).toEqual(goneKeys);
      expect([gone.status, gone.body]).toEqual([
        404,
        expect.objectContaining({ status: 404, message: "Session not found." }),
      ]);
      const inBrowser = await say(api.client, sessionId, "Hello?", { headers: { Origin: "https://site.example" } });
      expect(JSON.stringify(inBrowser.at("messages"))).toContain("This chat has ended.");
      expect(JSON.stringify(inBrowser.at("messages"))).not.toContain("Only this");
    }
  });

  test("a reply in an expired chat returns the original error to a relay", async () => {
    const { publicId } = await published(flowOf([asks("text input")]));
    const started = await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });
    await expired(started.text("sessionId"));
    expect((await say(api.client, started.text("sessionId"), "Hello?")).body).toMatchObject({
      ...{ code: "session.expired", status: 404, message: "Session expired. You need to start a new session." },
    });
  });

  test("a reply in an expired chat ends the chat with a message", async () => {
    const { publicId } = await published(flowOf([asks("text input")]));
    const page = await open(publicId);
    await expired(page.sessionId());
    await page.answer(text("Ada"));

    expect(page.seen()).toEqual(["This chat has expired. Please, reload the page to start again."]);
    expect(page.isOver()).toBe(true);
  });

  test("a reply in a suspended workspace ends the chat with a message", async () => {
    const suspended = await api.makeWorkspace(owner);
    const { publicId } = await published(flowOf([asks("text input")]), suspended);
    const page = await open(publicId);
    await api.deps.sql`update workspaces set is_suspended = true where id = ${suspended}`;
    await page.answer(text("Ada"));

    expect(page.seen()).toEqual(["This bot is now closed."]);
    expect(page.isOver()).toBe(true);
  });
});

describe("unchanged errors", () => {
  test("an error is returned unchanged in chats of Parley's own API", async () => {
    const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flowOf([asks("text input")]));
    const begun = await start(api.client, publicId);
    await expired(begun.text("sessionId"));

    expect(await say(api.client, begun.text("sessionId"), "Ada")).toMatchObject({ status: 404 });
  });

  test("an error is returned unchanged to clients that send a key", async () => {
    const { publicId } = await published(flowOf([asks("text input")]));
    const page = await open(publicId);
    await expired(page.sessionId());
    const answer = await say(api.client, page.sessionId(), "Ada", { headers: { "Idempotency-Key": "key" } });

    expect(answer).toMatchObject({ status: 404, body: { code: "session.expired" } });
  });

  test("an error is returned unchanged to pages of a forbidden origin", async () => {
    const allowing = { settings: { security: { allowedOrigins: ["https://shop.example"] } } };
    const { publicId } = await published({ ...flowOf([asks("text input")]), ...allowing });
    const page = await open(publicId);
    const answer = await say(api.client, page.sessionId(), "Ada", { headers: { Origin: "https://evil.example" } });

    expect(answer).toMatchObject({ status: 403, body: { code: "origin.not_allowed" } });
  });

  test("a start is refused in a frame on a page whose origin the bot does not allow", async () => {
    const own = await createTestApi({ threads, config: { CHAT_URL: "https://chat.example" } });
    const author = await own.makeUser();
    const bot = { token: author.token, workspaceId: await own.makeWorkspace(author) };
    const allowing = { settings: { security: { allowedOrigins: ["https://shop.example"] } } };
    const { publicId } = await publishTypebot(own.client, bot, {
      ...flowOf([says("Hi"), asks("text input")]),
      ...allowing,
    });
    const framed = (framedBy: string) =>
      openPage({ handle: own.handle, publicId, origin: "https://chat.example", framedBy });

    expect((await framed("https://shop.example")).seen()).toEqual(["Hi"]);
    expect((await refusalOf(framed("https://evil.example"))).sentence).toBe("Origin not allowed");
    await own.close();
  });

  test("an error is returned unchanged if the session is unknown", async () => {
    const answer = await say(api.client, newId(), "Ada");

    expect(answer).toMatchObject({ status: 404, body: { code: "session.not_found" } });
  });
});

describe("a refused start", () => {
  test("a refused start of a closed bot shows the bot's own text", async () => {
    const closing = { settings: { general: { systemMessages: { botClosed: "Back in May" } } } };
    const { typebotId, publicId } = await published({ ...flowOf([asks("text input")]), ...closing });
    await api.client.patch(`/api/v1/typebots/${typebotId}`, {
      token: owner.token,
      body: { typebot: { isClosed: true } },
    });

    expect((await refusalOf(open(publicId))).sentence).toBe("Back in May");
  });

  test("a refused start shows a message for a suspended workspace or wrong origin", async () => {
    const suspended = await api.makeWorkspace(owner);
    const one = await published(flowOf([asks("text input")]), suspended);
    await api.deps.sql`update workspaces set is_suspended = true where id = ${suspended}`;
    const allowing = { settings: { security: { allowedOrigins: ["https://elsewhere.example"] } } };
    const other = await published({ ...flowOf([asks("text input")]), ...allowing });

    expect((await refusalOf(open(one.publicId))).sentence).toBe("This bot is now closed.");
    expect((await refusalOf(open(other.publicId))).sentence).toBe("Origin not allowed");
  });

  test("a start returns a JSON error for a missing bot, a loop or a missing token", async () => {
    expect(await refusalOf(open("no-such-bot"))).toMatchObject({ status: 404, body: { code: "bot.not_found" } });
    const { publicId } = await published({
      ...flowOf([{ id: "round", type: "Jump", options: { groupId: idOf("g0") } }]),
    });
    expect(await refusalOf(open(publicId))).toMatchObject({ status: 422, body: { code: "step.over_budget" } });
    expect(await refusalOf(open(newId(), { isPreview: true }))).toMatchObject({
      status: 401,
      body: { code: "token.missing" },
    });
  });
});

describe("an answer that is requested as a stream", () => {
  const stream = (sessionId: string, headers: Record<string, string> = {}) =>
    api.handle(
      new Request(`http://localhost/api/v2/sessions/${sessionId}/streamMessage`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify({ messages: [{ role: "user", content: "Hi" }] }),
      }),
    );

  test("a stream that is requested while no answer is pending contains a message", async () => {
    const { publicId } = await published(flowOf([asks("text input")]));
    const page = await open(publicId);
    const response = await stream(page.sessionId());
    noteOperation({ method: "POST", path: "/api/v2/sessions/:sessionId/streamMessage" });

    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(readStream(await response.text(), response.ok)).toBe("There is no answer at the moment.");
  });

  test("a requested stream is refused for unknown sessions and foreign origins", async () => {
    const allowing = { settings: { security: { allowedOrigins: ["https://shop.example"] } } };
    const { publicId } = await published({ ...flowOf([asks("text input")]), ...allowing });
    const page = await open(publicId);

    expect((await stream(newId())).status).toBe(404);
    expect((await stream(page.sessionId(), { Origin: "https://evil.example" })).status).toBe(403);
  });
});

test("the test client gets stuck after a 503 response, like the observed client", async () => {
  const { publicId } = await published(flowOf([asks("text input")]));
  const failing = new Set<string>();
  const handle = async (request: Request) =>
    failing.has(new URL(request.url).pathname) && request.method === "POST"
      ? new Response("no", { status: 503, headers: { "Access-Control-Allow-Origin": "*" } })
      : api.handle(request);
  const page = await openPage({ handle, publicId });
  failing.add(`/api/v1/sessions/${page.sessionId()}/continueChat`);

  await expect(page.answer(text("Ada"))).rejects.toBeInstanceOf(Stuck);
});

async function logsOf(typebotId: string, page: ExistingClient): Promise<unknown> {
  const path = `/api/v1/typebots/${typebotId}/results/${page.started()?.resultId}/logs`;
  return (await api.client.get(path, { token: owner.token })).at("logs.*.description");
}

async function refusalOf(opening: Promise<unknown>): Promise<StartRefused> {
  const refusal = await opening.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refusal instanceof StartRefused) return refusal;
  throw new Error("The start was not refused", { cause: refusal });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}
