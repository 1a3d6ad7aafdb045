import { signatureHeaders } from "../../../src/core/channels/webhook/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type FakeWebhook, newSecret, startFakeWebhook } from "../../fake-channels/webhook.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { valueAt } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { commandOf } from "../../support/programs.ts";
import { type cleanupStack, type Service, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

/** A webhook connection, and the fake program behind the connection. */
export type Line = { readonly id: string; readonly secret: string; readonly service: FakeWebhook };

/** Three nodes of two processes each, and the connections that contacts write to. */
export type NodeWorld = {
  readonly database: TestDatabase;
  readonly nodes: Service[];
  readonly lines: readonly Line[];
  readonly botId: string;
  startNode(): Promise<Service>;
};

/** Several connections, because the service sends at most fifty messages a second on each. */
export const connections = 10;
const admin = "the administrator of nodes that contacts write to";
const picture = { id: idOf("picture"), type: "image", content: { url: "https://example.com/a.png" } };

/** A flow that repeats each text after a picture. */
const echo = flowOf([
  says("Go"),
  asks("text input", { variableId: idOf("Name") }),
  picture,
  says("{{Name}}"),
  { id: idOf("again"), type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("asks text input") } },
]);

/** Returns the messages that a contact is shown after sending these texts in this order. */
export function shownFor(texts: readonly string[]): string[] {
  return ["Go", ...texts.flatMap((text) => [picture.content.url, text])];
}

export async function createNodeWorld(cleanups: ReturnType<typeof cleanupStack>): Promise<NodeWorld> {
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
  const first = await startNode();
  const nodes = [first, await startNode(), await startNode()];
  const workspaceId = valueAt(await call(first, "/api/v1/workspaces", { name: "Nodes" }), "workspace.id");
  const settings = { messenger: { isEnabled: true }, typingEmulation: { enabled: false } };
  const made = await call(first, "/api/v1/bots", { workspaceId, bot: { ...echo, name: "Echo", settings } });
  const botId = String(valueAt(made, "bot.id"));
  await call(first, `/api/v1/bots/${botId}/publish`, {});
  const lines: Line[] = [];
  for (let index = 0; index < connections; index++) {
    const service = await startFakeWebhook({ secret: newSecret() });
    cleanups.add(() => service.close());
    const connected = await call(first, `/api/v1/workspaces/${workspaceId}/channel-connections`, {
      ...{ channel: "webhook", name: `Line ${index}`, secrets: {}, bots: [{ botId, isEnabled: true }] },
      settings: { url: "https://example.com/bot" },
    });
    const id = String(valueAt(connected, "channelConnection.id"));
    service.secret = String(valueAt(connected, "madeSecrets.secret"));
    // The API rejects connections to a loopback address, so the test writes the URL to the database.
    await database.sql`
      update channel_connections set settings = ${JSON.stringify({ url: service.url })}::text::json where id = ${id}`;
    lines.push({ id, secret: service.secret, service });
  }
  return { database, nodes, lines, botId, startNode };
}

async function call({ url }: Service, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    ...{ method: "POST", body: JSON.stringify(body) },
    headers: { Authorization: `Bearer ${admin}`, "Content-Type": "application/json" },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Posts a message to a random node, and retries until a node has accepted the message, as a provider does. */
export async function post(nodes: readonly Service[], { id, secret }: Line, message: object): Promise<void> {
  const body = JSON.stringify(message);
  await waitFor(
    async () => {
      const node = nodes[Math.floor(Math.random() * nodes.length)];
      const headers = signatureHeaders({ id: newId(), seconds: Math.floor(Date.now() / 1_000), body }, [secret]);
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

/** Calls `write` once for each contact, with at most fifty calls in parallel. */
export async function forEachContact(count: number, write: (index: number) => Promise<void>): Promise<void> {
  const left = Array.from({ length: count }, (_, index) => index);
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) await write(index);
    }),
  );
}

/**
 * Waits until this number of messages is shown. Fails after five minutes without a further message, so that the limit
 * does not depend on the speed of the machine.
 */
export async function waitForShown(shown: () => number, least: number): Promise<void> {
  for (let seen = shown(); seen < least; seen = shown()) {
    const what = () => `message ${seen + 1} of ${least}`;
    await waitFor(() => shown() > seen, { withinMs: 300_000, what });
  }
}
