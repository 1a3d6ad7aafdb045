import type { Theme } from "../interpreter/schemas/theme.ts";
import { type Background, boxColor, colorOf, type Palette } from "./backgrounds.ts";
import { contrast, type Rgb, rgbOf } from "./colors.ts";

/** The colours of options, scale steps and tiles, which are filled like the theme's fields. */
export type Marks = {
  /** The fill of options that are not chosen. Undefined if a picture shows through. */
  readonly fill: Rgb | undefined;
  /**
   * The colour of the chosen option's mark and of the line around each option. The contrast to `fill`, if known, is at
   * least 3:1.
   */
  readonly mark: Rgb;
  /** The colour of text on `mark`, with a contrast of at least 4.5:1. */
  readonly ink: Rgb;
  /** Whether the mark has the buttons' own colour. */
  readonly isButtons: boolean;
  /**
   * False only if neither the fill of a field nor the line that the theme sets around the field is visible on the page.
   */
  readonly isLineSeen: boolean;
};

/**
 * Returns the colours of marks. The mark has the first of these colours that is visible on the options: the colour of
 * the buttons, the colour of the visitor's bubbles, near black, white. If the options have little contrast to the page,
 * a colour that is also visible on the page is preferred.
 *
 * If a picture shows through the options, only their text is known to be visible, so the mark has the text colour.
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
  // An option whose fill contrasts with the page needs no contrasting line.
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

/** Returns white or near black. On a middle grey, neither has enough contrast, so pure black is used. */
function textOn(color: Rgb): Rgb {
  return [white, nearBlack, black].find((ink) => contrast(ink, color) >= textRatio) ?? white;
}
