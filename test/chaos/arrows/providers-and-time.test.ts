import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startFakeChatNode } from "../../fake-providers/chat-node.ts";
import { startFakeDify } from "../../fake-providers/dify.ts";
import { startFakeElevenlabs } from "../../fake-providers/elevenlabs.ts";
import { ownClient, person, serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import type { Asked, FakeProvider } from "../../fake-providers/kit.ts";
import { type FakeNocodb, startFakeNocodb } from "../../fake-providers/nocodb.ts";
import { type FakePosthog, startFakePosthog } from "../../fake-providers/posthog.ts";
import { type FakeSegment, startFakeSegment } from "../../fake-providers/segment.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import type { Client } from "../../support/client.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ArrowWorld, createArrowWorld, insist, lost } from "./arrow-world.ts";
import { type Arrow, arrows, type Block, blockNames, named } from "./provider-arrows.ts";

setDefaultTimeout(90_000);

const changing = arrows.filter(({ blocks }) => blocks.includes("update"));

const personal = { ...person, clientId: ownClient.id, clientSecret: ownClient.secret };

let fakes: {
  readonly [name in "elevenlabs" | "dify" | "chatNode"]: FakeProvider;
} & {
  readonly google: FakeGoogle;
  readonly nocodb: FakeNocodb;
  readonly segment: FakeSegment;
  readonly posthog: FakePosthog;
};
let world: ArrowWorld;
let spreadsheetId: string;
/**
 * The spreadsheet that chats change. It has one row for each chat that changes a row, and one row that no chat changes.
 */
let changedId: string;
const accounts = new Map<string, string>();

beforeAll(async () => {
  const [nocodb, elevenlabs, dify, chatNode, segment, posthog] = await Promise.all([
    ...([
      startFakeNocodb(),
      startFakeElevenlabs(),
      startFakeDify(),
      startFakeChatNode(),
      startFakeSegment(),
      startFakePosthog(),
    ] as const),
  ]);
  fakes = { nocodb, elevenlabs, dify, chatNode, segment, posthog, google: await startFakeGoogle() };
  const holds = arrows.flatMap(({ hold, ticket }) =>
    hold.endsWith("save") ? [[ticket.slice(0, -1), hold] as const] : [],
  );
  world = await createArrowWorld({ fakes: Object.values(fakes), holds: Object.fromEntries(holds) });
  for (const type of ["nocodb", "elevenlabs", "dify-ai", "chat-node", "segment", "posthog"]) {
    accounts.set(type, await world.makeCredentials(type, { apiKey: "any-key" }));
  }
  accounts.set("gmail", await world.makeCredentials("gmail", personal));
  accounts.set("Google Sheets", await world.makeCredentials("google sheets", serviceAccount));
  spreadsheetId = fakes.google.sheets.make({
    rows: [["Name"]],
    sharedWith: [serviceAccount.clientEmail, person.account],
  });
  changedId = fakes.google.sheets.make({
    rows: [["Name", "State"], ["Nobody", "new"], ...changing.map(({ ticket }) => [ticket, "new"])],
    sharedWith: [serviceAccount.clientEmail],
  });
});
afterAll(async () => {
  await world.close();
  await Promise.all(Object.values(fakes).map((fake) => fake.close()));
});

const fakeOf = (block: Block): FakeProvider => {
  if (block === "gmail" || block === "gmailNow" || block === "sheet" || block === "update") return fakes.google;
  return fakes[block];
};

function isOf(block: Block, ticket: string): (asked: Asked) => boolean {
  return ({ method, text, path, json }) => {
    if (method !== "POST") return false;
    if (block === "gmail" || block === "gmailNow") {
      return (
        path.endsWith("/messages/send") &&
        Buffer.from(String(json["raw"] ?? ""), "base64url")
          .toString()
          .includes(ticket)
      );
    }
    if (block === "update") return text.includes(ticket) && path.endsWith(":batchUpdate");
    return text.includes(ticket) && (block !== "sheet" || path.endsWith(":append"));
  };
}

