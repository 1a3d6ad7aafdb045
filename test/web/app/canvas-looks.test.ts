import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { isLong } from "../../support/campaigns.ts";
import { canvasStates, leaveState } from "../../support/canvas-states.ts";
import { type CanvasWorld, openCanvasWorld } from "../../support/canvas-world.ts";
import { announcementsOn, openFlow, saved } from "../../support/flow-page.ts";
import { layoutProblems } from "../../support/layout-problems.ts";

let world: CanvasWorld;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  world = await openCanvasWorld();
});
afterAll(() => world.close());

const usual = { width: 1440, height: 900 };
/** A window of 1280 × 1024 at 400 %, which is as narrow as the smallest phone. */
const enlarged = { width: 320, height: 256 };
/** The rules that depend on colours and on the width. All other rules were checked at full width. */
const ofLooks = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];
/** The elements that differ from one state to another. The bar and the list of blocks are checked once. */
const within = "dialog[open], [popover]:popover-open, .canvas, .acting > .act-bar, .flow-panel, .find";

/** Each part runs on a separate page, so that no part takes long. */
const parts = { "selections and menus": canvasStates.slice(0, 13), "dialogs and panels": canvasStates.slice(13) };

/** Returns the problems in the dark scheme at 400 %. */
async function enlargedProblems(page: Page): Promise<string[]> {
  await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "dark"));
  await page.setViewportSize(enlarged);
  return [...(await axeProblems(page, { only: ofLooks, within })), ...(await layoutProblems(page, within))];
}

for (const [part, states] of Object.entries(parts)) {
  const inThisRun = part === "selections and menus" ? inBrowser : inLongRun;
  inThisRun(
    `axe and the layout check report no problem on the canvas with ${part}`,
    async ({ context, problems, outside }) => {
      const page = await openFlow(context, world.host, { user: world.ada, botId: world.botId, shown: "canvas" });
      const found: Record<string, readonly string[]> = {};
      for (const [index, { name, act }] of states.entries()) {
        await page.setViewportSize(usual);
        await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "light"));
        await leaveState(page);
        await act(page);
        const where = index === 0 ? {} : { within };
        const wide = [...(await axeProblems(page, where)), ...(await layoutProblems(page, where.within))];
        const narrow = isLong ? await enlargedProblems(page) : [];
        if (wide.length + narrow.length > 0) found[name] = [...new Set([...wide, ...narrow])];
      }
      expect(found).toEqual({});
      expect(problems).toEqual([]);
      expect(outside).toEqual([]);
    },
    { reducedMotion: "reduce", viewport: usual },
  );
}

inLongRun(
  "axe and the layout check report no problem in the list of versions, or in a comparison as a list or on the canvas",
  async ({ page, context, problems }) => {
    const { host, ada, botId } = world;
    await context.setExtraHTTPHeaders({ Authorization: `Bearer ${ada.token}` });
    const found: Record<string, readonly string[]> = {};
    const look = async (name: string): Promise<void> => {
      await page.setViewportSize(usual);
      await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "light"));
      const wide = [...(await axeProblems(page)), ...(await layoutProblems(page))];
      await page.evaluate(() => document.documentElement.setAttribute("data-scheme", "dark"));
      await page.setViewportSize(enlarged);
      const narrow = [...(await axeProblems(page, { only: ofLooks })), ...(await layoutProblems(page))];
      if (wide.length + narrow.length > 0) found[name] = [...new Set([...wide, ...narrow])];
    };
    await page.goto(`${host.origin}/app/bots/${botId}/versions`);
    await page.getByRole("row", { name: /Version 1/ }).waitFor();
    await look("versions");
    await page.goto(`${host.origin}/app/bots/${botId}/versions/1/compare/draft`);
    await page.setViewportSize(usual);
    await page.locator("#card-offer").waitFor();
    await look("a comparison, narrow on the canvas");
    await page.locator(".app-segment", { hasText: "List" }).click();
    await page.getByRole("region", { name: "Differences" }).waitFor();
    await look("a comparison, narrow as a list");
    expect(found).toEqual({});
    // A screen reader announces the meaning of the sign, and a pointer can select read-only elements.
    await page.setViewportSize(usual);
    await page.locator("#card-offer .canvas-title").click();
    await page.locator("#card-offer.is-chosen").waitFor();
    expect(await focused(page)).toMatch(/^group Group Offer, 2 blocks, .*added/);
    // With forced colours, added elements have a thicker outline, and changed elements have a double outline.
    await page.keyboard.press("Escape");
    await page.emulateMedia({ forcedColors: "active" });
    const outlineOf = (id: string) =>
      page.locator(`#card-${id}`).evaluate((card) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(card);
        return `${outlineStyle} ${outlineWidth}`;
      });
    const [added, changed, same] = [await outlineOf("offer"), await outlineOf("bye"), await outlineOf("lost")];
    expect([added, changed, same]).toEqual(["solid 2px", "double 4px", "solid 1px"]);
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: usual },
);

/** Returns the role and the name of the element at a screen reader's cursor. */
const focused = (page: Page) =>
  page.locator(".canvas").evaluate((canvas) => {
    const at = document.getElementById(canvas.getAttribute("aria-activedescendant") ?? "");
    return at && `${at.getAttribute("role")} ${at.getAttribute("aria-label")}`;
  });

