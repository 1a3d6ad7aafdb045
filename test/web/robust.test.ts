import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";
import { waitFor } from "../support/wait.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const withoutScript = { javaScriptEnabled: false };

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

inBrowser(
  "a complete conversation works without scripts",
  async ({ page, outside }) => {
    const choice = {
      id: "tea",
      type: "choice input",
      items: [{ id: "t1", content: "Green" }],
      options: { isMultipleChoice: true },
    };
    const wait = { id: "wait", type: "Wait", options: { secondsToWaitFor: "1", shouldPause: true } };
    const bot = await host.publish(
      flowOf([
        says("Which tea?"),
        choice,
        says("It draws"),
        wait,
        says("When?"),
        asks("date input"),
        { id: "listen", type: "webhook", options: {} },
        says("Called"),
        { id: "go", type: "Redirect", options: { url: "https://example.com/next" } },
      ]),
    );
    await page.goto(bot.address);
    await page.getByRole("checkbox", { name: "Green" }).check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("It draws").waitFor();

    // The page retries by itself after the wait.
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator("[name=from]").fill("2026-03-04");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".chat-note", { hasText: "Waiting for a response from another service…" }).waitFor();
    const results = await host.api.client.get(`/api/v1/bots/${bot.botId}/results`, { token: host.owner.token });
    const call = `/api/v1/bots/${bot.botId}/blocks/listen/results/${results.text("results.0.id")}/executeWebhook`;
    await host.api.client.post(call, { token: host.owner.token, body: {} });
    await page.getByText("Called").waitFor();

    const link = page.getByRole("link", { name: "Continue to example.com" });
    expect(await link.getAttribute("href")).toBe("https://example.com/next");
    expect(await host.answersOf(bot)).toEqual([["Green", "04/03/2026"]]);
    expect(outside).toEqual([]);
  },
  withoutScript,
);

for (const javaScriptEnabled of [true, false]) {
  const inThisRun = javaScriptEnabled ? inLongRun : inBrowser;
  inThisRun(
    `an e-mail address with an umlaut before the @ is accepted ${javaScriptEnabled ? "with scripts" : "without scripts"}`,
    async ({ page }) => {
      const bot = await host.publish(flowOf([says("Your e-mail?"), asks("email input"), says("Thank you")]));
      await page.goto(bot.address);
      const field = page.locator("[name=text]");
      await field.fill("jörg");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Please enter an e-mail address").waitFor();
      await field.fill("jörg@example.org");
      await field.press("Enter");
      await page.getByText("Thank you").waitFor();
      expect(await host.answersOf(bot)).toEqual([["jörg@example.org"]]);
    },
    { javaScriptEnabled },
  );
}

inBrowser("the first text is readable before any script has loaded", async ({ page, context }) => {
  const { address } = await host.publish(nameAndEmail);
  const asked: string[] = [];
  await context.route("**/*.js", () => new Promise(() => {}));
  page.on("request", (request) => asked.push(request.resourceType()));

  await page.goto(address, { waitUntil: "commit" });
  await page.getByText("Your name?").waitFor();

  expect(await page.getByRole("textbox", { name: "Your name?" }).isEditable()).toBe(true);
  expect(await page.locator("body.is-live").count()).toBe(0);
  // One round trip fetches the text and its styles, while the scripts are still loading.
  expect(asked.filter((type) => type !== "script")).toEqual(["document"]);
  expect(await page.locator(".bubble-typing").evaluate((bubble) => getComputedStyle(bubble).borderStyle)).toBe("solid");
});

inBrowser("an offline answer is sent automatically, once, when the connection returns", async ({ page, context }) => {
  const bot = await host.publish(nameAndEmail);
  await openChat(page, bot.address);
  await context.setOffline(true);
  await page.getByRole("textbox").fill("A draft");
  expect(await page.getByRole("textbox").inputValue()).toBe("A draft");
  await page.keyboard.press("Enter");
  await page.getByText("You are offline.").waitFor();
  expect(await host.answersOf(bot)).toEqual([[]]);

  await context.setOffline(false);
  await page.locator("[type=email]").waitFor();

  expect(await host.answersOf(bot)).toEqual([["A draft"]]);
  expect(await page.locator(".chat-notice").count()).toBe(0);
});

