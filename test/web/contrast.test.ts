import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { backgroundOf, colorOf, paletteOf } from "../../src/core/theme/backgrounds.ts";
import { contrast, type Rgb } from "../../src/core/theme/colors.ts";
import { marksOf } from "../../src/core/theme/marks.ts";
import type { Json } from "../../src/web/conversation/read.ts";
import { browserTests } from "../support/browser.ts";
import { casesOf } from "../support/campaigns.ts";
import { baseLook, type Cell, type Look } from "../tools/gallery/cell.ts";
import { type GalleryServer, openGallery } from "../tools/gallery/server.ts";
import { openSheet } from "../tools/gallery/sheet.ts";
import { subjects } from "../tools/gallery/subjects/index.ts";

let gallery: GalleryServer;
const inBrowser = browserTests();

beforeAll(async () => {
  gallery = await openGallery();
});
afterAll(() => gallery.close());

const page = (content: string) => ({ background: { type: "Color", content } }) as const;

/**
 * Themes of all kinds. Some of their colours would hide the selected option, or hide that an option can be selected.
 */
const themes: Readonly<Record<string, { readonly surface: Look["surface"]; readonly theme: Json }>> = {
  "the default theme": { surface: "light", theme: {} },
  "a dark theme": { surface: "dark", theme: {} },
  "white boxes and buttons over a picture": { surface: "image", theme: {} },
  "buttons as pale as the fields": { surface: "light", theme: { chat: { buttons: { backgroundColor: "#ffffff" } } } },
  "yellow buttons and answers": {
    surface: "light",
    theme: { chat: { buttons: { backgroundColor: "#ffcc00" }, guestBubbles: { backgroundColor: "#fff3bf" } } },
  },
  "black on black": {
    surface: "light",
    theme: {
      general: page("#000000"),
      chat: {
        buttons: { backgroundColor: "#111111", color: "#ffffff" },
        inputs: { backgroundColor: "#000000", color: "#ffffff" },
      },
    },
  },
  "grey in grey": {
    surface: "light",
    theme: {
      general: page("#8a8a8a"),
      chat: {
        buttons: { backgroundColor: "#949494", color: "#000000" },
        inputs: { backgroundColor: "#8f8f8f", color: "#000000", border: { color: "#999999" } },
      },
    },
  },
  "a nearly invisible line": {
    surface: "light",
    theme: { chat: { inputs: { border: { color: "#eeeeee" } } } },
  },
  "glass over a picture": {
    surface: "image",
    theme: { chat: { inputs: { backgroundColor: "#ffffff", color: "#111111", opacity: 0.6 } } },
  },
};

const inShort = ["the default theme", "glass over a picture"];

const shown = subjects.filter(({ name }) =>
  [
    ...["choice input", "choice input, several", "choice input, sixty", "rating, 0 to 10", "rating, stars"],
    ...["picture choice, several", "cards"],
  ].includes(name),
);

describe("the contrast of each state of a choice", () => {
  for (const [name, { surface, theme }] of casesOf(themes, inShort)) {
    inBrowser(
      `each state of a choice has enough contrast with ${name}`,
      async (visit) => {
        const cells = shown.flatMap((subject) =>
          subject.states
            .filter((state) => state === "idle" || state === "focus" || (state === "filled" && !subject.actsSend))
            .map((state): Cell => ({ subject: { ...subject, theme }, state, look: { ...baseLook, surface } })),
        );
        const outcomes = await openSheet(visit.page, gallery.sheet("choice", cells));

        const wrong = outcomes.map(({ name: cell, reached, problems }) => ({
          ...{ cell, reached },
          // The border of a field is the author's choice, and publishing warns about it.
          problems: problems.filter((problem) => !problem.includes(".field-row")),
        }));

        expect(cells.length).toBeGreaterThan(14);
        expect(wrong.filter(({ reached, problems }) => reached !== "done" || problems.length > 0)).toEqual([]);
      },
      { viewport: { width: 1656, height: 1000 }, reducedMotion: "reduce" },
    );
  }
});

test("marks are visible for every combination of nine theme colours", () => {
  const shades = ["#000000", "#333333", "#777777", "#888888", "#aaaaaa", "#ffffff", "#ffcc00", "#c2410c", "#38bdf8"];
  const palette = paletteOf("6.1");
  const faint: unknown[] = [];
  let count = 0;
  for (const content of shades)
    for (const fill of shades)
      for (const button of shades)
        for (const guest of shades) {
          const theme = {
            general: page(content),
            chat: {
              inputs: { backgroundColor: fill },
              buttons: { backgroundColor: button, color: "#777777" },
              guestBubbles: { backgroundColor: guest },
            },
          };
          const look = { palette, background: backgroundOf(theme, palette) };
          const marks = marksOf(theme, look);
          const ground: Rgb = colorOf(look.background, palette) ?? [0, 0, 0];
          const onFill = marks.fill ? contrast(marks.mark, marks.fill) : 0;
          const edge = marks.fill ? Math.max(contrast(marks.fill, ground), contrast(marks.mark, ground)) : 0;
          count++;
          if (onFill < 3 || edge < 3 || contrast(marks.ink, marks.mark) < 4.5) faint.push({ theme, onFill, edge });
        }

  expect(faint).toEqual([]);
  expect(count).toBe(shades.length ** 4);
});
