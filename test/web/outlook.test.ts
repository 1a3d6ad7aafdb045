import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const hello = flowOf([says("Hello"), asks("text input")]);
const violet = { chat: { buttons: { backgroundColor: "#6d28d9" } } };

const manifestOf = async (address: string, headers: Record<string, string> = {}): Promise<unknown> =>
  (await fetch(`${address}/manifest.webmanifest`, { headers })).json();

/** Returns a picture's size, and the colours at its corner and in its middle. */
function seen(page: Page, address: string): Promise<unknown> {
  return page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    context?.drawImage(picture, 0, 0);
    const at = (x: number, y: number) => [...(context?.getImageData(x, y, 1, 1).data ?? [])];
    return { width, height, corner: at(0, 0), middle: at(width / 2, height / 2) };
  }, address);
}

describe("a bot on a home screen", () => {
  inBrowser("a bot can be installed, with an icon in its own colour", async ({ page, context, problems }) => {
    const { address, publicId } = await host.publish({ ...hello, theme: violet });
    await page.goto(address);
    const devtools = await context.newCDPSession(page);

    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    const { errors, url } = await devtools.send("Page.getAppManifest");

    // Some builds of Chromium report private windows, which every test uses. No other problem may prevent the
    // installation.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
    expect({ errors, url }).toEqual({ errors: [], url: `${host.origin}/${publicId}/manifest.webmanifest` });
    const icon = await page.locator("link[rel=apple-touch-icon]").getAttribute("href");
    expect(await seen(page, host.origin + icon)).toEqual({
      ...{ width: 180, height: 180 },
      ...{ corner: [109, 40, 217, 255], middle: [255, 255, 255, 255] },
    });
    const small = await page.locator("link[rel=icon]").getAttribute("href");
    expect(decodeURIComponent(small ?? "")).toContain('fill="#6d28d9"');
    expect(problems).toEqual([]);
  });

  test("an installed bot has the name and the icon that its author chose", async () => {
    const settings = {
      general: { language: "he" },
      metadata: { title: "Journeys", description: "We plan them", favIconUrl: "https://example.com/i.png" },
    };
    const theme = { general: { background: { type: "Color", content: "#101828" } } };
    const { address, publicId } = await host.publish({ ...hello, settings, theme });

    expect(await manifestOf(address)).toEqual({
      ...{ id: `/${publicId}`, start_url: `/${publicId}`, scope: `/${publicId}` },
      ...{ name: "Journeys", short_name: "Journeys", description: "We plan them", lang: "he", dir: "rtl" },
      ...{ display: "standalone", theme_color: "#101828", background_color: "#101828" },
      icons: [{ src: "https://example.com/i.png", sizes: "any" }],
    });
  });

  test("an installed bot with a custom domain starts at its domain", async () => {
    const { address, publicId } = await host.publish(hello, { customDomain: "Chat.example.com" });
    const { address: other } = await host.publish(hello, { customDomain: "chat.example.com/other" });
    const headers = { host: "chat.example.com:8080" };

    expect(await manifestOf(address, headers)).toMatchObject({ start_url: "/", scope: "/" });
    expect(await manifestOf(other, headers)).toMatchObject({ start_url: "/other", scope: "/other" });
    expect(await manifestOf(address)).toMatchObject({ start_url: `/${publicId}`, scope: `/${publicId}` });
  });

  test("a missing bot has neither a manifest nor icons", async () => {
    for (const path of ["/nobody/manifest.webmanifest", "/nobody/icon-192.png", "/api/icon-192.png"]) {
      expect([path, (await fetch(host.origin + path)).status]).toEqual([path, 404]);
    }
  });
});

describe("a chat on paper", () => {
  const night = {
    general: { background: { type: "Color", content: "#101828" }, progressBar: { isEnabled: true } },
    chat: {
      container: { maxHeight: "300px", backgroundColor: "#000000", color: "#ffffff" },
      hostBubbles: { backgroundColor: "#1d2939", color: "#f8fafc", opacity: 0.5 },
      guestBubbles: { backgroundColor: "#7dd3fc", color: "#082f49" },
    },
  };
  const choice = (id: string) => ({ id, type: "choice input", items: [{ id: `${id} yes`, content: "Yes" }] });

  for (const [name, theme] of Object.entries({ "without a theme": {}, "with a dark theme": night })) {
    inBrowser(
      `the conversation is printed in dark ink on light backgrounds, without buttons: ${name}`,
      async ({ page }) => {
        const { address } = await host.publish({
          ...flowOf([says("Shall we?"), choice("one"), says("Well?"), choice("two")]),
          theme,
        });
        await page.goto(address);
        await page.getByRole("button", { name: "Yes" }).click();
        await page.getByText("Well?").waitFor();

        await page.emulateMedia({ media: "print" });

        expect(await page.getByRole("button", { name: "Yes" }).count()).toBe(0);
        expect(await page.getByRole("progressbar").count()).toBe(0);
        const styles = await page
          .locator(".typebot-container, .typebot-host-bubble, .typebot-guest-bubble")
          .evaluateAll((elements) =>
            elements.map((element) => {
              const { color, backgroundColor, borderTopWidth } = getComputedStyle(element);
              return [element.className.split(" ")[0], color, backgroundColor, borderTopWidth];
            }),
          );
        const ink = "rgb(28, 25, 23)";
        expect(styles).toEqual([
          ["typebot-container", ink, "rgb(255, 255, 255)", "0px"],
          ["typebot-host-bubble", ink, "rgb(255, 255, 255)", "1px"],
          ["typebot-guest-bubble", ink, "rgb(231, 229, 228)", "1px"],
          ["typebot-host-bubble", ink, "rgb(255, 255, 255)", "1px"],
        ]);
        const isWhole = await page
          .locator(".typebot-chat-view")
          .evaluate((view) => view.scrollHeight <= view.clientHeight);
        expect(isWhole).toBe(true);
      },
      { reducedMotion: "reduce" },
    );
  }
});

describe("an origin of the service", () => {
  inBrowser("the service serves its own icon at /favicon.ico", async ({ page }) => {
    const icon = await fetch(`${host.origin}/favicon.ico`);
    expect(icon.headers.get("content-type")).toBe("image/x-icon");

    // Automated browsers do not request this file by themselves.
    expect(await seen(page, `data:image/x-icon;base64,${(await icon.bytes()).toBase64()}`)).toEqual({
      ...{ width: 32, height: 32 },
      ...{ corner: [194, 65, 12, 255], middle: [255, 255, 255, 255] },
    });
  });

  test("robots.txt excludes crawlers from the administration and the API", async () => {
    const robots = await fetch(`${host.origin}/robots.txt`);

    expect(robots.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await robots.text()).split("\n")).toEqual([
      ...["User-agent: *", "Disallow: /api/", "Allow: /api/files/", "Disallow: /admin/", "Disallow: /docs", ""],
    ]);
  });
});
