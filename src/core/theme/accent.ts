import type { Theme } from "../interpreter/schemas/theme.ts";
import { backgroundOf, boxColor, paletteOf } from "./backgrounds.ts";
import { inkOn, type Rgb, readPaint, rgbOf } from "./colors.ts";

/** The main colour of a bot, which is the colour of its buttons, and a text colour for it. */
export type Accent = { readonly color: string; readonly ink: string };

export function accentOf(theme: Theme, version: string | undefined): Accent {
  const palette = paletteOf(version);
  const { buttons } = theme.chat ?? {};
  const { background, ink } = palette.buttons;
  const color = boxColor(theme, "buttons", { palette, background: backgroundOf(theme, palette) }) ?? background;
  const isOurs = readPaint(buttons?.backgroundColor) === undefined;
  const own = rgbOf(buttons?.color);
  return { color: hexOf(color), ink: own ? hexOf(own) : isOurs ? hexOf(ink) : inkOn(color) };
}

/** Formats a colour as `#rrggbb`. */
export function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
