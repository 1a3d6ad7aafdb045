import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
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

describe("a bot on Telegram that is asked for news", () => {
  test("talks with texts and buttons, each message once and in order", async () => {
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
