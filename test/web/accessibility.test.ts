import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { waitFor } from "../support/wait.ts";
import { inputs } from "./inputs/flows.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** An author's theme that is dark even if the visitor's system is light. */
const darkTheme = {
  general: {
    background: { type: "Color", content: "#171923" },
    progressBar: { isEnabled: true, color: "#63b3ed", backgroundColor: "#2d3748" },
  },
  chat: {
    hostBubbles: { backgroundColor: "#2d3748", color: "#f7fafc" },
    guestBubbles: { backgroundColor: "#63b3ed", color: "#1a202c" },
    buttons: { backgroundColor: "#63b3ed", color: "#1a202c" },
    inputs: { backgroundColor: "#2d3748", color: "#f7fafc", placeholderColor: "#cbd5e0" },
    guestAvatar: { isEnabled: true },
  },
};

/** A window of 320 px, and a window of 1280 × 1024 with a zoom of 400 %. */
const narrow = { width: 320, height: 640, deviceScaleFactor: 1, mobile: false };
const enlarged = { width: 320, height: 256, deviceScaleFactor: 4, mobile: false };

/** The axe rules that depend on colours. All other rules have the same outcome in every colour. */
const ofColors = ["color-contrast", "link-in-text-block"];
const themes = [
  { name: "with the default theme", theme: {} },
  { name: "with a dark theme", theme: darkTheme, only: ofColors },
];

/**
 * Returns the problems at 320 px, at 400 %, and with a dark system. `only` limits the rules that axe checks at 320 px.
 */
async function problemsEverywhere(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page);
  const problems: string[] = [];
  for (const [place, size] of Object.entries({ enlarged, narrow })) {
    await devtools.send("Emulation.setDeviceMetricsOverride", size);
    problems.push(...(await layoutProblems(page)).map((problem) => `${place}: ${problem}`));
  }
  // Axe is not run at 400 %, because the page has the same width, the findings are the same, and a run takes a second.
  problems.push(...(await axeProblems(page, only ? { only } : {})).map((problem) => `narrow: ${problem}`));
  await page.emulateMedia({ colorScheme: "dark" });
  problems.push(...(await axeProblems(page, { only: ofColors })).map((problem) => `dark: ${problem}`));
  await page.emulateMedia({ colorScheme: "light" });
  await devtools.detach();
  return problems;
}

/** Returns problems that axe does not detect: horizontal scrolling, and targets that are too small for a thumb. */
function layoutProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`scrolls to the side: ${scrollWidth} > ${clientWidth}`);
    for (const element of document.querySelectorAll<HTMLElement>(
      "button, select, textarea, input:not([type=hidden])",
    )) {
      // The whole label of a checkbox or a picture is its target.
      const target = element.closest("label") ?? element;
      const { width, height } = target.getBoundingClientRect();
      const isSeen = element.checkVisibility() && width > 1;
      if (isSeen && (width < 44 || height < 44)) problems.push(`small: ${width} × ${height}: ${target.outerHTML}`);
    }
    return problems;
  });
}

async function isAsked(page: Page): Promise<void> {
  await page.locator("body.is-live .typebot-input-form").waitFor();
}

const items = ["Yes", "No", "A much longer answer, which has to be wrapped where there is little room for it"].map(
  (content, index) => ({ id: `item${index}`, content }),
);

const { payment: _asksNothing, ...askingInputs } = inputs;

/** Every input except a payment, which cannot be made in the test. Most inputs have several forms. */
const asked: Readonly<Record<string, object>> = {
  ...askingInputs,
  text: asks("text input"),
  "long text": asks("text input", { isLong: true }),
  number: asks("number input", { min: 1, max: 5, style: "currency", currency: "EUR" }),
  email: asks("email input"),
  url: asks("url input"),
  buttons: asks("choice input", {}, { items }),
  "several buttons": asks("choice input", { isMultipleChoice: true, isSearchable: true }, { items }),
};
/** These inputs accept every answer, so they never show an error. */
const neverWrong = ["buttons", "stars", "pictures", "cards", "optional"];

/** Inputs with unique parts. The long run checks all inputs, also in a dark theme. */
const seenFirst = ["text", "several buttons", "stars", "file", "phone", "range"];
const focusedFirst = ["text", "buttons", "several", "rating", "stars", "file", "phone", "range", "cards"];

