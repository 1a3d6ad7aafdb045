import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { styleNames, themeOfStyle } from "../../../src/core/theme/styles.ts";
import { mainOf, styleOf, unreadMainOf, withMain, withStyle } from "../../../src/web/app/screens/theme/look.ts";
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

describe("the main colour", () => {
  const handMade = {
    general: { background: { type: "Image", content: "https://a.example/sea.png" }, font: "Lora" },
    chat: {
      hostBubbles: { backgroundColor: "#112233", color: "#ffffff" },
      buttons: { backgroundColor: "#f00", border: { thickness: 3 } },
    },
  };
  const [blue, white] = ["#0042da", "#ffffff"];

  test("a custom theme's main colour changes only buttons and visitor bubbles", () => {
    expect(withMain(handMade, blue)).toEqual({
      general: handMade.general,
      chat: {
        hostBubbles: handMade.chat.hostBubbles,
        buttons: { backgroundColor: blue, color: white, border: { thickness: 3 } },
        guestBubbles: { backgroundColor: blue, color: white },
      },
    });
  });

  test("a custom theme's main colour also changes the dark mode's buttons", () => {
    const dark = { chat: { buttons: { backgroundColor: "#333333" } }, customCss: "a {}" };
    const { backgroundColor, color } = themeOfStyle("clear", blue).dark?.chat?.buttons ?? {};
    expect(withMain({ ...handMade, dark }, blue)["dark"]).toEqual({
      ...dark,
      chat: { buttons: { backgroundColor, color } },
    });
  });

  test.each(styleNames)(
    "the main colour of a theme in the style %s does not change the style, for each of seven colours",
    (style) => {
      for (const main of ["#ffcc00", "#00e5ff", "#7f7f7f", "#ff00aa", "#000000", "#ffffff", "#39ff14"]) {
        const styled = withStyle(handMade, style, main);
        expect([main, styleOf(styled)]).toEqual([main, style]);
        expect(withMain(styled, blue)).toEqual(withStyle(handMade, style, blue));
      }
    },
  );

  test("the main colour of a styled theme does not add a dark mode", () => {
    const { dark: _, ...light } = withStyle({}, "paper", "#1f5c4d");
    expect(withMain(light, blue)).not.toHaveProperty("dark");
  });

  test("the main colour is parsed from hexadecimal and rgb() values", () => {
    const themeIn = (backgroundColor: string) => ({ chat: { buttons: { backgroundColor } } });
    for (const form of ["#f00", "#FF0000", "rgb(255, 0, 0)", "rgba(255,0,0,0.5)", " #ff0000ff "]) {
      expect(mainOf(themeIn(form), undefined)).toBe("#ff0000");
      expect(unreadMainOf(themeIn(form), undefined)).toBeUndefined();
    }
    expect(mainOf(themeIn("{{Brand}}"), undefined)).toBeUndefined();
    expect(unreadMainOf(themeIn("{{Brand}}"), undefined)).toBe("{{Brand}}");
    expect(unreadMainOf({}, undefined)).toBeUndefined();
  });
});

test("a style leaves the other fields of the dark mode unchanged", () => {
  const dark = { general: { font: "Lora" }, chat: { own: [1] }, customCss: "a {}" };
  const made = themeOfStyle("soft", "#0042da");
  expect(withStyle({ dark }, "soft", "#0042da")["dark"]).toEqual({
    ...dark,
    general: { ...dark.general, ...made.dark?.general },
    chat: { ...dark.chat, ...made.dark?.chat },
  });
});

inBrowser(
  "a style chosen on the theme screen leaves other fields unchanged",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const own = { customCss: ".mine { color: red }", chat: { hostAvatar: { isEnabled: false }, own: [1] } };
    const { botId } = await host.publish({ ...flowOf([says("Your name?"), asks("text input")]), theme: own });
    const themeNow = async () =>
      (await host.api.client.get(`/api/v1/bots/${botId}`, { token: host.owner.token })).at("bot.theme");
    await page.goto(`${host.builder}/bots/${botId}/theme`);
    await page.getByRole("heading", { level: 1, name: "Look" }).waitFor();
    await page.getByText("Text on this colour is legible").waitFor();
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    // A style starts with the colour of the page. Arrow keys move through the styles.
    await page.getByRole("radio", { name: "Clear" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".saving-state.is-saved").waitFor();
    const paper = themeOfStyle("paper", "#c2410c");
    expect(await themeNow()).toEqual({ ...own, ...paper, chat: { ...own.chat, ...paper.chat } });
    expect(await page.getByRole("radio", { name: "Paper" }).isChecked()).toBe(true);

    // A colour on which white would be unreadable.
    await page.getByLabel("Main colour").fill("#ffcc00");
    await page.getByText("Text on this colour needs more contrast").waitFor();
    await page.locator(".saving-state.is-saved").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("ControlOrMeta+z");
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>("input[type=color]")?.value === "#c2410c",
    );
    await page.keyboard.press("ControlOrMeta+z");
    await page.locator(".saving-state.is-saved").waitFor();
    expect(await themeNow()).toEqual(own);
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
