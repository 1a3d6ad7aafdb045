import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { countDueSteps } from "../../../src/chat/due/due-steps.sql.ts";
import { limits } from "../../../src/limits/index.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { createListeningPlace, type ListeningPlace } from "../callbacks/listening.ts";

let place: ListeningPlace;
beforeAll(async () => {
  place = await createListeningPlace();
});
afterEach(() => moveClock(place.api.deps.sql, 0));
afterAll(() => place.close());

const back = async (sessionId: string) => {
  const { status } = await place.api.client.post(`/api/v1/sessions/${sessionId}/goBack`);
  expect(status).toBe(200);
};
const shows = (sessionId: string, text: string) =>
  waitFor(async () => {
    place.due.wake();
    return (await place.saidIn({ sessionId })).at(-1) === text;
  });
const keptRows = async (sessionId: string) =>
  (await place.api.deps.sql`select from due_steps where session_id = ${sessionId} and kind = 'keptCall'`).length;

test("going back stores a received call for the next reply", async () => {
  const chat = await place.begin();
  await place.reply(chat, "1");
  expect(await place.call(chat, { order: "A-17" }, "msg-1")).toBe(false);
  await back(chat.sessionId);
  // An early call is stored for only one minute.
  await moveClock(place.api.deps.sql, 3_600);
  place.due.wake();
  await place.reply(chat, "2");

  await shows(chat.sessionId, "Order A-17. Your e-mail?");
  expect(await place.call(chat, { order: "A-17" }, "msg-1")).toBe(false);
  expect(await keptRows(chat.sessionId)).toBe(0);
  await place.reply(chat, "a@b.co");
  expect(await place.saidIn(chat)).toEqual([undefined, "Order A-17. Your e-mail?", "Thank you"]);
  expect(await place.logsOf(chat)).toEqual([]);
});

test("a stored call continues the chat each time the visitor goes back", async () => {
  const chat = await place.begin();
  await place.reply(chat, "1");
  await place.call(chat, { order: "B-18" });
  for (const number of ["2", "3", "4"]) {
    await back(chat.sessionId);
    await place.reply(chat, number);
    await shows(chat.sessionId, "Order B-18. Your e-mail?");
  }
});

test("going back stores a received call even if ten early calls already wait", async () => {
  const chat = await place.begin();
  await place.call(chat, { order: "early" });
  await place.reply(chat, "1");
  await shows(chat.sessionId, "Order early. Your e-mail?");
  await place.api.deps.sql`
    insert into due_steps (shard, session_id, id, bot_id, kind, content, due, held_until)
    select s.shard, s.id, gen_random_uuid(), s.bot_id, 'call', '{"blockId":"elsewhere","message":"{}"}', clock(), clock()
    from sessions s, generate_series(1, ${limits.earlyCalls.perChat})
    where s.id = ${chat.sessionId}`;
  await back(chat.sessionId);
  expect(await place.call(chat, { order: "more" })).toBe("session.busy");
  await place.reply(chat, "2");

  await shows(chat.sessionId, "Order early. Your e-mail?");
});

test("a stored call of an ended chat is retained until the session expires", async () => {
  const chat = await place.begin();
  await place.reply(chat, "1");
  await place.call(chat, { order: "C-19" });
  await back(chat.sessionId);
  const { sql } = place.api.deps;
  const wake = async () => {
    await sql`update due_steps set held_until = clock() where session_id = ${chat.sessionId}`;
    place.due.wake();
  };
  const isTried = async (attempts: number) =>
    (
      await sql`select from due_steps where session_id = ${chat.sessionId} and attempts = ${attempts} and held_by is null`
    ).length === 1;
  await wake();
  await waitFor(() => isTried(1));
  await sql`update sessions set is_ended = true where id = ${chat.sessionId}`;
  await wake();
  await waitFor(() => isTried(2));
  await sql`update due_steps set due = clock() - interval '3 days' where session_id = ${chat.sessionId}`;
  await wake();
  await waitFor(() => isTried(3));
  await sql`update sessions set is_ended = false, expires_at = clock() - interval '1 second' where id = ${chat.sessionId}`;
  await wake();
  await waitFor(async () => (await keptRows(chat.sessionId)) === 0);
  expect(await place.logsOf(chat)).toEqual([]);
});

