import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { sizeOf } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld, programOf, report } from "./channel-world.ts";

let first: ChannelWorld;
let second: ChannelWorld;
let service: FakeWebhook;

beforeAll(async () => {
  service = await startFakeWebhook();
  first = await createChannelWorld({ isSending: true });
  second = await createChannelWorld({ isSending: true, beside: first });
});
afterAll(async () => {
  await second.close();
  await first.close();
  await service.close();
});

const echo = flowOf([says("Go"), asks("text input", { variableId: idOf("Name") }), says("{{Name}}"), again()]);

function again() {
  return { id: idOf("again"), type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("asks text input") } };
}

test("two nodes process the messages of a contact once and in order", async () => {
  const contacts = sizeOf({ short: 60, long: 1_000, variable: "PARLEY_CHANNEL_CONTACTS" });
  const { botId } = await first.makeBot(echo);
  const program = await first.connectWebhook([{ botId, isEnabled: true }], {}, service.url);
  service.secret = program.secret;
  const programs = [program, programOf(second.api, program.connectionId, program.secret)];
  const texts = Array.from({ length: 10 }, (_, index) => String(index));
  await Promise.all(
    Array.from({ length: contacts }, async (_, index) => {
      const by = programs[index % 2] ?? program;
      for (const text of ["Hi", ...texts]) {
        const message = { id: newId(), contact: { id: `c${index}` }, message: { text } };
        await report(by, message);
        if (Number(text) % 3 === 1) await report(programs[(index + 1) % 2] ?? program, message);
      }
    }),
  );
  const expected = ["Go", ...texts];
  await waitFor(() => service.shown.length >= contacts * expected.length, {
    withinMs: 60_000,
    what: () => `${contacts * expected.length} messages, of which came ${service.shown.length}`,
  });

  const names = Array.from({ length: contacts }, (_, index) => `c${index}`);
  expect(names.filter((name) => JSON.stringify(service.shownTo(name)) !== JSON.stringify(expected))).toEqual([]);
  expect(service.repeated).toEqual([]);
  const [steps] = await first.api.deps.sql<[{ count: number }]>`
    select count(*)::integer as count from steps where bot_id = ${botId}`;
  expect(steps.count).toBe(contacts * expected.length);
  const [held] = await first.api.deps.sql<[{ count: number }]>`
    select count(*)::integer as count from channel_leases where connection_id = ${program.connectionId} and held_until > clock()`;
  expect(held.count).toBe(1);
});