inBrowser("axe and the layout check find no problems in any type of input", async ({ page }) => {
  const found: Record<string, readonly string[]> = {};
  for (const [name, input] of Object.entries(asked).filter(([name]) => isLong || seenFirst.includes(name))) {
    const { address } = await host.publish(flowOf([says("What is it?"), input, says("Done")]));
    await page.goto(address);
    await isAsked(page);
    if (focusedFirst.includes(name)) {
      await page.keyboard.press("Tab");
      const isSeen = await isFocusSeen(page);
      await page.emulateMedia({ forcedColors: "active" });
      expect([name, isSeen, await isFocusSeen(page)]).toEqual([name, true, true]);
      await page.emulateMedia({ forcedColors: null });
    }
    const wrong = [...(await problemsEverywhere(page))];
    if (!neverWrong.includes(name)) {
      await makeMistake(page);
      wrong.push(...(await axeProblems(page)));
    }
    if (wrong.length > 0) found[name] = wrong;
  }
  expect(found).toEqual({});
});

inLongRun(
  "axe reports no violation in the colours of inputs in a dark theme, before and after an error",
  async ({ page }) => {
    const found: Record<string, readonly string[]> = {};
    // The positions and names of elements do not depend on the colours of a theme.
    for (const [name, input] of Object.entries(asked)) {
      const { address } = await host.publish({
        ...flowOf([says("What is it?"), input, says("Done")]),
        theme: darkTheme,
      });
      await page.goto(address);
      await isAsked(page);
      const wrong = [...(await axeProblems(page, { only: ofColors }))];
      if (!neverWrong.includes(name)) {
        await makeMistake(page);
        wrong.push(...(await axeProblems(page, { only: ofColors })));
      }
      if (wrong.length > 0) found[name] = wrong;
    }
    expect(found).toEqual({});
  },
);

async function makeMistake(page: Page): Promise<void> {
  await page.locator("form [type=submit]").last().click();
  await page.getByRole("alert").waitFor();
}

for (const { name, theme, only } of themes) {
  const inThisRun = only === undefined ? inBrowser : inLongRun;
  inThisRun(
    `axe reports no violation in a chat ${name}, from the first question to the end`,
    async ({ page, context }) => {
      const blocks = [
        { ...says("Welcome"), content: { richText: allRichText } },
        asks("email input"),
        says("And your name?"),
        asks("text input"),
        says("Good bye"),
      ];
      const settings = { general: { isBrandingEnabled: true, rememberUser: { isEnabled: true } } };
      const { address } = await host.publish({ ...flowOf(blocks), theme, settings });
      await page.goto(address);
      await isAsked(page);
      const found: Record<string, readonly string[]> = { asking: await problemsEverywhere(page, only) };

      await page.getByRole("textbox").fill("nobody");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      found["invalid"] = await problemsEverywhere(page, only);

      const answered = Promise.withResolvers<void>();
      await context.route("**/continueChat", async (route) => {
        await answered.promise;
        await route.continue();
      });
      await page.getByRole("textbox").fill("ana@example.com");
      await page.keyboard.press("Enter");
      await page.locator(".is-typing").waitFor();
      found["sending"] = await problemsEverywhere(page, only);
      answered.resolve();
      await context.unroute("**/continueChat");

      await page.getByRole("textbox", { name: "And your name?" }).waitFor();
      await context.setOffline(true);
      await page.getByRole("textbox").fill("Ana");
      await page.keyboard.press("Enter");
      await page.getByText("You are offline.").waitFor();
      found["offline"] = await problemsEverywhere(page, only);
      await context.setOffline(false);

      await page.getByText("Good bye").waitFor();
      found["ended"] = await problemsEverywhere(page, only);
      await page.reload();
      await page.getByRole("link", { name: "Start again" }).waitFor();
      found["come back to"] = await problemsEverywhere(page, only);

      expect(found).toEqual({ asking: [], invalid: [], sending: [], offline: [], ended: [], "come back to": [] });
    },
  );
}

