import { afterAll, beforeAll, expect } from "bun:test";
import type { Frame, Page } from "playwright-core";
import { type AppHost, openAppHost } from "../support/app-host.ts";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import type { PublishedBot } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { drawnOf, type MovedSheet, movedSheets } from "../support/moved-sheets.ts";

let host: AppHost;
let site: OtherSite;
let bots: readonly PublishedBot[];
const inBrowser = browserTests();
const phone = { viewport: { width: 390, height: 700 }, reducedMotion: "reduce" } as const;
const flow = flowOf([says("Your name?"), asks("text input")]);

beforeAll(async () => {
  host = await openAppHost();
  site = openOtherSite();
  const published: PublishedBot[] = [];
  for (const { css } of movedSheets) published.push(await host.publish({ ...flow, theme: { customCss: css } }));
  bots = published;
});
afterAll(async () => {
  await site.close();
  await host.close();
});

const contrastProblems = (page: Page | Frame) => axeProblems(page, { only: ["color-contrast"] });

function wanted({ css, ground, ink, corners }: MovedSheet) {
  return {
    grounds: [ground],
    ink,
    corners: corners ?? expect.any(String),
    room: [true, css.includes(".flex") ? "80px" : "0px"],
    isFieldInWindow: true,
  };
}

inBrowser(
  "on the chat page, each imported style sheet is rendered as intended",
  async ({ page, problems }) => {
    const seen = [];
    for (const { address } of bots) {
      await page.goto(address);
      await page.locator("body.is-live form").waitFor();
      seen.push({ drawn: await drawnOf(page.locator("body")), faint: await contrastProblems(page) });
    }
    expect(seen).toEqual(movedSheets.map((sheet) => ({ drawn: wanted(sheet), faint: [] })));
    expect(problems).toEqual([]);
  },
  phone,
);

for (const [kind, inThisRun] of [
  ["parley-chat", longBrowserTests()],
  ["parley-bubble", inBrowser],
  ["parley-popup", longBrowserTests()],
] as const) {
  inThisRun(
    `in a ${kind} of another site's page each style sheet is rendered as on the chat page`,
    async ({ page, problems }) => {
      const head = `<script src="${host.origin}/embed.js" defer></script>`;
      await page.goto(site.page("<main><h1>Shop</h1></main>", { head }));
      const seen = [];
      for (const { publicId } of bots) {
        await page.evaluate(
          ({ kind, publicId }) => {
            for (const one of document.querySelectorAll("main ~ *")) one.remove();
            const element = document.createElement(kind);
            element.setAttribute("bot", publicId);
            if (kind !== "parley-chat") element.setAttribute("default-open", "");
            if (kind === "parley-popup") element.setAttribute("auto-show-delay", "0");
            document.body.append(element);
          },
          { kind, publicId },
        );
        const chat = page.locator(kind);
        await chat.locator(".text-input").waitFor();
        seen.push({ drawn: await drawnOf(chat), faint: await contrastProblems(page) });
      }
      expect(seen).toEqual(movedSheets.map((sheet) => ({ drawn: wanted(sheet), faint: [] })));
      expect(problems).toEqual([]);
    },
    phone,
  );
}

inBrowser(
  "in a preview each style sheet is rendered as on the chat page",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish({ ...flow, theme: {} });
    await page.goto(`${host.builder}/bots/${botId}/theme?part=code`);
    const frame = page.frameLocator("iframe");
    await frame.locator(".text-input").waitFor();
    const framed = page.frames().find((one) => one !== page.mainFrame());
    if (!framed) throw new Error("The theme screen has no frame");
    const seen = [];
    for (const { css } of movedSheets) {
      await page.locator(".app-code .cm-content").fill(css);
      await framed.waitForFunction(
        (text) => [...document.querySelectorAll("style")].some(({ textContent }) => textContent === text),
        css,
      );
      seen.push({ drawn: await drawnOf(frame.locator("body")), faint: await contrastProblems(framed) });
    }
    expect(seen).toEqual(movedSheets.map((sheet) => ({ drawn: wanted(sheet), faint: [] })));
    // The frame's content security policy rejects the inline styles of axe.
    expect(problems.filter((problem) => !problem.startsWith("Applying inline style"))).toEqual([]);
  },
  { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" },
);
