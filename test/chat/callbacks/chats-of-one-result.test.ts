import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { asks } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createListeningPlace, type ListeningPlace } from "./listening.ts";

let place: ListeningPlace;

beforeAll(async () => {
  place = await createListeningPlace();
});
afterEach(() => moveClock(place.api.deps.sql, 0));
afterAll(() => place.close());

const tooEarly = "A call was dropped: the chat did not reach the block that waits for it within 60 seconds";
const order = (name: string) => `Order ${name}. Your e-mail?`;

async function beginTwo() {
  const older = await place.begin();
  return [older, await place.begin({ resultId: older.resultId })] as const;
}

describe("a call to a chat's own address", () => {
  test("a call reaches its own chat when both chats of the result wait for a call", async () => {
    const [older, newer] = await beginTwo();
    for (const chat of [older, newer]) await place.reply(chat, "1");

    expect(older.url).not.toBe(newer.url);
    expect(await place.call(older, { order: "A-17" })).toBe(false);
    expect(await place.saidIn(newer)).toHaveLength(1);
    expect(await place.call(newer, { order: "B-18" })).toBe(false);
    expect([await place.saidIn(older), await place.saidIn(newer)]).toEqual([
      [undefined, order("A-17")],
      [undefined, order("B-18")],
    ]);
  });

  test("an early call is stored for its own chat", async () => {
    const [older, newer] = await beginTwo();
    for (const chat of [older, newer]) await place.reply(chat, "1");
    expect(await place.call(older, { order: "A-17" })).toBe(false);

    expect(await place.call(older, { order: "again" })).toBe(true);
    expect(await place.saidIn(newer)).toHaveLength(1);
    const rows = await place.api.deps.sql`select session_id from due_steps where kind = 'call'`;
    expect(rows.map((row) => row["sessionId"])).toEqual([older.sessionId]);
  });

  test("calls with the same key reach both chats of one result", async () => {
    const [older, newer] = await beginTwo();
    for (const chat of [older, newer]) await place.reply(chat, "1");
    const both = [newer, older, older, newer];

    for (const chat of both) expect(await place.call(chat, { order: "A-17" }, "msg_all")).toBe(false);
    for (const chat of [older, newer]) expect(await place.saidIn(chat)).toEqual([undefined, order("A-17")]);
  });

  test("a call that is sent again after going back is accepted", async () => {
    const { sessionId, ...chat } = await place.begin();
    await place.reply({ sessionId, ...chat }, "1");
    expect(await place.call(chat, { order: "A-17" }, "msg_1")).toBe(false);
    await place.api.client.post(`/api/v1/sessions/${sessionId}/goBack`, {});

    expect(await place.call(chat, { order: "A-17" }, "msg_1")).toBe(false);
    expect(await place.call(chat, { order: "other" }, "msg_1")).toBe("idempotency.key_reused");
  });

  test("a call reaches its own chat despite fifty newer chats", async () => {
    const older = await place.begin();
    await place.reply(older, "1");
    const { sql } = place.api.deps;
    for (let count = 0; count < limits.session.perResult; count++) await place.begin({ resultId: older.resultId });
    const [counted] = await sql`select count(*)::int from sessions where result_id = ${older.resultId}`;

    expect(counted?.["count"]).toBe(limits.session.perResult + 1);
    expect(await place.call(older, { order: "A-17" })).toBe(false);
    expect(await place.saidIn(older)).toEqual([undefined, order("A-17")]);
  });
});

describe("a call for an inactive chat", () => {
  test.each(["ended", "expired", "no reply yet"] as const)(
    "a call for a chat that has %s reaches a waiting chat of the same result",
    async (state) => {
      const [older, newer] = await beginTwo();
      await place.reply(newer, "1");
      await leave(older, state);

      expect(await place.call(older, { order: "A-17" }, "msg_2")).toBe(false);
      expect(await place.saidIn(newer)).toEqual([undefined, order("A-17")]);
      expect(await place.call(older, { order: "A-17" }, "msg_2")).toBe(false);
      expect(await place.saidIn(newer)).toHaveLength(2);
    },
  );

  test.each(["ended", "expired", "no reply yet"] as const)(
    "a call for a chat that has %s is stored for the newest chat of the result if no chat waits",
    async (state) => {
      const [older, newer] = await beginTwo();
      await leave(older, state);

      expect(await place.call(older, { order: "A-17" })).toBe(true);
      await place.reply(newer, "1");
      await place.waitForNoEarlyCall(older);
      expect(await place.saidIn(newer)).toEqual([undefined, order("A-17")]);
    },
  );

  test("a call is rejected if no chat of the result is open", async () => {
    const [older, newer] = await beginTwo();
    await leave(older, "ended");
    await leave(newer, "expired");

    expect(await place.call(older)).toBe("callback.over");
    expect(await place.call(newer)).toBe("callback.over");
  });
});