inBrowser("an answer whose response was lost is counted once", async ({ page, context }) => {
  const bot = await host.publish(nameAndEmail);
  await openChat(page, bot.address);
  let lost = 0;
  await context.route("**/continueChat", async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort("connectionreset");
  });
  await answer(page, "Ana");
  await page.locator("[type=email]").waitFor();

  expect(lost).toBe(1);
  expect(await host.answersOf(bot)).toEqual([["Ana"]]);
});

inLongRun("a page waits for a service that stops and returns", async ({ page }) => {
  const bot = await host.publish(nameAndEmail);
  await openChat(page, bot.address);
  await host.goDown();
  await answer(page, "Ana");
  await page.getByText("The service cannot be reached. Trying again…").waitFor();

  host.comeBack();
  await page.locator("[type=email]").fill("ana@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inBrowser("a double click and a form that is sent twice each count as one answer", async ({ page }) => {
  const bot = await host.publish(nameAndEmail);
  await openChat(page, bot.address);
  await page.getByRole("textbox").fill("Ana");
  await page.getByRole("button", { name: "Send" }).dblclick();
  await page.locator("[type=email]").fill("ana@example.com");
  await page.locator("form").evaluate((form) => {
    if (!(form instanceof HTMLFormElement)) throw new Error("There is no form");
    form.requestSubmit();
    form.requestSubmit();
  });
  await page.getByText("Thank you").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana", "ana@example.com"]]);
});

inLongRun(
  "a double click without script counts as one answer",
  async ({ page }) => {
    const bot = await host.publish(nameAndEmail);
    await page.goto(bot.address);
    await page.getByRole("textbox").fill("Ana");
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.locator("[type=email]").waitFor();
    await page.waitForLoadState();

    expect(await host.answersOf(bot)).toEqual([["Ana"]]);
  },
  withoutScript,
);

inLongRun("an answer that was sent before the chat had started is not lost", async ({ page, context }) => {
  const bot = await host.publish(nameAndEmail);
  const started = Promise.withResolvers<void>();
  await context.route("**/startChat", async (route) => {
    await started.promise;
    await route.continue();
  });
  await page.goto(bot.address);
  await page.locator("body.is-live").waitFor();
  await answer(page, "Ana");
  started.resolve();
  await page.locator("[type=email]").waitFor();

  expect(await host.answersOf(bot)).toEqual([["Ana"]]);
});

for (const status of [500, 503]) {
  const inThisRun = status === 500 ? inBrowser : inLongRun;
  inThisRun(`an error ${status} keeps the typed text, and the chat continues afterwards`, async ({ page, context }) => {
    const bot = await host.publish(nameAndEmail);
    await openChat(page, bot.address);
    const refused: string[] = [];
    await context.route("**/continueChat", (route) => {
      refused.push(route.request().headers()["idempotency-key"] ?? "");
      const body = JSON.stringify({ code: "server.internal", status, message: "Something broke", requestId: "x" });
      return route.fulfill({ status, contentType: "application/json", headers: { "retry-after": "0" }, body });
    });
    await answer(page, "Ana");
    // An error of the server itself is shown after a few attempts. A temporary error is retried as long as it lasts.
    await (status === 500 ? page.getByRole("alert") : page.locator(".chat-notice.is-error")).waitFor();
    expect(await page.getByText("Ana").or(page.locator("[value=Ana]")).count()).toBeGreaterThan(0);
    await waitFor(() => refused.length > 1, { what: "the answer to be sent again" });
    await context.unroute("**/continueChat");
    if (status === 500) {
      expect(await page.getByRole("textbox").inputValue()).toBe("Ana");
      await page.keyboard.press("Enter");
    }
    await page.locator("[type=email]").waitFor();

    expect(new Set(refused).size).toBe(1);
    expect(await host.answersOf(bot)).toEqual([["Ana"]]);
  });
}
