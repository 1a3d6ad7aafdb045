import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { failure } from "../../fake-channels/telegram.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type Contact, createOutboundWorld, type Held, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;

beforeAll(async () => {
  world = await createOutboundWorld();
});
afterEach(async () => {
  await world.api.deps.sql`delete from channel_sendings`;
});
afterAll(() => world.close());

const two = flowOf([says("One"), says("Two"), asks("text input")]);

/** The smallest step by which the test advances the clock, in ms. Each advance takes real time. */
const stepMs = 100;

type At = { readonly at: number; readonly chat: string };

/** Advances the test's clock until all messages are sent. Returns the time at which each message was shown. */
async function drained(...all: readonly Held[]): Promise<At[]> {
  const times: At[] = [];
  const shown = () => [...world.telegram.shown, ...world.webhook.shown];
  const known = new Set(shown());
  for (;;) {
    const waits: number[] = [];
    for (const { outbound, held } of all) {
      const ms = await outbound.run(held);
      if (ms !== undefined) waits.push(ms);
      for (const message of shown()) {
        if (known.has(message)) continue;
        known.add(message);
        times.push({ at: world.now(), chat: message.chat });
      }
    }
    if (waits.length === 0) return times;
    await world.pass(Math.max(stepMs, Math.min(...waits)));
  }
}

function mostWithin(times: readonly At[], ms: number): number {
  let first = 0;
  let most = 0;
  for (const [last, { at }] of times.entries()) {
    while ((times[first]?.at ?? at) <= at - ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

const contactsOf = async (connectionId: string, channel: "telegram" | "webhook", count: number) => {
  const contacts: Contact[] = [];
  for (let index = 0; index < count; index++) contacts.push(await world.contact(connectionId, channel));
  return contacts;
};

test("contacts of one account get their messages at the account's rate", async () => {
  const connectionId = await world.connect("telegram");
  const count = sizeOf({ short: 60, long: 500, variable: "PARLEY_CHANNEL_PACED_CONTACTS" });
  const contacts = await contactsOf(connectionId, "telegram", count);
  await world.beginAll(contacts, two);
  const times = await drained(await world.hold(connectionId));

  expect(times).toHaveLength(2 * count);
  // Telegram documents 30 messages a second. A holder starts without credit, and the clock advances in steps, so a few
  // more are tolerated.
  expect(mostWithin(times, 1_000)).toBeLessThanOrEqual(34);
  expect(mostWithin(times, 10_000)).toBeLessThanOrEqual(304);
  expect(contacts.filter(({ address }) => world.telegram.shownTo(address).join() !== "One,Two")).toEqual([]);
  expect((times.at(-1)?.at ?? 0) - (times[0]?.at ?? 0)).toBeLessThan(1.1 * ((2_000 * count) / 30));
});

test("a rate limit on one account delays no other account, and loses no message", async () => {
  const slow = await world.connect("webhook");
  const quick = await world.connect("telegram");
  const [theirs, ours] = [await contactsOf(slow, "webhook", 5), await contactsOf(quick, "telegram", 20)];
  await world.beginAll(theirs, two);
  await world.beginAll(ours, two);
  const headers = { "Retry-After": "30" };
  world.webhook.script({ act: { kind: "answer", status: 429, body: {}, headers } });
  const since = world.now();
  const times = await drained(await world.hold(slow), await world.hold(quick));

  const of = (contacts: readonly Contact[]) => {
    const addresses = new Set(contacts.map(({ address }) => address));
    return times.filter(({ chat }) => addresses.has(chat)).map(({ at }) => at - since);
  };
  expect(of(ours)).toHaveLength(40);
  expect(Math.max(...of(ours))).toBeLessThan(3_000);
  expect(of(theirs)).toHaveLength(10);
  // Only messages that were already being sent when the rate limit began are accepted earlier.
  expect(of(theirs).filter((at) => at > 500 && at < 29_500)).toEqual([]);
});

test("a rate limit on one contact delays only this contact", async () => {
  const connectionId = await world.connect("telegram");
  const contacts = await contactsOf(connectionId, "telegram", 10);
  const [held] = contacts;
  await world.beginAll(contacts, two);
  const { body } = failure(429, "Too Many Requests: retry after 40", { retry_after: 40 });
  world.telegram.script({ chat: held?.address ?? "", skip: 1, act: { kind: "answer", status: 429, body } });
  const since = world.now();
  const times = await drained(await world.hold(connectionId));

  const own = times.filter(({ chat }) => chat === held?.address).map(({ at }) => at - since);
  const others = times.filter(({ chat }) => chat !== held?.address).map(({ at }) => at - since);
  expect(others).toHaveLength(18);
  expect(Math.max(...others)).toBeLessThan(3_000);
  expect(own).toHaveLength(2);
  // The database's clock also counts the real time of the test, so the delay cannot appear too short.
  const [tried] = await world.api.deps.sql<[{ ms: number }]>`
    select (extract(epoch from max(attempted_at) - min(attempted_at)) * 1000)::double precision as ms
    from channel_sendings
    where contact_id = ${held?.id ?? ""}`;
  expect(tried.ms).toBeGreaterThanOrEqual(40_000);
  expect((own[1] ?? 0) - (own[0] ?? 0)).toBeLessThan(42_000);
});
