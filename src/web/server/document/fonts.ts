import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { fontFaces } from "../../conversation/theme/font-faces.ts";
import { fontOf } from "../../conversation/theme/theme.ts";
import measured from "./font-measures.json";

/**
 * Returns the style that a page initially contains for the theme's font. Fonts of other hosts are loaded in parallel
 * with the text (`browser/fonts.ts`). Until a font is loaded, the text uses a local font with the same metrics, so that
 * nothing moves.
 */
export function fontCss(theme: Theme): string {
  const font = fontOf(theme);
  if (!font) return "";
  return fallbackOf(font.family) + fontFaces(font.css ?? "");
}

function fallbackOf(family: string): string {
  const measures = fallbacks.get(family);
  if (!measures) return "";
  const { kind, sizeAdjust, ascent, descent } = measures;
  const sources = localFonts[kind].map((name) => `local("${name}")`).join();
  const face = `font-family:"Font fallback";src:${sources};size-adjust:${sizeAdjust}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%`;
  return `@font-face{${face}}.typebot-container{--parley-font:"Font fallback",${kind}}`;
}

type Kind = "serif" | "sans-serif";

/** Local fonts by kind: the fonts of Windows and macOS, and free fonts with the same widths. */
const localFonts: Readonly<Record<Kind, readonly string[]>> = {
  "sans-serif": ["Arial", "Liberation Sans", "Arimo"],
  serif: ["Times New Roman", "Liberation Serif", "Tinos"],
};

/**
 * The metrics of the most used font families. Widths are relative to Arial or Times New Roman; ascents and descents are
 * in percent. The values are the average widths, ascents and descents from @capsizecss/metrics 4.3.0.
 */
const fallbacks = new Map([...fallbacksOf("sans-serif"), ...fallbacksOf("serif")]);

function fallbacksOf(kind: Kind) {
  return Object.entries(measured[kind]).map(([family, measures]) => [family, { ...measures, kind }] as const);
}
