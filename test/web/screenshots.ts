import { type Browser, chromium, type Page } from "playwright-core";
import { templates } from "../../src/core/templates/index.ts";
import { botPictures } from "../../src/management/bots/pictures/pictures.job.ts";
import { createTestApi } from "../support/api.ts";
import { type BuilderHost, openBuilderHost } from "../support/builder-host.ts";
import { publish } from "../support/chat.ts";
import { findBrowser } from "../support/find-browser.ts";
import { createThreads } from "../support/threads.ts";
import { takeBotScreens } from "./builder-pictures.ts";

/**
 * Takes the pictures of README.md: the page, the bubble and the popup, wide and narrow, with the bot of `tea-bar.json`,
 * and the builder's screens with bots of its templates.
 */

const folder = `${import.meta.dir}/screenshots`;
const sizes = { wide: { width: 1000, height: 720 }, narrow: { width: 375, height: 700 } } as const;
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("No Chromium here; CHROMIUM_PATH may name one");

const threads = createThreads({ count: 1 });
const api = await createTestApi({ threads });
const sites = new Map<string, string>();
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
const browser = await chromium.launch({ executablePath });
try {
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const flow = await Bun.file(`${import.meta.dir}/../flows/tea-bar.json`).json();
  const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  sites.set("/shop-bubble", shopWith(`<parley-bubble bot="${publicId}" button-color="#2f6b4f"></parley-bubble>`));
  sites.set("/shop-popup", shopWith(`<parley-popup bot="${publicId}"></parley-popup>`));
  await take(browser, { name: "page", path: `/${publicId}` });
  await take(browser, { name: "bubble", path: "/shop-bubble" });
  await take(browser, { name: "popup", path: "/shop-popup" });
  await takeBuilder(browser);
  await takeBotScreens(browser, write);
} finally {
  await browser.close();
  await server.stop(true);
  await threads.close();
  await api.close();
}

function answer(request: Request): Response | Promise<Response> {
  const html = sites.get(new URL(request.url).pathname);
  return html === undefined ? api.handle(request) : new Response(html, { headers: { "Content-Type": "text/html" } });
}