inBrowser("axe reports no violation on the page of a closed or missing bot", async ({ page }) => {
  const { address } = await host.publish(flowOf([says("Hello")]), { isClosed: true });
  await page.goto(address);
  const closed = await problemsEverywhere(page);
  await page.goto(`${host.origin}/nothing-here`);

  expect(closed).toEqual([]);
  expect(await problemsEverywhere(page)).toEqual([]);
});

inBrowser("each new message is added to the log once", async ({ page, context }) => {
  const typing = { typingEmulation: { speed: 600, isDisabledOnFirstMessage: false } };
  const flow = flowOf([says("Your name?"), asks("text input"), says("Hello"), says("And your town?"), inputs.time]);
  const { address } = await host.publish({ ...flow, settings: typing });
  await page.goto(address);
  await isAsked(page);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    const log = document.querySelector("[role=log]");
    if (!log) throw new Error("There is no log");
    const added: string[] = [];
    const watch = (records: MutationRecord[]) =>
      added.push(...records.flatMap((record) => [...record.addedNodes]).map(({ textContent }) => textContent ?? ""));
    new MutationObserver(watch).observe(log, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { added, firstLog: log });
  });

  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.locator(".typebot-datetime-input").waitFor();

  const heard: unknown = await page.evaluate(() => Reflect.get(window, "added"));
  expect(heard).toEqual(["You: AnaSending…", "Chat: Hello", "And your town?"]);
  expect(await page.evaluate(() => Reflect.get(window, "firstLog") === document.querySelector("[role=log]"))).toBe(
    true,
  );
  const log = page.getByRole("log", { name: "Conversation" });
  expect(await log.getAttribute("aria-live")).not.toBe("off");
  expect(await log.locator(".is-typing, .typebot-input-form").count()).toBe(0);
  expect(
    await page.locator(".typebot-loading-chunk > :not([aria-hidden=true]):not(:has(> [aria-hidden=true]))").count(),
  ).toBe(0);
  expect(context.pages()).toHaveLength(1);
});

inBrowser("a new field does not take the focus from a link", async ({ page }) => {
  const link = { type: "a", url: "https://example.com", children: [{ text: "Our terms" }] };
  const terms = { ...says("Terms"), content: { richText: [{ type: "p", children: [link] }] } };
  const { address } = await host.publish(
    flowOf([
      terms,
      says("Name?"),
      asks("text input"),
      says("Town?"),
      asks("text input", {}, { id: "town" }),
      says("Thank you"),
    ]),
  );
  await page.goto(address);
  await isAsked(page);
  expect(await focused(page)).toBe("text");

  await page.keyboard.type("Ana");
  await page.getByRole("link").evaluate((element) => {
    // Simulates a visitor who scrolls up after sending an answer.
    document.querySelector("form")?.addEventListener("submit", () => setTimeout(() => element.focus()));
  });
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Town?" }).waitFor();
  expect(await focused(page)).toBe("Our terms");

  await page.getByRole("textbox").fill("Rome");
  await page.getByRole("button").click();
  await page.getByText("Thank you").waitFor();
  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "Rome"]);
});

inBrowser("new messages do not scroll down a page that the visitor scrolled up", async ({ page }) => {
  const long = Array.from({ length: 12 }, (_, index) => says(`Paragraph ${index}. ${"Words and words. ".repeat(12)}`));
  const settings = { typingEmulation: { speed: 1, maxDelay: 2.5 } };
  const { address } = await host.publish({
    ...flowOf([...long, asks("text input"), says("Then"), says("Last")]),
    settings,
  });
  await page.goto(address);
  await isAsked(page);
  await page.getByRole("textbox").fill("x");
  await page.keyboard.press("Enter");
  await page.getByText("Then").waitFor();

  await page.mouse.move(200, 200);
  // The page itself may still be scrolling to the new messages, which overrides the visitor's wheel.
  await waitFor(async () => {
    await page.mouse.wheel(0, -20_000);
    return await page.evaluate(() => scrollY < 500);
  });
  await page.getByText("Last").waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

  expect(await page.evaluate(() => scrollY)).toBeLessThan(500);
});

