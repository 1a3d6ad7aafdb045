import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { contrast, type Rgb, rgbOf } from "../../../src/core/theme/colors.ts";
import { type DrawnName, type DrawnPairs, drawnNames } from "../../../src/core/theme/drawn-things.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { drawnWith } from "../../support/drawn-pairs.ts";
import { answer, openChat } from "../../support/live-page.ts";

let host: AppHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const picture = "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E\")";
const white = ".typebot-host-bubble { color: #fff }";
const ground = ".typebot-host-bubble > .bubble-typing";

/**
 * Style sheets, the element that each of them styles, and the contrast of this element: faint, readable, or unknown.
 */
const sheets: readonly (readonly [css: string, name: DrawnName, drawn: "faint" | "readable" | "unknown"])[] = [
  [white, "hostBubbles", "faint"],
  [".typebot-host-bubble * { color: rgb(255 255 255 / 90%) !important }", "hostBubbles", "faint"],
  [".typebot-host-bubble { -webkit-text-fill-color: #fff }", "hostBubbles", "faint"],
  [`${white} ${ground} { background: #123456 }`, "hostBubbles", "readable"],
  [`${white} ${ground} { background: oklch(0.3 0.1 250) }`, "hostBubbles", "readable"],
  [`${white} ${ground} { background: rgb(0 0 0 / 80%) }`, "hostBubbles", "readable"],
  [
    `${white} ${ground} { background: transparent } .typebot-container { background: #123456 }`,
    "hostBubbles",
    "readable",
  ],
  [`${white} ${ground} { background: none } .typebot-host-bubble { background: #123456 }`, "hostBubbles", "readable"],
  [`${white} ${ground} { display: none }`, "hostBubbles", "faint"],
  [`${white} ${ground} { opacity: 0.5; background: #000 }`, "hostBubbles", "unknown"],
  [`${white} .typebot-host-bubble { opacity: 0.9 }`, "hostBubbles", "unknown"],
  [`${white} .typebot-chat-view { filter: invert(1) }`, "hostBubbles", "unknown"],
  [`${white} ${ground} { background: ${picture} }`, "hostBubbles", "unknown"],
  [`${white} ${ground} { background: linear-gradient(#000, #333) }`, "hostBubbles", "unknown"],
  [`${white} ${ground} { background: linear-gradient(#000, #000) }`, "hostBubbles", "readable"],
  [`${white} ${ground} { inset: 0 auto 0 0; width: 20px; background: #000 }`, "hostBubbles", "unknown"],
  [`${white} ${ground} { inset: -90px 0 auto; height: 20px; background: #000 }`, "hostBubbles", "faint"],
  [
    `${white} ${ground} { background: none } .typebot-host-bubble::before { content: ""; position: absolute; inset: 0; background: #000; z-index: -1 }`,
    "hostBubbles",
    "unknown",
  ],
  [".typebot-host-bubble { color: #767676; font-size: 30px }", "hostBubbles", "unknown"],
  [".typebot-host-bubble { color: #bbb; font-size: 30px }", "hostBubbles", "faint"],
  [".typebot-host-bubble, .typebot-host-bubble * { visibility: hidden; color: #fff }", "hostBubbles", "unknown"],
  [".typebot-guest-bubble { background: #fff; color: #eee }", "guestBubbles", "faint"],
  [".text-input::placeholder { color: #eee }", "placeholder", "faint"],
  [".text-input::placeholder { opacity: 0.5 }", "placeholder", "unknown"],
  [".typebot-input { background: #000; color: #111 }", "inputs", "faint"],
  [".typebot-input { background: #f9f9f9; border-color: #f2f2f2 }", "fieldEdge", "faint"],
  [".typebot-input { background: #f9f9f9; border: 0; border-bottom: 2px solid #000 }", "fieldEdge", "readable"],
  [".typebot-input { background: #f9f9f9; border: 0; box-shadow: 0 0 0 1px #000 }", "fieldEdge", "unknown"],
  [".secondary-button, .typebot-button { background: #eee; color: #ddd }", "buttons", "faint"],
];

function judged(pairs: DrawnPairs | undefined, name: DrawnName): string {
  const pair = pairs?.[name];
  const [color, behind]: (Rgb | undefined)[] = [rgbOf(pair?.color), rgbOf(pair?.behind)];
  if (!color || !behind) return "unknown";
  return contrast(color, behind) < (name === "fieldEdge" ? 3 : 4.5) ? "faint" : "readable";
}

inLongRun(
  "the rendered colours of each example style sheet have the expected contrast, or an unknown contrast",
  async ({ page }) => {
    const flow = flowOf([
      says("Name?"),
      asks("text input"),
      says("Town?"),
      { id: "choice", type: "choice input", items: [{ id: "a", content: "Yes" }] },
    ]);
    await openChat(page, (await host.publish(flow)).address);
    await page.locator(".text-input").evaluate((field) => field instanceof HTMLElement && field.blur());
    const [plain] = await drawnWith(page, [""]);
    // Shows an answer, its button, and then a choice.
    const asked = await drawnWith(
      page,
      sheets.map(([css]) => css),
    );
    await answer(page, "Ana");
    await page.getByRole("button", { name: "Yes" }).waitFor();
    const chosen = await drawnWith(
      page,
      sheets.map(([css]) => css),
    );

    expect(drawnNames.filter((name) => judged(plain, name) === "faint")).toEqual([]);
    const found = sheets.map(([css, name], index) => {
      const pairs = name === "guestBubbles" || name === "buttons" ? chosen[index] : asked[index];
      return [css, name, judged(pairs, name)];
    });
    expect(found).toEqual(sheets.map((sheet) => [...sheet]));
  },
  { reducedMotion: "reduce" },
);

const findingOf = (page: Page, words: string) =>
  page.locator(".finding", { hasText: "has a contrast of" }).filter({ hasText: words });

inBrowser(
  "the theme screen reports low contrast while the author writes CSS",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish({ ...flowOf([says("Hello"), asks("text input")]), theme: {} });
    await page.goto(`${host.builder}/bots/${botId}/theme?part=code`);
    await page.frameLocator("iframe").getByText("Nice to see you here").waitFor();
    const write = (css: string) => page.locator(".app-code .cm-content").fill(css);

    await write(".typebot-host-bubble { color: #fdfdfd }");
    await findingOf(page, "#fdfdfd on #ffffff has a contrast of 1").waitFor();
    await write(`.typebot-host-bubble { color: #fdfdfd } ${ground} { background: #123456 }`);
    await findingOf(page, "#fdfdfd").waitFor({ state: "detached" });
    const lost = `.typebot-guest-bubble { background: #fefefe; color: #fdfdfd } ${ground} { background: ${picture} } ${white}`;
    await write(lost);
    await findingOf(page, "#fdfdfd on #fefefe").waitFor();
    expect(await findingOf(page, "#ffffff on").count()).toBe(0);
    // The contrast is one of the bot's findings, and is shown before publishing.
    await page.locator(".saving-state.is-saved").waitFor();
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByRole("dialog").getByText("The custom CSS gives .typebot-guest-bubble this colour.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // Another moment of a chat shows other elements.
    await page.getByRole("combobox", { name: "Content of the page" }).selectOption("Buttons");
    await write(".typebot-button, .typebot-selectable { background: #fafafa !important; color: #f9f9f9 !important }");
    await findingOf(page, "#f9f9f9 on #fafafa").waitFor();
    expect(problems).toEqual([]);
  },
  { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" },
);
