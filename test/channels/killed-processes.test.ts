import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { signatureHeaders } from "../../src/core/channels/webhook/index.ts";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, newSecret, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { sizeOf } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { valueAt } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

// Contacts who write to nodes that are processes of their own, of which one dies by SIGKILL again and again.

setDefaultTimeout(3_600_000);

const cleanups = cleanupStack();
afterAll(cleanups.run);

const contacts = sizeOf({ short: 0, long: 1_000, variable: "PARLEY_CHANNEL_KILLED_CONTACTS" });
const messages = 20;
/** A provider takes fifty messages a second of each. */
const connections = 10;
const kills = 3;
const admin = "the administrator of killed processes";

type Line = { readonly id: string; readonly secret: string; readonly service: FakeWebhook };

const picture = { id: idOf("picture"), type: "image", content: { url: "https://example.com/a.png" } };
/** Says each text again, with a picture before it. */
const echo = flowOf([
  says("Go"),
  asks("text input", { variableId: idOf("Name") }),
  picture,
  says("{{Name}}"),
  { id: idOf("again"), type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("asks text input") } },
]);

async function call({ url }: Service, method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    ...{ method, body: JSON.stringify(body) },
    headers: { Authorization: `Bearer ${admin}`, "Content-Type": "application/json" },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function post(nodes: readonly Service[], { id, secret }: Line, message: object): Promise<void> {
  const body = JSON.stringify(message);
  await waitFor(
    async () => {
      const node = nodes[Math.floor(Math.random() * nodes.length)];
      const headers = signatureHeaders({ id: newId(), seconds: Math.floor(Date.now() / 1_000), body }, [secret]);
      // As a provider, which comes again until its call is answered.
      const answer = await fetch(`${node?.url}/api/v1/channels/${id}/webhook`, {
        ...{ method: "POST", body },
        headers: { "Content-Type": "application/json", ...Object.fromEntries(headers) },
      }).catch(() => undefined);
      if (answer && ![200, 429, 503].includes(answer.status)) throw new Error(`A call was answered ${answer.status}`);
      return answer?.status === 200;
    },
    { withinMs: 120_000, what: "a call of a messenger to be taken" },
  );
}

async function campaign(): Promise<void> {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const startNode = async (): Promise<Service> => {
    const node = await startService({
      command: commandOf("test/support/held-service.ts"),
      environment: {
        ...{ DATABASE_URL: database.url, DATABASE_POOL: "6", DATA_DIR: cleanups.folder(), WORKER_THREADS: "1" },
        ...{ PROCESSES: "2", RATE_LIMITS: "off", ADMIN_TOKEN: admin, ENCRYPTION_KEY: "k".repeat(40) },
        ...{ LOG_LEVEL: "warn", CHAT_URL: "https://chat.example.com" },
      },
    });
    cleanups.add(() => node.signal("SIGKILL"));
    return node;
  };
  const nodes = [await startNode(), await startNode(), await startNode()];
  const [first] = nodes;
  if (!first) return;
  const workspaceId = valueAt(await call(first, "POST", "/api/v1/workspaces", { name: "Killed" }), "workspace.id");
  const settings = { messenger: { isEnabled: true }, typingEmulation: { enabled: false } };
  const bot = { ...echo, name: "Echo", settings };
  const botId = valueAt(await call(first, "POST", "/api/v1/bots", { workspaceId, bot }), "bot.id");
  await call(first, "POST", `/api/v1/bots/${botId}/publish`, {});
  const lines: Line[] = [];
  for (let index = 0; index < connections; index++) {
    const service = await startFakeWebhook({ secret: newSecret() });
    cleanups.add(() => service.close());
    const made = await call(first, "POST", `/api/v1/workspaces/${workspaceId}/channel-connections`, {
      ...{ channel: "webhook", name: `Line ${index}`, secrets: {}, bots: [{ botId, isEnabled: true }] },
      settings: { url: "https://example.com/bot" },
    });
    const id = String(valueAt(made, "channelConnection.id"));
    service.secret = String(valueAt(made, "madeSecrets.secret"));
    // A connection may not name this machine.
    await database.sql`
      update channel_connections set settings = ${JSON.stringify({ url: service.url })}::text::json where id = ${id}`;
    lines.push({ id, secret: service.secret, service });
  }

  const texts = Array.from({ length: messages }, (_, index) => String(index));
  const expected = ["Go", ...texts.flatMap((text) => [picture.content.url, text])];
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
      await waitFor(() => shown() > (total * kill) / (kills + 2), { withinMs: 1_800_000, what: "messages to be sent" });
      const at = kill % nodes.length;
      nodes[at]?.signal("SIGKILL");
      nodes[at] = await startNode();
    }
  })();
  // Fifty at once: each waits for its call alone, not for its answers.
  const left = Array.from({ length: contacts }, (_, index) => index);
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) await write(index);
    }),
  );
  await waitFor(() => shown() >= total, { withinMs: 1_800_000, what: () => `${total} messages, not ${shown()}` });
  await killed;

  const wrong = Array.from({ length: contacts }, (_, index) => index).filter((index) => {
    const said = lines[index % connections]?.service.shownTo(`c${index}`);
    return JSON.stringify(said) !== JSON.stringify(expected);
  });
  expect(wrong).toEqual([]);
  const [steps] = await database.sql<[{ count: number }]>`
    select count(*)::integer as count from steps where bot_id = ${String(botId)}`;
  expect(steps.count).toBe(contacts * (messages + 1));
  // At most one message of a contact is under way when a process dies.
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
  "contacts write to three nodes of two processes, of which some die: each message is one step, and each answer is shown in order",
  campaign,
);
