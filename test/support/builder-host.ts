import type { BrowserContext } from "playwright-core";
import { createTestApi, type TestApi, type TestApiOptions } from "./api.ts";
import { putSignIn } from "./sign-ins.ts";

/** The builder on a port of the loopback address, for browsers to visit. */
export type BuilderHost = {
  readonly api: TestApi;
  readonly origin: string;
  /** Signs a user in to a browser, as a sign-in link does. */
  signIn(context: BrowserContext, userId: string): Promise<void>;
  close(): Promise<void>;
};

export async function openBuilderHost(options: TestApiOptions = {}): Promise<BuilderHost> {
  const api = await createTestApi(options);
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: api.openBuilder().handle });
  const { origin } = server.url;
  return {
    api,
    origin,
    async signIn(context, userId) {
      const { secret } = await putSignIn(api.deps.sql, userId);
      await context.addCookies([{ name: "parley", value: secret, url: origin, httpOnly: true, sameSite: "Strict" }]);
    },
    async close() {
      await server.stop(true);
      await api.close();
    },
  };
}
