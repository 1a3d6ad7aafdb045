import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { darkVariant } from "../../core/theme/variant.ts";
import { isDarkTheme, mayBeDark, themeProperties } from "../conversation/theme/theme.ts";
import { darkMedia } from "../conversation/theme/theme-sheets.ts";

/**
 * Sets the background that a step specified, and the colors that must be readable on it. Only properties that differ
 * are set, so that the author's own rules still apply.
 */
export function repaint(
  container: HTMLElement,
  theme: Theme,
  { from, to }: { from: string | undefined; to: string | undefined },
): void {
  const root = container.closest<HTMLElement>("[data-scheme]");
  const isDark = root?.dataset["scheme"] === "auto" && matchMedia(darkMedia).matches;
  const shown = (isDark ? darkVariant(theme) : undefined) ?? theme;
  const version = container.closest<HTMLElement>("[data-defaults]")?.dataset["defaults"];
  const before = themeProperties(shown, { version, backgroundUrl: from, isDark });
  const after = themeProperties(shown, { version, backgroundUrl: to, isDark });
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(name) !== after.get(name)) container.style.setProperty(name, after.get(name) ?? "initial");
  }
  if (!root || mayBeDark(theme)) return;
  root.dataset["scheme"] = isDarkTheme(theme, { version, backgroundUrl: to }) ? "dark" : "light";
}