inBrowser("a field is labelled by its question and described by its error", async ({ page }) => {
  const { address } = await host.publish({
    ...flowOf([says("Wie alt sind Sie?"), asks("number input", { min: 18 })]),
    settings: { metadata: { title: "Anmeldung" }, general: { language: "de" } },
  });
  await page.goto(address);
  await isAsked(page);
  const field = page.getByRole("textbox", { name: "Wie alt sind Sie?" });
  await field.fill("7");
  await page.keyboard.press("Enter");
  const error = page.getByRole("alert");
  await error.waitFor();

  expect(await field.getAttribute("aria-describedby")).toBe(await error.getAttribute("id"));
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await focused(page)).toBe("text");
  expect(await page.title()).toBe("Anmeldung");
  expect(await page.getAttribute("html", "lang")).toBe("de");
  expect(await page.getAttribute("html", "dir")).toBe("ltr");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Anmeldung");
  expect(await page.getByRole("main").count()).toBe(1);
});

inBrowser("a bot with a right-to-left language has a right-to-left layout", async ({ page }) => {
  const { address } = await host.publish({
    ...flowOf([says("ما اسمك؟"), asks("text input", { labels: { placeholder: "اكتب هنا" } }), says("أهلا")]),
    settings: { general: { language: "ar" } },
  });
  await page.goto(address);
  await isAsked(page);
  await page.getByRole("textbox", { name: "ما اسمك؟" }).fill("سارة");
  await page.getByRole("button").click();
  await page.getByText("أهلا").waitFor();

  const placeOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN;
  expect(await page.getAttribute("html", "dir")).toBe("rtl");
  expect(await placeOf(".typebot-avatar-container")).toBeGreaterThan(await placeOf(".typebot-host-bubble"));
  expect(await placeOf(".typebot-host-bubble")).toBeGreaterThan(await placeOf(".typebot-guest-bubble"));
  expect(await axeProblems(page)).toEqual([]);
});

inBrowser(
  "buttons and answers remain distinguishable in forced colours",
  async ({ page }) => {
    const { address } = await host.publish(flowOf([says("Shall we?"), asked["buttons"] ?? {}, inputs.rating]));
    await page.goto(address);
    await isAsked(page);
    const lineOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopWidth));
    expect(await lineOf(".typebot-button")).toBeGreaterThan(0);

    await page.getByRole("button", { name: "Yes" }).click();
    const steps = page.locator(".rating-step");
    await steps.last().click();
    expect(await lineOf(".typebot-guest-bubble")).toBeGreaterThan(0);
    const colorOf = (step: typeof steps) => step.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await colorOf(steps.last())).not.toBe(await colorOf(steps.first()));
  },
  { forcedColors: "active" },
);

inBrowser(
  "no animation runs for a visitor who prefers reduced motion",
  async ({ page }) => {
    const { address } = await host.publish(flowOf([says("Name?"), asks("text input"), says("Hello"), says("There")]));
    await page.goto(address);
    await isAsked(page);
    const moving = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let most = 0;
          const look = () => {
            most = Math.max(most, document.getAnimations().length);
            if (document.querySelector("[role=log]")?.textContent.includes("There")) resolve(most);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
    await page.getByRole("textbox").fill("Ana");
    await page.keyboard.press("Enter");

    expect(await moving).toBe(0);
  },
  { reducedMotion: "reduce" },
);

/** Returns the name of a focused field, or the text of any other focused element. */
function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("name") ?? element?.textContent ?? null;
  });
}

/** Whether the focused element, or an element around it in the form, is outlined. */
function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    for (let element = document.activeElement; element && element.tagName !== "FORM"; element = element.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (element !== document.body && outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) return true;
    }
    return false;
  });
}

const paragraph = (text: string, more: object = {}) => ({ type: "p", children: [{ text, ...more }] });
const allRichText = [
  { type: "h1", children: [{ text: "A heading" }] },
  paragraph("Bold", { bold: true }),
  { type: "p", children: [{ text: "See " }, { type: "a", url: "https://example.com", children: [{ text: "this" }] }] },
  { type: "ul", children: [{ type: "li", children: [{ text: "One" }] }] },
  { type: "blockquote", children: [{ text: "Quoted" }] },
  { type: "code_block", children: [{ text: `const wide = "${"x".repeat(80)}";` }] },
];
