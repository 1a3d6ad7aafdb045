/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Theme } from "../../flow/schemas/theme.ts";
import type { Language } from "../conversation/language.ts";
import type { PageSettings } from "../conversation/settings.ts";
import {
  defaultsOf,
  fontOf,
  isDarkTheme,
  mayBeDark,
  type ThemeContext,
  themeProperties,
} from "../conversation/theme.ts";
import type { Assets } from "./assets.ts";
import type { HeadElement } from "./head-code.ts";

export type DocumentParts = {
  readonly language: Language;
  readonly theme: Theme;
  /** Version of the flow and the last step's background; absent where there is no bot. */
  readonly themeContext?: ThemeContext;
  readonly settings: PageSettings;
  readonly headElements: readonly HeadElement[];
  readonly nonce: string;
  readonly assets: Assets;
  /** Style sheet of the open input's kind. */
  readonly inputCss?: string | undefined;
  /** JSON for the page's script; undefined for pages without one. */
  readonly data: unknown;
  /** Title where the bot names none. */
  readonly title: string;
  /** Reloads the page after so many seconds where no script runs. */
  readonly refresh?: { readonly seconds: number; readonly path: string } | undefined;
  readonly isIndexed: boolean;
  readonly children: ComponentChildren;
};

/** Renders the HTML document around a chat or an error. */
export function renderDocument(parts: DocumentParts): string {
  return `<!doctype html>\n${renderToString(<Document {...parts} />)}`;
}

function Document({
  language,
  theme,
  themeContext,
  settings,
  nonce,
  assets,
  data,
  refresh,
  children,
  ...head
}: DocumentParts) {
  const { lang, dir } = language;
  const scheme = mayBeDark(theme) ? "auto" : isDarkTheme(theme, themeContext) ? "dark" : "light";
  return (
    <html
      lang={lang}
      dir={dir}
      data-scheme={scheme}
      data-defaults={defaultsOf(themeContext ? themeContext.version : "6.1")}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={scheme === "auto" ? "light dark" : scheme} />
        <Metadata settings={settings} title={head.title} isIndexed={head.isIndexed} />
        <Fonts theme={theme} />
        {/* Inline, because a file of its own would cost another round trip before anything shows. */}
        <Style nonce={nonce} css={assets.textOf("page.css")} />
        <Style nonce={nonce} css={head.inputCss ?? ""} />
        <Style nonce={nonce} css={fontOf(theme)?.css ?? ""} />
        <Style nonce={nonce} css={themeStyle(theme, themeContext)} />
        <Style nonce={nonce} css={theme.customCss ?? ""} />
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
        <div id="chat">{children}</div>
        {data !== undefined && (
          <script type="application/json" id="chat-data" dangerouslySetInnerHTML={{ __html: scriptText(data) }} />
        )}
      </body>
    </html>
  );
}

function Metadata({ settings, title, isIndexed }: { settings: PageSettings; title: string; isIndexed: boolean }) {
  const { description, imageUrl: image, iconUrl: icon = ourIcon } = settings;
  const isHidden = !isIndexed || !settings.isIndexed;
  return (
    <>
      <title>{title}</title>
      {description !== undefined && <meta name="description" content={description} />}
      {isHidden && <meta name="robots" content="noindex" />}
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      {description !== undefined && <meta property="og:description" content={description} />}
      {image !== undefined && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={image === undefined ? "summary" : "summary_large_image"} />
      <link rel="icon" href={icon} />
    </>
  );
}

const ourIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#c2410c"/><path fill="#fff" d="M12 11h16a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4h-7l-6 5v-5h-3a4 4 0 0 1-4-4v-8a4 4 0 0 1 4-4Z"/></svg>',
)}`;

function Fonts({ theme }: { theme: Theme }) {
  const font = fontOf(theme);
  return font?.styleSheet === undefined ? null : <link rel="stylesheet" href={font.styleSheet} />;
}

function Style({ nonce, css }: { nonce: string; css: string }) {
  // A style element ends at `</style`, even within a string.
  const safe = css.replaceAll(/<\/(style)/gi, "<\\/$1");
  return css === "" ? null : <style nonce={nonce} dangerouslySetInnerHTML={{ __html: safe }} />;
}

/** The theme's properties. Custom CSS has its own style element, because `@import` must come first in one. */
function themeStyle(theme: Theme, context: ThemeContext | undefined): string {
  const properties = [...themeProperties(theme, context)].map(([name, value]) => `${name}:${value}`).join(";");
  return properties === "" ? "" : `.typebot-container{${properties}}`;
}

/** JSON for a script element, escaped so that nothing in it ends the element. */
function scriptText(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
