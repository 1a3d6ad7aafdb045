import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld, programOf } from "./channel-world.ts";

let dying: ChannelWorld;
let other: ChannelWorld;
let service: FakeWebhook;
let proxy: DatabaseProxy;
let bot: { readonly botId: string };
/** The number of seconds by which the clock of the database is ahead. */
let ahead = 0;
/**
 * A death at one of these statements leaves it uncertain whether a message was sent. After the mark, the node's own
 * clock would end its lease in production, but the test moves only the database's clock.
 */
const inDoubt = ["before marking a message as accepted", "after marking a message as being sent"];

beforeAll(async () => {
  service = await startFakeWebhook();
  dying = await createChannelWorld({
    isSending: true,
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  other = await createChannelWorld({ isSending: true, beside: dying, looksByItself: false });
  bot = await dying.makeBot(
    flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") }), says("You said {{Name}}"), says("Bye")]),
  );
});
afterAll(async () => {
  proxy.thaw();
  await moveClock(other.api.deps.sql, 0);
  await other.close();
  await dying.close();
  await proxy.close();
  await service.close();
});

/**
 * The statements between a message and its answer, each identified by a part of its SQL: for the first message of a
 * contact, and for a reply.
 */
const statements = [
  ["storing the call", /insert into channel_inbox/, "reply"],
  ["leasing the connection", /insert into channel_leases/, "start"],
  ["reading the inbox", /from channel_inbox i\s+where i.connection_id/, "reply"],
  ["creating the contact", /insert into channel_contacts/, "start"],
  ["assigning the contact", /set contact_id = given/, "reply"],
  ["storing the decision", /set decision = case/, "reply"],
  ["saving the start", /channel_step_rows|said_steps/, "start"],
  ["saving the step", /channel_step_rows|said_steps/, "reply"],
  ["ending the row", /set state = given.state/, "reply"],
  ["queueing the messages", /insert into channel_sendings/, "reply"],
  ["marking a message as being sent", /set state = 'sending'/, "reply"],
  ["marking a message as accepted", /set state = 'accepted'/, "reply"],
] as const;

/** Deaths at these statements run in `npm test`, all other deaths only in the long run. */
const often = {
  before: ["storing the call", "storing the decision", "ending the row", "marking a message as being sent"],
  after: ["saving the start", "saving the step", "marking a message as accepted"],
} as const;
const deaths = (["before", "after"] as const).map((when) => {
  const names: readonly string[] = often[when];
  return { when, at: isLong ? statements : statements.filter(([name]) => names.includes(name)) };
});

async function chatOn(name: string) {
  const { connectionId, secret } = await other.connectWebhook([{ ...bot, isEnabled: true }], {}, service.url);
  service.secret = secret;
  const message = (text: string) => ({ id: newId(), contact: { id: name }, message: { text } });
  return {
    connectionId,
    message,
    here: programOf(dying.api, connectionId, secret),
    there: programOf(other.api, connectionId, secret),
  };
}

/** Waits until a contact was shown the given number of messages. Meanwhile the other node polls for due work. */
const shown = (contact: string, count: number) =>
  waitFor(() => {
    other.holding.wake();
    return service.shownTo(contact).length >= count;
  });

const unsent = (connectionId: string) =>
  other.api.deps.sql`select from channel_sendings where connection_id = ${connectionId} and state <> 'accepted'`;

describe.each(deaths)("a node that dies $when a statement", ({ when, at }) => {
  test.each(at)(
    "another node answers after a death at %s, and at most one message is sent twice",
    async (name, statement, of) => {
      const contact = newId();
      const { connectionId, message, here, there } = await chatOn(contact);
      const [hi, ana] = [message("Hi"), message("Ana")];
      const repeated = service.repeated.length;
      if (of !== "start") {
        await waitFor(async () => (await here.post(hi)).status === 200);
        await waitFor(() => service.shownTo(contact).length === 1);
        await dying.settled();
        // Wait until all earlier messages are marked as accepted.
        await waitFor(async () => (await unsent(connectionId)).length === 0);
      }
      const death = proxy.inject({ kind: "death", when, statement, times: 1 });
      const last = of === "start" ? hi : ana;
      const posted = here.post(last);
      await waitFor(() => death.met() === 1);
      // The provider received no response, so it sends the message again to a node that is still running.
      ahead += 7;
      await moveClock(other.api.deps.sql, ahead);
      expect((await there.post(last)).status).toBe(200);
      await shown(contact, of === "start" ? 1 : 3);
      if (of === "start") {
        expect((await there.post(ana)).status).toBe(200);
        await shown(contact, 3);
      }
      await other.settled();
      // The node was suspended, not dead: it resumes after another node has done its work.
      proxy.thaw();
      await posted;
      await waitFor(async () => (await here.post(last)).status === 200);
      await dying.settled();

      expect(service.shownTo(contact)).toEqual(["Hello", "You said Ana", "Bye"]);
      expect(await other.said(connectionId, contact)).toEqual(["Hello | You said Ana | Bye"]);
      const doubled = service.repeated.length - repeated;
      expect(doubled).toBeLessThanOrEqual(inDoubt.includes(`${when} ${name}`) ? 1 : 0);
    },
  );
});
