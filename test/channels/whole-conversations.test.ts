import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { type FakeTelegram, startFakeTelegram } from "../fake-channels/telegram.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "./channel-world.ts";

let world: ChannelWorld;
let telegram: FakeTelegram;
let service: FakeWebhook;

beforeAll(async () => {
  telegram = await startFakeTelegram();
  service = await startFakeWebhook();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url }, isSending: true });
});
afterEach(() => world.holding.wake());
afterAll(async () => {
  await world.close();
  await telegram.close();
  await service.close();
});

const ana = { id: 41, firstName: "Ana" };
const asked = ({ botId }: { readonly botId: string }) => ({ botId, isEnabled: true });
const drinks = ["Tea", "Coffee", "Water"].map((content) => ({ id: idOf(content), content }));
const order = flowOf([
  says("Welcome"),
  says("What would you like?"),
  { ...asks("choice input", { variableId: idOf("Name") }), items: drinks },
  says("One {{Name}}."),
  asks("text input", { variableId: idOf("Email") }),
  says("Thank you, {{Email}}"),
]);
const shown = async (chat: number, count: number) => {
  await waitFor(() => telegram.shownTo(chat).length >= count, {
    what: () => `${count} messages, of which came ${JSON.stringify(telegram.shownTo(chat))}`,
  });
  return telegram.shownTo(chat);
};

describe("a bot that polls Telegram for updates", () => {
  test("a bot on Telegram answers with texts and buttons", async () => {
    const bot = await world.makeBot(order);
    const { connectionId } = await world.connectTelegram([asked(bot)], { transport: "poll" }, telegram.token);
    world.holding.wake();
    await telegram.write(ana, "/start");
    expect(await shown(ana.id, 2)).toEqual(["Welcome", "What would you like?"]);
    const question = telegram.shown.find(({ text }) => text === "What would you like?");
    const keyboard = JSON.stringify(question?.body["reply_markup"]);
    const [first = ""] = /"callback_data":"([^"]+)"/.exec(keyboard)?.slice(1) ?? [];
    await telegram.press(ana, question?.id ?? "", first);
    expect(await shown(ana.id, 3)).toEqual(["Welcome", "What would you like?", "One Tea."]);
    await telegram.press(ana, question?.id ?? "", first);
    await telegram.write(ana, "Ana");
    expect((await shown(ana.id, 4)).at(-1)).toBe("Thank you, Ana");

    await world.settled();
    const notices = telegram.signs.filter(({ method }) => method === "answerCallbackQuery");
    expect(notices.map(({ body }) => body["text"])).toEqual([undefined, "This button is no longer in use."]);
    expect((await world.inbox(connectionId)).map(({ state, reason }) => reason ?? state)).toEqual([
      "done",
      "done",
      "stale_tap",
      "done",
    ]);
  });
});

