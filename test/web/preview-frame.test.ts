import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { isObject } from "../../src/web/conversation/read.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { waitFor } from "../support/wait.ts";

/**
 * Returns a page that provides a preview's port as the builder does, and passes the frame's requests to this process.
 */
const parentPage = (
  frameAddress: string,
) => `<!doctype html><html lang="en"><head><title>Builder</title><link rel="icon" href="data:,"></head>
<body><iframe title="Preview" style="width:390px;height:700px"></iframe><script>
  window.secret = "of the builder";
  window.heard = [];
  window.tell = (told) => port1.postMessage(told);
  const frame = document.querySelector("iframe");
  const { port1, port2 } = new MessageChannel();
  addEventListener("message", ({ data }) => heard.push(data));
  port1.onmessage = async ({ data }) => {
    heard.push(data);
    if (data.id !== undefined) port1.postMessage(await askService(data));
  };
  frame.addEventListener("load", async () => {
    frame.contentWindow.postMessage({ kind: "parley-preview" }, "*", [port2]);
    port1.postMessage({ kind: "show", what: "start", chat: await startService() });
  });
  frame.src = ${JSON.stringify(frameAddress)};
</script></body></html>`;

let host: ChatHost;
let stranger: OtherSite;
let builder: { readonly origin: string; close(): Promise<void> };
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  stranger = openOtherSite();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(parentPage(`${host.origin}/assets/preview`), {
        headers: { "Content-Type": "text/html", "Set-Cookie": "parley=a-sign-in; Path=/" },
      }),
  });
  builder = { origin: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) };
});
afterAll(async () => {
  await builder.close();
  await stranger.close();
  await host.close();
});

async function openPreview(page: Page, flow: object): Promise<void> {
  const { botId } = await host.publish(flow);
  const { client } = host.api;
  const { token } = host.owner;
  let sessionId = "";
  await page.exposeFunction("startService", async () => {
    const body = { isTraced: true };
    const started = await client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body });
    sessionId = started.text("sessionId");
    return started.body;
  });
  await page.exposeFunction("askService", async (asked: { id: number; kind: string; message?: unknown }) => {
    if (asked.kind !== "say") return { kind: "refusal", id: asked.id, code: "test", message: "Not here" };
    const body = { message: asked.message };
    const answer = await client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body });
    return { kind: "answer", id: asked.id, value: answer.body };
  });
  await page.goto(builder.origin);
}

const heardBy = (page: Page): Promise<unknown[]> => page.evaluate(() => Reflect.get(window, "heard"));

async function pressedIn(page: Page): Promise<unknown[]> {
  return (await heardBy(page)).flatMap((heard) =>
    isObject(heard) && heard["kind"] === "pressed" ? [heard["part"]] : [],
  );
}

inBrowser("a preview is the real chat page, and the surrounding page sends its replies", async ({ page, problems }) => {
  await openPreview(page, {
    ...flowOf([
      says("Your name?"),
      asks("text input", { variableId: idOf("Name") }),
      says("Hello {{Name}}"),
      { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
      says("Fine"),
    ]),
    theme: { general: { background: { type: "Color", content: "#102030" } } },
  });
  const frame = page.frameLocator("iframe");
  await frame.getByText("Your name?").waitFor();
  await frame.getByRole("textbox").fill("Ada");
  await frame.getByRole("textbox").press("Enter");
  await frame.getByText("Hello Ada").waitFor();
  await frame.getByRole("button", { name: "Yes" }).click();
  await frame.getByText("Fine").waitFor();
  const background = () => frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);

  expect(await background()).toBe("rgb(16, 32, 48)");
  const asked = (await heardBy(page)).map((heard) => isObject(heard) && heard["kind"]);
  expect(asked.filter((kind) => kind !== "pressed")).toEqual(["shown", "say", "say"]);

  // The parent page edits the bot. Messages stay, and change their look and language, in the light and in the dark
  // scheme.
  const dress = (bot: object, scheme?: string) =>
    page.evaluate((told) => Reflect.get(window, "tell")(told), { kind: "dress", bot, scheme });
  const theme = { general: { background: { type: "Color", content: "#ffeecc" }, header: { isEnabled: true } } };
  await dress({ theme, settings: { metadata: { title: "Fern" } } }, "light");
  await frame.getByRole("heading", { name: "Fern" }).waitFor();
  expect(await background()).toBe("rgb(255, 238, 204)");
  await dress({ theme: { ...theme, dark: { general: { background: { content: "#000000" } } } }, settings: {} }, "dark");
  await frame.getByRole("heading", { name: "Chat" }).waitFor();
  expect(await background()).toBe("rgb(0, 0, 0)");
  await dress({ theme: {}, settings: {} }, "dark");
  await frame.locator(".chat-header").waitFor({ state: "detached" });
  expect(await background()).toBe("rgb(23, 21, 19)");
  expect(await frame.getByText("Hello Ada").count()).toBe(1);

  await frame.getByText("Hello Ada").click();
  // The frame's messages take a moment to arrive.
  await waitFor(async () => (await pressedIn(page)).at(-1) === "hostBubbles", { what: "the bubble's part" });
  expect(problems).toEqual([]);
});

