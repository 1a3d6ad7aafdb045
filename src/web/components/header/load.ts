import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import type { ProgressBar } from "../ProgressBar.tsx";
import type { Header } from "./Header.tsx";
import type { Welcome } from "./Welcome.tsx";

/** The parts above the transcript that some themes have, once they are loaded. */
export const topParts: { Header?: typeof Header; Welcome?: typeof Welcome; ProgressBar?: typeof ProgressBar } = {};

/** Loads the parts that this theme has above the transcript. */
export async function loadTop({ general }: Theme): Promise<void> {
  const { header, welcome, progressBar } = general ?? {};
  if (progressBar?.isEnabled) topParts.ProgressBar = (await import("../ProgressBar.tsx")).ProgressBar;
  if (welcome?.isEnabled) topParts.Welcome = (await import("./Welcome.tsx")).Welcome;
  if (!header?.isEnabled) return;
  const [{ Header }] = await Promise.all([import("./Header.tsx"), import("../../conversation/rare-words.ts")]);
  topParts.Header = Header;
}
