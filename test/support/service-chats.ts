import { type FakeProvider, providerUrls } from "../fake-providers/kit.ts";
import { createTestApi, type TestApi, type TestUser } from "./api.ts";
import { idOf } from "./builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "./chat.ts";
import { testKey } from "./events.ts";
import { withVariables } from "./model-chats.ts";
import { createThreads } from "./threads.ts";

/** A key that must never appear in any output. */
export const plantedServiceKey = "planted-key-of-a-service-7c1e";

export type Talked = {
  /** The bubbles after the block, or after the edge for failures. */
  readonly texts: unknown;
  /** The log entries with status, message and details. */
  readonly logs: readonly { readonly status: string; readonly description: string; readonly details: string }[];
  /** All readable output of the chat. */
  readonly everything: string;
};

export type ServiceChats = {
  readonly api: TestApi;
  readonly token: string;
  readonly owner: TestUser;
  /** Creates credentials, by default in the workspace of the bots. */
  makeCredentials(type: string, data?: object, workspaceId?: string): Promise<string>;
  /** Sends “Ana” to a bot that has this block after its question, and an edge for failures. */
  talk(block: { readonly type: string; readonly options: object }): Promise<Talked>;
  close(): Promise<void>;
};

/** Creates a service that calls these fakes instead of the providers. */
export async function createServiceChats(fakes: readonly FakeProvider[]): Promise<ServiceChats> {
  const threads = createThreads({ count: 1 });
  const api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls(fakes), RATE_LIMITS: "off" },
  });
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const { token } = owner;
  return {
    ...{ api, token, owner },
    async makeCredentials(type, data = { apiKey: plantedServiceKey }, place = workspaceId) {
      const body = { type, name: "Ours", data };
      const made = await api.client.post(`/api/v1/workspaces/${place}/credentials`, { token, body });
      return made.text("credentials.id");
    },
    async talk({ type, options }) {
      const block = { id: "called", type, options: { failure: { outgoingEdgeId: "failed" }, ...options } };
      const flow = withVariables(
        flowOf([asks("text input", { variableId: idOf("Name") }), block, says("Went on: {{Email}}")]),
      );
      const sorry = { id: "sorry", title: "Sorry", blocks: [{ ...says("Failed: {{Email}}"), id: "sorry-says" }] };
      const led = { id: "failed", from: { blockId: "called" }, to: { groupId: "sorry" } };
      const bot = await publish(
        api.client,
        { token, workspaceId },
        { ...flow, groups: [...flow.groups, sorry], edges: [...flow.edges, led] },
      );
      const started = await start(api.client, bot.publicId);
      const answer = await say(api.client, started.text("sessionId"), "Ana");
      const path = `/api/v1/bots/${bot.botId}/results/${started.text("resultId")}/logs`;
      const logs = await api.client.get(path, { token });
      const entries = logs.list("logs").map((entry) => Object(entry));
      return {
        texts: answer.at("messages.*.content.plainText"),
        logs: entries.map(({ status, description, details }) => ({ status, description, details: details ?? "" })),
        everything: JSON.stringify([answer.body, logs.body]),
      };
    },
    async close() {
      await threads.close();
      await api.close();
    },
  };
}