async function leave(chat: Parameters<ListeningPlace["reply"]>[0], state: "ended" | "expired" | "no reply yet") {
  const { sql } = place.api.deps;
  if (state === "expired") await sql`update sessions set expires_at = clock() where id = ${chat.sessionId}`;
  if (state !== "ended") return;
  await place.reply(chat, "1");
  await place.call(chat, { order: "first" });
  await place.reply(chat, "a@b.co");
}

describe("an early call whose chat never reached its block", () => {
  // Starts two chats of one result. The older chat waits at the second question, and the newer chat waits for a call.
  async function beginApart(options: { isEndless?: boolean } = {}) {
    const bot = await place.makeBot({ before: [asks("rating input")], ...options });
    const older = await place.begin({ publicId: bot.publicId });
    const newer = await place.begin({ publicId: bot.publicId, resultId: older.resultId });
    for (const chat of [older, newer, newer]) await place.reply(chat, "1");
    return { bot, older, newer };
  }
  const afterAMinute = () => moveClock(place.api.deps.sql, limits.earlyCalls.seconds + 2);

  test("an early call is delivered to another waiting chat after a minute", async () => {
    const { bot, older, newer } = await beginApart();
    expect(await place.call(older, { order: "A-17" }, "msg_3")).toBe(true);
    await afterAMinute();
    await place.waitForNoEarlyCall(older);

    expect(await place.saidIn(newer)).toEqual([undefined, undefined, order("A-17")]);
    expect(await place.logsOf(older, bot)).toEqual([]);
    expect(await place.call(older, { order: "A-17" }, "msg_3")).toBe(false);
    expect(await place.saidIn(newer)).toHaveLength(3);
  });

  test("an early call reaches a waiting chat when its own chat has expired", async () => {
    const { bot, older, newer } = await beginApart();
    expect(await place.call(older, { order: "A-17" })).toBe(true);
    await place.api.deps.sql`update sessions set expires_at = clock() where id = ${older.sessionId}`;
    await place.waitForNoEarlyCall(older);

    expect(await place.saidIn(newer)).toEqual([undefined, undefined, order("A-17")]);
    expect(await place.logsOf(older, bot)).toEqual([]);
  });

  test("an early call is delivered to only one chat if the process stops", async () => {
    const { older, newer } = await beginApart();
    expect(await place.call(older, { order: "A-17" })).toBe(true);
    const rows = await place.api.deps.sql`select * from due_steps where session_id = ${older.sessionId}`;
    await afterAMinute();
    await place.waitForNoEarlyCall(older);
    await place.reply(older, "1");
    for (const row of rows) await place.api.deps.sql`insert into due_steps ${place.api.deps.sql(row)}`;
    await place.waitForNoEarlyCall(older);

    expect(await place.saidIn(newer)).toHaveLength(3);
    expect(await place.saidIn(older)).toHaveLength(2);
  });

  test("an early call is dropped if the step would exceed the step limit", async () => {
    const { bot, older, newer } = await beginApart({ isEndless: true });
    expect(await place.call(older)).toBe(true);
    await afterAMinute();
    await place.waitForNoEarlyCall(older);

    expect(await place.saidIn(newer)).toHaveLength(2);
    expect(await place.logsOf(older, bot)).toContain(tooEarly);
  });

  test.each(["no chat waits", "its chat has already received a call"])(
    "an early call is logged once when it is dropped because %s",
    async (reason) => {
      const { bot, older, newer } = await beginApart();
      if (reason === "no chat waits") await place.call(newer);
      else {
        await place.reply(older, "1");
        expect(await place.call(older, { order: "first" })).toBe(false);
      }
      expect(await place.call(older)).toBe(true);
      await afterAMinute();
      await place.waitForNoEarlyCall(older);

      expect(await place.saidIn(newer)).toHaveLength(reason === "no chat waits" ? 3 : 2);
      expect(await place.logsOf(older, bot)).toEqual([tooEarly]);
    },
  );
});
