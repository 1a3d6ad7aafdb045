import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { drawsMessages } from "../../../core/theme/sheet-rules.ts";
import { darkVariant } from "../../../core/theme/variant.ts";
import drawnMessagesCss from "../drawn-messages.css" with { type: "text" };
import headerCss from "../header.css" with { type: "text" };
import progressBarCss from "../progress-bar.css" with { type: "text" };
import welcomeCss from "../welcome.css" with { type: "text" };
import { isDarkTheme, type ThemeContext, themeProperties } from "./theme.ts";

/** A style sheet of a theme, and the color scheme to which it applies. Without `media`, it applies to both schemes. */
export type ThemeSheet = { readonly css: string; readonly media?: string };

export const darkMedia = "(prefers-color-scheme: dark)";
export const lightMedia = `not all and ${darkMedia}`;

/**
 * Returns the style sheets of a theme, with its custom CSS last. The dark variant is included only if the page follows
 * the visitor's color scheme.
 */
export function themeSheets(
  theme: Theme,
  context: ThemeContext,
  { followsScheme }: { followsScheme: boolean },
): ThemeSheet[] {
  const { customCss = "", general } = theme;
  const { header, welcome, progressBar } = general ?? {};
  const parts = [
    header?.isEnabled && headerCss,
    welcome?.isEnabled && welcomeCss,
    progressBar?.isEnabled && progressBarCss,
    drawsMessages(`${customCss}\n${theme.dark?.customCss ?? ""}`) && drawnMessagesCss,
  ];
  const own = { css: parts.filter((css) => css !== undefined && css !== false).join("\n") };
  const dark = followsScheme ? darkVariant(theme) : undefined;
  if (!dark) return [own, { css: ruleOf([...themeProperties(theme, context)]) }, { css: customCss }];
  return [
    own,
    { css: schemedRule(theme, context), media: lightMedia },
    { css: schemedRule(dark, { ...context, isDark: true }), media: darkMedia },
    { css: customCss },
    { css: theme.dark?.customCss ?? "", media: darkMedia },
  ];
}

/** Returns the rule of a theme's variant with its color scheme. Either variant may be the dark variant. */
function schemedRule(theme: Theme, context: ThemeContext): string {
  return ruleOf([["color-scheme", isDarkTheme(theme, context) ? "dark" : "light"], ...themeProperties(theme, context)]);
}

function ruleOf(properties: readonly (readonly [name: string, value: string])[]): string {
  const text = properties.map(([name, value]) => `${name}:${value}`).join(";");
  return text === "" ? "" : `.typebot-container{${text}}`;
}
