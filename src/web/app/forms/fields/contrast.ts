export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Parses a colour in the notation `#rgb`, `#rrggbb`, `#rrggbbff` or `rgb(…)`. Returns undefined for other notations,
 * for variables, and for transparent colours.
 */
export function readColor(text: string): Rgb | undefined {
  const written = text.trim().toLowerCase();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(written);
  if (short) return numbers(short.slice(1).map((digit) => Number.parseInt(digit + digit, 16)));
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:ff)?$/.exec(written);
  if (long) return numbers(long.slice(1).map((pair) => Number.parseInt(pair, 16)));
  const said = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(written);
  return said ? numbers(said.slice(1).map(Number)) : undefined;
}

/** Returns the contrast ratio of two colours according to WCAG, from 1 to 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Formats a colour for the browser's colour field. */
export function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function numbers([red = 0, green = 0, blue = 0]: readonly number[]): Rgb | undefined {
  return [red, green, blue].every((part) => part <= 255) ? [red, green, blue] : undefined;
}
