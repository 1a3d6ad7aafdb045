import { afterAll, beforeAll, expect } from "bun:test";
import type { FrameLocator } from "playwright-core";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

// Tests chats in frames of another site that a sandbox restricts. Either an answer arrives, or a sentence explains why
// not.

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const tokens = ["allow-scripts", "allow-forms", "allow-same-origin"] as const;
type Sandbox = readonly (typeof tokens)[number][];
/** All combinations of tokens. */
const sandboxes: readonly Sandbox[] = Array.from({ length: 2 ** tokens.length }, (_, bits) =>
  tokens.filter((_token, index) => bits & (1 << index)),
);
const inShort: readonly Sandbox[] = [[], ["allow-scripts"], ["allow-forms"]];
const nameOf = (sandbox: Sandbox) => sandbox.join(", ") || "no token";
/** The notes for visitors without scripts, which locators by text ignore. */
const withoutScript = (chat: FrameLocator) => chat.locator("noscript .chat-note");

const frameOf = (address: string, sandbox: Sandbox) =>
  `<iframe src="${address}" sandbox="${sandbox.join(" ")}" title="Chat" width="400" height="600"></iframe>`;

for (const sandbox of isLong ? sandboxes : inShort) {
  const sends = sandbox.includes("allow-scripts") || sandbox.includes("allow-forms");
  inBrowser(
    `in a sandbox with ${nameOf(sandbox)} ${sends ? "answers are sent by Enter and by click" : "a message names the missing token"}`,
    async ({ page, context }) => {
      const said: string[] = [];
      context.on("console", (message) => said.push(message.text()));
      const bot = await host.publish(nameAndEmail);
      await page.goto(site.page(frameOf(bot.address, sandbox)));
      const chat = page.frameLocator("iframe");
      if (sandbox.includes("allow-scripts")) await chat.locator("body.is-live form").waitFor();

      await chat.getByRole("textbox", { name: "Your name?" }).fill("Ana");
      await page.keyboard.press("Enter");
      if (sends) {
        await chat.getByRole("textbox", { name: "Hello Ana" }).fill("ana@example.com");
        await chat.getByRole("button", { name: "Send" }).click();
        await chat.getByText("Thank you").waitFor();
        expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
      } else {
        await withoutScript(chat).waitFor();
        expect(await withoutScript(chat).textContent()).toBe(
          "If nothing happens when you send, the page around this chat must allow forms (sandbox: allow-forms).",
        );
      }
      // The browser or the page reports each missing token to the developer of the surrounding page.
      const missing = tokens.filter((token) => !sandbox.includes(token));
      const isNoted = (token: string) => said.some((text) => text.includes(token));
      const needed = sandbox.includes("allow-scripts") ? missing : missing.filter((token) => token === "allow-scripts");
      expect(needed.filter((token) => !isNoted(token))).toEqual([]);
      expect(said.filter((text) => /lacks/.test(text) && !missing.some((token) => text.includes(token)))).toEqual([]);
      if (!sends) expect(isNoted("allow-forms")).toBe(true);
    },
  );
}

inBrowser("every way of sending an answer works in a frame that forbids forms", async ({ page, problems }) => {
  const settings = { typingEmulation: { enabled: false }, general: { isGoBackEnabled: true } };
  const tea = { id: "tea", content: "Tea" };
  const flow = flowOf([
    says("Which?"),
    { id: "drink", type: "choice input", items: [tea, { id: "milk", content: "Milk" }] },
    says("Why?"),
    asks("text input", { isLong: true }, { id: "why" }),
    says("How many?"),
    asks("rating input", { length: 3 }, { id: "many" }),
    says("Topic?"),
    asks("text input", { followUps: { texts: ["Prices"] } }, { id: "topic" }),
    says("Thanks"),
  ]);
  const bot = await host.publish({ ...flow, settings });
  await page.goto(site.page(frameOf(bot.address, ["allow-scripts"])));
  const chat = page.frameLocator("iframe");
  await chat.locator("body.is-live form").waitFor();

  await chat.getByRole("button", { name: "Tea" }).click();
  await chat.getByRole("textbox", { name: "Why?" }).waitFor();
  await chat.getByRole("button", { name: "Change last answer" }).click();
  await chat.getByRole("button", { name: "Milk" }).click();
  await chat.getByRole("textbox", { name: "Why?" }).fill("One\nTwo");
  await page.keyboard.press("Control+Enter");
  await chat.getByRole("radio", { name: "2" }).check({ force: true });
  await chat.getByRole("button", { name: "Send" }).click();
  await chat.getByRole("button", { name: "Prices" }).click();
  await chat.getByText("Thanks").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Milk", "One\nTwo", "2", "Prices"]]);
  expect(problems.filter((problem) => !problem.includes("allow-forms"))).toEqual([]);
});

