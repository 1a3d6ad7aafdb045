import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { type DueSteps, startDueSteps } from "../../src/chat/due/due-steps.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { cards, serveStripeTo } from "../fake-providers/stripe-script.ts";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { answer, openLive } from "../support/live-page.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";

const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const webhookSecret = "whsec_planted";
let stripe: FakeStripe;
let host: ChatHost;
let site: OtherSite;
let due: DueSteps;
let bot: PublishedBot;
let credentialsId: string;

beforeAll(async () => {
  stripe = await startFakeStripe();
  host = await openChatHost({ config: { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32) } });
  host.api.deps.ports.main = Number(new URL(host.origin).port);
  site = openOtherSite();
  due = startDueSteps(host.api.deps);
  const data = { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1", liveWebhookSecret: webhookSecret };
  const made = await host.api.client.post(`/api/v1/workspaces/${host.workspaceId}/credentials`, {
    token: host.owner.token,
    body: { type: "stripe", name: "Shop", data },
  });
  credentialsId = made.text("credentials.id");
  const options = {
    ...{ credentialsId, amount: "12.50", currency: "EUR", labels: { button: "Pay", success: "Paid" } },
    additionalInformation: { description: "Tea, 200 g" },
  };
  bot = await host.publish(
    flowOf([
      says("Your name?"),
      asks("text input"),
      says("Please pay"),
      asks("payment input", options),
      says("Thanks"),
    ]),
  );
});
afterAll(async () => {
  await due.stop();
  await site.close();
  await host.close();
  await stripe.close();
});

/** Opens the chat at its payment, with or without Stripe's script. */
async function comeToPayment(page: Page, context: BrowserContext, { isServed = true } = {}): Promise<void> {
  if (isServed) await serveStripeTo(context, stripe);
  await openLive(page, chatAddress());
  await answer(page, "Ana");
  await page.getByText("Please pay").waitFor();
}

/** Returns the chat's address with the host name that the service uses for its pages. */
const chatAddress = () => bot.address.replace("127.0.0.1", "localhost");

const payButton = (page: Page | Locator) => page.getByRole("button", { name: "Pay 12,50" });
const frameOf = (page: Page) => page.frameLocator("iframe[title='Secure payment input frame']");
const enter = (page: Page, card: string) => frameOf(page).getByLabel("Card number").fill(card);
const newest = () => [...stripe.intents.values()].at(-1);
const report = async () => {
  const { id = "" } = newest() ?? {};
  const { body, signature } = stripe.report(id, { secret: webhookSecret });
  await host.api.client.post(`/api/v1/payments/stripe/${credentialsId}`, {
    rawBody: body,
    headers: { "stripe-signature": signature },
  });
};
/** Runs due steps until the chat continues, as a node does each second. */
const goesOn = (page: Page) =>
  waitFor(async () => {
    due.wake();
    return (await page.getByText("Thanks").count()) > 0;
  });

inBrowser(
  "the provider's script is loaded only when a payment is shown",
  async ({ page, context, outside, problems }) => {
    const before = stripe.taken();
    await serveStripeTo(context, stripe);
    const loaded: string[] = [];
    page.on("request", (request) => void (request.url().includes("stripe.com") && loaded.push(request.url())));
    await page.goto(bot.address);
    await page.getByRole("textbox").waitFor();
    expect(loaded).toEqual([]);
    await answer(page, "Ana");
    await payButton(page).waitFor();
    // The product and its price are above the card.
    const due = page.locator(".payment-due");
    expect((await due.textContent())?.replaceAll(/\s+/g, " ")).toBe("Tea, 200 g 12,50 €");
    const bottom = await due.evaluate((element) => element.getBoundingClientRect().bottom);
    const fields = await page.locator(".payment-fields").evaluate((element) => element.getBoundingClientRect().top);
    expect(bottom).toBeLessThanOrEqual(fields);
    expect(await axeProblems(page)).toEqual([]);

    await page.keyboard.press("Tab");
    await page.keyboard.type(cards.succeeds);
    await page.keyboard.press("Tab");
    await page.keyboard.type("1230");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Thanks").waitFor();
    await page.waitForFunction(() => document.activeElement?.matches(".chat-note[data-focus]"));

    expect(await page.getByText("Paid", { exact: true }).count()).toBe(1);
    expect(stripe.taken()).toBe(before + 1250);
    expect({ outside, problems }).toEqual({ outside: [], problems: [] });
  },
);

