import type { BrowserContext } from "playwright-core";
import { type ChatHost, openChatHost } from "./chat-host.ts";
import { putSignIn } from "./sign-ins.ts";

/** The service with the builder on a separate port, for browsers to visit. */
export type AppHost = ChatHost & {
  readonly builder: string;
  /** Signs a browser in as the owner of the bots. */
  signIn(context: BrowserContext): Promise<void>;
};

export async function openAppHost(options: Parameters<typeof openChatHost>[0] = {}): Promise<AppHost> {
  const host = await openChatHost(options);
  const { api, owner } = host;
  const app = api.openBuilder();
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: app.handle });
  api.deps.ports.main = Number(new URL(host.origin).port);
  api.deps.ports.app = Number(server.url.port);
  return {
    ...host,
    builder: `${server.url.origin}/app`,
    async signIn(context) {
      const { secret } = await putSignIn(api.deps.sql, owner.userId);
      await context.addCookies([{ name: "parley", value: secret, url: server.url.origin, httpOnly: true }]);
    },
    async close() {
      await server.stop(true);
      await host.close();
    },
  };
}
