import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import type { Config } from "../../src/config.ts";
import { findSandboxedBots } from "../../src/management/bots/sandboxed-bots.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openLive } from "../support/live-page.ts";
import { putSignIn } from "../support/sign-ins.ts";

// Tests chat pages whose flow contains code while a user is signed in to the builder in the same browser. The builder
// is on a separate port, on another host, or, by the operator's choice, on the same origin.

let host: ChatHost;
const inBrowser = browserTests();
const cleanups: (() => Promise<void>)[] = [];
beforeAll(async () => {
  host = await openChatHost();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(() => host.close());

type Origins = { readonly chats: string; readonly builder: string };

/** Starts the service with the settings, which may depend on its port. */
async function serve(settingsAt: (port: number) => Partial<Config>): Promise<Origins> {
  const { config, log, sql, threads } = host.api.deps;
  const held = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = held.port ?? 0;
  await held.stop(true);
  const settings = settingsAt(port);
  const deps = createDependencies({ config: { ...config, ...settings }, log, sql, threads });
  await deps.pageWords.open();
  const listen = (at: number, isAppListener: boolean) => {
    const app = createApp(deps, { isAppListener });
    const server = Bun.serve({ hostname: "127.0.0.1", port: at, fetch: (request) => app.handle(request) });
    cleanups.push(() => server.stop(true));
    return server.url.origin;
  };
  const main = listen(port, false);
  return {
    chats: settings.CHAT_URL ?? main,
    builder: settings.PUBLIC_URL ?? listen(0, true),
  };
}

/** Returns code that tries to read data of the signed-in user, as an author's code could, and reports the outcome. */
const spying = (builder: string) => `
  const ask = async (base) => {
    try {
      const headers = { "Parley-App": "1" };
      return (await fetch(base + "/api/v1/users/me", { headers, credentials: "include" })).status;
    } catch { return "refused"; }
  };
  const store = () => { try { localStorage.setItem("spy", "1"); return true; } catch { return false; } };
  const read = () => { try { return document.cookie; } catch { return ""; } };
  Promise.all([ask(""), ask(location.origin), ask(${JSON.stringify(builder)})]).then((asked) => {
    document.body.dataset.spied = JSON.stringify({ asked, cookie: read(), stores: store(), origin: self.origin });
  });`;

const flowWith = (code: string | undefined, settings: object = {}) => ({
  ...flowOf([
    says("Your name?"),
    ...(code === undefined ? [] : [{ id: "spy", type: "Code", options: { content: code } }]),
    asks("text input", { variableId: idOf("Name") }),
    says("Hello {{Name}}"),
    asks("email input"),
  ]),
  settings: {
    typingEmulation: { enabled: false },
    general: { rememberUser: { isEnabled: true, storage: "local" } },
    ...settings,
  },
});

/** Signs a user in to this browser. Cookies ignore ports. */
async function signIn(context: BrowserContext, builder: string): Promise<void> {
  const { userId } = host.owner;
  const { secret } = await putSignIn(host.api.deps.sql, userId);
  await context.addCookies([{ name: "parley", value: secret, url: builder, httpOnly: true, sameSite: "Strict" }]);
  const mine = await context.request.get(`${builder}/api/v1/users/me`, { headers: { "Parley-App": "1" } });
  expect(mine.status()).toBe(200);
}

async function answer(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox").fill(name);
  await page.keyboard.press("Enter");
  await page.getByText(`Hello ${name}`).waitFor();
}

async function spied(page: Page): Promise<unknown> {
  const text = await page.waitForFunction(() => document.body.dataset["spied"]);
  return JSON.parse(String(await text.jsonValue()));
}

/** Expects that a chat continues after a reload, and that the next visit recognises the visitor. */
async function expectResumed(page: Page, address: string): Promise<void> {
  await page.reload();
  await page.getByText("Hello Ada").waitFor();
  await page.goto("about:blank");
  await page.goto(address);
  await page.getByText("Hello Ada").waitFor();
}

inBrowser("by default, authors' code has no access to the builder", async ({ page, context }) => {
  const { chats, builder } = await serve(() => ({}));
  await signIn(context, builder);
  const { publicId } = await host.publish(flowWith(spying(builder)));
  const address = `${chats}/${publicId}`;

  await page.goto(address);
  const tried = await spied(page);
  await answer(page, "Ada");

  expect(tried).toEqual({ asked: [401, 401, "refused"], cookie: "", stores: true, origin: chats });
  await expectResumed(page, address);
});

inBrowser("with two hosts, authors' code runs normally, without access to the builder", async ({ page, context }) => {
  const { chats, builder } = await serve((port) => ({
    PUBLIC_URL: `http://localhost:${port}`,
    CHAT_URL: `http://127.0.0.1:${port}`,
  }));
  await signIn(context, builder);
  const { publicId } = await host.publish(flowWith(spying(builder)));
  const address = `${chats}/${publicId}`;

  await page.goto(address);
  const tried = await spied(page);
  await answer(page, "Ada");

  expect(tried).toEqual({ asked: [404, 404, "refused"], cookie: "", stores: true, origin: chats });
  await expectResumed(page, address);
});

inBrowser("on one shared origin, pages whose flow contains code are sandboxed", async ({ page, context, problems }) => {
  const { chats, builder } = await serve((port) => {
    const origin = `http://127.0.0.1:${port}`;
    return { PUBLIC_URL: origin, CHAT_URL: origin };
  });
  await signIn(context, builder);
  const security = { allowedOrigins: ["https://shop.example"] };
  const withCode = await host.publish(flowWith(spying(builder), { security }));
  const without = await host.publish(flowWith(undefined));

  await page.goto(`${chats}/${withCode.publicId}`);
  const tried = await spied(page);
  await answer(page, "Ada");

  expect(tried).toEqual({ asked: ["refused", "refused", "refused"], cookie: "", stores: false, origin: "null" });
  expect(await host.answersOf(withCode)).toEqual([["Ada"]]);
  const before = problems.length;
  await openLive(page, `${chats}/${without.publicId}`);
  await answer(page, "Ada");
  await expectResumed(page, `${chats}/${without.publicId}`);
  expect(problems.slice(before)).toEqual([]);

  // A page that was sent without a sandbox runs no code, even after another publication.
  await page.context().clearCookies();
  const later = await host.publish(flowWith(undefined, { general: {} }));
  await openLive(page, `${chats}/${later.publicId}`);
  const { token } = host.owner;
  const { groups } = flowWith(spying(builder));
  await host.api.client.patch(`/api/v1/bots/${later.botId}`, { token, body: { bot: { groups } } });
  await host.api.client.post(`/api/v1/bots/${later.botId}/publish`, { token, body: {} });
  await answer(page, "Eve");
  expect(await page.evaluate(() => document.body.dataset["spied"])).toBeUndefined();
});

test("a sandboxed page is identified only by the token that it was sent with", async () => {
  const { chats } = await serve((port) => ({
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CHAT_URL: `http://127.0.0.1:${port}`,
  }));
  const security = { allowedOrigins: ["https://shop.example"] };
  const { publicId } = await host.publish(flowWith("1", { security }));
  const other = await host.publish(flowWith("1"));
  const wordOf = async (id: string) => {
    const page = await fetch(`${chats}/${id}`);
    expect(page.headers.get("content-security-policy")).toContain(
      "; sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads;",
    );
    return /\?parley-page=([\w.-]+)#/.exec(await page.text())?.[1] ?? "none";
  };
  const word = await wordOf(publicId);
  const start = async (headers: Readonly<Record<string, string>>) => {
    const sent = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: "{}" };
    return (await fetch(`${chats}/api/v1/bots/${publicId}/startChat`, sent)).status;
  };
  expect(await start({ Origin: "null", "X-Parley-Page": word })).toBe(200);
  expect(await start({ Origin: "null" })).toBe(403);
  expect(await start({ Origin: "null", "X-Parley-Page": await wordOf(other.publicId) })).toBe(403);
  expect(await start({ Origin: "https://evil.example", "X-Parley-Page": word })).toBe(403);
  const framed = { Origin: "null", "X-Parley-Page": word, "X-Parley-Iframe-Referrer-Origin": "https://evil.example" };
  expect(await start(framed)).toBe(403);

  // The forms of a page without scripts also count as forms of another site.
  const post = async (query: string) => {
    const headers = { Origin: "null", "Sec-Fetch-Site": "cross-site", Accept: "text/html" };
    const body = new URLSearchParams({ key: crypto.randomUUID(), block: "", prefilled: "{}" });
    return (await fetch(`${chats}/${publicId}${query}`, { method: "POST", headers, body, redirect: "manual" })).status;
  };
  expect([await post(`?parley-page=${word}`), await post("")]).toEqual([200, 303]);
});

test("sandboxed bots are found even in publications of an earlier release", async () => {
  const { sql } = host.api.deps;
  const bots = {
    code: await host.publish(flowWith("1")),
    none: await host.publish(flowWith(undefined)),
    disabled: await host.publish(flowWith("1", { security: { isAuthorCodeDisabled: true } })),
    head: await host.publish(flowWith(undefined, { metadata: { customHeadCode: "<script>1</script>" } })),
    tags: await host.publish(flowWith(undefined, { metadata: { googleTagManagerId: "GTM-1" } })),
  };
  const listed = async () => {
    const { publicIds } = await findSandboxedBots(sql);
    return Object.entries(bots).flatMap(([name, { publicId }]) => (publicIds.includes(publicId) ? [name] : []));
  };
  expect(await listed()).toEqual(["code", "head", "tags"]);
  await sql`update flows set facts = (facts::jsonb - 'bringsCode')::json`;
  expect(await listed()).toEqual(["code", "head", "tags"]);
});
