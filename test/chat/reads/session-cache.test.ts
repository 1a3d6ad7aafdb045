import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createDatabaseClock, createSessionCache } from "../../../src/chat/reads/session-cache.ts";
import { endSessionsOfResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies, type Dependencies } from "../../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

const questions = flowOf(
  ["One", "Two", "Three", "Four"].flatMap((word) => [says(`${word}?`), asks("text input", {}, { id: `asks ${word}` })]),
);

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let botId: string;
let publicId: string;
/** Two nodes on one database. The test counts the reads of sessions by each node. */
let nodes: readonly [Node, Node];
type Node = { readonly client: Client; readonly reads: { count: number } };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  ({ botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, questions));
});
beforeEach(() => {
  nodes = [makeNode(), makeNode()];
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

function makeNode(more: Partial<Dependencies> = {}): Node {
  const made = { ...createDependencies(api.deps), ...more };
  const reads = { count: 0 };
  const { sessions } = made.reads;
  const counted: typeof sessions = {
    add(lookup) {
      reads.count++;
      return sessions.add(lookup);
    },
  };
  const app = createApp({ ...made, reads: { ...made.reads, sessions: counted } });
  return { client: createClient({ handle: (request) => app.handle(request) }), reads };
}

const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
const shown = "messages.*.content.plainText";
const answersOf = async (resultId: string) => {
  const result = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token });
  return result.at("result.answers.*.content");
};

describe("the next step of a saved session", () => {
  test("the next step of a saved session requires no read of the session", async () => {
    const [{ client, reads }] = nodes;
    const sessionId = (await start(client, publicId)).text("sessionId");

    expect((await say(client, sessionId, "a")).at(shown)).toEqual(["Two?"]);
    expect((await say(client, sessionId, "b", keyed("first-key"))).at(shown)).toEqual(["Three?"]);
    expect(reads.count).toBe(0);
  });

  test("the next step of a saved session continues after another process's step", async () => {
    const [one, other] = nodes;
    const started = await start(one.client, publicId);
    const sessionId = started.text("sessionId");
    await say(one.client, sessionId, "a");
    await say(other.client, sessionId, "b");

    expect((await say(one.client, sessionId, "c")).at(shown)).toEqual(["Four?"]);
    expect(one.reads.count).toBe(1);
    expect(await answersOf(started.text("resultId"))).toEqual(["a", "b", "c"]);
  });

  test("the next step of a saved session repeats the response for a used key", async () => {
    const [one, other] = nodes;
    const started = await start(one.client, publicId);
    const sessionId = started.text("sessionId");
    const first = await say(one.client, sessionId, "a", keyed("seen-here"));
    const second = await say(other.client, sessionId, "b", keyed("seen-there"));

    expect((await say(one.client, sessionId, "a", keyed("seen-here"))).body).toEqual(first.body);
    expect((await say(one.client, sessionId, "b", keyed("seen-there"))).body).toEqual(second.body);
    expect((await say(one.client, sessionId, "c", keyed("seen-nowhere"))).at(shown)).toEqual(["Four?"]);
    expect((await say(one.client, sessionId, "b", keyed("seen-there"))).body).toEqual(second.body);
    expect(await answersOf(started.text("resultId"))).toEqual(["a", "b", "c"]);
  });

  test("a cached session returns the response for another process's key", async () => {
    const clock = createDatabaseClock();
    let isKnown = true;
    const known = { ...clock, now: () => (isKnown ? new Date() : undefined) };
    const one = makeNode({ sessionCache: createSessionCache(known) });
    const started = await start(one.client, publicId);
    const sessionId = started.text("sessionId");
    await say(one.client, sessionId, "a", keyed("seen-here"));
    const second = await say(nodes[1].client, sessionId, "b", keyed("seen-there"));
    isKnown = false;
    await say(one.client, sessionId, "c", keyed("read-anew"));
    isKnown = true;

    expect((await say(one.client, sessionId, "b", keyed("seen-there"))).body).toEqual(second.body);
    expect(await answersOf(started.text("resultId"))).toEqual(["a", "b", "c"]);
  });

  test("an outdated cache does not cause a repeated reply to be refused", async () => {
    const isLoop = {
      id: "c-loop",
      comparisons: [{ id: "c1", variableId: idOf("Name"), comparisonOperator: "Equal to", value: "loop" }],
    };
    const flow = flowOf(
      [
        says("One?"),
        asks("text input", { variableId: idOf("Name") }),
        { id: "is-loop", type: "Condition", items: [{ id: "loops", content: isLoop, outgoingEdgeId: idOf("e1") }] },
        says("Two?"),
        asks("text input", {}, { id: idOf("asks Two") }),
        says("Three?"),
        asks("text input", {}, { id: idOf("asks Three") }),
      ],
      [{ id: "around", type: "Jump", options: { groupId: idOf("g1"), blockId: "around" } }],
    );
    const looping = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const [one, other] = nodes;
    const started = await start(one.client, looping.publicId);
    const sessionId = started.text("sessionId");
    await say(other.client, sessionId, "a");
    const second = await say(other.client, sessionId, "loop", keyed("its-answer-was-lost"));

    expect(second.at(shown)).toEqual(["Three?"]);
    expect((await say(one.client, sessionId, "loop", keyed("its-answer-was-lost"))).body).toEqual(second.body);
    const logs = await api.client.get(`/api/v1/bots/${looping.botId}/results/${started.text("resultId")}/logs`, {
      token: owner.token,
    });
    expect(logs.list("logs")).toEqual([]);
  });

  test("the next step of a saved session is refused during a suspension", async () => {
    const [{ client }] = nodes;
    const sessionId = (await start(client, publicId)).text("sessionId");
    const suspend = (isSuspended: boolean) =>
      api.deps.sql`update workspaces set is_suspended = ${isSuspended} where id = ${workspaceId}`;

    await suspend(true);
    const refused = await say(client, sessionId, "a");
    await suspend(false);

    expect(refused).toMatchObject({ status: 403, body: { code: "workspace.suspended" } });
    expect((await say(client, sessionId, "a")).at(shown)).toEqual(["Two?"]);
  });

  test("the next step of a saved session is refused after its result is erased", async () => {
    const [{ client, reads }] = nodes;
    const started = await start(client, publicId);
    await endSessionsOfResults(api.deps.sql, [started.text("resultId")]);
    const refused = await say(client, started.text("sessionId"), "a");

    expect(refused).toMatchObject({ status: 404, body: { code: "session.ended" } });
    expect(reads.count).toBe(1);
    expect(await answersOf(started.text("resultId"))).toEqual([]);
  });

  test("the next step of a saved session is refused once its result is deleted", async () => {
    const [{ client }] = nodes;
    const started = await start(client, publicId);
    await api.client.delete(`/api/v1/bots/${botId}/results?resultIds=${started.text("resultId")}`, {
      token: owner.token,
    });

    expect((await say(client, started.text("sessionId"), "a")).status).toBe(404);
  });
});

describe("the database's clock", () => {
  test("the database's clock is unknown before the first synchronisation", () => {
    expect(createDatabaseClock().now()).toBeUndefined();
  });

  test("the database's clock advances by at most the elapsed time", async () => {
    const clock = createDatabaseClock();
    const synced = new Date("2026-01-01T00:00:00.000Z");
    const before = performance.now();
    clock.sync(synced);
    await new Promise<void>((resolve) => setImmediate(resolve));
    const now = clock.now()?.getTime() ?? 0;

    expect(now).toBeGreaterThanOrEqual(synced.getTime());
    expect(now).toBeLessThanOrEqual(synced.getTime() + performance.now() - before);
  });
});