describe("a chat on a messenger", () => {
  const flow = (end: string) => ({
    ...flowOf([
      { id: idOf("preset"), type: "Set variable", options: { variableId: idOf("Email"), type: "Contact name" } },
      says("Hello {{Email}}"),
      { ...asks("choice input", { variableId: idOf("Name") }), items: drinks },
      says("One {{Name}} for {{Email}}."),
      asks("text input", { variableId: idOf("Email") }),
      says(`${end} {{Email}}`),
      asks("number input"),
    ]),
    settings: { messenger: { isEnabled: true }, typingEmulation: { enabled: false } },
  });
  const impactOf = async (botId: string) => {
    const answer = await world.api.client.post(`/api/v1/bots/${botId}/impact`, { token: world.owner.token, body: {} });
    expect(answer.status).toBe(200);
    return answer;
  };
  const change = (botId: string, bot: object) =>
    world.api.client.patch(`/api/v1/bots/${botId}`, { token: world.owner.token, body: { bot } });
  const chats = async (botId: string, names: readonly string[]) => {
    const program = await world.connectWebhook([{ botId, isEnabled: true }], { gatherSeconds: 1 }, service.url);
    service.secret = program.secret;
    for (const name of names) {
      const contact = { id: name, name: `Ms. ${name}`, phone: `+4915112345${name.length}` };
      const write = async (message: object, facts: object = {}) => {
        await program.post({ id: newId(), contact: { ...contact, ...facts }, message });
        await world.settled();
      };
      await write({ text: "Hi" });
      await waitFor(() => service.shownTo(name).length === 1);
      const question = JSON.stringify(service.shown.findLast(({ chat }) => chat === name)?.body);
      const [, tea = ""] = /"token":"([^"]+)"/.exec(question) ?? [];
      // Send the next message under another name.
      await write({ tap: tea }, { name: `Dr. ${name}` });
      await program.post({
        messages: ["one", "two"].map((text) => ({ id: newId(), contact: { ...contact }, message: { text } })),
      });
      await world.settled();
    }
    return program;
  };

  test("replayed messenger chats count as changed only if the bot was changed", async () => {
    const { botId } = await world.makeBot(flow("Thank you"));
    const { connectionId } = await chats(botId, ["cy", "dora"]);
    expect(await world.said(connectionId, "cy")).toEqual(["Hello Ms. cy | One Tea for Ms. cy. | Thank you one\ntwo"]);

    const same = await impactOf(botId);
    expect(same.body).toMatchObject({ same: 2, changed: 0, diverging: 0, notReplayable: [] });
    await change(botId, flow("Thanks"));
    const changed = await impactOf(botId);
    expect(changed.body).toMatchObject({ same: 0, changed: 2, diverging: 0, notReplayable: [] });
  });

  test("a messenger chat moves to a newly published version at its next step", async () => {
    const { botId } = await world.makeBot(flow("Thank you"));
    const program = await chats(botId, []);
    await program.write("eli", "Hi");
    await world.settled();
    await change(botId, flow("Thanks"));
    const publish = { token: world.owner.token, body: { runningChats: "move" } };
    expect((await world.api.client.post(`/api/v1/bots/${botId}/publish`, publish)).status).toBe(200);
    await program.write("eli", "Tea");
    await world.settled();
    await program.write("eli", "a@b.co");
    await world.settled();

    expect((await world.said(program.connectionId, "eli"))[0]).toEndWith("Thanks a@b.co");
  });

  test("an external call continues a messenger chat that waits for it", async () => {
    const listen = {
      ...{ id: "listen", type: "webhook" },
      options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order" }] },
    };
    const { botId } = await world.makeBot(
      flowOf([says("Please pay"), listen, says("Paid: {{Name}}"), asks("text input")]),
    );
    const program = await chats(botId, []);
    await program.write("fay", "Hi");
    await waitFor(() => service.shownTo("fay").length === 1);
    await world.settled();
    const [result] = await world.api.deps.sql<{ id: string }[]>`select id from results where bot_id = ${botId}`;
    const path = `/api/v1/bots/${botId}/blocks/listen/results/${result?.id}/executeWebhook`;
    const called = await world.api.client.post(path, { token: world.owner.token, body: { order: "A-17" } });
    expect(called.status).toBe(200);
    await waitFor(() => service.shownTo("fay").length === 2);
    await program.write("fay", "Thanks");
    await world.settled();

    expect(service.shownTo("fay")).toEqual(["Please pay", "Paid: A-17"]);
    expect((await world.inbox(program.connectionId)).map(({ reason, state }) => reason ?? state)).toEqual([
      "done",
      "done",
    ]);
  });

  test("a contact who restarts a chat gets no unsent messages of the earlier chat", async () => {
    const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "300" } };
    const bot = await world.makeBot(flowOf([says("Hello"), wait, says("Later"), asks("text input")]));
    const program = await world.connectWebhook([asked(bot)], { restartWords: ["menu"] }, service.url);
    const { connectionId } = program;
    service.secret = program.secret;
    await program.write("hal", "Hi");
    await waitFor(() => service.shownTo("hal").length === 1);
    const [contact] = await world.api.deps.sql<{ id: string }[]>`
      select id from channel_contacts where connection_id = ${connectionId}`;
    const path = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${connectionId}/test`;
    const body = { contactId: contact?.id, text: "Are you there?" };
    expect((await world.api.client.post(path, { token: world.owner.token, body })).status).toBe(200);
    await program.write("hal", "menu");
    await waitFor(() => service.shownTo("hal").length === 3);
    await world.settled();

    expect(service.shownTo("hal")).toEqual(["Hello", "Are you there?", "Hello"]);
    const sendings = await world.api.deps.sql<{ state: string; errorClass: string | null }[]>`
      select state, error_class from channel_sendings where connection_id = ${connectionId} order by sequence`;
    expect(sendings.map(({ state, errorClass }) => errorClass ?? state)).toEqual([
      ...["accepted", "session_ended", "accepted", "accepted", "pending"],
    ]);
  });

  test("no visitor can continue, undo or read a contact's chat", async () => {
    const { botId } = await world.makeBot(flow("Thank you"));
    const program = await chats(botId, []);
    await program.write("gil", "Hi");
    await world.settled();
    const [session] = await world.api.deps.sql<{ id: string }[]>`select id from sessions where bot_id = ${botId}`;
    const path = `/api/v1/sessions/${session?.id}`;
    const answers = [
      await world.api.client.post(`${path}/continueChat`, { body: { message: "Tea" } }),
      await world.api.client.post(`${path}/goBack`, { body: {} }),
      await world.api.client.get(path),
    ];

    expect(answers.map((answer) => answer.at("code"))).toEqual(Array(3).fill("session.not_found"));
    expect(await world.said(program.connectionId, "gil")).toHaveLength(1);
  });
});