async function botOf({
  by,
  blocks,
  hold,
  name,
}: Pick<Chat, "by" | "blocks" | "hold" | "name">): Promise<{ botId: string; publicId: string }> {
  // A chat that is paused at a request for a token needs a separate account, so that no other chat fetches its token.
  const own = hold.startsWith("token");
  const acting = await Promise.all(
    blocks.map(async (block, index) => {
      const { type, options } = named[block];
      const kind = type === "Google Sheets" ? "google sheets" : type;
      const credentialsId = own
        ? await world.makeCredentials(kind, { ...personal, account: `${name}@example.com` })
        : accounts.get(type);
      return {
        id: idOf(`acts ${index}`),
        type,
        options: {
          credentialsId,
          ...(block === "sheet" && { spreadsheetId }),
          ...(block === "update" && { spreadsheetId: changedId }),
          ...options,
        },
      };
    }),
  );
  const after = [...acting, says("{{Name}} is done"), asks("url input")];
  const asksName = asks("text input", { variableId: idOf("Name") });
  const address = {
    id: idOf("address"),
    type: "Set variable",
    options: { variableId: idOf("Email"), type: "Callback address", blockId: "listen" },
  };
  const listen = { id: "listen", type: "webhook", options: {} };
  switch (by) {
    case "reply":
      return world.publish(flowOf([asksName, ...after]));
    case "time-out":
      return world.publish(
        flowOf([asksName, asks("email input", { timeout: { after: 40, outgoingEdgeId: idOf("e1") } })], after),
      );
    case "wait":
      return world.publish(
        flowOf([
          asksName,
          { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "40", shouldPause: true } },
          ...after,
        ]),
      );
    case "call":
      return world.publish(flowOf([asksName, address, says("Call {{Email}}"), listen, ...after]));
    case "early call":
      return world.publish(flowOf([asksName, address, says("Call {{Email}}"), asks("number input"), listen, ...after]));
  }
}

type Chat = Arrow & {
  readonly sessionId: string;
  readonly resultId: string;
  readonly botId: string;
  path: string;
};

const key = ({ ticket }: Chat) => ({ headers: { "Idempotency-Key": `name-of-${ticket}` } });
const call = (client: Client, { path, ticket }: Chat) =>
  client.post(path, { body: { order: "A-17" }, headers: { "webhook-id": `call-${ticket}` } });

/** Advances the chat until its next step is the one in which the node dies. */
async function lead(client: Client, chat: Chat): Promise<void> {
  if (chat.by === "reply") return;
  const said = await say(client, chat.sessionId, chat.ticket, key(chat));
  const [, path = ""] =
    /Call \S+(\/api\/v1\/callbacks\/\S+)/.exec(String(said.at("messages.0.content.plainText"))) ?? [];
  chat.path = path;
}

async function act(client: Client, chat: Chat): Promise<unknown> {
  switch (chat.by) {
    case "reply":
      return lost(say(client, chat.sessionId, chat.ticket, key(chat)));
    case "call":
      return lost(call(client, chat));
    case "early call":
      expect((await call(client, chat)).at("isWaiting")).toBe(true);
      return say(client, chat.sessionId, "1");
    default:
      return undefined;
  }
}

async function askAgain(client: Client, chat: Chat): Promise<void> {
  if (chat.by === "reply")
    await insist(client, { sessionId: chat.sessionId, message: chat.ticket, key: `name-of-${chat.ticket}` });
  if (chat.by !== "call") return;
  await waitFor(async () => {
    const { status } = await call(client, chat);
    expect([200, 409, 503]).toContain(status);
    return status === 200;
  });
}

