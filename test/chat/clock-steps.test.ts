import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { findRememberedResult } from "../../src/chat/reads/published-bots.sql.ts";
import type { ClaimTimes } from "../../src/chat/steps/claims.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Answer, type Client, createClient } from "../support/client.ts";
import { moveClock } from "../support/moved-clock.ts";
import { outsideFetch, startOutside } from "../support/outside.ts";
import { cleanupStack } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";

// Tests chats while the clocks of the database and of the node step back by an hour, or in the long run also by ten
// minutes and by a day.
const steps = isLong ? [600, 3_600, 86_400] : [3_600];

let api: TestApi;
let threads: Threads;
let owner: { token: string; workspaceId: string };
const cleanups = cleanupStack();

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  const user = await api.makeUser();
  owner = { token: user.token, workspaceId: await api.makeWorkspace(user) };
});
afterAll(async () => {
  await threads.close();
  await api.close();
});
afterEach(async () => {
  await cleanups.run();
  await moveBoth(0);
});

/** Moves the clocks of the database and of this process, as on a machine that hosts both. */
async function moveBoth(seconds: number): Promise<void> {
  setSystemTime();
  if (seconds !== 0) setSystemTime(new Date(Date.now() + 1_000 * seconds));
  await moveClock(api.deps.sql, seconds);
}

const short: ClaimTimes = { seconds: 0.4, renewMs: 50 };
/** The claims of a process that seems dead, because it never renews them. */
const dead: ClaimTimes = { seconds: 0.4, renewMs: 600_000 };

function node(claimTimes: ClaimTimes): Client {
  const app = createApp(createDependencies({ ...api.deps, claimTimes }));
  return createClient({ handle: (request) => app.handle(request) });
}

/** Publishes a bot that calls a server. The server leaves the first call unanswered until it is released. */
async function callingBot({ asksFirst }: { asksFirst: boolean }) {
  const released = Promise.withResolvers<void>();
  const server = await startOutside(async (_, response) => {
    if (server.requests.length === 1) await released.promise;
    response.end('{"word":"done"}');
  });
  cleanups.add(server.close);
  cleanups.add(released.resolve);
  const webhook = { url: server.url("/"), method: "POST", body: "{}" };
  const calls = { id: "calls", type: "Webhook", options: { isAdvancedConfig: true, isCustomBody: true, webhook } };
  const blocks = [calls, says("End"), asks("text input", {}, { id: "last" })];
  const { publicId } = await publish(api.client, owner, flowOf(asksFirst ? [asks("text input"), ...blocks] : blocks));
  return { publicId, server, release: released.resolve };
}

/**
 * Prepares a request whose step makes the call. Returns a function that sends the request, the server that receives the
 * call, and a function that lets the server respond. The session's id is empty if the request starts the chat.
 */
async function callingRequest({ asksFirst }: { asksFirst: boolean }) {
  const { publicId, server, release } = await callingBot({ asksFirst });
  const sessionId = asksFirst ? (await start(api.client, publicId)).text("sessionId") : "";
  const options = { headers: { "Idempotency-Key": `the-same-key-of-${publicId}` } };
  const send = (client: Client): Promise<Answer> =>
    asksFirst ? say(client, sessionId, "Ana", options) : start(client, publicId, {}, options);
  return { send, server, release, sessionId };
}

/** Resolves once a claim has been renewed beyond its original duration, by the current clock. */
async function renewed(): Promise<void> {
  const [{ end }] = await api.deps.sql<[{ end: Date }]>`
    select clock() + make_interval(secs => ${2 * short.seconds}) as end`;
  await waitFor(async () => {
    const [row] = await api.deps.sql`
      select from (
        select claim_until from sessions
        union all
        select claim_until from start_keys
      ) as claims
      where claim_until between ${end} and clock() + make_interval(secs => ${short.seconds})`;
    return row !== undefined;
  });
}

/** A flow that asks for texts endlessly, runs two failing scripts after each text, and remembers visitors. */
const endless = {
  ...flowOf([
    asks("text input", { variableId: idOf("word") }),
    fails("first"),
    fails("second"),
    { id: "again", type: "Jump", options: { groupId: idOf("g0") } },
  ]),
  variables: [{ id: idOf("word"), name: "Word" }],
  settings: { general: { rememberUser: { isEnabled: true } } },
};

/**
 * Returns a script that fails once the visitor has answered. Its log line contains the script's id and the last answer.
 */
