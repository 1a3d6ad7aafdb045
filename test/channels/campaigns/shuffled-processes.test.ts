import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { cleanupStack, endService } from "../../support/service.ts";
import { diceOf } from "../../tools/fuzz/dice.ts";
import { connections, createNodeWorld, forEachContact, type Line, post, shownFor, waitForShown } from "./node-world.ts";

setDefaultTimeout(3_600_000);

const cleanups = cleanupStack();
afterAll(cleanups.run);

const contacts = sizeOf({ short: 0, long: 1_000, variable: "PARLEY_CHANNEL_SHUFFLED_CONTACTS" });
const messages = 20;
/** The number of messages that are in progress at the same time. */
const together = 4;

/**
 * A message of a contact. By the test's clock, `postedAt` and `answeredAt` are the times of its first post and its
 * first answer.
 */
type Sent = { readonly id: string; readonly place: number; readonly postedAt: number; answeredAt: number };

async function campaign(): Promise<void> {
  const { database, nodes, lines, botId } = await createNodeWorld(cleanups);
  const sent = new Map<string, Sent[]>();
  const write = async (index: number): Promise<void> => {
    const line = lines[index % connections];
    if (!line) return;
    const contact = `c${index}`;
    const all: Sent[] = [];
    sent.set(contact, all);
    const dice = diceOf({ seed: 53, visit: index });
    const writtenAt = Date.now() - 60_000;
    const say = async (place: number, text: string): Promise<void> => {
      const id = newId();
      const one = { id, place, postedAt: performance.now(), answeredAt: Number.POSITIVE_INFINITY };
      all.push(one);
      const time = new Date(writtenAt + place * 1_000).toISOString();
      const message = { id, contact: { id: contact }, time, message: { text } };
      await report(line, message, dice.oneIn(3));
      one.answeredAt = performance.now();
      // The provider reports some messages again, later.
      if (dice.oneIn(10)) await report(line, message, false);
    };
    await say(0, "Hi");
    for (let first = 1; first <= messages; first += together) {
      const places = Array.from({ length: together }, (_, at) => first + at);
      await Promise.all(shuffled(places, dice.below).map((place) => say(place, String(place))));
    }
  };
  const report = async (line: Line, message: object, isTwice: boolean): Promise<void> => {
    await Promise.all([post(nodes, line, message), ...(isTwice ? [post(nodes, line, message)] : [])]);
  };
  await forEachContact(contacts, write);
  const total = contacts * (1 + 2 * messages);
  const shown = () => lines.reduce((sum, { service }) => sum + service.shown.length, 0);
  await waitForShown(shown, total);

  const rows = await database.sql<{ providerId: string; contact: string; text: string; revision: number }[]>`
    select i.provider_id, a.value as contact, i.content -> 'content' ->> 'text' as text, i.revision
    from channel_inbox i
    join channel_addresses a on a.contact_id = i.contact_id and a.kind = 'user'
    where i.state = 'done'
    order by i.revision`;
  const ofContacts = Map.groupBy(rows, ({ contact }) => contact);
  let turned = 0;
  const wrong: string[] = [];
  for (const [contact, all] of sent) {
    const taken = ofContacts.get(contact) ?? [];
    const line = lines[Number(contact.slice(1)) % connections];
    const revisions = taken.map(({ revision }) => revision);
    const isEach = revisions.join() === Array.from({ length: messages + 1 }, (_, at) => at + 1).join();
    const answered = shownFor(taken.slice(1).map(({ text }) => text));
    const isShown = JSON.stringify(line?.service.shownTo(contact)) === JSON.stringify(answered);
    const stepOf = new Map(taken.map(({ providerId, revision }) => [providerId, revision]));
    const pairs = all.flatMap((one) => all.filter(({ place }) => place > one.place).map((later) => ({ one, later })));
    // If an earlier message was stored before the later one had settled, the earlier message must be answered first.
    const bound = pairs.filter(({ one, later }) => one.answeredAt < later.postedAt + limits.channels.settleMs);
    turned += bound.filter(({ one, later }) => later.postedAt < one.postedAt).length;
    const isInOrder = bound.every(({ one, later }) => (stepOf.get(one.id) ?? 0) < (stepOf.get(later.id) ?? 0));
    if (!(isEach && isShown && isInOrder)) wrong.push(contact);
  }
  expect(wrong).toEqual([]);
  expect(lines.flatMap(({ service }) => service.repeated)).toEqual([]);
  expect(turned).toBeGreaterThan(contacts);
  const [steps] = await database.sql<[{ count: number }]>`
    select count(*)::integer as count from steps where bot_id = ${botId}`;
  expect(steps.count).toBe(contacts * (messages + 1));
  for (const node of nodes) await endService(node);
}

function shuffled<Item>(items: readonly Item[], below: (count: number) => number): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(below(left.length), 1));
}

test.skipIf(contacts === 0)(
  "messages that arrive twice or slightly out of order are answered once, in the order of their times",
  campaign,
);
