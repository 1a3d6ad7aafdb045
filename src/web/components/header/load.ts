import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import type { ProgressBar } from "../ProgressBar.tsx";
import type { Header } from "./Header.tsx";
import type { Welcome } from "./Welcome.tsx";

/** The loaded components above the transcript, which only some themes have. */
export const topParts: { Header?: typeof Header; Welcome?: typeof Welcome; ProgressBar?: typeof ProgressBar } = {};

/** Loads the components that this theme shows above the transcript. */
export async function loadTop({ general }: Theme): Promise<void> {
  const { header, welcome, progressBar } = general ?? {};
  if (progressBar?.isEnabled) topParts.ProgressBar = (await import("../ProgressBar.tsx")).ProgressBar;
  if (welcome?.isEnabled) topParts.Welcome = (await import("./Welcome.tsx")).Welcome;
  if (!header?.isEnabled) return;
  const [{ Header }] = await Promise.all([import("./Header.tsx"), import("../../conversation/rare-words.ts")]);
  topParts.Header = Header;
}
