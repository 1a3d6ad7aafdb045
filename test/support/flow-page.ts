import { afterAll, beforeAll } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { createTestApi, type TestApi, type TestUser } from "./api.ts";
import { browserTests, emptyPage, longBrowserTests } from "./browser.ts";

/** The builder with a separate service, for tests that edit flows. */
export type FlowHost = {
  readonly api: TestApi;
  readonly origin: string;
  makeBot(owner: TestUser, workspaceId: string, flow?: object): Promise<string>;
  /** Returns the draft that the service has stored. */
  draft(owner: TestUser, botId: string): Promise<Draft>;
  call(user: TestUser, method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
};

type Thing = { readonly id: string; readonly [key: string]: unknown };
export type Draft = {
  readonly revision: number;
  readonly name: string;
  readonly groups: readonly (Thing & { readonly title: string; readonly blocks: readonly Thing[] })[];
  readonly edges: readonly Thing[];
  readonly variables: readonly (Thing & { readonly name: string })[];
  readonly events: readonly Thing[];
};

export async function openFlowHost(options: Parameters<typeof createTestApi>[0] = {}): Promise<FlowHost> {
  const api = await createTestApi(options);
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: api.openBuilder().handle });
  const { origin } = server.url;
  const call = async (user: TestUser, method: string, path: string, body?: unknown) => {
    const response = await fetch(origin + path, {
      method,
      headers: { Authorization: `Bearer ${user.token}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    api,
    origin,
    call,
    async makeBot(owner, workspaceId, flow = {}) {
      const { bot } = await call(owner, "POST", "/api/v1/bots", { workspaceId, bot: { name: "Leads", ...flow } });
      return bot.id;
    },
    draft: async (owner, botId) => (await call(owner, "GET", `/api/v1/bots/${botId}`)).bot,
    async close() {
      await server.stop(true);
      await api.close();
    },
  };
}

type Shown = { readonly at?: string; readonly shown?: "outline" | "canvas" };

/** Sets up tests of the flow screen: the builder with a separate service, the user Ada, and her workspace. */
export function flowTests(options: Parameters<typeof openFlowHost>[0] = {}) {
  let begun: { readonly host: FlowHost; readonly ada: TestUser; readonly workspaceId: string } | undefined;
  beforeAll(async () => {
    const host = await openFlowHost(options);
    const ada = await host.api.makeUser({ name: "Ada" });
    begun = { host, ada, workspaceId: await host.api.makeWorkspace(ada) };
  });
  afterAll(() => begun?.host.close());
  const now = () => {
    if (!begun) throw new Error("The tests have not begun");
    return begun;
  };
  return {
    inBrowser: browserTests(),
    inLongRun: longBrowserTests(),
    get host(): FlowHost {
      return now().host;
    },
    get ada(): TestUser {
      return now().ada;
    },
    get workspaceId(): string {
      return now().workspaceId;
    },
    /** Creates a bot of Ada with this flow, and opens it as Ada. */
    async open(context: BrowserContext, flow?: object, shown: Shown = {}): Promise<{ botId: string; page: Page }> {
      const { host, ada, workspaceId } = now();
      const botId = await host.makeBot(ada, workspaceId, flow);
      return { botId, page: await openFlow(context, host, { user: ada, botId, ...shown }) };
    },
    /** Creates another bot of Ada and opens it in the same page. */
    async openNext(page: Page, flow?: object): Promise<string> {
      const { host, ada, workspaceId } = now();
      const botId = await host.makeBot(ada, workspaceId, flow);
      await page.goto(`${host.origin}/app/bots/${botId}`);
      await page.locator(".outline-row").first().waitFor();
      return botId;
    },
    draft: (botId: string): Promise<Draft> => now().host.draft(now().ada, botId),
  };
}

/** Opens a bot's flow as this user, as outline or canvas, and waits until it is loaded. */
export async function openFlow(
  context: BrowserContext,
  { origin }: FlowHost,
  { user, botId, at, shown = "outline" }: { user: TestUser; botId: string; at?: string; shown?: "outline" | "canvas" },
): Promise<Page> {
  await context.setExtraHTTPHeaders({ Authorization: `Bearer ${user.token}` });
  const page = await emptyPage(context);
  // A sandboxed frame has no storage.
  await page.addInitScript((view) => {
    if (window.origin !== "null") localStorage.setItem("parley.flow-view", view);
  }, shown);
  await page.goto(`${origin}/app/bots/${botId}${at === undefined ? "" : `?at=${at}`}`);
  await page
    .locator(shown === "outline" ? ".outline-row" : ".canvas-tools")
    .first()
    .waitFor();
  await page.evaluate(() => {
    // Records the announcements for screen readers, in order.
    const told: string[] = [];
    Object.assign(window, { told });
    const listen = (element: Element) =>
      new MutationObserver(() => {
        const text = element.textContent?.trim();
        if (text) told.push(text);
      }).observe(element, { childList: true, subtree: true, characterData: true });
    for (const region of document.querySelectorAll("[aria-live]")) listen(region);
  });
  return page;
}

/** Returns the announcements for screen readers since the flow was opened. */
export function announcementsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const told: unknown = Reflect.get(window, "told");
    return Array.isArray(told) ? told.map(String) : [];
  });
}

export async function saved(page: Page): Promise<void> {
  await page.locator(".saving-state.is-saved").waitFor();
}
