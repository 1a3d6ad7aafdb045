import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { leaseDueSteps } from "../../../src/chat/due/due-steps.sql.ts";
import { startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { createDueWorld, type DueWorld } from "./due-world.ts";

let world: DueWorld;

beforeAll(async () => {
  world = await createDueWorld();
});
afterEach(async () => {
  await moveClock(world.api.deps.sql, 0);
  await world.api.deps.sql`truncate due_steps`;
});
afterAll(() => world.close());

const sql = () => world.api.deps.sql;
const flow = flowOf(
  [asks("text input", { timeout: { after: 60, outgoingEdgeId: idOf("e1") } }), says("Answered")],
  [says("Nobody")],
);

type Chat = { readonly sessionId: string; readonly resultId: string; readonly botId: string };

/** Starts chats, spread over several bots so that no rate limit applies. */
async function startChats(count: number, make = () => world.make(flow)): Promise<Chat[]> {
  const chats: Chat[] = [];
  while (chats.length < count) {
    const { botId, publicId } = await make();
    const started = await Promise.all(
      Array.from({ length: Math.min(50, count - chats.length) }, () => start(world.api.client, publicId)),
    );
    for (const one of started) chats.push({ sessionId: one.text("sessionId"), resultId: one.text("resultId"), botId });
  }
  return chats;
}

const startChat = async (): Promise<Chat> => (await startChats(1))[0] ?? Promise.reject(new Error("No chat"));

async function endings(chats: readonly { readonly botId: string }[]): Promise<string[]> {
  const botIds = [...new Set(chats.map(({ botId }) => botId))];
  const rows = await sql()<{ texts: string }[]>`
    select string_agg(response -> 'messages' -> 0 -> 'content' ->> 'plainText', ' ' order by revision) as texts
    from steps
    where bot_id = any(${botIds}::uuid[]) and revision > 1
    group by session_id`;
  return rows.map(({ texts }) => texts);
}

test("exactly one of a reply and a simultaneous time-out takes effect", async () => {
  const count = sizeOf({ short: 60, long: 1_000, variable: "PARLEY_TIMER_RACES" });
  const chats = await startChats(count);
  await moveClock(sql(), 61);

  const replies = await Promise.all(
    chats.map(async ({ sessionId }, index) => {
      if (index % 3 === 0) world.due.wake();
      const body = { message: "Ana", afterRevision: 1 };
      return (await world.api.client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body })).status;
    }),
  );
  await world.pass(61);

  const ended = await endings(chats);
  const botIds = chats.map(({ botId }) => botId);
  const [answers] = await sql()<[{ count: number }]>`
    select count(*)::integer as count from answers where bot_id = any(${botIds}::uuid[])`;
  const counted = replies.filter((status) => status === 200).length;
  expect(replies.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(ended.filter((text) => text === "Answered")).toHaveLength(counted);
  expect(ended.filter((text) => text === "Nobody")).toHaveLength(count - counted);
  expect(answers.count).toBe(counted);
  expect(await world.rows()).toEqual([]);
}, 120_000);

test("steps that are overdue by an hour are each processed once by two nodes", async () => {
  const count = sizeOf({ short: 250, long: 10_000, variable: "PARLEY_TIMERS" });
  const chats = await startChats(count);
  const other = startDueSteps(world.api.deps);
  await moveClock(sql(), 3_600);

  await waitFor(
    async () => {
      other.wake();
      world.due.wake();
      return (await world.rows()).length === 0;
    },
    { withinMs: 120_000 },
  );
  await other.stop();

  expect(await endings(chats)).toEqual(Array.from({ length: count }, () => "Nobody"));
}, 240_000);

test("all due steps of one workspace succeed in one batch", async () => {
  const { api, owner, due } = world;
  const place = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };
  const chats = await startChats(limits.timers.batch, () => publish(api.client, place, flow));

  await world.pass(61);

  expect(await endings(chats)).toEqual(chats.map(() => "Nobody"));
  expect(await due.registry.metrics()).not.toMatch(/outcome="failed"/);
});

test("a due step leased by a process that died runs after the lease expires", async () => {
  const { botId } = await startChat();
  await moveClock(sql(), 61);
  const dead = await leaseDueSteps(sql(), { holder: newId(), seconds: limits.timers.leaseSeconds, limit: 100 });
  expect(dead).toHaveLength(1);

  expect(await leaseDueSteps(sql(), { holder: newId(), seconds: 1, limit: 100 })).toEqual([]);
  await world.pass(61 + limits.timers.leaseSeconds + 1);

  expect(await endings([{ botId }])).toEqual(["Nobody"]);
});

