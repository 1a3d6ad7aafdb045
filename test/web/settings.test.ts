import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createTestApi, type TestApi } from "../support/api.ts";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, publish, says } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { visitor } from "../support/web-page.ts";

let api: TestApi;
let threads: Threads;
let place: { token: string; workspaceId: string };
let server: Bun.Server<undefined>;
const inBrowser = browserTests();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const owner = await api.makeUser();
  place = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
});

const button = { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] };

async function addressOf(flow: object): Promise<string> {
  const { publicId } = await publish(api.client, place, flow);
  return `${server.url.origin}/${publicId}`;
}

async function open(page: Page, flow: object): Promise<void> {
  await page.goto(await addressOf(flow));
  await page.waitForSelector("body.is-live");
}

describe("a bot with typing delays", () => {
  const flow = (typingEmulation: object) => ({
    ...flowOf([button, says("one two three"), says("four"), asks("text input")]),
    settings: { typingEmulation },
  });
  const isTyping = (page: Page) => page.locator(".is-typing");
  const said = (page: Page) => page.locator(".typebot-host-bubble:not(.is-typing)");

  /** Answers while the page's clock is stopped, and waits until the bot begins to type. */
  async function answer(page: Page, flowWithSettings: object): Promise<void> {
    await page.clock.install();
    await open(page, flowWithSettings);
    // A jump of the clock would time out the request that starts the chat.
    await page.waitForFunction(() => history.state !== null);
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    await page.getByRole("button", { name: "Yes" }).click();
    await isTyping(page).waitFor();
  }

  inBrowser("each bubble appears after a delay that depends on the length of its text", async ({ page }) => {
    await answer(page, flow({ speed: 60, delayBetweenBubbles: 2 }));

    await page.clock.runFor(2_900);
    expect(await said(page).count()).toBe(0);
    await page.clock.runFor(200);
    expect(await said(page).allTextContents()).toEqual(["one two three"]);
    expect(await isTyping(page).count()).toBe(0);
    await page.clock.runFor(2_000);
    expect(await isTyping(page).count()).toBe(1);
    await page.clock.runFor(1_000);
    expect(await said(page).allTextContents()).toEqual(["one two three", "four"]);
    await page.getByRole("textbox", { name: "four" }).waitFor();
  });

  inBrowser("a bot with typing delays does not exceed the maximum delay", async ({ page }) => {
    await answer(page, flow({ speed: 1, maxDelay: 1.5 }));

    await page.clock.runFor(1_400);
    expect(await said(page).count()).toBe(0);
    await page.clock.runFor(200);
    expect(await said(page).allTextContents()).toEqual(["one two three"]);
  });

  inBrowser("a bot whose typing delays are disabled shows all messages immediately", async ({ page }) => {
    await open(page, flow({ enabled: false, speed: 1, maxDelay: 60 }));

    await page.getByRole("button", { name: "Yes" }).click();

    // Typing these texts would take more than a minute.
    await page.getByRole("textbox", { name: "four" }).waitFor();
    expect(await said(page).allTextContents()).toEqual(["one two three", "four"]);
  });

  inBrowser("a bot with typing delays shows the page's first messages immediately", async ({ page }) => {
    await page.clock.install();
    await open(page, {
      ...flowOf([says("one two three"), says("four"), asks("text input")]),
      settings: { typingEmulation: { speed: 1, maxDelay: 60, isDisabledOnFirstMessage: false } },
    });

    expect(await said(page).allTextContents()).toEqual(["one two three", "four"]);
  });

  inBrowser(
    "a bot does not delay messages for visitors with reduced motion",
    async ({ page }) => {
      await page.clock.install();
      await open(page, flow({ speed: 1, maxDelay: 60, delayBetweenBubbles: 5 }));
      await page.clock.pauseAt(new Date(Date.now() + 3_600_000));

      await page.getByRole("button", { name: "Yes" }).click();

      // A busy page needs some frames, but less than the five seconds between two bubbles.
      const field = page.getByRole("textbox", { name: "four" });
      for (let frame = 0; frame < 250 && !(await field.isVisible()); frame++) await page.clock.runFor(16);
      await field.waitFor();
      expect(await said(page).allTextContents()).toEqual(["one two three", "four"]);
    },
    { reducedMotion: "reduce" },
  );
});

