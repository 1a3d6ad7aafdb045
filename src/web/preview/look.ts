import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { loadFont } from "../browser/fonts.ts";
import type { Scheme } from "../conversation/preview-protocol.ts";
import { defaultsOf, fontOf, isDarkTheme, mayBeDark } from "../conversation/theme/theme.ts";
import { darkMedia, themeSheets } from "../conversation/theme/theme-sheets.ts";

export type LookContext = { readonly version: string | undefined; readonly scheme: Scheme };

/**
 * Returns a function that applies the colors and style sheets of a theme to the document, and removes those of the
 * previous theme.
 */
export function createLook(nonce: string) {
  const schemedRules = rulesOfScheme();
  let sheets: readonly HTMLStyleElement[] = [];
  let loadedFont: string | undefined;
  let fontTimer = 0;
  return (theme: Theme, { version, scheme }: LookContext): void => {
    const { dataset } = document.documentElement;
    const own = mayBeDark(theme) ? "auto" : isDarkTheme(theme, { version }) ? "dark" : "light";
    dataset["scheme"] = own;
    dataset["defaults"] = defaultsOf(version);
    const before = sheets;
    sheets = themeSheets(theme, { version }, { followsScheme: own === "auto" }).flatMap(({ css, media }) => {
      if (css === "") return [];
      const style = document.createElement("style");
      style.nonce = nonce;
      if (media !== undefined) style.media = mediaFor(media, scheme);
      style.textContent = css;
      return [style];
    });
    document.head.append(...sheets);
    for (const style of before) style.remove();
    for (const rule of schemedRules) rule.media.mediaText = mediaFor(darkMedia, scheme);
    const font = JSON.stringify(fontOf(theme));
    if (font === loadedFont) return;
    clearTimeout(fontTimer);
    // The font is loaded after a delay, because its name may still be incomplete while the author types it.
    fontTimer = window.setTimeout(() => loadFont(theme, nonce), loadedFont === undefined ? 0 : typingPauseMs);
    loadedFont = font;
  };
}

const typingPauseMs = 500;

/**
 * Returns the media query that replaces `prefers-color-scheme`. In a frame, `prefers-color-scheme` always matches the
 * author's own color scheme instead of the chosen scheme.
 */
function mediaFor(media: string, scheme: Scheme): string {
  if (scheme === undefined) return media;
  return (media === darkMedia) === (scheme === "dark") ? "all" : "not all";
}

/** Returns the rules for dark screens in the page's own style sheet. */
function rulesOfScheme(): readonly CSSMediaRule[] {
  return [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter(({ conditionText }) => conditionText.replaceAll(" ", "") === darkMedia.replaceAll(" ", ""));
}
