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
  /** The version of the flow and the last step's background. Absent if there is no bot. */
  readonly themeContext?: ThemeContext;
  readonly headElements: readonly HeadElement[];
  readonly nonce: string;
  readonly assets: Assets;
  /** The style sheets of the rare kinds of bubbles and inputs on the page, and of the times of messages. */
  readonly kindsCss?: readonly string[];
  /** The JSON for the chat's script; undefined for pages without this script. */
  readonly data: unknown;
  readonly card: PageCard;
  /** Reloads the page after this many seconds if no script runs. */
  readonly refresh?: { readonly seconds: number; readonly path: string } | undefined;
  readonly children: ComponentChildren;
};

/** Renders the HTML document of a page for visitors. */
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
        {/* The style is inline, because a separate file would delay the first display by a round trip. */}
        <Style nonce={nonce} css={assets.textOf("page.css")} />
        {head.kindsCss?.map((css) => (
          <Style key={css} nonce={nonce} css={css} />
        ))}
        <Style nonce={nonce} css={fontCss(theme)} />
        {/* Custom CSS has its own style element, because `@import` must come first in a style element. */}
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
        {/* Authors' head code inserts bars into this element above the chat, so the chat has its own element. */}
        <div id="__next">
          <div id="chat">{children}</div>
        </div>
        {/* The font without a script. It is below the text, so that the text is shown before the font is loaded. */}
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
  // `</style` would end a style element even within a CSS string, so it is escaped.
  const safe = css.replaceAll(/<\/(style)/gi, "<\\/$1");
  return css === "" ? null : <style nonce={nonce} media={media} dangerouslySetInnerHTML={{ __html: safe }} />;
}

/** Returns JSON for a script element, escaped so that it cannot end the element. */
function scriptText(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
