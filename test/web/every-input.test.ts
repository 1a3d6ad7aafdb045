import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { isLong } from "../support/campaigns.ts";
import { type GalleryServer, openGallery } from "../tools/gallery/server.ts";
import { openSheet } from "../tools/gallery/sheet.ts";
import { subjects } from "../tools/gallery/subjects/index.ts";
import { type Frame, frames, windowCells } from "../tools/gallery/windows.ts";

// Measures every input in whole windows of the gallery by script: cut-off texts, controls that are covered or have no
// visible edge, horizontal scrolling, low contrast, and motion. `npm run gallery` and `npm run test:long` measure all
// windows.

let gallery: GalleryServer;
const inBrowser = browserTests();

beforeAll(async () => {
  gallery = await openGallery();
});
afterAll(() => gallery.close());

/** The window that has shown the most faults so far. */
const sample = ["window-320-text-200-dark-rtl"];
const inputs = subjects.filter(({ input }) => input);

for (const frame of frames.filter(({ name }) => isLong || sample.includes(name))) {
  inBrowser(
    `the gallery checks report no problem of any input in the frame ${frame.name}`,
    async ({ page }) => {
      await page.emulateMedia({ forcedColors: frame.hasForcedColors ? "active" : "none", reducedMotion: "reduce" });
      const cells = windowCells(inputs, frame);
      const outcomes = await openSheet(page, gallery.sheet(frame.name, cells));
      expect(cells.length).toBeGreaterThan(20);
      expect(outcomes.filter(({ reached }) => reached !== "done")).toEqual([]);
      const found = outcomes.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
      expect(found.filter((problem) => !isKnown(problem, frame))).toEqual([]);
    },
    { viewport: { width: 1656, height: 1000 }, locale: "en" },
  );
}

/**
 * Whether a problem is a known false alarm. Borders of fields are measured against the background picture, but are on
 * the dock, which is lighter.
 */
function isKnown(problem: string, { surface }: Frame): boolean {
  return surface === "image" && / edge 2\.[5-9]: /.test(problem);
}

inBrowser(
  "the layout checks detect truncated text and covered controls",
  async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    const [frame] = frames.filter(({ name }) => name === "window-390-forced-colors");
    const cells = frame ? windowCells(inputs, frame).filter(({ subject }) => subject.name === "choice input") : [];
    await openSheet(page, gallery.sheet("faults", cells));
    const found = await page.frames()[1]?.evaluate((faults) => {
      const sheet = new CSSStyleSheet();
      document.adoptedStyleSheets.push(sheet);
      const find: unknown = Reflect.get(window, "galleryProblems");
      return faults.map((fault) => {
        sheet.replaceSync(fault);
        const problems: unknown = typeof find === "function" ? find() : [];
        return Array.isArray(problems) ? problems.map((problem) => String(problem).replace(/:.*/s, "")) : [];
      });
    }, Object.values(faults));
    expect(Object.keys(faults).map((name, index) => [name, found?.[index]?.includes(name)])).toEqual(
      Object.keys(faults).map((name) => [name, true]),
    );
  },
  { viewport: { width: 1656, height: 1000 }, locale: "en" },
);

/** A CSS rule that causes each fault, by the first words of the reported problem. */
const faults: Readonly<Record<string, string>> = {
  cut: ".option { height: 8px !important; min-height: 0 !important; padding: 0 !important; overflow: hidden !important }",
  covered: "form { position: relative } .option:last-child { position: absolute; inset: 0 }",
  "no edge": ".option { border: 0 !important; outline: 0 !important }",
  "wider than its place": ".option { min-width: 900px !important }",
  moves: "@keyframes turn { to { rotate: 1turn } } .option { animation: turn 9s infinite !important }",
};
