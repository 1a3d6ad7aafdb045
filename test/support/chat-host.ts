import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestApiOptions, type TestUser } from "./api.ts";
import { publish } from "./chat.ts";
import { createThreads } from "./threads.ts";

/** The whole service on a port of the loopback address, for browsers to visit. */
export type ChatHost = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly workspaceId: string;
  readonly origin: string;
  /** Publishes a flow as a new bot, by default without typing delays. `changes` are applied to the draft afterwards. */
  publish(flow: object, changes?: object): Promise<PublishedBot>;
  /** Returns the contents of the answers, in one list for each result. */
  answersOf(bot: PublishedBot): Promise<unknown>;
  /** Closes all connections and stops listening. */
  goDown(): Promise<void>;
  /** Listens again at the same address, like another process with the same database. */
  comeBack(): void;
  close(): Promise<void>;
};

export type PublishedBot = { readonly botId: string; readonly publicId: string; readonly address: string };

export async function openChatHost(options: Omit<TestApiOptions, "threads"> = {}): Promise<ChatHost> {
  const threads = createThreads({ count: 1 });
  const api = await createTestApi({ ...options, threads });
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const listen = (port: number, handle: TestApi["handle"]) =>
    Bun.serve({ hostname: "127.0.0.1", port, idleTimeout: 255, fetch: handle });
  let server = listen(0, api.handle);
  const { origin, port } = server.url;
  return {
    api,
    owner,
    workspaceId,
    origin,
    async publish(flow, changes) {
      const { botId, publicId } = await publish(
        api.client,
        { token: owner.token, workspaceId },
        { settings: atOnce, ...flow },
      );
      if (changes) await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: changes } });
      return { botId, publicId, address: `${origin}/${publicId}` };
    },
    async answersOf({ botId }) {
      const answer = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });
      return answer.at("results.*.answers.*.content");
    },
    goDown: () => server.stop(true),
    comeBack() {
      const { config, log, sql } = api.deps;
      const app = createApp(createDependencies({ config, log, sql, threads }));
      server = listen(Number(port), (request) => app.handle(request));
    },
    async close() {
      await server.stop(true);
      await threads.close();
      await api.close();
    },
  };
}

const atOnce = { typingEmulation: { enabled: false } };
