import { contrast, type Rgb, readPaint, rgbOf } from "../web/conversation/colors.ts";
import { at, flagAt, numberAt, textAt } from "../web/conversation/read.ts";
import {
  type BoxName,
  type Ground,
  groundOf,
  type Suit,
  suitOf,
  surfaceOf,
  underneath,
} from "../web/conversation/theme-surfaces.ts";
import type { StoredFlow } from "./document.ts";

/** Two colours of a theme that are too alike for many people. */
export type FaintColor = {
  /** Where the colour stands that is to be changed, such as `theme.chat.buttons.color`. */
  readonly path: string;
  readonly message: string;
};

/**
 * Finds the colours of a flow's theme that are hard to tell from what is behind them, by the ratios of WCAG 2.2 AA: 4.5 for text,
 * 3 for what shows where a field is. Only what the theme says is judged, and nothing that depends on variables or lies over a picture.
 */
export function findFaintColors({ theme, version }: Pick<StoredFlow, "theme" | "version">): FaintColor[] {
  const suit = suitOf(version);
  const ground = groundOf(theme, suit);
  const look = { theme, suit, ground };
  return [
    ...pageText(look),
    ...boxNames.flatMap((name) => boxText(name, look)),
    ...placeholder(look),
    ...fieldEdge(look),
    ...progressBar(theme),
  ];
}

const boxNames = ["hostBubbles", "guestBubbles", "inputs", "buttons"] as const;

type Look = { readonly theme: unknown; readonly suit: Suit; readonly ground: Ground };

function pageText({ theme, suit, ground }: Look): FaintColor[] {
  const color = rgbOf(textAt(theme, "chat", "container", "color"));
  return tooFaint("theme.chat.container.color", { what: "text", color, behind: underneath(ground, suit) });
}

function boxText(name: BoxName, { theme, suit, ground }: Look): FaintColor[] {
  // Where only the background is said, pages choose an ink that can be read on it.
  const color = rgbOf(textAt(theme, "chat", name, "color"));
  const behind = isUnknown(textAt(theme, "chat", name, "backgroundColor"))
    ? undefined
    : surfaceOf(theme, name, { suit, ground });
  return tooFaint(`theme.chat.${name}.color`, { what: "text", color, behind });
}

function placeholder({ theme, suit, ground }: Look): FaintColor[] {
  const inputs = at(theme, "chat", "inputs");
  if (isUnknown(textAt(inputs, "backgroundColor"))) return [];
  const color = rgbOf(textAt(inputs, "placeholderColor"));
  const behind = surfaceOf(theme, "inputs", { suit, ground });
  return tooFaint("theme.chat.inputs.placeholderColor", { what: "text", color, behind });
}

/** A field is found by its colour, or by the line around it. */
function fieldEdge({ theme, suit, ground }: Look): FaintColor[] {
  const inputs = at(theme, "chat", "inputs");
  const line = rgbOf(textAt(inputs, "border", "color"));
  const isThere = (numberAt(inputs, "border", "thickness") ?? 1) > 0;
  const behind = underneath(ground, suit);
  const fill = surfaceOf(theme, "inputs", { suit, ground });
  if (!line || !behind || !fill || contrast(fill, behind) >= edgeRatio) return [];
  const color = isThere && numberAt(inputs, "border", "opacity") !== 0 ? line : fill;
  return tooFaint("theme.chat.inputs.border.color", { what: "edge", color, behind });
}

function progressBar(theme: unknown): FaintColor[] {
  const bar = at(theme, "general", "progressBar");
  if (flagAt(bar, "isEnabled") !== true) return [];
  const behind = rgbOf(textAt(bar, "backgroundColor"));
  return tooFaint("theme.general.progressBar.color", { what: "edge", color: rgbOf(textAt(bar, "color")), behind });
}

type Pair = { readonly what: "text" | "edge"; readonly color: Rgb | undefined; readonly behind: Rgb | undefined };

function tooFaint(path: string, { what, color, behind }: Pair): FaintColor[] {
  if (!color || !behind) return [];
  const needed = what === "text" ? textRatio : edgeRatio;
  const ratio = contrast(color, behind);
  if (ratio >= needed) return [];
  // Cut, not rounded: 4.46 is not enough and must not read as if it were.
  const [found, on] = [Math.floor(ratio * 10) / 10, hexOf(behind)];
  const subject = what === "text" ? "Text" : "What marks a place";
  return [
    {
      path,
      message: `${hexOf(color)} on ${on} has a contrast of ${found}:1. ${subject} needs ${needed}:1 to be seen by all.`,
    },
  ];
}

const textRatio = 4.5;
const edgeRatio = 3;

/** A colour that is given, but only known when a chat runs, or by browsers. */
function isUnknown(color: string | undefined): boolean {
  return color !== undefined && color !== "" && readPaint(color) === undefined;
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
