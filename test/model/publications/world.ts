import { join } from "node:path";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { type Client, createClient } from "../../support/client.ts";
import { testKey } from "../../support/events.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { createThreads } from "../../support/threads.ts";
import { createReleases } from "./releases.ts";

/** A write that the service has accepted, from any sender. */
export type Write = { readonly method: string; readonly path: string; readonly body: unknown };

/** A service in this process, with an address for the command line. */
export type World = {
  readonly api: TestApi;
  /** The administrator of the instance. */
  readonly operator: TestUser;
  readonly client: Client;
  readonly url: string;
  /** Answers a request, and records an accepted write. */
  handle(request: Request): Promise<Response>;
  /** Sets the callback for accepted writes. It replaces the previous callback. */
  onWrite(noted: (write: Write) => void): void;
  readonly releases: ReturnType<typeof createReleases>;
  newFolder(): string;
  close(): Promise<void>;
};

export async function createWorld(): Promise<World> {
  const folder = temporaryFolder();
  const threads = createThreads({ count: 1 });
  const api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" } });
  let noted = (_: Write): void => {};
  let folders = 0;
  const handle = async (request: Request): Promise<Response> => {
    if (request.method === "GET") return api.handle(request);
    const text = await request.clone().text();
    const response = await api.handle(request);
    const isReplayed = response.headers.has("idempotency-replayed");
    const { pathname } = new URL(request.url);
    if (response.ok && !isReplayed) noted({ method: request.method, path: pathname, body: text && JSON.parse(text) });
    return response;
  };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: handle });
  return {
    ...{ api, handle, releases: createReleases() },
    operator: await api.makeUser({ scope: "admin" }),
    client: createClient({ handle }),
    url: `http://127.0.0.1:${server.port}`,
    onWrite(next) {
      noted = next;
    },
    newFolder: () => join(folder.path, `checkout-${++folders}`),
    async close() {
      await server.stop(true);
      await threads.close();
      await api.close();
      folder.remove();
    },
  };
}
