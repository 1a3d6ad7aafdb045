import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "./channel-world.ts";

let world: ChannelWorld;
let service: FakeWebhook;
let proxy: DatabaseProxy;

beforeAll(async () => {
  service = await startFakeWebhook();
  world = await createChannelWorld({
    isSending: true,
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await world.close();
  await proxy.close();
  await service.close();
});

const asking = flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") }), says("You said {{Name}}")]);

/** The statements between a message and its answer, each identified by a part of its SQL. */
const statements = [
  ["storing the call", /insert into channel_inbox/],
  ["leasing the connection", /insert into channel_leases/],
  ["reading the inbox", /from channel_inbox i\s+where i.connection_id/],
  ["creating the contact", /insert into channel_contacts/],
  ["assigning the contact", /set contact_id = given/],
  ["storing the decision", /set decision = case/],
  ["saving the step", /channel_step_rows|said_steps/],
  ["ending the row", /set state = given.state/],
  ["queueing the messages", /insert into channel_sendings/],
  ["marking a message as being sent", /set state = 'sending'/],
] as const;

describe.each(["before", "after"] as const)("a database connection that is lost %s a statement", (when) => {
  test.each(statements)("a message is answered once if the connection is lost at %s", async (_, statement) => {
    const { botId } = await world.makeBot(asking);
    const program = await world.connectWebhook([{ botId, isEnabled: true }], {}, service.url);
    service.secret = program.secret;
    const name = newId();
    const write = async (text: string) => {
      const message = { id: newId(), contact: { id: name }, message: { text } };
      await waitFor(async () => (await program.post(message)).status === 200);
    };
    const fault = proxy.inject({ kind: "cut", when, statement, times: 1 });
    await write("Hi");
    await waitFor(() => service.shownTo(name).length === 1);
    await write("Ana");
    await waitFor(() => service.shownTo(name).length === 2);
    fault.end();

    expect(fault.met()).toBe(1);
    expect(service.shownTo(name)).toEqual(["Hello", "You said Ana"]);
    expect(await world.said(program.connectionId, name)).toEqual(["Hello | You said Ana"]);
  });
});

test("an opt-in takes effect even if the database connection breaks", async () => {
  const { botId } = await world.makeBot(asking);
  const settings = { restartWords: ["menu"] };
  const program = await world.connectWebhook([{ botId, isEnabled: true }], settings, service.url);
  service.secret = program.secret;
  const name = newId();
  await program.write(name, "Hi");
  await waitFor(() => service.shownTo(name).length === 1);
  await program.write(name, "stop");
  await waitFor(() => service.shownTo(name).length === 2);
  const fault = proxy.inject({ kind: "cut", when: "before", statement: /set state = given.state/, times: 1 });
  await program.write(name, "menu");
  await world.settled();
  fault.end();
  await waitFor(() => service.shownTo(name).length === 3);

  expect(fault.met()).toBe(1);
  expect(service.shownTo(name).at(-1)).toBe("Hello");
});
