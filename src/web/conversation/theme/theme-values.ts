import { lookDefaults, roundness } from "../../../core/interpreter/schemas/default-look.ts";
import { rgbOf } from "../../../core/theme/colors.ts";
import { safeSource } from "../links.ts";

/**
 * Converts values of themes to CSS values. A value is inserted into a declaration, so a value that does not fully match
 * its type is dropped. No text of an author, or of a visitor through a variable, can break out of the declaration.
 */

/** Returns a color unchanged if it is in a known notation; otherwise undefined. */
export function colorValue(text: string | undefined): string | undefined {
  const color = text?.trim() ?? "";
  return colorForms.some((form) => form.test(color)) ? color : undefined;
}

const colorForms = [
  /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i,
  /^[a-z]{3,24}$/i,
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\w\s.,%+/-]{1,80}\)$/i,
  /^var\(--[\w-]{1,80}\)$/,
];

/**
 * Returns the three numbers of a color, in the format that `rgb()` and `rgba()` accept. Undefined if the text is not a
 * color.
 */
export function rgbValue(text: string | undefined): string | undefined {
  return rgbOf(text)?.join(", ");
}

/**
 * Returns a length, a keyword such as `fit-content`, or a `calc`, `clamp`, `max` or `min` of lengths; undefined for any
 * other text. A bare number is a length in pixels.
 */
export function lengthValue(text: string | undefined): string | undefined {
  const length = text?.trim() ?? "";
  if (/^\d*\.?\d+$/.test(length)) return `${length}px`;
  if (plainLength.test(length)) return length;
  return /^(?:calc|clamp|max|min)\([\w\s.,%+*/()-]{1,80}\)$/i.test(length) && isBalanced(length) ? length : undefined;
}

const plainLength =
  /^(?:none|(?:fit|max|min)-content|\d*\.?\d+(?:%|px|r?em|ch|ex|lh|pt|cm|mm|in|[dls]?v(?:h|w|min|max)))$/i;

/** Returns a length in pixels within limits. Undefined stays undefined. */
export function pixelValue(pixels: number | undefined): string | undefined {
  return pixels === undefined ? undefined : `${Math.min(maxPixels, Math.max(0, pixels))}px`;
}

const maxPixels = 1_000;

/** Returns a URL in the CSS notation for pictures; undefined if the URL is not safe. */
export function imageValue(address: string | undefined): string | undefined {
  const source = safeSource(address);
  return source && `url("${encodeURI(source.toWellFormed()).replaceAll("%25", "%")}")`;
}

/** Returns font families. Names are quoted, and generic families are not. */
export function familyValue(families: string): string {
  return families
    .split(",")
    .map((family) => family.replaceAll(/[^\p{L}\p{N}\p{M} _.&+-]/gu, "").trim())
    .filter(Boolean)
    .map((family) => (genericFamily.test(family) ? family : `"${family}"`))
    .join(", ");
}

const genericFamily =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-(?:serif|sans-serif|monospace|rounded))$/;

/** Returns a shadow by its name; undefined if the name is unknown. */
export function shadowValue(word: string | undefined): string | undefined {
  return shadows.get(word ?? "");
}

const shadows = new Map([
  ["none", "none"],
  ["sm", "0 1px 2px rgb(0 0 0 / 6%)"],
  ["md", "0 2px 4px -1px rgb(0 0 0 / 10%), 0 4px 10px -2px rgb(0 0 0 / 10%)"],
  ["lg", "0 4px 6px -4px rgb(0 0 0 / 10%), 0 10px 20px -4px rgb(0 0 0 / 12%)"],
  ["xl", "0 8px 10px -6px rgb(0 0 0 / 10%), 0 20px 30px -6px rgb(0 0 0 / 14%)"],
  ["2xl", "0 24px 50px -12px rgb(0 0 0 / 28%)"],
]);

/** Returns a corner radius by its name; undefined if the name is unknown. `custom` uses the number of pixels. */
export function radiusValue(word: string | undefined, customPixels: number | undefined): string | undefined {
  if (word === "custom") return pixelValue(customPixels ?? lookDefaults.customRoundness);
  return pixelValue(radii.get(word ?? ""));
}

const radii: ReadonlyMap<string, number> = new Map(Object.entries(roundness));

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}
