import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../../fake-channels/webhook.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "../channel-world.ts";

let world: ChannelWorld;
let service: FakeWebhook;

beforeAll(async () => {
  service = await startFakeWebhook();
  world = await createChannelWorld({ isSending: true });
});
afterAll(async () => {
  await moveClock(world.database.sql, 0);
  await world.close();
  await service.close();
});

const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "600" } };

test.each([
  ["disabled, and sent after the connection is enabled again", "disable", ["One", "Two"]],
  ["deleted", "delete", ["One"]],
])("a message that waits for its pause is not sent while its connection is %s", async (_, act, shown) => {
  const { sql } = world.database;
  const bot = await world.makeBot(flowOf([says("One"), wait, says("Two"), asks("text input")]));
  const program = await world.connectWebhook([{ botId: bot.botId, isEnabled: true }], {}, service.url);
  service.secret = program.secret;
  const contact = newId();
  await program.write(contact, "Hi");
  await waitFor(() => service.shownTo(contact).length === 1);
  const { connectionId } = program;
  const { client } = world.api;
  const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${connectionId}`;
  const asked = { token: world.owner.token };
  const name = (await client.get(at, asked)).text("channelConnection.name");
  const ended =
    act === "delete" ? client.delete(at, { ...asked, query: { name } }) : client.post(`${at}/disable`, asked);
  expect((await ended).status).toBe(200);
  await waitFor(async () => {
    const held = await sql`
      select from channel_leases where connection_id = ${connectionId} and holder is not null`;
    return held.length === 0;
  });
  await moveClock(sql, 601);
  world.holding.wake();
  // When a message of another connection is answered, the process has searched for connections since the pause ended.
  const other = await world.connectWebhook([{ botId: bot.botId, isEnabled: true }], {}, service.url);
  service.secret = other.secret;
  await other.write(newId(), "Hi");
  await world.settled();
  expect(service.shownTo(contact)).toEqual(["One"]);
  service.secret = program.secret;
  if (act === "disable") await client.post(`${at}/enable`, asked);
  await waitFor(() => service.shownTo(contact).length === shown.length);

  expect(service.shownTo(contact)).toEqual([...shown]);
});