describe("the service's own line under the chat", () => {
  test.each([
    [{ isBrandingEnabled: true }, 1],
    [{ isBrandingEnabled: false }, 0],
    [{}, 0],
  ])("the number of shown lines with the settings %j is %d", async (general, times) => {
    const { publicId } = await publish(api.client, place, { ...flowOf([says("Hello")]), settings: { general } });

    const { html } = await visitor(api).visit(`/${publicId}`);

    expect(html.split('class="lite-badge"')).toHaveLength(times + 1);
  });
});

describe("the query of the page's address", () => {
  inBrowser("the page hides the query of its address after reading it", async ({ page }) => {
    const address = await addressOf(flowOf([says("Hello {{Name}}"), asks("text input")]));
    await page.goto(`${address}?Name=Ana#part`);
    await page.waitForSelector("body.is-live");

    expect(page.url()).toBe(`${address}#part`);
    expect(await page.getByText("Hello Ana").count()).toBe(1);
  });

  inBrowser("the page keeps the query of its address if the bot's settings require it", async ({ page }) => {
    const settings = { general: { isHideQueryParamsEnabled: false } };
    const address = await addressOf({ ...flowOf([says("Hello {{Name}}"), asks("text input")]), settings });
    await page.goto(`${address}?Name=Ana`);
    await page.waitForSelector("body.is-live");

    expect(page.url()).toBe(`${address}?Name=Ana`);
  });
});

describe("the code that an author loads into the page", () => {
  const loading = (security: object = {}) => ({
    ...flowOf([
      { id: "ga", type: "Google Analytics", options: { trackingId: "G-ABC", action: "opened", value: 3 } },
      { id: "px", type: "Pixel", options: { pixelId: "998877", eventType: "Lead" } },
      says("Hello"),
      asks("text input"),
    ]),
    settings: {
      security,
      metadata: {
        googleTagManagerId: "GTM-XYZ",
        customHeadCode:
          '<meta name="verify" content="me"><style>body{outline:1px solid #010203}</style><script>window.ran = 1</script>',
      },
    },
  });
  const scripts = [
    "https://connect.facebook.net/en_US/fbevents.js",
    "https://www.googletagmanager.com/gtag/js?id=G-ABC",
    "https://www.googletagmanager.com/gtm.js?id=GTM-XYZ",
  ];
  const state = (page: Page) =>
    page.evaluate(() => ({
      ran: Reflect.get(window, "ran"),
      outline: getComputedStyle(document.body).outlineColor,
      verify: document.querySelectorAll("meta[name=verify]").length,
      events: JSON.parse(JSON.stringify(Reflect.get(window, "dataLayer") ?? [])).length > 0,
      pixel: typeof Reflect.get(window, "fbq"),
    }));

  inBrowser(
    "the code that an author loads into the page runs under the page's policy",
    async ({ page, outside, problems }) => {
      await open(page, loading());
      await page.waitForFunction(() => {
        const told: unknown = Reflect.get(window, "dataLayer");
        const isTold =
          Array.isArray(told) && told.some((one) => Object.values(one).slice(0, 2).join() === "event,opened");
        return isTold && typeof Reflect.get(window, "fbq") === "function";
      });

      expect(await state(page)).toEqual({
        ran: 1,
        outline: "rgb(1, 2, 3)",
        verify: 1,
        events: true,
        pixel: "function",
      });
      expect([...outside].toSorted()).toEqual(scripts);
      expect(problems.filter((problem) => problem.includes("Content Security Policy"))).toEqual([]);
    },
  );

  inBrowser("an author's code does not run if the bot forbids code", async ({ page, outside, problems }) => {
    await open(page, loading({ isAuthorCodeDisabled: true }));
    await page.getByRole("textbox", { name: "Hello" }).fill("Ana");
    await page.keyboard.press("Enter");
    await page.locator(".typebot-guest-bubble").waitFor();

    expect(await state(page)).toMatchObject({ verify: 0, events: false, pixel: "undefined" });
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    expect({ outside, problems }).toEqual({ outside: [], problems: [] });
  });
});
