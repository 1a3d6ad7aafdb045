import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { textAt } from "../../../src/core/interpreter/flow.ts";
import { newId } from "../../../src/platform/ids.ts";
import { closeServer, listen } from "../../fake-channels/telegram.ts";
import { idOf } from "../../support/builder-ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChannelWorld, createChannelWorld, type Program, report } from "../channel-world.ts";

// Contacts write for hours. Once all are answered, the memory of the node must not have grown with the number of
// messages.

setDefaultTimeout(7_200_000);

const messages = sizeOf({ short: 0, long: 100_000, variable: "PARLEY_CHANNEL_MEMORY_MESSAGES" });
/** Several connections, because the service sends at most fifty messages a second on each. */
const connections = 20;
/** Every contact writes during the whole test, so a cache of contacts is full after the first tenth. */
const contacts = Math.min(200, Math.ceil(messages / 100));
/** The average number of objects that each message may leak. */
const leftByEach = 0.2;

let world: ChannelWorld;
let server: Server;
let url = "";
const answered = new Map<string, number>();
const wrong: string[] = [];
const waiting = new Map<string, () => void>();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const payload: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const contact = textAt(payload, "contact", "id") ?? "";
    // The bot sends a typing indicator when an answer takes long.
    if (textAt(payload, "message", "type") === "typing") {
      response.end("{}");
      return;
    }
    const count = answered.get(contact) ?? 0;
    const text = textAt(payload, "message", "text");
    if (text !== (count === 0 ? "Go" : String(count))) wrong.push(`${contact}: ${text} after ${count}`);
    answered.set(contact, count + 1);
    response.end(JSON.stringify({ providerId: newId() }));
    waiting.get(contact)?.();
    waiting.delete(contact);
  });
  url = await listen(server);
  world = await createChannelWorld({ isSending: true, config: { RATE_LIMITS: "off" } });
});
afterAll(async () => {
  await world.close();
  await closeServer(server);
});

const echo = flowOf([
  says("Go"),
  asks("text input", { variableId: idOf("Name") }),
  says("{{Name}}"),
  { id: idOf("again"), type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("asks text input") } },
]);

/** Waits until the service has handled all messages. Returns the number of live objects and the memory in use. */
async function held(): Promise<{ readonly objects: number; readonly megabytes: number }> {
  await world.settled();
  // Finalizers run between two collections.
  for (let round = 0; round < 3; round++) {
    Bun.gc(true);
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  return { objects: heapStats().objectCount, megabytes: Math.round(process.memoryUsage.rss() / 1024 / 1024) };
}

async function campaign(): Promise<void> {
  const { botId } = await world.makeBot(echo);
  const programs: Program[] = [];
  for (let index = 0; index < connections; index++) {
    programs.push(await world.connectWebhook([{ botId, isEnabled: true }], {}, url));
  }
  const say = async (index: number, text: string): Promise<void> => {
    const contact = `c${index}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(contact, resolve);
    const program = programs[index % connections];
    if (program) await report(program, { id: newId(), contact: { id: contact }, message: { text } });
    await promise;
  };
  const rounds = Math.ceil(messages / contacts);
  const ends = [0.1, 0.5, 1].map((part) => Math.round(part * rounds));
  const figures: { readonly written: number; readonly objects: number; readonly megabytes: number }[] = [];
  let round = 0;
  for (const end of ends) {
    const begin = round;
    await Promise.all(
      Array.from({ length: contacts }, async (_, index) => {
        for (let at = begin; at < end; at++) await say(index, at === 0 ? "Hi" : String(at));
      }),
    );
    round = end;
    figures.push({ written: end * contacts, ...(await held()) });
  }
  process.stdout.write(`${figures.map((one) => JSON.stringify(one)).join("\n")}\n`);

  expect(wrong).toEqual([]);
  expect([...answered.values()]).toEqual(Array(contacts).fill(rounds));
  const [first, half, all] = figures;
  if (!first || !half || !all) throw new Error("Nothing was measured");
  expect(half.objects - first.objects).toBeLessThan(leftByEach * (half.written - first.written));
  expect(all.objects - half.objects).toBeLessThan(leftByEach * (all.written - half.written));
}

test.skipIf(messages === 0)("a node retains less than one object for every five messages", campaign);
