import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { createApp } from "../../src/service/app.ts";
import { shareStarts } from "../../src/service/dependencies.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { outsideFetch, startOutside } from "../support/outside.ts";
import { cleanupStack } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

/** The number of starts that a single workspace may have in progress. */
const share = (limits.starts.underWay * 2) / 3;

type Place = { readonly workspaceId: string; readonly publicId: string; publish(flow: object): Promise<string> };

let api: TestApi;
let threads: Threads;
let attacker: Place;
let victim: Place;
const cleanups = cleanupStack();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  const makePlace = async (): Promise<Place> => {
    const { token, ...user } = await api.makeUser();
    const workspaceId = await api.makeWorkspace({ token, ...user });
    const publishIt = async (flow: object) => (await publish(api.client, { token, workspaceId }, flow)).publicId;
    return { workspaceId, publish: publishIt, publicId: await publishIt(flowOf([says("Hi"), asks("text input")])) };
  };
  attacker = await makePlace();
  victim = await makePlace();
});
afterEach(cleanups.run);
afterAll(async () => {
  await threads.close();
  await api.close();
});

/**
 * Creates the service with a clock that the test controls. `take` occupies one start of the attacker's workspace, and
 * `flood` sends a hundred starts of the attacker.
 */
async function serve() {
  const clock = createVirtualClock();
  const startsUnderWay = shareStarts(clock);
  const app = createApp({ ...api.deps, startsUnderWay });
  const client = createClient({ handle: (request) => app.handle(request) });
  const take = () => startsUnderWay.acquire({ workspace: attacker.workspaceId }, 1);
  const flood = () => Array.from({ length: 100 }, () => start(client, attacker.publicId));
  return { client, clock, take, flood, usage: startsUnderWay.usage };
}

test("waiting starts of one workspace do not delay another workspace", async () => {
  const { client, take, flood, usage } = await serve();
  const sessionId = (await start(client, attacker.publicId)).text("sessionId");
  const held = await Promise.all(Array.from({ length: share }, take));
  const waiting = flood();
  await waitFor(() => usage().waiting === 100);

  for (let turn = 0; turn < 20; turn++) expect((await start(client, victim.publicId)).status).toBe(200);
  expect((await say(client, sessionId, "Ada")).status).toBe(200);
  expect(usage()).toEqual({ held: share, waiting: 100, refused: 0 });
  for (const release of held) release();

  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(100).fill(200));
  expect(usage()).toEqual({ held: 0, waiting: 0, refused: 0 });
});

test("a start that waits too long is refused with Retry-After", async () => {
  const { client, clock, take, flood, usage } = await serve();
  await Promise.all(Array.from({ length: share }, take));
  const waiting = flood();
  await waitFor(() => usage().waiting === 100);

  await clock.advance(limits.starts.waitMs);
  const answers = await Promise.all(waiting);
  expect(answers.map((answer) => answer.at("code"))).toEqual(Array(100).fill("server.overloaded"));
  expect(answers[0]?.headers.get("retry-after")).toBe("1");
  const { token } = await api.makeUser({ scope: "admin" });
  const app = createApp({ ...api.deps, startsUnderWay: { ...api.deps.startsUnderWay, usage } });
  const headers = { Authorization: `Bearer ${token}` };
  const told = await (await app.handle(new Request("http://localhost/metrics", { headers }))).text();
  expect(told).toContain(`parley_places_taken{of="starts"} ${share}`);
  expect(told).toContain('parley_places_refused_total{of="starts"} 100');
  expect((await start(client, victim.publicId)).status).toBe(200);
});

test("a start releases its slot while it waits for a called server", async () => {
  const { client, usage } = await serve();
  const held = Promise.withResolvers<void>();
  const server = await startOutside(async (_, response) => {
    await held.promise;
    response.end("{}");
  });
  cleanups.add(server.close);
  const call = { id: "call", type: "Webhook", options: { webhook: { url: server.url(), method: "GET" } } };
  const publicId = await attacker.publish(flowOf([call, asks("text input")]));

  const starts = Array.from({ length: 2 * share }, () => start(client, publicId));
  await waitFor(() => server.requests.length === 2 * share);
  expect(usage()).toEqual({ held: 0, waiting: 0, refused: 0 });
  held.resolve();

  expect((await Promise.all(starts)).map(({ status }) => status)).toEqual(Array(2 * share).fill(200));
});
