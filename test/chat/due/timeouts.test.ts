import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let due: DueSteps;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  due = startDueSteps(api.deps);
});
afterEach(() => moveClock(api.deps.sql, 0));
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
});

const make = async (flow: object) =>
  publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, flow);

/** Asks, and leads to a group of its own when nobody answers. */
const asking = (timeout: object, type = "text input", options: object = {}) =>
  flowOf(
    [says("Your name?"), asks(type, { timeout, ...options }), says("Thank you")],
    [says("Are you there?"), asks("url input")],
  );

const rows = async () => (await api.deps.sql<{ kind: string }[]>`select kind from due_steps`).map(({ kind }) => kind);

/** Lets so many seconds pass, until what is due by then was taken. */
async function pass(seconds: number): Promise<void> {
  await moveClock(api.deps.sql, seconds);
  await waitFor(async () => {
    due.wake();
    return (await api.deps.sql`select from due_steps where due <= clock()`).length === 0;
  });
}

const read = (sessionId: string) => api.client.get(`/api/v1/sessions/${sessionId}`);

describe("an input with a time-out", () => {
  test("goes on by its edge when nobody answers in time", async () => {
    const bot = await make(asking({ after: 600, outgoingEdgeId: idOf("e1") }));
    const started = await start(api.client, bot.publicId);
    const sessionId = started.text("sessionId");

    await pass(599);
    expect((await read(sessionId)).at("session.input.type")).toBe("text input");
    await pass(601);

    const session = await read(sessionId);
    expect(session.at("session.steps.1.messages.0.content.plainText")).toBe("Are you there?");
    expect(session.at("session.input.type")).toBe("url input");
    expect(await rows()).toEqual([]);
  });

  test("takes an answer that comes before, and its time is over then", async () => {
    const bot = await make(asking({ after: 600, outgoingEdgeId: idOf("e1") }));
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    expect(await rows()).toEqual(["timeout"]);

    const answered = await say(api.client, sessionId, "Ana");

    expect(answered.at("messages.0.content.plainText")).toBe("Thank you");
    expect(await rows()).toEqual([]);
  });

  test("without an edge goes on as after a skipped reply", async () => {
    const bot = await make(asking({ after: 60 }));
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");

    await pass(61);

    const session = await read(sessionId);
    expect(session.at("session.steps.1.messages.0.content.plainText")).toBe("Thank you");
    expect(session.at("session.isEnded")).toBe(true);
  });

  test("keeps its time when a reply is refused", async () => {
    const bot = await make(asking({ after: 600, outgoingEdgeId: idOf("e1") }, "email input"));
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    const [before] = await api.deps.sql`select id, due from due_steps`;

    await moveClock(api.deps.sql, 300);
    const refused = await say(api.client, sessionId, "no e-mail");

    expect(refused.at("input.type")).toBe("email input");
    const [after] = await api.deps.sql`select id, due from due_steps`;
    expect(after).toEqual(before);
    await pass(601);
    expect((await read(sessionId)).at("session.steps.2.messages.0.content.plainText")).toBe("Are you there?");
  });
});
