import type { Theme } from "../../flow/schemas/theme.ts";
import type { Language } from "../conversation/language.ts";
import { defaultsOf, isDarkTheme, mayBeDark } from "../conversation/theme.ts";
import styles from "./chat.css" with { type: "text" };
import { loadFont, sheetOf, themeSheets } from "./sheets.ts";

/** Where a chat is drawn. */
export type Stage = {
  readonly suit: HTMLElement;
  readonly container: HTMLElement;
  readonly content: HTMLElement;
  /** Dresses the chat as its bot wants. */
  dress(theme: Theme, language: Language, version: string | undefined): void;
};

/** The elements that a chat is drawn into, with its style sheets. */
export function createStage(place: HTMLElement): Stage {
  const suit = document.createElement("div");
  const container = document.createElement("div");
  const content = document.createElement("div");
  suit.className = "suit";
  container.className = "typebot-container is-live";
  content.className = "content";
  container.append(content);
  suit.append(container);
  place.replaceChildren(suit);
  // Sizes follow what the visitor's browser calls medium, whatever the page makes of its own root.
  container.style.setProperty("--parley-rem", getComputedStyle(suit).fontSize);
  const root = place.getRootNode();
  const others = root instanceof ShadowRoot ? root.adoptedStyleSheets.slice(0, 1) : [];
  const own = sheetOf(styles);
  const wear = (...sheets: readonly CSSStyleSheet[]): void => {
    if (root instanceof ShadowRoot) root.adoptedStyleSheets = [...others, own, ...sheets];
  };
  wear();
  return {
    suit,
    container,
    content,
    dress(theme, { lang, dir }, version) {
      suit.lang = lang;
      suit.dir = dir;
      suit.dataset["scheme"] = schemeFor(theme, version, place);
      suit.dataset["defaults"] = defaultsOf(version);
      wear(...themeSheets(theme, version));
      loadFont(theme);
    },
  };
}

/** A bot without colours of its own follows the visitor's wish for dark pages only where the page around it does. */
function schemeFor(theme: Theme, version: string | undefined, place: HTMLElement): string {
  if (!mayBeDark(theme)) return isDarkTheme(theme, { version }) ? "dark" : "light";
  const root = place.getRootNode();
  const around = root instanceof ShadowRoot ? getComputedStyle(root.host).colorScheme : "";
  const told = document.querySelector<HTMLMetaElement>("meta[name=color-scheme]")?.content ?? "";
  return `${around} ${told}`.includes("dark") ? "auto" : "light";
}
