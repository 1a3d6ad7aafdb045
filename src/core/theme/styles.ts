import type { Theme } from "../interpreter/schemas/theme.ts";
import { contrast, rgbOf } from "./colors.ts";
import { moveLightness } from "./lightness.ts";

/** The styles of a page, each of which is combined with a single main colour. */
export const styleNames = ["clear", "paper", "ink", "soft", "outline", "bold"] as const;
export type StyleName = (typeof styleNames)[number];

/** The parts of a theme that a style sets. All other parts are kept. */
export type StyledTheme = Pick<Theme, "dark"> & {
  readonly general: Pick<NonNullable<Theme["general"]>, "background">;
  readonly chat: Pick<NonNullable<Theme["chat"]>, "hostBubbles" | "guestBubbles" | "buttons" | "inputs">;
};

const readable = 4.5;

type Grounds = {
  readonly page: string;
  readonly box: string;
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly edge: string;
};

const light: Grounds = {
  ...{ page: "#f6f5f2", box: "#ffffff", ink: "#22201d", faint: "#6b6560", line: "#e4e1da", edge: "#8c8681" },
};
const paper: Grounds = { ...light, page: "#fbf7ee", box: "#fffdf8", line: "#e6dcc8", faint: "#6b6250" };
const white: Grounds = { ...light, page: "#ffffff", box: "#ffffff" };
const night: Grounds = {
  ...{ page: "#141614", box: "#20231f", ink: "#eceeea", faint: "#a6aba3", line: "#363a34", edge: "#767c73" },
};

const looks: Readonly<Record<StyleName, { readonly grounds: Grounds; readonly radius: number }>> = {
  clear: { grounds: light, radius: 16 },
  paper: { grounds: paper, radius: 4 },
  ink: { grounds: night, radius: 12 },
  soft: { grounds: white, radius: 22 },
  outline: { grounds: white, radius: 8 },
  bold: { grounds: light, radius: 16 },
};

/**
 * The shape of boxes. `roundness`: the radius of all corners in pixels. If undefined, the style's own radius is used.
 */
export type Shape = { readonly roundness?: number | undefined };

/** Returns a style's theme in the given colour. For any colour, every text has a contrast of at least 4.5:1. */
export function themeOfStyle(style: StyleName, main: string, { roundness }: Shape = {}): StyledTheme {
  const { grounds } = looks[style];
  const radius = roundness ?? looks[style].radius;
  return {
    ...partsOf(style, { grounds, radius, main }),
    dark: partsOf(style, { grounds: night, radius, main }),
  };
}

/**
 * Returns the colour as a style displays it on light screens. The colour is adjusted if text on it would be unreadable.
 */
export function shownMain(style: StyleName, main: string): string {
  return filled(main, style === "ink" ? night : light).backgroundColor;
}

type Making = { readonly grounds: Grounds; readonly radius: number; readonly main: string };

function partsOf(style: StyleName, { grounds, radius, main }: Making): Omit<StyledTheme, "dark"> {
  const corners = { roundeness: "custom", customRoundeness: radius } as const;
  const line = { ...corners, thickness: 1, color: grounds.line };
  const full = filled(main, grounds);
  const isNight = grounds === night;
  const tint = filledSoftly(main, isNight);
  const outlined = { backgroundColor: grounds.box, color: inked(main, grounds.box, isNight) };
  const rim = { ...corners, thickness: 2, color: outlined.color };
  const page = style === "bold" ? bolder(main, isNight) : grounds.page;
  const host =
    style === "soft"
      ? { ...tint, border: corners }
      : { backgroundColor: grounds.box, color: grounds.ink, border: line };
  return {
    general: { background: { type: "Color", content: page } },
    chat: {
      hostBubbles: host,
      guestBubbles: style === "outline" ? { ...outlined, border: rim } : { ...full, border: corners },
      buttons: style === "outline" ? { ...outlined, border: rim } : { ...full, border: corners },
      inputs: {
        ...{ backgroundColor: grounds.box, color: grounds.ink, placeholderColor: grounds.faint },
        border: { ...corners, thickness: 1, color: grounds.edge },
      },
    },
  };
}

/**
 * Returns a filled box with white or dark text. The fill is darkened, or lightened on a dark page, until the text is
 * readable.
 */
function filled(main: string, grounds: Grounds): { readonly backgroundColor: string; readonly color: string } {
  const color = grounds === night ? "#10201c" : "#ffffff";
  return { backgroundColor: inked(main, color, grounds === night), color };
}

/**
 * Returns a background in the hue of the main colour, with a readable text colour. The background is pale, or dark on a
 * dark page.
 */
function filledSoftly(main: string, isNight: boolean): { readonly backgroundColor: string; readonly color: string } {
  const backgroundColor = moveLightness(main, { to: isNight ? 0.28 : 0.95, chroma: 0.04 });
  return { backgroundColor, color: isNight ? "#f2f2f0" : "#22201d" };
}

/** Returns a page background in the hue of the main colour. */
function bolder(main: string, isNight: boolean): string {
  return moveLightness(main, { to: isNight ? 0.22 : 0.9, chroma: 0.09 });
}

/** Lightens or darkens a colour until its contrast to the background is sufficient for text. */
function inked(main: string, ground: string, isLighter: boolean): string {
  const on = rgbOf(ground) ?? [255, 255, 255];
  for (let step = 0; step <= 50; step++) {
    const color = step === 0 ? main : moveLightness(main, { by: ((isLighter ? 1 : -1) * step) / 50 });
    if (contrast(rgbOf(color) ?? [0, 0, 0], on) >= readable) return color;
  }
  return isLighter ? "#ffffff" : "#000000";
}
