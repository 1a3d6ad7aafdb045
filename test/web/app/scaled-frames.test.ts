import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { movablePlaces } from "../../support/layout-problems.ts";

let host: AppHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const flow = flowOf([says("Your name?"), asks("text input", { variableId: idOf("Name") })]);
const usual = { width: 1440, height: 900 };

/**
 * Returns how far the elements around the frames of a screen were scrolled, except elements with a scroll bar for the
 * user.
 */
const scrolled = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const frame of document.querySelectorAll("iframe")) {
      for (let place = frame.parentElement; place && place !== document.body; place = place.parentElement) {
        if (place.scrollTop !== 0 || place.scrollLeft !== 0)
          found.push(`${place.className} by ${place.scrollLeft}, ${place.scrollTop}`);
      }
    }
    return found;
  });

/**
 * Expects that focusing an element in a frame, or scrolling it into view, does not scroll the elements around the
 * frame.
 */
async function expectStill(page: Page, frame: Locator, words: string): Promise<void> {
  await frame.scrollIntoViewIfNeeded();
  const shown = frame.contentFrame().getByText(words).first();
  await shown.waitFor();
  const isDrawnSmaller = await page.evaluate(() =>
    [...document.querySelectorAll("iframe")].some((one) => one.getBoundingClientRect().width < one.offsetWidth - 1),
  );
  expect(isDrawnSmaller).toBe(true);
  await shown.evaluate((element) => {
    for (const block of ["start", "end"] as const) element.scrollIntoView({ block, inline: block });
    const focusable = [...document.querySelectorAll<HTMLElement>("button, a[href], input, textarea, [tabindex]")];
    for (const one of focusable) one.focus();
  });
  for (const key of ["Tab", "Tab", "Shift+Tab"]) await page.keyboard.press(key);
  expect(await scrolled(page)).toEqual([]);
  expect(await movablePlaces(page)).toEqual([]);
}

inBrowser(
  "a scaled page stays in place when its parts get the focus",
  async ({ page, context }) => {
    await host.signIn(context);
    const { botId } = await host.publish({ ...flow, settings: {} });

    await page.goto(`${host.builder}/bots/${botId}/share`);
    const site = page.locator("iframe[title='Your page with the chat']");
    await expectStill(page, site, "Nice to see you here");
    await page.getByRole("tab", { name: "Inline" }).click();
    await expectStill(page, site, "Nice to see you here");
    await page.getByRole("tab", { name: "Iframe" }).click();
    await expectStill(page, page.locator(".share-site iframe"), "Nice to see you here");

    for (const part of ["theme", "settings"]) {
      await page.goto(`${host.builder}/bots/${botId}/${part}`);
      await page.getByRole("radio", { name: "Wide" }).check({ force: true });
      await expectStill(page, page.locator("iframe"), part === "theme" ? "Nice to see you here" : "This chat");
    }

    await page.goto(`${host.builder}/bots/${botId}`);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.frameLocator("iframe").getByText("Your name?").waitFor();
    for (const kind of ["Page", "Bubble", "Popup"]) {
      await page.getByRole("button", { name: /^Shown as: / }).click();
      await page.getByRole("menuitemcheckbox", { name: kind }).click();
      if (kind === "Page") {
        await page.getByRole("button", { name: /^Shown as: / }).click();
        await page.getByRole("menuitemcheckbox", { name: "Wide" }).click();
      }
      await expectStill(page, page.locator("iframe"), "Your name?");
    }
  },
  { viewport: usual, reducedMotion: "reduce" },
);

inLongRun(
  "the phone of a preview ends above the lower edge of its stage",
  async ({ page, context }) => {
    await host.signIn(context);
    const { botId } = await host.publish({ ...flow, settings: {} });
    for (const part of ["share", "theme"]) {
      await page.goto(`${host.builder}/bots/${botId}/${part}`);
      await page.frameLocator("iframe").first().getByText("Nice to see you here").waitFor();
      const [stage, phone] = await Promise.all(
        [".preview-stage", ".preview-screen.is-phone"].map((name) => page.locator(name).first().boundingBox()),
      );
      const endOf = (box: typeof stage) => (box ? box.y + box.height : Number.NaN);
      expect(endOf(phone ?? null)).toBeLessThanOrEqual(endOf(stage ?? null));
    }
  },
  { viewport: usual, reducedMotion: "reduce" },
);