test("a step interrupted by the death of its node is saved once", async () => {
  const { dying } = world;
  const chats = await Promise.all(
    arrows.map(async (arrow): Promise<Chat> => {
      const { botId, publicId } = await botOf(arrow);
      const started = await start(dying.client, publicId);
      return { ...arrow, botId, sessionId: started.text("sessionId"), resultId: started.text("resultId"), path: "" };
    }),
  );
  for (const chat of chats) await lead(dying.client, chat);
  // The tokens of the shared accounts must exist before other chats are paused at their request for a token.
  const warm = await botOf({ name: "", by: "reply", blocks: ["gmailNow", "sheet"], hold: "gmail asked" });
  await say(dying.client, (await start(dying.client, warm.publicId)).text("sessionId"), "Warm");
  const stops: (() => void)[] = [];
  const held = chats.map((chat) => {
    const { hold, ticket, name } = chat;
    if (hold === "before the save" || hold === "after the save") {
      return { name, isHeld: () => dying.isHeld(ticket.slice(0, -1)) };
    }
    const of = blockNames.find((block) => hold === `${block} asked` || hold === `${block} made`);
    let isHeld = false;
    const isOurs = of === undefined ? ({ path }: Asked) => path === "/token" : isOf(of, ticket);
    const keeps = (asked: Asked): boolean => {
      // A request for a token names no chat. The first request is paused at this arrow, and the second at the next
      // arrow.
      if (!isOurs(asked) || (of === undefined && isHeld)) return false;
      isHeld = true;
      return true;
    };
    const fake = of === undefined ? fakes.google : fakeOf(of);
    if (hold.endsWith("made")) fake.fail("hang", { of: keeps, times: 10, isDone: true });
    else stops.push(fake.onAsked((asked) => (keeps(asked) ? Promise.withResolvers().promise : undefined)));
    return { name, isHeld: () => isHeld };
  });
  const asking = chats.map((chat) => act(dying.client, chat));
  await moveClock(world.sql, 60);
  for (const { name, isHeld } of held) await waitFor(isHeld, { withinMs: 20_000, what: name });
  const { client } = await world.succeed({ seconds: 60 });
  for (const stop of stops) stop();
  for (const fake of Object.values(fakes)) fake.recover();
  await Promise.all(asking);

  await Promise.all(chats.map((chat) => askAgain(client, chat)));
  const outcomeOf = async (chat: Chat) => {
    const { name, ticket, done, sessionId } = chat;
    const count = (block: Block): number => doneBy(block, ticket);
    const blocks = chat.blocks;
    const texts = async () => {
      const session = await client.get(`/api/v1/sessions/${sessionId}`);
      return [session.at("session.steps.*.messages.*.content.plainText")]
        .flat(3)
        .filter((text) => /is done$/.test(String(text)));
    };
    // A chat that never continues fails below, in the comparison of all chats.
    await waitFor(
      async () => (await texts()).length > 0 && blocks.every((block) => count(block) >= (done[block] ?? 0)),
      { withinMs: 25_000 },
    ).catch(() => {});
    return { name, texts: await texts(), done: Object.fromEntries(blocks.map((block) => [block, count(block)])) };
  };
  expect(await Promise.all(chats.map(outcomeOf))).toEqual(
    chats.map(({ name, ticket, done }) => ({ name, texts: [`${ticket} is done`], done })),
  );
  expect(fakes.google.sheets.rowsOf(changedId)).toEqual([
    ["Name", "State"],
    ["Nobody", "new"],
    ...changing.map(({ ticket }) => [ticket, `${ticket} came`]),
  ]);
});

/**
 * Returns how often a provider did the work of a block of this chat. For providers that store nothing, returns the
 * number of requests.
 */
function doneBy(block: Block, ticket: string): number {
  const includes = (value: unknown) => JSON.stringify(value).includes(ticket);
  switch (block) {
    case "sheet":
      return fakes.google.sheets.rowsOf(spreadsheetId).filter(includes).length;
    case "gmail":
    case "gmailNow":
      return fakes.google.mailbox.mails.filter(({ source }) => source.includes(ticket)).length;
    case "nocodb":
      return fakes.nocodb.tables.get("table")?.filter(includes).length ?? 0;
    case "segment":
    case "posthog":
      return fakes[block].events.filter(includes).length;
    default:
      return fakeOf(block).asked.filter(isOf(block, ticket)).length;
  }
}
