/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import type { Language } from "../../conversation/language.ts";
import { defaultsOf, fontOf, isDarkTheme, mayBeDark, type ThemeContext } from "../../conversation/theme/theme.ts";
import { type ThemeSheet, themeSheets } from "../../conversation/theme/theme-sheets.ts";
import type { Assets } from "../assets.ts";
import { CardTags, type PageCard } from "./card.tsx";
import { fontCss } from "./fonts.ts";
import type { HeadElement } from "./head-code.ts";
import { ThemeColors } from "./theme-color.tsx";

export type DocumentParts = {
  readonly language: Language;
  readonly theme: Theme;
  /** Version of the flow and the last step's background; absent if there is no bot. */
  readonly themeContext?: ThemeContext;
  readonly headElements: readonly HeadElement[];
  readonly nonce: string;
  readonly assets: Assets;
  /** Style sheets of the kinds of bubbles and inputs that are shown. */
  readonly kindsCss?: readonly string[];
  /** JSON for the page's script; undefined for pages without one. */
  readonly data: unknown;
  readonly card: PageCard;
  /** Reloads the page after this many seconds if no script runs. */
  readonly refresh?: { readonly seconds: number; readonly path: string } | undefined;
  readonly children: ComponentChildren;
};

/** Renders the HTML document around a chat or an error. */
export function renderDocument(parts: DocumentParts): string {
  return `<!doctype html>\n${renderToString(<Document {...parts} />)}`;
}

function Document({ language, theme, themeContext, nonce, assets, data, refresh, children, ...head }: DocumentParts) {
  const { lang, dir } = language;
  const scheme = mayBeDark(theme) ? "auto" : isDarkTheme(theme, themeContext) ? "dark" : "light";
  const fontSheet = fontOf(theme)?.styleSheet;
  return (
    <html
      lang={lang}
      dir={dir}
      data-scheme={scheme}
      data-defaults={defaultsOf(themeContext ? themeContext.version : "6.1")}
    >
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content={scheme === "auto" ? "light dark" : scheme} />
        <ThemeColors theme={theme} context={themeContext ?? {}} followsScheme={scheme === "auto"} />
        <CardTags {...head.card} />
        {fontSheet !== undefined && <link rel="preload" as="style" href={fontSheet} />}
        {/* Inline, because a file of its own would cost another round trip before anything shows. */}
        <Style nonce={nonce} css={assets.textOf("page.css")} />
        {head.kindsCss?.map((css) => (
          <Style key={css} nonce={nonce} css={css} />
        ))}
        <Style nonce={nonce} css={fontCss(theme)} />
        {/* Custom CSS has a style element of its own, because `@import` must come first in one. */}
        {themeSheets(theme, themeContext ?? {}, { followsScheme: scheme === "auto" }).map((sheet, index) => (
          <Style key={index} nonce={nonce} {...sheet} />
        ))}
        {head.headElements.map(({ name: Name, attributes }, index) => (
          <Name key={index} {...attributes} />
        ))}
        {refresh && (
          <noscript>
            <meta http-equiv="refresh" content={`${refresh.seconds}; url=${refresh.path}`} />
          </noscript>
        )}
        {data !== undefined && <script type="module" nonce={nonce} src={assets.addressOf("page.js")} />}
      </head>
      <body class="typebot-container">
        {/* Head code of authors puts bars into it, above the chat: the chat has an element of its own. */}
        <div id="__next">
          <div id="chat">{children}</div>
        </div>
        {/* Where no script loads it: below the text, which is shown without it. */}
        {fontSheet !== undefined && (
          <noscript>
            <link rel="stylesheet" href={fontSheet} />
          </noscript>
        )}
        {data !== undefined && (
          <script type="application/json" id="chat-data" dangerouslySetInnerHTML={{ __html: scriptText(data) }} />
        )}
      </body>
    </html>
  );
}

function Style({ nonce, css, media }: { nonce: string } & ThemeSheet) {
  // A style element ends at `</style`, even within a string of CSS.
  const safe = css.replaceAll(/<\/(style)/gi, "<\\/$1");
  return css === "" ? null : <style nonce={nonce} media={media} dangerouslySetInnerHTML={{ __html: safe }} />;
}

/** JSON for a script element, escaped so that it cannot end the element. */
function scriptText(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
