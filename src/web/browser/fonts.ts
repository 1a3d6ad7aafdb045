import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { fontImports } from "../conversation/theme/font-faces.ts";
import { fontOf } from "../conversation/theme/theme.ts";

/**
 * Loads the files from other hosts that a theme's font needs. The document does not refer to these files, because the
 * page would then wait for them.
 */
export function loadFont(theme: Theme, nonce: string): void {
  const font = fontOf(theme);
  if (font?.styleSheet !== undefined) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = font.styleSheet;
    document.head.append(link);
  }
  const imports = fontImports(font?.css ?? "");
  if (imports === "") return;
  const style = document.createElement("style");
  style.nonce = nonce;
  style.textContent = imports;
  document.head.append(style);
}
