import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { fontFaces } from "../../conversation/theme/font-faces.ts";
import { fontOf } from "../../conversation/theme/theme.ts";

/**
 * The style that a page has of its theme's font from the beginning. Fonts of other hosts load beside the text
 * (`browser/fonts.ts`), which meanwhile uses a font of the visitor's with the same measures, so that nothing jumps.
 */
export function fontCss(theme: Theme): string {
  const font = fontOf(theme);
  if (!font) return "";
  return fallbackOf(font.family) + fontFaces(font.css ?? "");
}

function fallbackOf(family: string): string {
  const metrics = fallbacks.get(family);
  if (!metrics) return "";
  const [kind, sizeAdjust, ascent, descent] = metrics;
  const sources = localFonts[kind].map((name) => `local("${name}")`).join();
  const face = `font-family:"Font fallback";src:${sources};size-adjust:${sizeAdjust}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%`;
  return `@font-face{${face}}.typebot-container{--parley-font:"Font fallback",${kind}}`;
}

type Kind = "serif" | "sans-serif";

/** Fonts of equal widths: those of Windows and macOS, and their free counterparts. */
const localFonts: Readonly<Record<Kind, readonly string[]>> = {
  "sans-serif": ["Arial", "Liberation Sans", "Arimo"],
  serif: ["Times New Roman", "Liberation Serif", "Tinos"],
};

/**
 * How wide the most used families are beside Arial or Times New Roman, and how far they reach above and below the line,
 * in per cent: their average widths, ascents and descents as @capsizecss/metrics 4.3.0 has measured them.
 */
const fallbacks: ReadonlyMap<string, readonly [Kind, sizeAdjust: number, ascent: number, descent: number]> = new Map([
  ["Open Sans", ["sans-serif", 105.1, 101.7, 27.9]],
  ["Roboto", ["sans-serif", 99.8, 93, 24.5]],
  ["Inter", ["sans-serif", 107.1, 90.4, 22.5]],
  ["Lato", ["sans-serif", 97.7, 101, 21.8]],
  ["Montserrat", ["sans-serif", 112.8, 85.8, 22.2]],
  ["Poppins", ["sans-serif", 112.2, 93.6, 31.2]],
  ["Nunito", ["sans-serif", 101.4, 99.7, 34.8]],
  ["Nunito Sans", ["sans-serif", 101.4, 99.7, 34.8]],
  ["Raleway", ["sans-serif", 103.9, 90.5, 22.5]],
  ["Work Sans", ["sans-serif", 111.9, 83.1, 21.7]],
  ["Source Sans 3", ["sans-serif", 93.8, 109.2, 42.7]],
  ["Noto Sans", ["sans-serif", 106.3, 100.5, 27.6]],
  ["DM Sans", ["sans-serif", 104.5, 94.9, 29.7]],
  ["Manrope", ["sans-serif", 103.2, 103.3, 29.1]],
  ["Outfit", ["sans-serif", 99.8, 100.2, 26]],
  ["Plus Jakarta Sans", ["sans-serif", 105, 98.9, 21.1]],
  ["Rubik", ["sans-serif", 105, 89.1, 23.8]],
  ["Ubuntu", ["sans-serif", 102.1, 91.3, 18.5]],
  ["Oswald", ["sans-serif", 81.4, 146.5, 35.5]],
  ["Quicksand", ["sans-serif", 104.3, 95.9, 24]],
  ["Karla", ["sans-serif", 102.4, 89.6, 24.6]],
  ["Mulish", ["sans-serif", 104.1, 96.6, 24]],
  ["Figtree", ["sans-serif", 100.7, 94.3, 24.8]],
  ["Lexend", ["sans-serif", 109.9, 91, 22.7]],
  ["Space Grotesk", ["sans-serif", 109.7, 89.7, 26.6]],
  ["IBM Plex Sans", ["sans-serif", 101.2, 101.3, 27.2]],
  ["Barlow", ["sans-serif", 96.7, 103.4, 20.7]],
  ["Josefin Sans", ["sans-serif", 102.3, 73.3, 24.4]],
  ["Fira Sans", ["sans-serif", 102.7, 91, 25.8]],
  ["Cabin", ["sans-serif", 94.7, 101.9, 26.4]],
  ["PT Sans", ["sans-serif", 96.7, 105.3, 28.5]],
  ["Urbanist", ["sans-serif", 99, 95.9, 25.2]],
  ["Sora", ["sans-serif", 113.7, 85.3, 25.5]],
  ["Archivo", ["sans-serif", 98.7, 89, 21.3]],
  ["Public Sans", ["sans-serif", 104.9, 90.6, 21.5]],
  ["Albert Sans", ["sans-serif", 103.9, 91.5, 24.1]],
  ["Be Vietnam Pro", ["sans-serif", 110.4, 90.6, 24]],
  ["Comfortaa", ["sans-serif", 117.5, 75, 19.9]],
  ["Titillium Web", ["sans-serif", 94.4, 120, 41.1]],
  ["Merriweather", ["serif", 119.4, 82.4, 22.9]],
  ["Playfair Display", ["serif", 111.3, 97.2, 22.6]],
  ["Lora", ["serif", 115.2, 87.3, 23.8]],
  ["PT Serif", ["serif", 110.3, 94.2, 25.9]],
  ["Noto Serif", ["serif", 118.4, 90.3, 24.7]],
  ["Roboto Slab", ["serif", 116.8, 89.7, 23.2]],
  ["Libre Baskerville", ["serif", 127.3, 76.2, 21.2]],
  ["EB Garamond", ["serif", 94.8, 106.3, 31.4]],
  ["Cormorant Garamond", ["serif", 97, 95.3, 29.6]],
  ["Source Serif 4", ["serif", 117.9, 87.9, 28.4]],
  ["Bitter", ["serif", 114.5, 81.7, 23.2]],
  ["Crimson Text", ["serif", 97.4, 97.5, 36]],
  ["Roboto Mono", ["sans-serif", 134.6, 77.8, 20.1]],
  ["JetBrains Mono", ["sans-serif", 134.6, 75.8, 22.3]],
  ["Space Mono", ["sans-serif", 137.3, 81.6, 26.3]],
]);