function shopWith(element: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Leaf &amp; Kettle</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><script type="module" src="/embed.js"></script>
<style>body{margin:0;font:17px/1.6 Georgia,serif;color:#24352b;background:#fbfaf6}header,main{max-width:60rem;margin:auto;
padding:1.5rem 2rem}header{font-weight:700;color:#2f6b4f}h1{font-size:2.4rem;line-height:1.15;margin:1.5rem 0 1rem}p{max-width:
32rem}.tins{display:flex;gap:1rem;margin-top:2rem}.tins i{flex:1;height:9rem;border-radius:10px;background:#dde8de}
.tins i:nth-child(2){background:#ecdcc6}.tins i:nth-child(3){background:#d8e0ea}</style></head><body><header>Leaf &amp;
Kettle</header><main><h1>Tea from small gardens</h1><p>Picked in the morning, dried by noon, and on its way to you the day
after. Ask Fern which one to begin with.</p><div class="tins"><i></i><i></i><i></i></div></main>${element}</body></html>`;
}

async function take(from: Browser, { name, path }: { name: string; path: string }): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    const context = await from.newContext({ viewport, reducedMotion: "reduce", colorScheme: "light" });
    const page = await context.newPage();
    await page.goto(`${server.url.origin}${path}`);
    if (name !== "page") await page.evaluate(() => Reflect.get(window, "Parley").open());
    await converse(page);
    await write(`${name}-${size}`, await page.screenshot({ caret: "hide" }));
    await context.close();
  }
}

/** Answers until the third question, so that each kind of element is visible. */
async function converse(page: Page): Promise<void> {
  await page.getByRole("button", { name: "On quiet evenings" }).click();
  await page.locator(".rating-step", { hasText: "4" }).click();
  await page.getByPlaceholder("Your name").waitFor();
}

/** Takes pictures of the builder's screens for an author with a few bots. */
async function takeBuilder(from: Browser): Promise<void> {
  const host = await openBuilderHost();
  // Pages that show a chat next to the editor load it from the other listener.
  const chats = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: host.api.handle });
  Object.assign(host.api.deps.ports, { main: chats.port, app: Number(new URL(host.origin).port) });
  const ada = await host.api.makeUser({ name: "Ada Lovelace" });
  const place = await host.api.makeWorkspace(ada);
  // The pictures show realistic names instead of the names of tests.
  await host.api.deps.sql`update users set email = 'ada@example.com' where id = ${ada.userId}`;
  await host.api.deps.sql`update workspaces set name = 'Analytical Engines' where id = ${place}`;
  // Icons are removed, because machines that take pictures may lack a font with emoji.
  const botIds: string[] = [];
  for (const [index, { id: _id, about: _about, icon: _icon, ...bot }] of templates.entries()) {
    const made = await host.api.client.post("/api/v1/bots/import", {
      token: ada.token,
      body: { workspaceId: place, bot: withoutEmoji(bot) },
    });
    botIds.push(made.text("bot.id"));
    const path = `/api/v1/bots/${made.text("bot.id")}/publish`;
    if (index % 3 !== 0) await host.api.client.post(path, { token: ada.token, body: { force: true } });
  }
  await publishAnew(host, ada.token, botIds[1] ?? "");
  // Draws the pictures on the cards, which the service would draw only a minute later.
  await botPictures(host.api.deps.sql).removeSome();
  const screens = {
    "sign-in": "/sign-in",
    bots: `/w/${place}`,
    members: `/w/${place}/settings/members`,
    flow: `/bots/${botIds[0]}`,
    theme: `/bots/${botIds[0]}/theme?part=buttons`,
    settings: `/bots/${botIds[0]}/settings?part=messages`,
    share: `/bots/${botIds[1]}/share`,
    versions: `/bots/${botIds[1]}/versions`,
    compare: `/bots/${botIds[1]}/versions/1/compare/2`,
  };
  for (const [size, viewport] of Object.entries({
    wide: { width: 1400, height: 900 },
    narrow: { width: 390, height: 844 },
  })) {
    for (const [name, path] of Object.entries(screens)) {
      const context = await from.newContext({ viewport, reducedMotion: "reduce", colorScheme: "light" });
      if (name !== "sign-in") await host.signIn(context, ada.userId);
      const page = await context.newPage();
      await page.goto(`${host.origin}/app${path}`);
      await page.locator("#app :is(h1, .template, .app-table, form)").last().waitFor();
      await page.locator(".app-skeleton").first().waitFor({ state: "detached" });
      const line = size === "wide" ? ".canvas-row" : ".outline-row";
      if (name === "flow") await page.locator(line).nth(8).waitFor();
      // Blocks have their labels once the catalogue of blocks is loaded.
      if (name === "flow") await page.getByText("What shall we call you?").first().waitFor();
      if (name === "flow" && size === "wide") {
        // The block is selected without an open editor, which would cover the area next to the card.
        await page.getByText("What shall we call you?").click();
        await page.locator(".panel-form").first().waitFor();
        await page.keyboard.press("Escape");
      }
      if (name === "bots") await page.getByText("in the previous week").first().waitFor();
      if (name === "versions") await page.locator(".app-banner").waitFor();
      if (name === "compare")
        await page.locator(".compare-body :is(.difference, .canvas-card, canvas)").first().waitFor();
      if (["theme", "settings", "share"].includes(name)) await showChat(page);
      await write(`builder-${name}-${size}`, await page.screenshot({ caret: "hide" }), 120_000);
      await context.close();
      // Removes presences from the draft, because the next picture would otherwise show Ada as a second user.
      await host.api.deps.sql`delete from presences`;
    }
  }
  await chats.stop(true);
  await host.close();
}

/** Publishes another version, and creates a draft that differs from it, for the comparison. */
async function publishAnew({ api }: BuilderHost, token: string, botId: string): Promise<void> {
  const path = `/api/v1/bots/${botId}`;
  const read = await api.client.get(path, { token });
  const groups = JSON.parse(JSON.stringify(read.list("bot.groups")));
  const bye = {
    id: "see-you",
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: "See you soon." }] }] },
  };
  groups[0].title = "Hello";
  groups.at(-1).blocks.push(bye);
  groups[1].blocks.splice(0, 1);
  const theme = { chat: { buttons: { backgroundColor: "#2f6b4f", color: "#ffffff" } } };
  await api.client.patch(path, { token, body: { bot: { groups, theme } } });
  await api.client.post(`${path}/publish`, { token, body: { force: true, note: "Friendlier words" } });
  groups.at(-1).blocks.pop();
  await api.client.patch(path, { token, body: { bot: { groups } } });
}

/** Waits for the chat next to the editor, and shows an address that does not change between runs. */
async function showChat(page: Page): Promise<void> {
  await page.frameLocator("iframe").first().locator(".typebot-input-form").waitFor();
  for (const field of await page.locator("input[readonly], textarea[readonly]").all()) {
    await field.evaluate((element) => {
      if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
      element.value = element.value
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://chat.example.com")
        .replaceAll(/-[a-z0-9]{6,}\b/g, "");
    });
  }
}

function withoutEmoji(bot: object): object {
  return JSON.parse(JSON.stringify(bot).replaceAll(/\p{Extended_Pictographic}\uFE0F? ?/gu, ""));
}

/** Writes a picture with few colours, so that the file is small. */
async function write(name: string, png: Uint8Array, mostBytes = 60_000): Promise<void> {
  const small = await new Bun.Image(png).png({ palette: true, colors: 256, compressionLevel: 9 }).bytes();
  if (small.byteLength > mostBytes) throw new Error(`${name}.png has ${small.byteLength} bytes`);
  await Bun.write(`${folder}/${name}.png`, small);
}