inBrowser(
  "notes and frames can be edited and moved by keyboard",
  async ({ context, problems }) => {
    const { host, ada } = world;
    const botId = await world.makeAnother();
    const page = await openFlow(context, host, { user: ada, botId, at: "start", shown: "canvas" });
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const editor = async () => {
      await saved(page);
      return Object(await host.draft(ada, botId)).editor;
    };
    await page.locator("#card-start.is-chosen").waitFor();
    await page.locator(".canvas").focus();
    await press("ArrowDown");
    expect(await focused(page)).toStartWith("note Note: Ask Grace whether we still ship trees.");
    await press("Enter");
    await page.getByRole("textbox", { name: "Note" }).waitFor();
    await page.keyboard.type("Not any more");
    await press("Escape", "Alt+ArrowRight", "Alt+ArrowDown");
    expect(await focused(page)).toBe("note Note: Not any more");
    expect((await editor()).notes[0]).toMatchObject({ text: "Not any more", graphCoordinates: { x: 8, y: 208 } });
    await press("Shift+F10");
    await page.getByRole("menuitem", { name: "Edit" }).waitFor();
    await press("Escape", "ArrowUp");
    expect(await focused(page)).toStartWith("group Event Start");

    // The keys move from a card inside a frame to the frame, and from a card next to the frame past it.
    await press("ArrowRight");
    expect(await focused(page)).toStartWith("group Group Hello, 3 blocks");
    await press("ArrowUp");
    expect(await focused(page)).toBe("group Frame: Before they buy, contains 1 card");
    await press("F2");
    await page.getByRole("textbox", { name: "Title of the frame" }).waitFor();
    await page.keyboard.type("First");
    await press("Enter", "Alt+ArrowUp");
    expect(await focused(page)).toBe("group Frame: First, contains 1 card");
    expect((await editor()).frames[0]).toMatchObject({ title: "First", graphCoordinates: { x: 220, y: -38 } });
    expect((await host.draft(ada, botId)).groups[0]).toMatchObject({ graphCoordinates: { x: 260, y: 32 } });
    await press("ArrowDown");
    expect(await focused(page)).toStartWith("group Group Hello");
    await press("ArrowUp", "Delete");
    expect(await page.locator(".canvas-frame").count()).toBe(1);
    expect(await announcementsOn(page)).toContain("Remove a frame");
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: usual },
);

/** Counts the opaque pixels of the canvas's picture by colour. */
const paintedIn = (page: Page) =>
  page.locator("canvas.canvas-picture:not([hidden])").evaluate((picture) => {
    const counts: Record<string, number> = {};
    if (!(picture instanceof HTMLCanvasElement)) return counts;
    const { data } = picture.getContext("2d")?.getImageData(0, 0, picture.width, picture.height) ?? { data: [] };
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] !== 255) continue;
      const color = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
      counts[color] = (counts[color] ?? 0) + 1;
    }
    return counts;
  });

inLongRun(
  "distant cards have the author's colours, or the system's colours in forced colour mode",
  async ({ context, problems }) => {
    const page = await openFlow(context, world.host, { user: world.ada, botId: world.botId, shown: "canvas" });
    const canvas = page.locator(".canvas");
    // A line is selected along its whole length, not only at its ends, and nothing is animated.
    await canvasStates.find(({ name }) => name === "a line")?.act(page);
    const steps = await canvas.evaluate(async (element) => {
      const styles: (string | null)[] = [];
      const observer = new MutationObserver((changes) => {
        for (const { target } of changes) if (target instanceof Element) styles.push(target.getAttribute("style"));
      });
      const ground = element.querySelector(".canvas-world");
      if (ground) observer.observe(ground, { attributeFilter: ["style"] });
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true }));
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
      for (let frame = 0; frame < 8; frame++) await new Promise((done) => requestAnimationFrame(done));
      observer.disconnect();
      return new Set(styles).size;
    });
    expect(steps).toBe(1);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await canvas.focus();
    for (const key of "Escape 1 - - - - -".split(" ")) await page.keyboard.press(key);
    await page.locator(".canvas.is-far").waitFor();
    const light = await paintedIn(page);
    // The picture contains pink and yellow notes, a green title and a yellow title.
    for (const ground of ["251 227 241", "253 243 201", "224 243 229"]) expect(light[ground]).toBeGreaterThan(50);
    expect(
      await page
        .locator(".canvas-note")
        .first()
        .evaluate((note) => getComputedStyle(note).opacity),
    ).toBe("0");
    await page.emulateMedia({ forcedColors: "active" });
    await page.waitForFunction(() => matchMedia("(forced-colors: active)").matches);
    const system = await canvas.evaluate((element) => {
      const probe = element.appendChild(document.createElement("i"));
      probe.style.setProperty("forced-color-adjust", "none");
      const read = (color: string) => {
        probe.style.color = color;
        return getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3).join(" ") ?? "";
      };
      const [ground = "", ink = ""] = ["Canvas", "CanvasText"].map(read);
      probe.remove();
      return { ground, ink };
    });
    const forced = await paintedIn(page);
    expect(forced[system.ink]).toBeGreaterThan(50);
    // Cards have the background of the page, and are not filled with the text colour.
    expect(forced[system.ground]).toBeGreaterThan((forced[system.ink] ?? 0) * 3);
    for (const ground of ["251 227 241", "253 243 201", "224 243 229"]) expect(forced[ground] ?? 0).toBe(0);
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: usual },
);
