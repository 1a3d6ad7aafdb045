import { type DefaultColors, darkColors, defaultColors } from "../interpreter/schemas/default-colors.ts";
import { lookDefaults } from "../interpreter/schemas/default-look.ts";
import type { BoxName, BoxTheme, Theme } from "../interpreter/schemas/theme.ts";
import { blend, type Paint, type Rgb, readPaint, rgbOf } from "./colors.ts";
import { groundOfSheet } from "./sheet-ground.ts";

/** The background of the chat: a colour, a picture whose colours are unknown, or the style sheet's default. */
export type Background =
  | { readonly kind: "color"; readonly rgb: Rgb }
  | { readonly kind: "picture" }
  | { readonly kind: "default" };

/** The default colours of a theme, which equal the colours in the style sheet. */
export type Palette = Readonly<Record<BoxName, { readonly background: Rgb; readonly ink: Rgb }>> & {
  readonly background: Rgb;
  readonly placeholder: Rgb;
};

/**
 * Returns the default colours, which differ between flows of version 6.1 and earlier flows. Dark pages have the same
 * colours in all versions.
 */
export function paletteOf(version: string | undefined, { isDark = false } = {}): Palette {
  if (isDark) return palettes.dark;
  return version === "6.1" ? palettes["6.1"] : palettes["6"];
}

const palettes = {
  "6": readPalette(defaultColors["6"]),
  "6.1": readPalette(defaultColors["6.1"]),
  dark: readPalette(darkColors),
};

function readPalette({ background, placeholder, ...boxes }: DefaultColors): Palette {
  const box = (name: BoxName) => ({ background: rgb(boxes[name].backgroundColor), ink: rgb(boxes[name].color) });
  return {
    background: rgb(background),
    placeholder: rgb(placeholder),
    hostBubbles: box("hostBubbles"),
    guestBubbles: box("guestBubbles"),
    inputs: box("inputs"),
    buttons: box("buttons"),
  };
}

/** Returns the background of the chat. `backgroundUrl` replaces the content of the theme's background. */
export function backgroundOf(theme: Theme, palette: Palette, backgroundUrl?: string): Background {
  const page = pageBackground(theme, backgroundUrl);
  const over = paintOf(theme.chat?.container);
  if (!over || over.alpha === 0) return page;
  if (over.alpha === 1) return { kind: "color", rgb: over.rgb };
  const under = colorOf(page, palette);
  return under ? { kind: "color", rgb: blend(over, under) } : page;
}

/** Returns the colour behind a box's text, or undefined if a picture shows through. */
export function boxColor(
  theme: Theme,
  name: BoxName,
  { palette, background }: { palette: Palette; background: Background },
): Rgb | undefined {
  const box = theme.chat?.[name];
  const paint = paintOf(box) ?? { rgb: palette[name].background, alpha: opacityOf(box) ?? 1 };
  if (paint.alpha === 1) return paint.rgb;
  const under = colorOf(background, palette);
  return under && blend(paint, under);
}

/** Returns the colour of a background, or undefined for a picture. */
export function colorOf(background: Background, palette: Palette): Rgb | undefined {
  switch (background.kind) {
    case "color":
      return background.rgb;
    case "default":
      return palette.background;
    case "picture":
      return undefined;
    default:
      return background satisfies never;
  }
}

/**
 * Returns the opacity of a box from 0 to 1, or undefined if the theme sets neither an opacity nor a transparent
 * background.
 */
export function opacityOf(box: BoxTheme | undefined): number | undefined {
  const alpha = readPaint(box?.backgroundColor)?.alpha ?? 1;
  const opacity = box?.opacity;
  if (opacity === undefined && alpha === 1) return undefined;
  return Math.round(alpha * Math.min(1, Math.max(0, opacity ?? 1)) * 1_000) / 1_000;
}

function pageBackground({ general, customCss = "" }: Theme, backgroundUrl: string | undefined): Background {
  const drawn = groundOfSheet(customCss);
  if (drawn) return { kind: "color", rgb: drawn.rgb };
  const { type = lookDefaults.backgroundType, content = undefined } = general?.background ?? {};
  const shown = backgroundUrl ?? content;
  const paint = type === "Color" ? readPaint(shown) : undefined;
  if (paint?.alpha === 1) return { kind: "color", rgb: paint.rgb };
  return type === "Image" && shown ? { kind: "picture" } : { kind: "default" };
}

function paintOf(box: BoxTheme | undefined): Paint | undefined {
  const paint = readPaint(box?.backgroundColor);
  return paint && { rgb: paint.rgb, alpha: opacityOf(box) ?? 1 };
}

function rgb(hex: string): Rgb {
  return rgbOf(hex) ?? [0, 0, 0];
}
