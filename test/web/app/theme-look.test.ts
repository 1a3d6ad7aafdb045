import { afterAll, beforeAll, expect } from "bun:test";
import { themeOfStyle } from "../../../src/core/theme/styles.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

inBrowser(
  "a theme opens on its look, where a style and a colour change the page at once and leave all other fields",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const own = { customCss: ".mine { color: red }", chat: { hostAvatar: { isEnabled: false }, own: [1] } };
    const { botId } = await host.publish({ ...flowOf([says("Your name?"), asks("text input")]), theme: own });
    const themeNow = async () =>
      (await host.api.client.get(`/api/v1/bots/${botId}`, { token: host.owner.token })).at("bot.theme");
    await page.goto(`${host.builder}/bots/${botId}/theme`);
    await page.getByRole("heading", { level: 1, name: "Look" }).waitFor();
    await page.getByText("All texts can be read").waitFor();
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    // By keys: arrows go through the styles.
    await page.getByRole("radio", { name: "Clear" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".saving-state.is-saved").waitFor();
    const paper = themeOfStyle("paper", "#1f5c4d");
    expect(await themeNow()).toEqual({ ...own, ...paper, chat: { ...own.chat, ...paper.chat } });
    expect(await page.getByRole("radio", { name: "Paper" }).isChecked()).toBe(true);

    // A colour on which white could not be read.
    await page.getByLabel("Main colour").fill("#ffcc00");
    await page.getByText("White words need a darker colour").waitFor();
    await page.locator(".saving-state.is-saved").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("ControlOrMeta+z");
    await page.keyboard.press("ControlOrMeta+z");
    await page.locator(".saving-state.is-saved").waitFor();
    expect(await themeNow()).toEqual(own);
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
