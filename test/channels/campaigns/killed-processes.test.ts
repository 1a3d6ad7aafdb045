import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { cleanupStack, endService } from "../../support/service.ts";
import { connections, createNodeWorld, forEachContact, post, shownFor, waitForShown } from "./node-world.ts";

setDefaultTimeout(3_600_000);

const cleanups = cleanupStack();
afterAll(cleanups.run);

const contacts = sizeOf({ short: 0, long: 1_000, variable: "PARLEY_CHANNEL_KILLED_CONTACTS" });
const messages = 20;
const kills = 3;

async function campaign(): Promise<void> {
  const { database, nodes, lines, botId, startNode } = await createNodeWorld(cleanups);
  const texts = Array.from({ length: messages }, (_, index) => String(index));
  const expected = shownFor(texts);
  const total = contacts * expected.length;
  const shown = () => lines.reduce((sum, { service }) => sum + service.shown.length, 0);
  const write = async (index: number): Promise<void> => {
    const line = lines[index % connections];
    if (!line) return;
    for (const text of ["Hi", ...texts]) {
      const message = { id: newId(), contact: { id: `c${index}` }, message: { text } };
      const repeats = Number(text) % 3 === 1 ? [post(nodes, line, message)] : [];
      await Promise.all([post(nodes, line, message), ...repeats]);
    }
  };
  const killed = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      await waitForShown(shown, Math.ceil((total * kill) / (kills + 2)));
      const at = kill % nodes.length;
      nodes[at]?.signal("SIGKILL");
      nodes[at] = await startNode();
    }
  })();
  // Each contact waits only for the response to its call, not for the bot's answers.
  await forEachContact(contacts, write);
  await waitForShown(shown, total);
  await killed;

  const wrong = Array.from({ length: contacts }, (_, index) => index).filter((index) => {
    const said = lines[index % connections]?.service.shownTo(`c${index}`);
    return JSON.stringify(said) !== JSON.stringify(expected);
  });
  expect(wrong).toEqual([]);
  const [steps] = await database.sql<[{ count: number }]>`
    select count(*)::integer as count from steps where bot_id = ${botId}`;
  expect(steps.count).toBe(contacts * (messages + 1));
  // At most one message of a contact is in progress when a process dies.
  const repeated = lines.flatMap(({ service }) =>
    service.repeated.map((id) => service.shown.find((one) => one.id === id)?.chat),
  );
  const most = Math.max(
    0,
    ...Map.groupBy(repeated, (chat) => chat)
      .values()
      .map((all) => all.length),
  );
  expect(most).toBeLessThanOrEqual(kills);
  for (const node of nodes) await endService(node);
}

test.skipIf(contacts === 0)(
  "each message is processed in one step and answered in order, even if processes are killed",
  campaign,
);