inBrowser("a payment succeeds with another card after a declined card", async ({ page, context }) => {
  await comeToPayment(page, context);
  await payButton(page).click();
  await page.getByText("Your card number is incomplete.").waitFor();
  await enter(page, cards.declined);
  await payButton(page).click();
  await page.getByText("Your card was declined.").waitFor();
  expect(await axeProblems(page)).toEqual([]);

  await enter(page, cards.succeeds);
  await payButton(page).click();
  await page.getByText("Thanks").waitFor();
});

inLongRun(
  "a payment in progress stays open, even after a reload, and the chat continues after the report",
  async ({ page, context }) => {
    await comeToPayment(page, context);
    await enter(page, cards.processes);
    await payButton(page).click();
    await page.getByText("Your payment is being processed.").waitFor();
    await page.reload();
    await page.getByText("Your payment is being processed.").waitFor();
    expect(await payButton(page).count()).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("Your payment is being processed.").waitFor();

    stripe.confirm(newest()?.client_secret ?? "");
    await report();
    await goesOn(page);
  },
);

inBrowser("a payment whose provider is unavailable is shown as being checked", async ({ page, context }) => {
  await comeToPayment(page, context);
  await enter(page, cards.succeeds);
  stripe.fail("500", { times: 1_000 });
  await payButton(page).click();
  await page.getByRole("alert").getByText("Your payment is being checked.").waitFor();
  expect(await axeProblems(page)).toEqual([]);

  stripe.recover();
  await moveClock(host.api.deps.sql, 6);
  await goesOn(page);
  await moveClock(host.api.deps.sql, 0);
});

inLongRun(
  "a visitor who has paid cannot change the previous answer, and gets the reason",
  async ({ page, context }) => {
    const settings = { general: { isGoBackEnabled: true } };
    const options = { credentialsId, amount: "12.50", currency: "EUR", labels: { button: "Pay" } };
    const flow = flowOf([says("Your name?"), asks("text input"), asks("payment input", options), says("Thanks")]);
    const { address } = await host.publish({ ...flow, settings });
    await serveStripeTo(context, stripe);
    await openLive(page, address.replace("127.0.0.1", "localhost"));
    await answer(page, "Ana");
    await payButton(page).waitFor();
    stripe.confirm(newest()?.client_secret ?? "");

    await page.getByRole("button", { name: "Change last answer" }).click();

    await page.getByText("You have already paid, or your payment is in progress.").waitFor();
    await goesOn(page);
  },
);

inLongRun("a page that was left after paying continues when it is opened again", async ({ page, context }) => {
  await comeToPayment(page, context);
  await payButton(page).waitFor();
  await page.goto("about:blank");
  stripe.confirm(newest()?.client_secret ?? "");
  await page.goBack();
  await page.getByText("Thanks").waitFor();
});

inBrowser("a chat whose payment script is blocked links to the payment's page", async ({ page, context }) => {
  const before = stripe.taken();
  await context.route("https://js.stripe.com/**", (route) => route.abort("blockedbyclient"));
  await comeToPayment(page, context, { isServed: false });
  await page.getByText("Pay 12,50 € in a new tab. Then continue here.").waitFor();
  expect(await axeProblems(page)).toEqual([]);

  await serveStripeTo(context, stripe);
  const [tab] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: "Pay" }).click()]);
  await enter(tab, cards.succeeds);
  expect(await axeProblems(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Pay" }).press("Enter");
  await tab.getByText("The payment is complete.").waitFor();

  await goesOn(page);
  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "Paid €12.50"]);
  expect(stripe.taken()).toBe(before + 1250);
});

inBrowser("the payment form loads when the network returns", async ({ page, context }) => {
  await serveStripeTo(context, stripe);
  await page.goto(bot.address);
  await page.getByRole("textbox").waitFor();
  await context.route("https://js.stripe.com/**", async (route) => {
    await context.setOffline(true);
    await route.abort("internetdisconnected");
  });
  await answer(page, "Ana");
  await page.getByText("The payment form appears when you are online again.").waitFor();
  await context.unroute("https://js.stripe.com/**");
  await context.setOffline(false);

  await enter(page, cards.succeeds);
  await payButton(page).click();
  await page.getByText("Thanks").waitFor();
});

