import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer } from "../support/live-page.ts";
import { waitFor } from "../support/wait.ts";

// Fonts of themes must load in parallel with the text and never delay it.

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** Opens a host that accepts every connection and never responds. */
function openBlackhole() {
  let asked = 0;
  const opened = () => {
    asked += 1;
  };
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open: opened, data() {} } });
  return { origin: `http://127.0.0.1:${server.port}`, asked: () => asked, close: () => server.stop(true) };
}

const hasPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;

for (const javaScriptEnabled of [true, false]) {
  inBrowser(
    `the first text is painted while the font's host is silent, ${javaScriptEnabled ? "and the chat continues" : "even without script"}`,
    async ({ page }) => {
      const blackhole = openBlackhole();
      try {
        const font = { type: "Custom", family: "House", url: `${blackhole.origin}/house.css` };
        const { address } = await host.publish({ ...nameAndEmail, theme: { general: { font } } });
        await page.goto(address, { waitUntil: "commit" });
        // The check runs outside the page, because a check before each frame never runs if there is no next frame.
        await waitFor(() => page.evaluate(hasPainted), { what: "the first words to be painted" });
        await page.getByText("Your name?").waitFor();
        if (javaScriptEnabled) {
          await page.locator("body.is-live").waitFor();
          await answer(page, "Ana");
          await page.locator("[type=email]").waitFor();
        }

        // The text may be shown before the font is requested.
        await waitFor(() => blackhole.asked() > 0, { what: "the font to be asked for" });
      } finally {
        blackhole.close();
      }
    },
    { javaScriptEnabled },
  );
}

inBrowser("a font's style sheet and its imports are applied once loaded", async ({ page }) => {
  const sheet = (family: string) => `@font-face{font-family:"${family}";src:local("Arial"),local("Liberation Sans")}`;
  await page.route("https://fonts.example/**", (route) =>
    route.fulfill({ contentType: "text/css", body: sheet(route.request().url().replace(/.*\//, "")) }),
  );
  const flow = flowOf([says("Your name?"), asks("text input")]);
  const linked = { type: "Custom", family: "Linked", url: "https://fonts.example/Linked" };
  const css = `@import url("https://fonts.example/Imported;1"); ${sheet("Own")}`;
  for (const [font, families] of [
    [linked, ["Linked"]],
    [{ type: "Custom", family: "Own", css }, ["Imported;1", "Own"]],
  ] as const) {
    await page.goto((await host.publish({ ...flow, theme: { general: { font } } })).address);
    await page.waitForFunction((count) => document.fonts.size === count, families.length);

    const faces = await page.evaluate(() => [...document.fonts].map(({ family, display }) => ({ family, display })));
    expect(faces.map(({ family }) => family.replaceAll('"', "")).sort()).toEqual([...families]);
    // The author's own font does not hide the text either while it loads.
    if (families.length > 1) expect(faces.find(({ family }) => family.includes("Own"))?.display).toBe("swap");
  }
});

inBrowser("text has its final width before a known font family has loaded", async ({ page }) => {
  const font = { type: "Google", family: "Montserrat" };
  const { address } = await host.publish({ ...flowOf([says("Your name?")]), theme: { general: { font } } });
  await page.goto(address);

  const widths = await page.getByText("Your name?").evaluate((text) => {
    const { fontSize, fontFamily } = getComputedStyle(text);
    const context = document.createElement("canvas").getContext("2d");
    if (!context) throw new Error("There is no canvas");
    return [fontFamily, "Arial, 'Liberation Sans', Arimo"].map((family) => {
      context.font = `${fontSize} ${family}`;
      return context.measureText("A sentence as any other").width;
    });
  });

  // The initial document declares the font, so no script and no request delays it.
  const face = await page.evaluate(() =>
    [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSFontFaceRule)
      .map(({ style }) => [style.getPropertyValue("font-family"), style.getPropertyValue("size-adjust")]),
  );
  expect(face).toContainEqual(['"Font fallback"', "112.8%"]);

  const hasArial = await page.evaluate(() =>
    new FontFace("Probe", "local('Arial'), local('Liberation Sans'), local('Arimo')").load().then(
      () => true,
      () => false,
    ),
  );
  // Montserrat is 12.8 % wider than Arial. A system without Arial and fonts of the same width has no font that can be
  // widened to match.
  if (hasArial) expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(1.128, 2);
});
