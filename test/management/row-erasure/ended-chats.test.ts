import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { createMailer } from "../../../src/effects/mail/email.ts";
import { chatsOfDeletedBots, emptyBin } from "../../../src/management/bin/bin.job.ts";
import { binBots } from "../../../src/management/bots/deleted-bots.sql.ts";
import { endChats } from "../../../src/management/bots/deletion.ts";
import { inFolderTurn } from "../../../src/management/bots/folders/folder-turns.ts";
import { hideWorkspace } from "../../../src/management/workspaces/workspaces.sql.ts";
import type { Clock } from "../../../src/platform/concurrency/clock.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { cleanUp } from "../../../src/platform/queue/clean-up.ts";
import { openQueue } from "../../../src/platform/queue/queue.sql.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { outsideFetch, startOutside } from "../../support/outside.ts";
import { startTestJobs } from "../../support/queue.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;
let threads: Threads;
/** Two nodes on one database, each with its own caches. */
let api: TestApi;
let other: TestApi;
let due: DueSteps;
let owner: TestUser;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, database, safeFetch: outsideFetch() });
  other = await createTestApi({ threads, database, safeFetch: outsideFetch() });
  due = startDueSteps(other.deps);
  owner = await api.makeUser();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await moveClock(database.sql, 0);
});
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
});

const send = (method: string, path: string, body: object = {}) =>
  api.client.send(method, `/api/v1/${path}`, { token: owner.token, body });

/** The first question has a timeout, after which the chat listens. */
const flow = flowOf([
  {
    id: "address",
    type: "Set variable",
    options: { variableId: idOf("Email"), type: "Callback address", blockId: "listen" },
  },
  says("Call {{Email}}"),
  asks("text input", { timeout: { after: 100 } }),
  { id: "listen", type: "webhook", options: {} },
  asks("number input"),
]);

const places = ["folder", "workspace", "list of bots"] as const;

async function makeBot(place: (typeof places)[number] = "workspace", of: object = flow) {
  const workspaceId = await api.makeWorkspace(owner);
  const makeFolder = async (parentFolderId: string | null) =>
    (await send("POST", "folders", { workspaceId, folderName: "F", parentFolderId })).text("folder.id");
  const outer = await makeFolder(null);
  const folderId = await makeFolder(outer);
  const bot = await publish(api.client, { token: owner.token, workspaceId }, { ...of, folderId });
  const path = place === "folder" ? `folders/${outer}` : `workspaces/${workspaceId}`;
  return {
    ...{ ...bot, workspaceId, path },
    remove: () =>
      place === "list of bots"
        ? send("POST", "bots/bulk", { action: "delete", botIds: [bot.botId] })
        : send("DELETE", place === "folder" ? `${path}?withContent=true` : path),
    restore: () => send("POST", place === "list of bots" ? `bots/${bot.botId}/restore` : `${path}/restore`),
  };
}

/** Starts a chat at a node, so that the node caches its session and its bot. */
async function chatAt(node: TestApi, publicId: string) {
  const started = await start(node.client, publicId);
  const callback = new URL(started.text("messages.0.content.plainText").replace("Call ", "")).pathname;
  return { sessionId: started.text("sessionId"), resultId: started.text("resultId"), callback };
}

async function answersOf(botId: string): Promise<string[]> {
  const rows = await database.sql<{ content: string }[]>`
    select content from answers where bot_id = ${botId} order by created_at`;
  return rows.map(({ content }) => content);
}
const openChatsOf = async (botId: string) =>
  (await database.sql`select id from sessions where bot_id = ${botId} and not is_ended`).length;

async function runTask(name: "chats-of-deleted-bots" | "bin"): Promise<string> {
  const tasks = [chatsOfDeletedBots(database.sql), emptyBin(database.sql)];
  const run = cleanUp(tasks, { isAhead: () => false });
  return (await run({ id: newId(), data: { task: name }, signal: new AbortController().signal })).message;
}

async function slowServer() {
  const held = Promise.withResolvers<void>();
  const server = await startOutside(async (_request, response) => {
    await held.promise;
    response.end("{}");
  });
  cleanups.push(server.close);
  return { url: server.url(), requests: server.requests, answer: held.resolve };
}