inBrowser("an author's own form is handled by the browser", async ({ page }) => {
  const content = `document.body.insertAdjacentHTML("beforeend", '<form id="own"><input required><button>Own</button></form>');
    document.getElementById("own").addEventListener("submit", (event) => {
      event.preventDefault();
      document.title += "!";
    });`;
  const code = { id: "code", type: "Code", options: { content, isExecutedOnClient: true } };
  const bot = await host.publish(flowOf([says("Hi"), code, asks("text input")]));
  await page.goto(bot.address);
  const send = page.getByRole("button", { name: "Own" });
  await send.click();
  await page.locator("#own input").fill("x");
  await send.click();
  await page.waitForFunction(() => document.title.endsWith("!"));

  expect(await page.title()).not.toEndWith("!!");
});

inLongRun("a page without https, an origin or an address can contain a chat in a frame", async ({ page }) => {
  const bot = await host.publish(nameAndEmail);
  // Browsers do not trust this page, like a page over http in a local network, and disable features that require a
  // secure context.
  await page.setContent(frameOf(bot.address, ["allow-scripts", "allow-forms", "allow-same-origin"]));
  const chat = page.frameLocator("iframe");
  await chat.locator("body.is-live form").waitFor();
  expect(await chat.locator("body").evaluate(() => isSecureContext)).toBe(false);
  await chat.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await chat.getByRole("textbox", { name: "Hello Ana" }).waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana"]]);
});

inLongRun(
  "elements in a page that is itself sandboxed without forms can send answers, even by command",
  async ({ page }) => {
    const bot = await host.publish(nameAndEmail);
    const shop = site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, {
      head: `<script src="${host.origin}/embed.js" defer></script>`,
    });
    await page.goto(site.page(frameOf(shop, ["allow-scripts"])));
    const shown = page.frameLocator("iframe");
    await shown.getByRole("textbox", { name: "Your name?" }).fill("Ana");
    await page.keyboard.press("Enter");
    await shown.getByRole("textbox", { name: "Hello Ana" }).waitFor();
    await shown.locator("body").evaluate(() => {
      const chat: unknown = Reflect.get(window, "Parley");
      for (const [command, value] of [["setInputValue", "ana@example.com"], ["submitInput"]] as const) {
        const run: unknown = chat && Reflect.get(chat, command);
        if (typeof run === "function") run(value);
      }
    });
    await shown.getByText("Thank you").waitFor();

    expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
  },
);

inBrowser("a bot with allowed origins accepts sandboxed forms of these origins", async ({ page, context }) => {
  const said: string[] = [];
  context.on("console", (message) => said.push(message.text()));
  const security = { allowedOrigins: [site.origin] };
  const bot = await host.publish({ ...nameAndEmail, settings: { security } });
  await page.goto(site.page(frameOf(bot.address, ["allow-forms"])));
  const chat = page.frameLocator("iframe");
  await chat.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await chat.getByRole("textbox", { name: "Hello Ana" }).waitFor();
  expect(await host.answersOf(bot)).toEqual([["Ana"]]);

  await page.goto(site.page(frameOf(bot.address, ["allow-scripts", "allow-forms"])));
  await chat.getByText("This chat may not be used on this site.").waitFor();
  expect(said.filter((text) => text.includes('lacks "allow-same-origin"'))).toHaveLength(1);
});

inBrowser("a waiting frame without scripts has a button to continue", async ({ page }) => {
  const wait = { id: "wait", type: "Wait", options: { secondsToWaitFor: "600", shouldPause: true } };
  const bot = await host.publish(flowOf([says("Hi"), asks("text input"), wait, says("Here it is")]));
  await page.goto(site.page(frameOf(bot.address, ["allow-forms"])));
  const chat = page.frameLocator("iframe");
  await chat.getByRole("textbox", { name: "Hi" }).fill("Ana");
  await page.keyboard.press("Enter");
  await chat.locator("noscript button").click();
  await chat.getByText("Here it is").waitFor();
});
