import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { fontOf } from "../conversation/theme/theme.ts";

/** A constructed style sheet, which policies that forbid inline styles allow. */
export function sheetOf(css: string, media = ""): CSSStyleSheet {
  const sheet = new CSSStyleSheet({ media });
  sheet.replaceSync(css);
  return sheet;
}

/**
 * Loads the theme's font into the page around the chat, because fonts do not load from within a shadow tree. Of the
 * author's rules the page gets the font faces and no other.
 */
export function loadFont(theme: Theme): void {
  const font = fontOf(theme);
  const address = font?.styleSheet;
  if (address !== undefined && !loaded.has(address)) {
    loaded.add(address);
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    document.head.append(link);
  }
  const css = font?.css;
  if (css === undefined || loaded.has(css)) return;
  loaded.add(css);
  const faces = [...sheetOf(css).cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
  const sheet = sheetOf(faces.map((rule) => rule.cssText).join("\n"));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

const loaded = new Set<string>();
