import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContext } from "playwright-core";
import { isFromAddress } from "../../src/web/browser/actions/redirect.tsx";
import { axeProblems } from "../support/axe.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** Returns a flow that asks a question, and then redirects the visitor to a URL of the author. */
const leadingTo = (url: string) =>
  flowOf([
    asks("text input", { variableId: idOf("Email") }),
    says("Bye"),
    { id: "go", type: "Redirect", options: { url } },
  ]);
const evil = encodeURIComponent("https://evil.example/login");

const letEverywhere = (context: BrowserContext) =>
  context.route(/\.example\//, (route) => route.fulfill({ contentType: "text/html", body: "Elsewhere" }));

inBrowser("the page asks before a redirect to a host from the page's address", async ({ page, outside }) => {
  const { address } = await host.publish(leadingTo("{{Name}}"));
  await openChat(page, `${address}?Name=${evil}`);
  // The URL no longer shows its parameters, which are stored with the chat.
  await page.reload();
  await page.locator("body.is-live form").waitFor();
  await answer(page, "x");
  const question = page.getByRole("group", { name: "You are leaving this page for evil.example." });
  await question.waitFor();

  expect(await axeProblems(page)).toEqual([]);
  await question.getByRole("link", { name: "Continue to evil.example" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  expect(page.url()).toBe(address);
  expect(outside).toEqual([]);
});

inBrowser("a redirect to a host from the page's address requires one click", async ({ page, context }) => {
  await letEverywhere(context);
  const { address } = await host.publish(leadingTo("https://{{Name}}/next"));
  await openChat(page, `${address}?Name=evil.example`);
  await answer(page, "x");
  await page.getByRole("link", { name: "Continue to evil.example" }).click();
  await page.waitForURL("https://evil.example/next");
});

inBrowser("a redirect to an author's own host is followed without a question", async ({ page, context }) => {
  await letEverywhere(context);
  const { address } = await host.publish(leadingTo("https://shop.example/{{Name}}?lang={{lang}}"));
  await openChat(page, `${address}?Name=${evil}&lang=en`);
  await answer(page, "x");
  await page.waitForURL(/^https:\/\/shop\.example\//);
});

inBrowser(
  "without JavaScript, a redirect to a host from the query is a link",
  async ({ page, outside }) => {
    const { address } = await host.publish(leadingTo("{{Name}}"));
    await page.goto(`${address}?Name=${evil}`);
    await page.getByRole("textbox").fill("x");
    await page.getByRole("button", { name: "Send" }).click();
    const link = page.getByRole("link", { name: "Continue to evil.example" });
    expect(await link.getAttribute("href")).toBe("https://evil.example/login");
    expect(outside).toEqual([]);
  },
  { javaScriptEnabled: false },
);

test.each([
  ["https://evil.example/x", "https://evil.example/x"],
  ["https://evil.example", "evil.example"],
  ["https://EVIL.example/", "evil.EXAMPLE"],
  ["https://e\tvil.example", "e\tvil.example"],
  ["https://ev%69l.example", "ev%69l.example"],
  ["https://ёvil.example/", "//ёvil.example"],
  ["https:\\\\evil.example\\x", "\\\\evil.example\\x"],
  ["https:/evil.example", "https:/evil.example"],
  ["https://2130706433/", "http://2130706433/"],
  ["https://shop.example@evil.example/", "@evil.example"],
  ["https://shop.example.evil.example/", ".evil.example"],
  ["https://www.evil.example/", "evil.example"],
  ["https://evil.example.shop.example/", "evil.example."],
  ["https://shop.co.uk", ".uk"],
])("a redirect to %s has its host from the parameter %s", (target, said) => {
  expect(isFromAddress(target, ["a", said])).toBe(true);
});

test.each([
  ["https://shop.example/?next=https://evil.example", "https://evil.example"],
  ["https://shop.example/evil.example", "evil.example"],
  ["https://shop.example#evil.example", "evil.example"],
  ["https://shop.example/", "en"],
  ["https://shop.example/", ""],
  ["/relative", "evil.example"],
])("a redirect to %s does not have its host from the parameter %s", (target, said) => {
  expect(isFromAddress(target, [said])).toBe(false);
});