function fails(id: string) {
  const content = `if ({{Word}}) throw new Error("${id} " + {{Word}})`;
  return { id, type: "Code", options: { isExecutedOnClient: false, content } };
}

describe.each(steps)("a clock that was set back by %d s", (seconds) => {
  test.each([true, false])(
    "another node acquires the claim of a dead node and runs the dead node's step (for a reply: %p)",
    async (asksFirst) => {
      const { send, server, release } = await callingRequest({ asksFirst });
      const lost = send(node(dead));
      await waitFor(() => server.requests.length === 1);

      await moveBoth(-seconds);
      const answer = await send(node(short));
      release();

      expect(answer.status).toBe(200);
      expect(server.requests).toHaveLength(2);
      expect((await lost).body).toEqual(answer.body);
    },
  );

  test.each([true, false])(
    "no other process acquires the claim of a running step (for a reply: %p)",
    async (asksFirst) => {
      const { send, server, release } = await callingRequest({ asksFirst });
      const first = send(node(short));
      await waitFor(() => server.requests.length === 1);

      await moveBoth(-seconds);
      const second = send(node(short));
      await renewed();
      release();

      expect((await second).body).toEqual((await first).body);
      expect(server.requests).toHaveLength(1);
    },
  );

  test("answers, logs and messages keep their order after the clock was set back", async () => {
    const { botId, publicId } = await publish(api.client, owner, endless);
    const first = await start(api.client, publicId);
    const resultId = first.text("resultId");
    await say(api.client, first.text("sessionId"), "one");
    await moveBoth(-seconds);
    await say(api.client, first.text("sessionId"), "two");
    await moveBoth(-2 * seconds);
    const second = await start(api.client, publicId, { resultId });
    expect(second.text("resultId")).toBe(resultId);
    await say(api.client, second.text("sessionId"), "three");
    await moveBoth(-3 * seconds);
    await say(api.client, second.text("sessionId"), "four");
    await moveBoth(-2.5 * seconds);
    await say(api.client, second.text("sessionId"), "five");

    const said = ["one", "two", "three", "four", "five"];
    const results = `/api/v1/bots/${botId}/results`;
    const [list, result, logs] = await Promise.all(
      ["", `/${resultId}`, `/${resultId}/logs`].map((path) => api.client.get(`${results}${path}`, owner)),
    );
    expect(list?.at("results.0.answers.*.content")).toEqual(said);
    expect(result?.at("result.answers.*.content")).toEqual(said);
    expect(logs?.list("logs").map((log) => /(first|second) \w+/.exec(JSON.stringify(log))?.[0])).toEqual(
      said.flatMap((word) => [`first ${word}`, `second ${word}`]),
    );
    const remembered = await findRememberedResult(api.deps.sql, { botId, resultId });
    expect(remembered?.answers.map(({ content }) => content)).toEqual(said);
    expect(remembered?.lastSessionId).toBe(second.text("sessionId"));
    const history = await api.client.get(`/api/v1/sessions/${second.text("sessionId")}`);
    expect(history.at("session.steps.*.reply.text")).toEqual([undefined, "three", "four", "five"]);
  });

  test("a released claim stays released after the clock was set back", async () => {
    const { publicId } = await callingBot({ asksFirst: true });
    const sessionId = (await start(api.client, publicId)).text("sessionId");
    const breaking = createDependencies({ ...api.deps, claimTimes: short });
    const app = createApp({
      ...breaking,
      safeFetch: () => Promise.reject(new Error("A fault of ours")),
    });
    const broken = await app.handle(
      new Request(`http://localhost/api/v1/sessions/${sessionId}/continueChat`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"message":"Ana"}',
      }),
    );
    expect(broken.status).toBe(500);

    await moveBoth(-seconds);
    const [claim] = await api.deps.sql<{ isLive: boolean }[]>`
      select claim_until > clock() as is_live
      from sessions
      where id = ${sessionId}`;
    expect(claim).toEqual({ isLive: false });
  });
});

test("a running step continues when the clock is set forward", async () => {
  const { send, server, release } = await callingRequest({ asksFirst: true });
  const saying = send(node(short));
  await waitFor(() => server.requests.length === 1);

  await moveBoth(3_600);
  await renewed();
  release();

  expect((await saying).status).toBe(200);
  expect(server.requests).toHaveLength(1);
});
