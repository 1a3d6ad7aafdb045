import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

inBrowser(
  "a click on a cell of a row opens its result",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish(flowOf([says("Tea?", "hello"), asks("text input")]));
    for (let count = 0; count < 2; count++) await putResult(host.api.deps.sql, botId, { hasStarted: true });
    await page.goto(`${host.builder}/bots/${botId}/results`);
    const row = page.getByRole("row").nth(1);
    const state = row.locator("td").nth(1);
    await state.waitFor();

    await row.getByRole("checkbox").check();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await row.locator(".app-table-tick").click({ position: { x: 2, y: 2 } });
    expect(new URL(page.url()).pathname).toMatch(/\/results$/);
    // Drags from the end of the date back to its beginning, like a user who copies it.
    const words = await state.boundingBox();
    if (!words) throw new Error("The cell has no box");
    const middle = words.y + words.height / 2;
    await page.mouse.move(words.x + words.width - 2, middle);
    await page.mouse.down();
    await page.mouse.move(words.x + 2, middle, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString())).not.toBe("");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await page.evaluate(() => getSelection()?.empty());
    await page.mouse.click(words.x + words.width - 2, middle);
    await page.getByRole("dialog").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/results\/\w+$/);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The link of the date can be reached by keys.
    await row.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
