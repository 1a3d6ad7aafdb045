import { afterAll, beforeAll, expect, test } from "bun:test";
import { type FakeTelegram, startFakeTelegram } from "../../fake-channels/telegram.ts";
import { flowOf, says } from "../../support/chat.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "../channel-world.ts";

let world: ChannelWorld;
let telegram: FakeTelegram;

beforeAll(async () => {
  telegram = await startFakeTelegram();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url } });
});
afterAll(async () => {
  await world.close();
  await telegram.close();
});

test("a server that answers at once that there is no news is asked once a second", async () => {
  const body = { ok: true, result: [] };
  telegram.script({ method: "getUpdates", times: 1_000_000, act: { kind: "answer", status: 200, body } });
  const { botId } = await world.makeBot(flowOf([says("Hello")]));
  await world.connectTelegram([{ botId, isEnabled: true }], { transport: "poll" }, telegram.token);
  world.holding.wake();
  const asked = () => telegram.calls.filter(({ method }) => method === "getUpdates").length;
  await waitFor(() => asked() > 0);
  const since = performance.now();
  await waitFor(() => performance.now() - since > 2_000);

  expect(asked()).toBeLessThanOrEqual(4);
});