inLongRun(
  "only one of the form and the hosted page accepts the payment, and the chat continues automatically",
  async ({ page, context }) => {
    const before = stripe.taken();
    await comeToPayment(page, context);
    await enter(page, cards.succeeds);
    const session: unknown = await page.evaluate(() => Object.values(history.state)[0]);
    const sessionId =
      session !== null && typeof session === "object" && "sessionId" in session ? session.sessionId : "";
    const read = await host.api.client.get(`/api/v1/sessions/${sessionId}`);
    const pageUrl = read.text("session.input.runtimeOptions.pageUrl");
    const tab = await context.newPage();
    await tab.goto(`${host.origin}${new URL(pageUrl).pathname}/hosted`);
    await payButton(page).click();
    await page.getByText("Payment failed. Please, try again.").waitFor();
    await tab.getByRole("button", { name: "Pay here" }).click();
    await goesOn(page);

    expect(stripe.taken()).toBe(before + 1250);
  },
);

inBrowser("a visitor who returns from the bank's page continues the chat", async ({ page, context }) => {
  await comeToPayment(page, context);
  await enter(page, cards.leads);
  await payButton(page).click();
  // Delays the response of the payment page until the chat has ended.
  await context.route("**/.pay/*/done?*", async (route) => {
    const response = await route.fetch();
    await waitFor(async () => {
      due.wake();
      return (await host.api.deps.sql`select from due_steps where kind = 'payment'`).length === 0;
    });
    await route.fulfill({ response });
  });
  await page.getByRole("link", { name: "Authorize" }).click();
  await goesOn(page);

  expect(await page.getByText("Ana").count()).toBe(1);
  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "Paid €12.50"]);
  expect(page.url()).toBe(chatAddress());
});

inBrowser("the payment form works in an embedded element on another site", async ({ page, context, problems }) => {
  await serveStripeTo(context, stripe);
  const head = `<script src="${host.origin}/embed.js" defer></script>`;
  const elements = [
    ["parley-popup", "document.querySelector('parley-popup').open()"],
    ["parley-chat", ""],
    ["parley-bubble", "document.querySelector('parley-bubble').open()"],
  ] as const;
  for (const [element, open] of isLong ? elements : elements.slice(0, 1)) {
    await page.goto(site.page(`<main><h1>Shop</h1><${element} bot="${bot.publicId}"></${element}></main>`, { head }));
    await page.waitForFunction("customElements.get('parley-chat')");
    if (open !== "") await page.evaluate(open);
    await answer(page, "Ana");
    await enter(page, cards.succeeds);
    await payButton(page).click();
    await page.getByText("Thanks").waitFor();
    expect(await page.evaluate((name) => document.querySelector(name)?.childElementCount, element)).toBe(0);
  }
  expect(problems).toEqual([]);
});

inLongRun(
  "a site with a strict policy and a sandboxed frame have a link instead of the form",
  async ({ page, context }) => {
    await serveStripeTo(context, stripe);
    const policy = `default-src 'none'; script-src ${host.origin}; connect-src ${host.origin}`;
    const head = `<script src="${host.origin}/embed.js" defer></script>`;
    await page.goto(site.page(`<parley-chat bot="${bot.publicId}"></parley-chat>`, { head, policy }));
    await answer(page, "Ana");
    await page.getByText("in a new tab").waitFor();

    await page.goto(
      site.page(
        `<iframe sandbox="allow-scripts allow-forms allow-popups" src="${bot.address}" title="Chat" height="600"></iframe>`,
      ),
    );
    const frame = page.frameLocator("iframe");
    await frame.getByRole("textbox").fill("Ana");
    await page.keyboard.press("Enter");
    await frame.getByText("in a new tab").waitFor();
    expect(await frame.locator("iframe").count()).toBe(0);
  },
);

inBrowser(
  "without scripts the payment is made on the provider's hosted page",
  async ({ page, context }) => {
    const before = stripe.taken();
    await serveStripeTo(context, stripe);
    await page.goto(bot.address);
    await answer(page, "Ana");
    const [tab] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: "Pay" }).click()]);
    await tab.getByRole("link", { name: "Pay on Stripe's own page" }).click();
    await tab.getByRole("button", { name: "Pay here" }).click();
    await tab.getByText("The payment is complete.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Thanks").waitFor();

    expect(stripe.taken()).toBe(before + 1250);
  },
  { javaScriptEnabled: false },
);

inBrowser("an unavailable payment can be skipped if the author allows it", async ({ page }) => {
  const options = { amount: "12.50", currency: "EUR", failure: { isSkipOffered: true } };
  const { address } = await host.publish(flowOf([asks("payment input", options), says("By invoice, then")]));
  await page.goto(address);
  const button = page.getByRole("button", { name: "Continue without paying" });
  await button.waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await button.press("Enter");
  await page.getByText("By invoice, then").waitFor();
  expect(await page.getByText("Skipped").count()).toBe(1);
});
