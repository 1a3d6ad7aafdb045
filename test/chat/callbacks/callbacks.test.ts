import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { limits } from "../../../src/limits/index.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import type { RequestOptions } from "../../support/client.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let due: DueSteps;
let bot: { botId: string; publicId: string };

const listen = {
  id: "listen",
  type: "webhook",
  options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order ?? data" }] },
};
const address = {
  id: "address",
  type: "Set variable",
  options: { variableId: idOf("Email"), type: "Callback address", blockId: "listen" },
};
/** The bot shows its callback address before the first question, and listens after the question. */
const flow = flowOf([
  address,
  says("Call {{Email}}"),
  asks("number input"),
  listen,
  says("Order {{Name}}. Your e-mail?"),
  asks("email input"),
  says("Thank you"),
]);

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { CHAT_URL: "https://chat.example/" } });
  owner = await api.makeUser();
  due = startDueSteps(api.deps);
  bot = await publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, flow);
});
afterEach(() => moveClock(api.deps.sql, 0));
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
});

async function begin() {
  const started = await start(api.client, bot.publicId);
  return {
    ...addressIn(started.text("messages.0.content.plainText")),
    sessionId: started.text("sessionId"),
    resultId: started.text("resultId"),
  };
}

function addressIn(text: string): { url: string; path: string } {
  const url = text.replace("Call ", "");
  return { url, path: new URL(url).pathname };
}

const json = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.client.post(path, { body, headers });
const saidIn = async (sessionId: string): Promise<unknown[]> => {
  const session = await api.client.get(`/api/v1/sessions/${sessionId}`);
  return session
    .list("session.steps")
    .slice(1)
    .map((_, index) => session.at(`session.steps.${index + 1}.messages.0.content.plainText`));
};
const logsOf = async (resultId: string) => {
  const { token } = owner;
  const logs = await api.client.get(`/api/v1/bots/${bot.botId}/results/${resultId}/logs`, { token });
  return logs.list("logs").map((log) => Object(log).description);
};

