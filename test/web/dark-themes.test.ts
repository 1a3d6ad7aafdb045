import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { paletteOf } from "../../src/core/theme/backgrounds.ts";
import { contrast } from "../../src/core/theme/colors.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const theme = {
  general: { background: { type: "Color", content: "#fff7ed" } },
  chat: { roundness: "large", hostBubbles: { backgroundColor: "#ffedd5", color: "#431407" } },
  customCss: ".typebot-host-bubble { letter-spacing: 1px }",
  dark: {
    general: { background: { content: "#1c1410" } },
    chat: { hostBubbles: { backgroundColor: "#3b2a20", color: "#fed7aa" } },
    customCss: ".typebot-host-bubble { letter-spacing: 2px }",
  },
};
const hello = flowOf([says("Hello"), asks("text input")]);

const day = {
  ...{ ground: "rgb(255, 247, 237)", bubble: "rgb(255, 237, 213)", ink: "rgb(67, 20, 7)", spacing: "1px" },
  ...{ field: "rgb(255, 255, 255)", radius: "20px", scheme: "light" },
};
const night = {
  ...{ ground: "rgb(28, 20, 16)", bubble: "rgb(59, 42, 32)", ink: "rgb(254, 215, 170)", spacing: "2px" },
  ...{ field: "rgb(30, 27, 25)", radius: "20px", scheme: "dark" },
};

/** Returns the computed styles of a chat, on its own page or embedded in another page. */
function drawn(page: Page): Promise<unknown> {
  return page.locator(".typebot-container").evaluate((container) => {
    const style = (selector: string) => getComputedStyle(container.querySelector(selector) ?? container);
    const bubble = style(".typebot-host-bubble > .bubble-typing");
    return {
      ground: getComputedStyle(container).backgroundColor,
      bubble: bubble.backgroundColor,
      ink: bubble.color,
      spacing: bubble.letterSpacing,
      field: style(".typebot-input").backgroundColor,
      radius: bubble.borderRadius,
      scheme: getComputedStyle(container).colorScheme,
    };
  });
}

describe("a theme with a dark variant", () => {
  inBrowser("a theme with a dark variant follows the visitor's colour scheme", async ({ page, problems }) => {
    const { address } = await host.publish({ ...hello, theme });
    await page.goto(address);
    await page.locator(".is-live").waitFor();

    expect(await drawn(page)).toEqual(day);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await drawn(page)).toEqual(night);
    const colors = await page
      .locator("meta[name=theme-color]")
      .evaluateAll((tags) => tags.map((tag) => [tag.getAttribute("media"), tag.getAttribute("content")]));
    expect(colors).toEqual([
      ["not all and (prefers-color-scheme: dark)", "#fff7ed"],
      ["(prefers-color-scheme: dark)", "#1c1410"],
    ]);
    expect(problems).toEqual([]);
  });

  inBrowser(
    "an embedded chat is dark only if its page supports dark mode",
    async ({ page }) => {
      const { publicId } = await host.publish({ ...hello, theme });
      const script = `<script src="${host.origin}/embed.js" defer></script>`;
      const chat = `<parley-chat bot="${publicId}"></parley-chat>`;

      await page.goto(site.page(chat, { head: script }));
      await page.getByText("Hello").waitFor();
      expect(await drawn(page)).toEqual(day);
      await page.goto(site.page(chat, { head: `<meta name="color-scheme" content="light dark">${script}` }));
      await page.getByText("Hello").waitFor();
      expect(await drawn(page)).toEqual(night);
    },
    { colorScheme: "dark" },
  );

  inBrowser(
    "a theme with a dark variant uses the background that a step sets",
    async ({ page }) => {
      const flow = {
        ...flowOf([
          says("Hello"),
          asks("text input", { variableId: idOf("Ground") }),
          says("Well?"),
          asks("email input", { variableId: idOf("Other") }),
        ]),
        variables: ["Ground", "Other"].map((name) => ({ id: idOf(name), name })),
        theme: {
          ...theme,
          general: { background: { type: "Color", content: "{{Ground}}" } },
          dark: { chat: theme.dark.chat },
        },
      };
      const { address } = await host.publish(flow);
      await page.goto(address);
      await page.getByRole("textbox", { name: "Hello" }).fill("#101010");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Well?" }).waitFor();
      await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(16, 16, 16)");

      expect(await drawn(page)).toMatchObject({ ground: "rgb(16, 16, 16)", bubble: night.bubble, ink: night.ink });
      expect(await page.locator("body").evaluate((body) => getComputedStyle(body).color)).toBe("rgb(245, 243, 240)");
    },
    { colorScheme: "dark" },
  );
});

describe("a theme without a dark variant", () => {
  inBrowser(
    "a theme without a dark variant stays light on a dark screen",
    async ({ page }) => {
      const { dark: _, ...light } = theme;
      const { address } = await host.publish({ ...hello, theme: light });
      await page.goto(address);
      expect(await drawn(page)).toEqual(day);
    },
    { colorScheme: "dark" },
  );
});

test("the default colours of a dark page are readable", () => {
  const palette = paletteOf("6.1", { isDark: true });
  for (const name of ["hostBubbles", "guestBubbles", "inputs", "buttons"] as const) {
    expect(contrast(palette[name].background, palette[name].ink)).toBeGreaterThan(4.5);
  }
  expect(contrast(palette.placeholder, palette.inputs.background)).toBeGreaterThan(4.5);
});

inBrowser(
  "the default colours of a dark page equal the dark palette",
  async ({ page }) => {
    const { address } = await host.publish(hello);
    await page.goto(address);
    const palette = paletteOf("6.1", { isDark: true });
    const rgb = (color: readonly number[]) => `rgb(${color.join(", ")})`;

    expect(await drawn(page)).toMatchObject({
      ground: rgb(palette.background),
      bubble: rgb(palette.hostBubbles.background),
      ink: rgb(palette.hostBubbles.ink),
      field: rgb(palette.inputs.background),
    });
    const button = await page.locator(".typebot-button").evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return { backgroundColor, color };
    });
    expect(button).toEqual({ backgroundColor: rgb(palette.buttons.background), color: rgb(palette.buttons.ink) });
  },
  { colorScheme: "dark" },
);
