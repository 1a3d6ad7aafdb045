import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import type { Language } from "../conversation/language.ts";
import { defaultsOf, fontOf, isDarkTheme, mayBeDark } from "../conversation/theme/theme.ts";
import { themeSheets } from "../conversation/theme/theme-sheets.ts";

/** Creates a constructed style sheet, because some policies forbid inline styles. */
function sheetOf(css: string, media = ""): CSSStyleSheet {
  const sheet = new CSSStyleSheet({ media });
  sheet.replaceSync(css);
  return sheet;
}

/**
 * Loads the theme's font into the page around the chat, because fonts cannot be loaded from within a shadow tree. The
 * page gets only the font faces of the author's rules.
 */
function loadFont(theme: Theme): void {
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

import styles from "./chat.css" with { type: "text" };

/** The elements in which a chat is drawn. */
export type ChatRoot = ReturnType<typeof createChatRoot>;

/** Creates the elements in which a chat is drawn, with their style sheets. */
export function createChatRoot(place: HTMLElement) {
  const scheme = document.createElement("div");
  const container = document.createElement("div");
  const content = document.createElement("div");
  scheme.className = "scheme";
  container.className = "typebot-container is-live";
  content.className = "content";
  container.append(content);
  scheme.append(container);
  place.replaceChildren(scheme);
  // Sizes follow the browser's default font size instead of the font size of the surrounding page.
  container.style.setProperty("--parley-rem", getComputedStyle(scheme).fontSize);
  const root = place.getRootNode();
  const frameSheets = root instanceof ShadowRoot ? root.adoptedStyleSheets.slice(0, 1) : [];
  const own = sheetOf(styles);
  const adoptSheets = (...sheets: readonly CSSStyleSheet[]): void => {
    if (root instanceof ShadowRoot) root.adoptedStyleSheets = [...frameSheets, own, ...sheets];
  };
  adoptSheets();
  return {
    container,
    content,
    /** Applies a bot's theme, language and direction. */
    applyTheme(theme: Theme, { lang, dir }: Language, version: string | undefined): void {
      scheme.lang = lang;
      scheme.dir = dir;
      const wanted = schemeFor(theme, version, place);
      scheme.dataset["scheme"] = wanted;
      scheme.dataset["defaults"] = defaultsOf(version);
      const sheets = themeSheets(theme, { version }, { followsScheme: wanted === "auto" });
      adoptSheets(...sheets.map(({ css, media }) => sheetOf(css, media)));
      loadFont(theme);
    },
  };
}

/**
 * Returns the color scheme for a bot. A bot with a dark variant, or without its own colors, follows the visitor's color
 * scheme only if the surrounding page does.
 */
function schemeFor(theme: Theme, version: string | undefined, place: HTMLElement): string {
  if (!mayBeDark(theme)) return isDarkTheme(theme, { version }) ? "dark" : "light";
  const root = place.getRootNode();
  const hostScheme = root instanceof ShadowRoot ? getComputedStyle(root.host).colorScheme : "";
  const metaScheme = document.querySelector<HTMLMetaElement>("meta[name=color-scheme]")?.content ?? "";
  return `${hostScheme} ${metaScheme}`.includes("dark") ? "auto" : "light";
}

/** Returns the language tag of the page around a chat; empty if the page has none. */
export function languageAround(place: HTMLElement): string {
  const root = place.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : place;
  return host.closest<HTMLElement>("[lang]")?.lang ?? "";
}
