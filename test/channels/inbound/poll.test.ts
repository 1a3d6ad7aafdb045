import { afterAll, beforeAll, expect, test } from "bun:test";
import { type FakeTelegram, startFakeTelegram } from "../../fake-channels/telegram.ts";
import { newBotToken } from "../../support/channels.ts";
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

test("a server that returns no updates is polled twice a second at most", async () => {
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

test("messages are answered after the provider restarts its update numbers", async () => {
  const account = newBotToken();
  const silent = await startFakeTelegram({ token: account });
  const there = await createChannelWorld({ config: { TELEGRAM_API_URL: silent.url } });
  const { botId } = await there.makeBot(flowOf([says("Hello")]));
  const { connectionId } = await there.connectTelegram([{ botId, isEnabled: true }], { transport: "poll" }, account);
  const { sql } = there.api.deps;
  await sql`
    insert into channel_leases (connection_id, last_update_id, last_inbound_at)
    values (${connectionId}, 9000000, clock() - interval '7 days')
    on conflict (connection_id) do update
    set last_update_id = excluded.last_update_id, last_inbound_at = excluded.last_inbound_at`;
  await silent.write({ id: 61, firstName: "Ana" }, "Hi");
  there.holding.wake();
  await waitFor(async () => (await there.inbox(connectionId)).some(({ state }) => state === "done"));

  expect(await there.said(connectionId, "61")).toEqual(["Hello"]);
  await there.close();
  await silent.close();
});