inBrowser("an ended chat in a preview is restarted by the surrounding page", async ({ page }) => {
  await openPreview(page, flowOf([says("Fresh")]));
  await page.frameLocator("iframe").getByText("Fresh").waitFor();
  const session = {
    ...{ id: "s", isEnded: true, bot: { settings: { general: { isStartAgainEnabled: true } }, theme: {} } },
    steps: [
      { messages: [says("Your name?")], input: { id: "name", type: "text input" } },
      { reply: { type: "text", text: "Ada" }, messages: [says("Goodbye")], progress: 100 },
    ],
  };
  await page.evaluate((chat) => Reflect.get(window, "tell")({ kind: "show", what: "session", chat }), session);
  const frame = page.frameLocator("iframe");
  await frame.getByText("Goodbye").waitFor();
  await frame.getByRole("button", { name: "Start again" }).click();

  await waitFor(async () => (await heardBy(page)).some((heard) => isObject(heard) && heard["kind"] === "start"));
});

inBrowser("a file can be submitted in a preview, and the chat continues", async ({ page, problems }) => {
  await openPreview(page, flowOf([says("A file?"), asks("file input"), says("Thanks")]));
  const frame = page.frameLocator("iframe");
  await frame.getByText("A file?").waitFor();
  const choosing = page.waitForEvent("filechooser");
  await frame.locator("input[type=file]").dispatchEvent("click");
  await (await choosing).setFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
  await frame
    .getByRole("button", { name: /upload|send/i })
    .first()
    .click();
  await frame.getByText("Thanks").waitFor();

  expect(problems).toEqual([]);
});

const attempts = `
const tried = {};
const attempt = async (name, run) => { try { tried[name] = "got " + await run(); } catch (error) { tried[name] = error.name; } };
await attempt("parent", () => parent.secret);
await attempt("top", () => { top.location.href = "about:blank#stolen"; return "away"; });
await attempt("opener", () => String(window.opener));
await attempt("cookie", () => document.cookie);
await attempt("storage", () => localStorage.length);
await attempt("session", () => sessionStorage.length);
await attempt("database", () => new Promise((resolve, reject) => { const open = indexedDB.open("x"); open.onsuccess = () => resolve("opened"); open.onerror = () => reject(open.error); }));
await attempt("management", async () => (await fetch(builder + "/api/v1/users/me", { credentials: "include" })).status);
await attempt("own", async () => (await fetch("/api/v1/users/me", { credentials: "include", headers: { "Parley-App": "1" } })).status);
parent.postMessage({ tried }, "*");
`;

inBrowser("an author's code in a preview cannot access the surrounding page", async ({ page, context }) => {
  await context.addCookies([{ name: "parley", value: "a-sign-in", url: host.origin }]);
  const content = `const builder = ${JSON.stringify(builder.origin)};\n${attempts}`;
  await openPreview(
    page,
    flowOf([says("Hi"), { id: "code", type: "Code", options: { content, isExecutedOnClient: true } }, says("Done")]),
  );
  await page.frameLocator("iframe").getByText("Done").waitFor();
  await page.waitForFunction(() => JSON.stringify(Reflect.get(window, "heard")).includes("tried"));
  const tried = (await heardBy(page)).find((heard) => isObject(heard) && "tried" in heard);

  expect(tried).toEqual({
    tried: {
      parent: "SecurityError",
      top: "SecurityError",
      opener: "got null",
      cookie: "SecurityError",
      storage: "SecurityError",
      session: "SecurityError",
      database: "SecurityError",
      management: "TypeError",
      own: "TypeError",
    },
  });
  expect(page.url()).toBe(`${builder.origin}/`);
});

inBrowser("a page of another site cannot frame a preview", async ({ page }) => {
  await page.goto(stranger.page(`<iframe title="x" src="${host.origin}/assets/preview"></iframe>`));
  await page.waitForLoadState("load");
  const inStranger = page.frames().find((frame) => frame !== page.mainFrame());
  expect(await inStranger?.locator("#chat").count()).toBe(0);

  await page.goto(`${host.origin}/assets/preview`);
  expect(await page.evaluate(() => window.origin)).toBe("null");
});
