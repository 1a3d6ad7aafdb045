import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { loadFont } from "../browser/fonts.ts";
import type { Scheme } from "../conversation/preview-protocol.ts";
import { defaultsOf, fontOf, isDarkTheme, mayBeDark } from "../conversation/theme/theme.ts";
import { darkMedia, themeSheets } from "../conversation/theme/theme-sheets.ts";

export type LookContext = { readonly version: string | undefined; readonly scheme: Scheme };

/** Gives the document the colours and the style of a theme, in place of the previous ones. */
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
    // An incomplete name does not count yet.
    fontTimer = window.setTimeout(() => loadFont(theme, nonce), loadedFont === undefined ? 0 : typingPauseMs);
    loadedFont = font;
  };
}

const typingPauseMs = 500;

/** A frame has its author's scheme, not the chosen one, so `prefers-color-scheme` is evaluated here. */
function mediaFor(media: string, scheme: Scheme): string {
  if (scheme === undefined) return media;
  return (media === darkMedia) === (scheme === "dark") ? "all" : "not all";
}

/** The rules of the page's own style sheet for dark screens. */
function rulesOfScheme(): readonly CSSMediaRule[] {
  return [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter(({ conditionText }) => conditionText.replaceAll(" ", "") === darkMedia.replaceAll(" ", ""));
}