test("a failed due step is retried after pauses that double", async () => {
  const { botId } = await startChat();
  const suspend = (isSuspended: boolean) => sql()`
    update workspaces set is_suspended = ${isSuspended}
    where id = (select workspace_id from bots where id = ${botId})`;
  await suspend(true);
  const pauses: number[] = [];
  for (let now = 61; pauses.length < 11; now += 400) {
    await world.pass(now);
    const [row] = await sql()<{ seconds: number }[]>`
      select round(extract(epoch from held_until - clock()))::integer as seconds from due_steps`;
    pauses.push(row?.seconds ?? 0);
  }
  await suspend(false);
  await world.pass(6_000);

  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(await endings([{ botId }])).toEqual(["Nobody"]);
});

test("a time-out that is more than a day late is only logged", async () => {
  const { sessionId, resultId } = await startChat();
  // Postpone the expiry. Otherwise the session would expire before the late time-out runs.
  await sql()`update sessions set expires_at = clock() + interval '3 days' where id = ${sessionId}`;

  await world.pass(61 + 24 * 3_600);

  expect(await world.rows()).toEqual([]);
  expect(await world.logs(resultId)).toEqual([
    "The chat could not continue on its own for 24 hours, and now waits for its visitor",
  ]);
  expect((await say(world.api.client, sessionId, "Ana")).at("messages.0.content.plainText")).toBe("Answered");
});

test("the due step of a visit that has ended is removed and does not run", async () => {
  const { sessionId, botId } = await startChat();
  await sql()`update due_steps set visit = ${"0".repeat(32)} where session_id = ${sessionId}`;

  await world.pass(61);

  expect(await world.rows()).toEqual([]);
  expect(await endings([{ botId }])).toEqual([]);
});

test("erasing a result erases its pending time-outs", async () => {
  const { resultId, botId } = await startChat();
  expect(await world.rows()).toEqual(["timeout"]);

  const named = { token: world.owner.token, body: { resultIds: [resultId] } };
  await world.api.client.delete(`/api/v1/bots/${botId}/results`, named);
  const erased = await world.api.client.post(`/api/v1/bots/${botId}/results/erase`, named);
  expect(erased.body).toMatchObject({ erasedCount: 1 });

  expect(await world.rows()).toEqual([]);
});

test("a client cannot send the input or the key of a due step", async () => {
  const { sessionId, botId } = await startChat();

  const sent = await say(world.api.client, sessionId, { type: "timeout" });
  const keyed = await say(world.api.client, sessionId, "Ana", { headers: { "idempotency-key": "due 1" } });

  expect([sent.status, keyed.status]).toEqual([400, 400]);
  expect(await endings([{ botId }])).toEqual([]);
});

test("a process sends no query until its own shortest time-out is due", async () => {
  let asked = 0;
  const counting = new Proxy(sql(), {
    apply(target, self, words) {
      asked++;
      return Reflect.apply(target, self, words);
    },
  });
  const clock = createVirtualClock();
  const due = startDueSteps({ ...world.api.deps, sql: counting, clock });
  await clock.advance(60_000);
  expect(asked).toBe(0);

  due.wakeIn(20_000);
  due.wakeIn(5_000);
  due.wakeIn(4_999);
  await clock.advance(4_900);
  expect(asked).toBe(0);
  await clock.advance(300);

  await waitFor(() => asked === 1);
  await due.stop();
});

test("steps that are due simultaneously start with a pause in between", async () => {
  const chats = await startChats(limits.timers.atOnce);
  await moveClock(sql(), 61);
  const clock = createVirtualClock();
  const due = startDueSteps({ ...world.api.deps, clock });
  const taken = async (count: number): Promise<number> => {
    await waitFor(async () => (await endings(chats)).length >= count);
    return (await endings(chats)).length;
  };

  await clock.advance(1_000);
  due.wake();
  await clock.settle();
  expect(await taken(1)).toBe(1);
  await clock.advance(4 * limits.timers.gapMs);
  expect(await taken(5)).toBe(5);
  await clock.advance(limits.timers.atOnce * limits.timers.gapMs);
  expect(await taken(chats.length)).toBe(chats.length);
  await due.stop();
});

test("a due step does not wait for forty steps of another workspace", async () => {
  const chats = await startChats(40);
  const owner = await world.api.makeUser();
  const other = await publish(
    world.api.client,
    { token: owner.token, workspaceId: await world.api.makeWorkspace(owner) },
    flow,
  );
  await start(world.api.client, other.publicId);
  await moveClock(sql(), 61);
  const clock = createVirtualClock();
  const due = startDueSteps({ ...world.api.deps, clock });

  // A workspace may use two thirds of the slots, so the other workspace has one of the first turns.
  await clock.advance(1_000);
  due.wake();
  await clock.settle();
  await waitFor(async () => (await endings(chats)).length > 0);
  await clock.advance(limits.timers.atOnce * limits.timers.gapMs);
  await waitFor(async () => (await endings([other])).length > 0);

  expect(await endings([other])).toEqual(["Nobody"]);
  expect((await endings(chats)).length).toBeLessThan(40);
  await waitFor(async () => {
    await clock.advance(limits.timers.gapMs);
    return (await endings(chats)).length === 40;
  });
  await due.stop();
});
