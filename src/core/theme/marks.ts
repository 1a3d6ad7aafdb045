import type { Theme } from "../interpreter/schemas/theme.ts";
import { type Background, boxColor, colorOf, type Palette } from "./backgrounds.ts";
import { contrast, type Rgb, rgbOf } from "./colors.ts";

/** The colours of options, steps of a scale and tiles. They are filled like the theme's fields. */
export type Marks = {
  /** The fill of the unchosen options; undefined if a picture shows through. */
  readonly fill: Rgb | undefined;
  /** The mark of the chosen option, and the line around each: at least 3:1 on `fill`. */
  readonly mark: Rgb;
  /** Text on `mark`: at least 4.5:1. */
  readonly ink: Rgb;
  /** Whether the mark is the buttons' own colour. */
  readonly isButtons: boolean;
  /** Whether the fields' line, or the fill within it, is visible on the page. */
  readonly isLineSeen: boolean;
};

/**
 * The mark is the buttons' colour if that is visible on the options and on the page, else the answers' colour, else
 * near black or white. If a picture shows through the options, only the text on them is known to be visible, so the
 * mark has the text's colour.
 */
export function marksOf(theme: Theme, look: { palette: Palette; background: Background }): Marks {
  const { palette, background } = look;
  const { buttons, guestBubbles, inputs } = theme.chat ?? {};
  const own = rgbOf(buttons?.backgroundColor) ?? palette.buttons.background;
  const fill = boxColor(theme, "inputs", look);
  if (!fill) {
    const mark = rgbOf(inputs?.color) ?? palette.inputs.ink;
    return { fill, mark, ink: textOn(mark), isButtons: false, isLineSeen: true };
  }
  const ground = colorOf(background, palette);
  const answers = rgbOf(guestBubbles?.backgroundColor) ?? palette.guestBubbles.background;
  const candidates = [own, answers, nearBlack, white];
  const seenOnFill = candidates.filter((color) => contrast(color, fill) >= markRatio);
  // An option whose fill contrasts with the page does not need a contrasting line.
  const isFillSeen = ground === undefined || contrast(fill, ground) >= markRatio;
  const mark =
    seenOnFill.find((color) => isFillSeen || contrast(color, ground) >= markRatio) ?? seenOnFill[0] ?? textOn(fill);
  const isButtons = mark === own;
  const line = rgbOf(inputs?.border?.color);
  const isLineSeen = isFillSeen || !line || contrast(line, ground) >= markRatio;
  const label = isButtons ? (rgbOf(buttons?.color) ?? palette.buttons.ink) : undefined;
  const ink = label && contrast(label, mark) >= textRatio ? label : textOn(mark);
  return { fill, mark, ink, isButtons, isLineSeen };
}

const markRatio = 3;
const textRatio = 4.5;
const nearBlack: Rgb = [28, 25, 23];
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** Near black or white; on a middle grey neither has enough contrast with every colour, but black does. */
function textOn(color: Rgb): Rgb {
  return [white, nearBlack, black].find((ink) => contrast(ink, color) >= textRatio) ?? white;
}
