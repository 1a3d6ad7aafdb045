import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { fontFaces } from "../../conversation/theme/font-faces.ts";
import { fontOf } from "../../conversation/theme/theme.ts";
import measured from "./font-measures.json";

/**
 * The style for the theme's font that a page has from the beginning. Fonts of other hosts load beside the text
 * (`browser/fonts.ts`), which meanwhile uses a local font with the same measures, so that nothing jumps.
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

/** Fonts of fixed width: those of Windows and macOS, and their free counterparts. */
const localFonts: Readonly<Record<Kind, readonly string[]>> = {
  "sans-serif": ["Arial", "Liberation Sans", "Arimo"],
  serif: ["Times New Roman", "Liberation Serif", "Tinos"],
};

/**
 * The widths of the most used families in relation to Arial or Times New Roman, and their extent above and below the
 * line, in per cent: their average widths, ascents and descents, from @capsizecss/metrics 4.3.0.
 */
const fallbacks = new Map([...fallbacksOf("sans-serif"), ...fallbacksOf("serif")]);

function fallbacksOf(kind: Kind) {
  return Object.entries(measured[kind]).map(([family, measures]) => [family, { ...measures, kind }] as const);
}