describe.each(places)("chats that end with their %s", (place) => {
  test("ended chats accept no answer or call at either node", async () => {
    const bot = await makeBot(place);
    const [said, waiting, timed] = [
      await chatAt(other, bot.publicId),
      await chatAt(other, bot.publicId),
      await chatAt(api, bot.publicId),
    ];
    await say(other.client, said.sessionId, "Before");
    await say(other.client, waiting.sessionId, "Waits for a call");
    const before = await answersOf(bot.botId);

    expect((await bot.remove()).status).toBe(200);

    expect(await openChatsOf(bot.botId)).toBe(0);
    for (const node of [other, api]) {
      for (const { sessionId } of [timed, said]) {
        expect((await say(node.client, sessionId, "After")).at("code")).toBe("session.ended");
      }
      for (const { callback } of [waiting, timed]) {
        expect((await node.client.post(callback, { body: {} })).at("code")).toBe("callback.over");
      }
      expect((await start(node.client, bot.publicId)).at("code")).toBe("bot.not_found");
    }
    await moveClock(database.sql, 200);
    await waitFor(async () => {
      due.wake();
      return (await database.sql`select from due_steps where bot_id = ${bot.botId}`).length === 0;
    });
    await moveClock(database.sql, 0);

    expect((await bot.restore()).status).toBe(200);
    expect((await say(other.client, said.sessionId, "After")).at("code")).toBe("session.ended");
    const begun = await chatAt(other, bot.publicId);
    // A deletion that is still ending chats skips the chats of a restored bot.
    await endChats(api.deps, { workspaceId: bot.workspaceId });
    expect((await say(other.client, begun.sessionId, "New")).status).toBe(200);
    expect(await answersOf(bot.botId)).toEqual([...before, "New"]);
  });

  test("a step that runs while its chat is ended stores no answer", async () => {
    const { url, requests, answer } = await slowServer();
    const call = { id: "call", type: "Webhook", options: { webhook: { url } } };
    const bot = await makeBot(place, flowOf([asks("text input"), call, asks("number input")]));
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    const step = say(api.client, sessionId, "Before");
    await waitFor(() => requests.length === 1);

    await bot.remove();
    answer();

    expect((await step).at("code")).toBe("session.ended");
    expect(await answersOf(bot.botId)).toEqual([]);
  });
});

describe("a start that waits for another server while its bot is deleted", () => {
  test.each([
    ["deleted", false],
    ["erased", true],
  ])("a start is refused if its bot is %s in the meantime, and no open chat remains", async (_what, isErased) => {
    const { url, requests, answer } = await slowServer();
    const call = { id: "call", type: "Webhook", options: { webhook: { url } } };
    const bot = await makeBot("workspace", flowOf([call, asks("text input")]));
    const started = start(api.client, bot.publicId);
    await waitFor(() => requests.length === 1);

    await send("DELETE", `bots/${bot.botId}`);
    if (isErased) expect((await send("POST", `bots/${bot.botId}/erase`)).at("isErased")).toBe(true);
    answer();

    expect((await started).at("code")).toBe("bot.not_found");
    expect(await openChatsOf(bot.botId)).toBe(0);
    const left = await database.sql`select from results where bot_id = ${bot.botId} and not is_archived`;
    expect(left).toHaveLength(isErased ? 0 : 1);
  });
});

test("a job ends chats that remain open after their bot or workspace is deleted", async () => {
  const [bot, single] = [await makeBot(), await makeBot()];
  const chat = await chatAt(other, bot.publicId);
  await chatAt(other, single.publicId);
  const queue = await openQueue({ url: database.url, log: createLog("silent") });
  cleanups.push(queue.stop);
  const jobs = await startTestJobs({ sql: database.sql, queue }, createMailer({ url: undefined, from: undefined }));
  cleanups.push(jobs.stop);

  await inFolderTurn(database.sql, [bot.workspaceId], (transaction) => hideWorkspace(transaction, bot.workspaceId));
  await waitFor(async () => (await openChatsOf(bot.botId)) === 0);
  await binBots(database.sql, { botIds: [single.botId], deletedWith: null });
  await waitFor(async () => (await openChatsOf(single.botId)) === 0);

  expect((await say(other.client, chat.sessionId, "After")).at("code")).toBe("session.ended");
});

test.each(places)(
  "results of a %s are not erased before the last chat has ended, and the response reports the delay",
  async (place) => {
    const bot = await makeBot(place);
    const { sessionId, resultId } = await chatAt(api, bot.publicId);
    await say(api.client, sessionId, "Before");
    const client = createClient({ handle: (request) => hurried.handle(request) });
    const hurried = createApp({ ...api.deps, clock: hurriedClock() });
    const hurriedSend = (method: string, path: string, body: object = {}) =>
      client.send(method, `/api/v1/${path}`, { token: owner.token, body });
    const path = place === "list of bots" ? `bots/${bot.botId}` : bot.path;
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const saving = database.sql.begin(async (transaction) => {
      await transaction`select from sessions where id = ${sessionId} for update`;
      locked.resolve();
      await held.promise;
    });
    await locked.promise;

    const removed = await hurriedSend("DELETE", place === "folder" ? `${path}?withContent=true` : path);
    const erasing = await hurriedSend("POST", `${path}/erase`);
    await runTask("bin");
    const between = await database.sql`select from results where id = ${resultId} and not is_archived`;
    held.resolve();
    await saving;

    expect([removed.status, erasing.body]).toMatchObject([200, { message: "success", isErasing: true }]);
    expect(between).toHaveLength(1);
    expect(await runTask("chats-of-deleted-bots")).toBe("Ended 1");
    if (place !== "folder") expect((await send("POST", `${path}/erase`)).body).not.toHaveProperty("isErasing");
    await runTask("bin");
    expect(await database.sql`select from bots where id = ${bot.botId}`).toHaveLength(0);
    expect(await answersOf(bot.botId)).toEqual([]);
  },
);

function hurriedClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    startTimer(ms, callback) {
      now += ms;
      setImmediate(callback);
      return () => {};
    },
    setImmediate,
  };
}
