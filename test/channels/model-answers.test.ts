import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { backgroundClock } from "../../src/platform/concurrency/clock.ts";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld, programOf } from "./channel-world.ts";

let world: ChannelWorld;
let other: ChannelWorld;
let service: FakeWebhook;
let model: FakeModel;
let proxy: DatabaseProxy;
let credentialsId: string;
/** The number of seconds by which the clocks of the database and of the first node are ahead. */
let ahead = 0;
const ends: (() => void)[] = [];

beforeAll(async () => {
  service = await startFakeWebhook();
  model = await startFakeModel();
  const config = { MODEL_SERVERS: model.origin };
  world = await createChannelWorld({
    ...{ config, isSending: true },
    clock: { ...backgroundClock, now: () => backgroundClock.now() + ahead * 1_000 },
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  other = await createChannelWorld({ config, isSending: true, beside: world, looksByItself: false });
  const made = await world.api.client.post(`/api/v1/workspaces/${world.workspaceId}/credentials`, {
    token: world.owner.token,
    body: { type: "openai", name: "Ours", data: { apiKey: "sk-1234567890abcdef", baseUrl: model.baseUrl } },
  });
  credentialsId = made.text("credentials.id");
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  proxy.thaw();
});
afterAll(async () => {
  await moveClock(other.api.deps.sql, 0);
  await other.close();
  await world.close();
  await proxy.close();
  await model.close();
  await service.close();
});

const answer = () => ({
  ...{ id: "model", type: "openai" },
  options: {
    ...{ action: "Create chat completion", credentialsId, model: "echo" },
    messages: [{ id: "m1", role: "user", content: "one two three four five six {{Name}}" }],
    responseMapping: [{ id: "r1", variableId: idOf("Email") }],
  },
});

/** Pauses the model before its fifth word until the returned function is called. */
function holdModel(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = model.onWord((index) => (index >= 4 ? promise : undefined));
  const release = () => {
    end();
    resolve();
  };
  ends.push(release);
  return release;
}

async function connected(flow: object) {
  const { botId } = await world.makeBot(flow);
  const program = await world.connectWebhook([{ botId, isEnabled: true }], {}, service.url);
  service.secret = program.secret;
  return program;
}

const shown = async (contact: string, count: number) => {
  await waitFor(() => service.shownTo(contact).length >= count, {
    what: () => `${count} messages, of which came ${JSON.stringify(service.shownTo(contact))}`,
  });
  return service.shownTo(contact);
};

describe("an opt-out message during a model's answer", () => {
  test.each([
    ["in the first step of a chat", 0],
    ["in a later step", 1],
  ])("an opt-out message ends a model's answer %s", async (_, later) => {
    const asking = later === 1 ? [says("Hello"), asks("text input", { variableId: idOf("Name") })] : [];
    const program = await connected(flowOf([...asking, answer(), says("{{Email}}"), asks("number input")]));
    const contact = newId();
    holdModel();
    const [asked, left] = [model.asked.length, model.left()];
    await program.write(contact, "Hi");
    if (later === 1) {
      await shown(contact, 1);
      await program.write(contact, "Ana");
    }
    await waitFor(() => model.asked.length > asked);
    await program.write(contact, "stop");
    await waitFor(() => model.left() > left);
    await world.settled();

    const reasons = (await world.inbox(program.connectionId)).map(({ state, reason }) => reason ?? state);
    expect(reasons).toEqual([...Array(later + 1).fill("done"), "opted_out"]);
    await waitFor(() => service.shownTo(contact).at(-1)?.includes("no more messages") === true);
    await program.write(contact, "Hello?");
    await world.settled();
    expect((await world.inbox(program.connectionId)).at(-1)?.reason).toBe("opted_out");
  });
});

test("if a node freezes while a model writes, another node answers once", async () => {
  const asking = [says("Hello"), asks("text input", { variableId: idOf("Name") })];
  const program = await connected(flowOf([...asking, answer(), says("{{Email}}"), asks("number input")]));
  const there = programOf(other.api, program.connectionId, program.secret);
  const contact = newId();
  await program.write(contact, "Hi");
  await shown(contact, 1);
  await world.settled();
  const release = holdModel();
  const asked = model.asked.length;
  await program.write(contact, "Ana");
  await waitFor(() => model.asked.length > asked);
  proxy.freeze();
  expect(service.shownTo(contact)).toEqual(["Hello"]);
  // Let the lease of the connection and the claim of the step expire.
  ahead += 120;
  await moveClock(other.api.deps.sql, ahead);
  await there.write(contact, "7");
  await waitFor(() => model.asked.length > asked + 1);
  expect(service.shownTo(contact)).toEqual(["Hello"]);
  release();
  await shown(contact, 2);
  await other.settled();
  proxy.thaw();
  await world.settled();

  const whole = "You said: one two three four five six Ana";
  expect(service.shownTo(contact)).toEqual(["Hello", whole]);
  expect(await other.said(program.connectionId, contact)).toEqual([`Hello | ${whole}`]);
});
