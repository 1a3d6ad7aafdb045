import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { builderScreens, showScreen } from "../../support/builder-screens.ts";
import { type BuilderWorld, openBuilderWorld } from "../../support/builder-world.ts";
import { isLong } from "../../support/campaigns.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

let world: BuilderWorld;
const inBrowser = browserTests();

beforeAll(async () => {
  world = await openBuilderWorld();
});
afterAll(() => world.close());

const usual = { width: 1280, height: 800 };
/** A window of 1280 × 1024 at 400 %, which is as narrow as the smallest phone. */
const enlarged = { width: 320, height: 256 };
/** The rules that depend on colours and on the width. All other rules were checked at full width. */
const ofLooks = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];

/** Returns the problems in the dark scheme at 400 %. */
async function enlargedProblems(page: Page): Promise<string[]> {
  await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "dark"));
  await page.setViewportSize(enlarged);
  return [...(await axeProblems(page, { only: ofLooks })), ...(await layoutProblems(page))];
}

inBrowser(
  "axe and the layout check report no problem on the builder's screens",
  async ({ page, context, problems, outside }) => {
    const { host, administrator, member } = world;
    const found: Record<string, readonly string[]> = {};
    const people = { administrator, member };
    const screens = Object.groupBy(builderScreens(world), ({ as = "administrator" }) => as);
    for (const [as, ofOne = []] of Object.entries(screens)) {
      await context.clearCookies();
      const person = Object.entries(people).find(([name]) => name === as)?.[1];
      if (person) await host.signIn(context, person.userId);
      for (const [index, screen] of ofOne.entries()) {
        await page.setViewportSize(usual);
        await showScreen(page, host.origin, { screen, isSame: person !== undefined && index > 0 }).catch((cause) => {
          throw new Error(`${screen.name} is not shown`, { cause });
        });
        await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "light"));
        const wide = [...(await axeProblems(page)), ...(await layoutProblems(page))];
        const narrow = isLong ? await enlargedProblems(page) : [];
        if (wide.length + narrow.length > 0) found[screen.name] = [...new Set([...wide, ...narrow])];
      }
    }
    expect(found).toEqual({});
    // The browser itself logs rejected requests on the console.
    expect(
      problems.filter((problem) => !/status of (401|403|404|429|500)|ERR_INTERNET_DISCONNECTED/.test(problem)),
    ).toEqual([]);
    expect(outside).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: usual },
);
