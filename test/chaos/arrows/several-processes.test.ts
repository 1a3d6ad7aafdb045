import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { servingPids } from "../../platform/processes/children.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import type { Client } from "../../support/client.ts";
import { longTest } from "../../support/long-test.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ArrowWorld, createArrowWorld, lost } from "./arrow-world.ts";

setDefaultTimeout(120_000);

/** The cause of the step in which the node dies, and the point of its death. */
type Arrow = {
  readonly by: "time-out" | "call" | "early call";
  readonly hold: "before the save" | "after the save";
};

const arrows = (["time-out", "call", "early call"] as const)
  .flatMap((by): Arrow[] => [
    { by, hold: "before the save" },
    { by, hold: "after the save" },
  ])
  .map((arrow, index) => ({ ...arrow, ticket: `ticket-${index + 1}` }));

let world: ArrowWorld;
if (isLong)
  beforeAll(async () => {
    const holds = Object.fromEntries(arrows.map(({ ticket, hold }) => [ticket, hold]));
    world = await createArrowWorld({ fakes: [], holds, settings: { PROCESSES: "2" } });
  });
if (isLong) afterAll(() => world.close());

type Chat = (typeof arrows)[number] & { readonly sessionId: string; readonly path: string };

/**
 * Returns a flow whose chats continue by a timeout or by a call. The fault point pauses the first step that contains
 * the ticket, which is the step after the timeout or the call.
 */
function flowFor(by: Arrow["by"]) {
  const asksName = asks("text input", { variableId: idOf("Name") });
  const address = {
    id: idOf("address"),
    type: "Set variable",
    options: { variableId: idOf("Email"), type: "Callback address", blockId: "listen" },
  };
  const listen = { id: "listen", type: "webhook", options: {} };
  const after = [says("{{Name}} went on"), asks("url input")];
  if (by === "time-out")
    return flowOf([asksName, asks("email input", { timeout: { after: 40, outgoingEdgeId: idOf("e1") } })], after);
  const between = by === "early call" ? [asks("number input")] : [];
  return flowOf([asksName, address, says("Call {{Email}}"), ...between, listen, ...after]);
}

const call = (client: Client, { path, ticket }: Chat) =>
  client.post(path, { body: { order: "A-17" }, headers: { "webhook-id": `call-${ticket}` } });

longTest("a time-out or call is processed once even if nodes die during the processing", async () => {
  const { dying, sql } = world;
  const chats = await Promise.all(
    arrows.map(async (arrow): Promise<Chat> => {
      const { publicId } = await world.publish(flowFor(arrow.by));
      const sessionId = (await start(dying.client, publicId)).text("sessionId");
      const said = await say(dying.client, sessionId, arrow.ticket);
      const [, path = ""] =
        /Call \S+(\/api\/v1\/callbacks\/\S+)/.exec(String(said.at("messages.0.content.plainText"))) ?? [];
      return { ...arrow, sessionId, path };
    }),
  );
  const begin = async (chat: Chat): Promise<unknown> => {
    if (chat.by === "time-out") return undefined;
    if (chat.by === "call") return lost(call(dying.client, chat));
    expect((await call(dying.client, chat)).at("isWaiting")).toBe(true);
    return say(dying.client, chat.sessionId, "1");
  };
  const asking = chats.map(begin);
  await moveClock(sql, 60);
  for (const { ticket, by } of chats) await waitFor(() => dying.isHeld(ticket), { withinMs: 30_000, what: by });
  const serving = servingPids(dying);
  expect(serving).toHaveLength(2);
  for (const { ticket, by } of chats)
    expect([by, serving]).toEqual([by, expect.arrayContaining([dying.heldBy(ticket)])]);

  const { client } = await world.succeed({ seconds: 60 });
  await Promise.all(asking);
  for (const chat of chats) {
    if (chat.by !== "call") continue;
    await waitFor(async () => (await call(client, chat)).status === 200);
  }
  const wentOn = async ({ sessionId }: Chat) => {
    const session = await client.get(`/api/v1/sessions/${sessionId}`);
    return [session.at("session.steps.*.messages.*.content.plainText")]
      .flat(3)
      .filter((text) => /went on$/.test(String(text)));
  };
  // A chat that never continues fails below, in the comparison of all chats.
  for (const chat of chats) await waitFor(async () => (await wentOn(chat)).length > 0).catch(() => {});
  await waitFor(async () => (await sql`select from due_steps`).length === 0);
  expect(await Promise.all(chats.map(async (chat) => [chat.by, chat.hold, await wentOn(chat)]))).toEqual(
    chats.map(({ by, hold, ticket }) => [by, hold, [`${ticket} went on`]]),
  );
});
