import type { Theme } from "../../flow/schemas/theme.ts";

/**
 * Changes the chat's background from one that a step named to another, and the colours that have to be readable on it.
 * Only properties that differ are set, so that the author's own rules stay.
 */
export async function repaint(
  container: HTMLElement,
  theme: Theme,
  { from, to }: { from: string | undefined; to: string | undefined },
): Promise<void> {
  const { themeProperties, isDarkTheme, mayBeDark } = await import("../conversation/theme.ts");
  const version = container.closest<HTMLElement>("[data-defaults]")?.dataset["defaults"];
  const before = themeProperties(theme, { version, backgroundUrl: from });
  const after = themeProperties(theme, { version, backgroundUrl: to });
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(name) !== after.get(name)) container.style.setProperty(name, after.get(name) ?? "initial");
  }
  const root = container.closest<HTMLElement>("[data-scheme]");
  if (!root || mayBeDark(theme)) return;
  root.dataset["scheme"] = isDarkTheme(theme, { version, backgroundUrl: to }) ? "dark" : "light";
}