const listensAt = (id: string, variable: string) => ({
  ...{ id, type: "webhook" },
  options: { responseVariableMapping: [{ id: `m ${id}`, variableId: idOf(variable), bodyPath: "data.order" }] },
});
const general = { isGoBackEnabled: true };
const published = (flow: object) =>
  publish(
    place.api.client,
    { token: place.owner.token, workspaceId: place.workspaceId },
    { ...flow, settings: { general } },
  );
async function begin(flow: object) {
  const bot = await published(flow);
  const started = await start(place.api.client, bot.publicId);
  const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
  const call = async (blockId: string, order: string) => {
    const path = `/api/v1/bots/${bot.botId}/blocks/${blockId}/results/${resultId}/executeWebhook`;
    expect((await place.api.client.post(path, { token: place.owner.token, body: { order } })).status).toBe(200);
  };
  return { ...bot, sessionId, call, reply: (text: string) => say(place.api.client, sessionId, text) };
}

test("calls at two consecutive blocks are replayed in order of arrival", async () => {
  const { sessionId, call, reply } = await begin(
    flowOf([
      ...[asks("text input"), listensAt("first", "Name"), listensAt("second", "Email")],
      ...[says("{{Name}} and {{Email}}"), asks("email input")],
    ]),
  );
  await reply("one");
  await call("first", "A");
  await call("second", "B");
  await back(sessionId);
  await reply("two");

  await shows(sessionId, "A and B");
});

test("calls at a block in a loop are replayed in order of arrival", async () => {
  const loop = { ...asks("text input"), id: "again" };
  const blocks = [
    ...[loop, listensAt("listen", "Name"), says("Order {{Name}}")],
    { id: "jump", type: "Jump", options: { groupId: idOf("g0") } },
  ];
  const { sessionId, call, reply } = await begin(flowOf(blocks));
  for (const order of ["A", "B", "C"]) {
    await reply("go");
    await call("listen", order);
    await shows(sessionId, `Order ${order}`);
  }
  await back(sessionId);
  await back(sessionId);
  await back(sessionId);
  await reply("go");
  await shows(sessionId, "Order A");
  await back(sessionId);
  for (const order of ["A", "B", "C"]) {
    await reply("go");
    await shows(sessionId, `Order ${order}`);
  }
});

test("a preview replays a received call after its author goes back", async () => {
  const { token } = place.owner;
  const { client } = place.api;
  const { botId } = await published(
    flowOf([asks("text input"), listensAt("listen", "Name"), says("Order {{Name}}"), asks("email input")]),
  );
  const preview = await client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body: {} });
  const sessionId = preview.text("sessionId");
  await say(client, sessionId, "one");
  await client.post(`/api/v1/bots/${botId}/blocks/listen/web/executeTestWebhook`, { token, body: { order: "P" } });
  await shows(sessionId, "Order P");
  await back(sessionId);
  await say(client, sessionId, "two");

  await shows(sessionId, "Order P");
});

test("the waiting time of stored calls does not count as the age of due steps", async () => {
  const chat = await place.begin();
  await place.reply(chat, "1");
  await place.call(chat, { order: "D-20" });
  await moveClock(place.api.deps.sql, 7_200);
  await back(chat.sessionId);
  const { sql } = place.api.deps;
  await sql`delete from due_steps where kind <> 'keptCall'`;
  await sql`update due_steps set held_until = clock() - interval '1 second'`;
  const { oldestSeconds } = await countDueSteps(sql);
  expect(oldestSeconds).toBeLessThan(60);
});
