/** A colour as three numbers from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A colour with an opacity from 0 to 1. */
export type Paint = { readonly rgb: Rgb; readonly alpha: number };

/**
 * Parses `#rgb` and `#rrggbb` with or without alpha, `rgb(…)`, `rgba(…)` and `transparent`. Returns undefined for any
 * other value, which is then treated as absent from the theme.
 */
export function readPaint(color: unknown): Paint | undefined {
  const text = textOf(color);
  if (text === "transparent") return { rgb: [0, 0, 0], alpha: 0 };
  if (/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(text)) return ofHex(text.slice(1));
  const found = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*(\d*\.?\d+)(%?)\s*)?\)$/.exec(text);
  if (!found) return undefined;
  const [, red, green, blue, alpha = "1", percent] = found;
  const part = (digits = "0") => Math.min(255, Number(digits));
  return {
    rgb: [part(red), part(green), part(blue)],
    alpha: Math.min(1, Number(alpha) / (percent === "%" ? 100 : 1)),
  };
}

/**
 * Returns the colour without its opacity. Returns undefined for `transparent` and for any value that is not a colour.
 */
export function rgbOf(color: unknown): Rgb | undefined {
  return textOf(color) === "transparent" ? undefined : readPaint(color)?.rgb;
}

/** Returns the colour that results from painting one colour over another. */
export function blend({ rgb, alpha }: Paint, under: Rgb): Rgb {
  const part = (over: number, below: number) => Math.round(over * alpha + below * (1 - alpha));
  return [part(rgb[0], under[0]), part(rgb[1], under[1]), part(rgb[2], under[2])];
}

/** Returns the WCAG 2 contrast ratio from 1 to 21. Level AA requires 4.5 for normal text. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns white or near black, whichever is easier to read on the given colour. */
export function inkOn(color: Rgb): string {
  return contrast(color, [255, 255, 255]) >= contrast(color, [28, 25, 23]) ? "#ffffff" : "#1c1917";
}

/**
 * Returns the first candidate whose contrast to the colour is at least `ratio`. If there is none, returns white or near
 * black.
 */
export function firstWithContrast(from: Rgb, ratio: number, candidates: readonly string[]): string {
  const enough = candidates.find((candidate) => {
    const rgb = rgbOf(candidate);
    return rgb !== undefined && contrast(rgb, from) >= ratio;
  });
  return enough ?? inkOn(from);
}

export function isDark(color: Rgb): boolean {
  return luminance(color) < 0.18;
}

/**
 * Returns a stored colour in lower case, or an empty string if the colour is not a string. Themes are stored as they
 * were sent, so a colour may have any type.
 */
function textOf(color: unknown): string {
  return typeof color === "string" ? color.trim().toLowerCase() : "";
}

function ofHex(digits: string): Paint {
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const part = (index: number) => Number.parseInt(long.slice(index * 2, index * 2 + 2), 16);
  return { rgb: [part(0), part(1), part(2)], alpha: long.length === 8 ? part(3) / 255 : 1 };
}

/** Returns the relative luminance of WCAG 2. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
