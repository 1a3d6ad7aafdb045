import { describe, expect, test } from "bun:test";
import { telegram } from "../../../../src/core/channels/telegram/index.ts";
import answers from "./answers.json";
import updates from "./updates.json";

const connection = {
  settings: {},
  secrets: { botToken: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11", secretToken: "s3cret" },
};

test.each(updates)("an update is parsed: $title", ({ update, event }) => {
  expect<unknown>(telegram.read(update)).toEqual([event]);
});

test.each(answers)("a response is classified: $title", ({ answer, verdict }) => {
  expect<unknown>(telegram.readAnswer({ wasSent: true, ...answer })).toEqual(verdict);
});

describe("a call to the webhook", () => {
  const verdict = (headers: Record<string, string>) =>
    telegram.verify(
      {
        method: "POST",
        query: new URLSearchParams(),
        headers: new Headers(headers),
        body: new Uint8Array(),
        now: 0,
      },
      connection.secrets,
    ).kind;

  test("a call to the webhook is accepted only with the secret", () => {
    expect(verdict({ "X-Telegram-Bot-Api-Secret-Token": "s3cret" })).toBe("accepted");
    expect(verdict({ "X-Telegram-Bot-Api-Secret-Token": "s3creT" })).toBe("refused");
    expect(verdict({ "X-Telegram-Bot-Api-Secret-Token": "" })).toBe("refused");
    expect(verdict({})).toBe("refused");
  });
});

test("a message is posted with the chat's id", () => {
  const to = { address: { kind: "chat", value: "-1001234567890" }, messageId: "1" } as const;
  const sent = telegram.call({ method: "sendMessage", body: { text: "Hi" } }, to, connection);
  const answered = telegram.call(telegram.signs.answerTap?.("77", "x".repeat(300)) ?? never(), to, connection);

  expect(sent.path).toBe("/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/sendMessage");
  expect(JSON.parse(sent.body ?? "")).toEqual({ chat_id: -1_001_234_567_890, text: "Hi" });
  expect(JSON.parse(answered.body ?? "")).toEqual({ callback_query_id: "77", text: "x".repeat(200) });
});

test("polling requests the updates after the last known one", () => {
  const { poll = never() } = telegram;
  const asked = poll.call(41, connection);
  const answer = { status: 200, wasSent: true, body: JSON.stringify({ ok: true, result: [{ update_id: 42 }, {}] }) };

  expect(JSON.parse(asked.body ?? "")).toEqual({
    offset: 42,
    timeout: 25,
    allowed_updates: ["message", "callback_query", "my_chat_member"],
  });
  expect(JSON.parse(poll.call(undefined, connection).body ?? "")).not.toHaveProperty("offset");
  expect(poll.updatesIn(answer)).toEqual([{ id: 42, payload: { update_id: 42 } }]);
  expect(poll.updatesIn({ ...answer, body: '{"ok":false}' })).toBeUndefined();
});

test("a file is not downloaded from a path outside the bot's files", () => {
  const plan = telegram.findMedia("AgAC", connection);
  if (plan.kind !== "ask") throw never();
  const pathOf = (path: string) =>
    plan.pathIn({ status: 200, wasSent: true, body: JSON.stringify({ ok: true, result: { file_path: path } }) });

  expect(plan.call.body).toBe('{"file_id":"AgAC"}');
  expect(pathOf("photos/file 1.jpg")).toBe("/file/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/photos/file%201.jpg");
  expect(pathOf("../../etc/passwd")).toBeUndefined();
  expect(pathOf("/etc/passwd")).toBeUndefined();
});

function never(): never {
  throw new Error("It is not there");
}

describe("a message of a group", () => {
  const self = { externalId: "77", display: "@tea_bot" };
  const said = (text: string, more: object = {}) => {
    const message = { message_id: 1, date: 0, chat: { id: -5, type: "supergroup", title: "Us" }, text, ...more };
    const [event] = telegram.read({ update_id: 1, message }, self);
    return event?.kind === "message" ? event.content : event?.kind;
  };
  const mention = (offset: number) => ({ entities: [{ type: "mention", offset, length: 8 }] });

  test("a group message that mentions the bot is processed without the bot's name", () => {
    expect(said("@Tea_bot two cups", mention(0))).toEqual({ kind: "text", text: "two cups" });
    expect(said("two cups @tea_bot", mention(9))).toEqual({ kind: "text", text: "two cups" });
    expect(said("@her_bot two cups", mention(0))).toBe("ignored");
    expect(said("Good morning")).toBe("ignored");
  });

  test("replies to the bot and commands in a group are processed", () => {
    const command = (length: number) => ({ entities: [{ type: "bot_command", offset: 0, length }] });
    expect(said("two", { reply_to_message: { from: { id: 77 } } })).toEqual({ kind: "text", text: "two" });
    expect(said("two", { reply_to_message: { from: { id: 78 } } })).toBe("ignored");
    expect(said("/start", command(6))).toEqual({ kind: "command", command: "start", payload: "" });
    expect(said("/start@her_bot", command(14))).toBe("ignored");
  });
});