describe("a callback address", () => {
  test("a callback address has the host of `CHAT_URL`", async () => {
    const { url, path, sessionId } = await begin();
    await say(api.client, sessionId, "1");
    const answer = await json(path, { order: "A-17" });

    expect(url).toStartWith("https://chat.example/api/v1/callbacks/");
    expect(answer.body).toEqual({ message: "OK", isWaiting: false });
    expect(await saidIn(sessionId)).toEqual([undefined, "Order A-17. Your e-mail?"]);
  });

  test.each<[what: string, options: RequestOptions, shown: string]>([
    ["an object with a data field", { body: { data: { order: "B-18" } } }, "Order B-18."],
    ["a text", { rawBody: "paid", headers: { "Content-Type": "text/plain" } }, "Order paid."],
    [
      "a form",
      { rawBody: "a=1&b=2", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      "Order a=1&b=2.",
    ],
  ])("a callback address accepts %s", async (_what, options, shown) => {
    const { path, sessionId } = await begin();
    await say(api.client, sessionId, "1");
    await api.client.post(path, options);

    expect(await saidIn(sessionId)).toEqual([undefined, `${shown} Your e-mail?`]);
  });

  test.each(["Idempotency-Key", "webhook-id"])(
    "two calls with the same %s header cause one step, even if the chat has continued",
    async (name) => {
      const { path, sessionId } = await begin();
      await say(api.client, sessionId, "1");
      const headers = { [name]: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W" };
      const first = await json(path, { order: "A-17" }, headers);
      await say(api.client, sessionId, "a@b.co");
      const second = await json(path, { order: "A-17" }, headers);
      const other = await json(path, { order: "B-18" }, headers);

      expect(first.body).toEqual({ message: "OK", isWaiting: false });
      expect(second.body).toEqual(first.body);
      expect(other).toMatchObject({ status: 422, body: { code: "idempotency.key_reused" } });
      expect(await saidIn(sessionId)).toEqual([undefined, "Order A-17. Your e-mail?", "Thank you"]);
    },
  );

  test("a callback address is rejected if its content or signature was changed", async () => {
    const { path, resultId } = await begin();
    const [facts = "", signature = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
    const forged = Buffer.from(JSON.stringify([bot.botId, "other", resultId, null])).toString("base64url");
    const call = async (token: string) => Object((await json(`/api/v1/callbacks/${token}`, {})).body).code;

    expect(await call(`${forged}.${signature}`)).toBe("callback.not_found");
    expect(await call(`${facts}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`)).toBe(
      "callback.not_found",
    );
    expect(await call(facts)).toBe("callback.not_found");
    expect(await call("nothing")).toBe("callback.not_found");
  });

  test("a callback address returns 410 after its chat has ended or expired", async () => {
    const { path, sessionId } = await begin();
    for (const message of ["1"]) await say(api.client, sessionId, message);
    await json(path, { order: "A-17" });
    await say(api.client, sessionId, "a@b.co");
    const expired = await begin();
    await api.deps.sql`update sessions set expires_at = clock() where id = ${expired.sessionId}`;

    expect(await json(path, {})).toMatchObject({ status: 410, body: { code: "callback.over" } });
    expect(await json(expired.path, {})).toMatchObject({ status: 410, body: { code: "callback.over" } });
  });

  test("a callback address rejects a malformed, too long or non-object body", async () => {
    const { path, sessionId } = await begin();
    await say(api.client, sessionId, "1");
    const long = JSON.stringify({ order: "x".repeat(limits.request.webhookBodyBytes) });
    const post = async (rawBody: string) => {
      const { status, body } = await api.client.post(path, {
        rawBody,
        headers: { "Content-Type": "application/json" },
      });
      return [status, Object(body).code];
    };

    expect(await post("[]")).toEqual([400, "request.invalid"]);
    expect(await post("{")).toEqual([400, "request.malformed"]);
    expect(await post(long)).toEqual([413, "request.too_large"]);
    expect(await saidIn(sessionId)).toHaveLength(1);
  });

  test("the callback address of a preview reaches the author's newest preview", async () => {
    const { token } = owner;
    const preview = (options: object) => api.client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, options);
    const first = await preview({ token, body: {} });
    const second = await preview({ token, body: {} });
    const { path } = addressIn(first.text("messages.0.content.plainText"));
    for (const one of [first, second]) await say(api.client, one.text("sessionId"), "1");
    await json(path, { order: "A-17" });
    const anonymous = await preview({ body: { bot: { ...flow, id: "any" } } });

    expect(await saidIn(second.text("sessionId"))).toEqual([undefined, "Order A-17. Your e-mail?"]);
    expect(await saidIn(first.text("sessionId"))).toHaveLength(1);
    expect(anonymous.text("messages.0.content.plainText")).toBe("Call ");
  });
});

describe("an early call", () => {
  test("an early call is delivered once when its chat reaches the block", async () => {
    const { path, sessionId } = await begin();
    const headers = { "webhook-id": "early" };
    const early = await json(path, { order: "A-17" }, headers);
    const again = await json(path, { order: "A-17" }, headers);
    await say(api.client, sessionId, "1");
    await waitFor(async () => {
      due.wake();
      return (await saidIn(sessionId)).length === 2;
    });
    const late = await json(path, { order: "A-17" }, headers);

    expect(early.body).toEqual({ message: "OK", isWaiting: true });
    expect(again.body).toEqual({ message: "OK", isWaiting: true });
    expect(late.body).toEqual({ message: "OK", isWaiting: false });
    expect(await saidIn(sessionId)).toEqual([undefined, "Order A-17. Your e-mail?"]);
    expect(await rowsOf(sessionId)).toBe(0);
  });

  test("an early call is dropped after a minute, with a log entry", async () => {
    const { path, sessionId, resultId } = await begin();
    await json(path, { order: "A-17" });
    await moveClock(api.deps.sql, limits.earlyCalls.seconds + 2);
    await waitFor(async () => {
      due.wake();
      return (await rowsOf(sessionId)) === 0;
    });
    await say(api.client, sessionId, "1");

    expect(await saidIn(sessionId)).toHaveLength(1);
    expect(await logsOf(resultId)).toEqual([
      "A call was dropped: the chat did not reach the block that waits for it within 60 seconds",
    ]);
  });

  test("a chat accepts ten early calls and rejects the next call", async () => {
    const { path } = await begin();
    const answers = [];
    for (let count = 0; count <= limits.earlyCalls.perChat; count++)
      answers.push(await json(path, { order: String(count) }));

    expect(answers.map(({ status }) => status)).toEqual([...Array(limits.earlyCalls.perChat).fill(200), 409]);
    expect(answers.at(-1)?.at("code")).toBe("session.busy");
  });
});

async function rowsOf(sessionId: string): Promise<number> {
  const rows = await api.deps.sql`select from due_steps where session_id = ${sessionId} and kind = 'call'`;
  return rows.length;
}
