import { join } from "node:path";
import type { Page } from "playwright-core";
import type { DrawnPairs } from "../../src/core/theme/drawn-things.ts";
import type { drawnPairs } from "../../src/web/preview/drawn-colors.ts";

/**
 * Applies the style sheets in order, each in place of the previous one. Returns the chat colours that the
 * builder's frame would report.
 */
export async function drawnWith(page: Page, sheets: readonly string[]): Promise<readonly DrawnPairs[]> {
  const entry = join(import.meta.dir, "drawn-pairs-in-page.ts");
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife" });
  await page.evaluate((await outputs[0]?.text()) ?? "");
  return page.evaluate((all) => {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
    return all.map((css) => {
      sheet.replaceSync(css);
      return window.drawnPairs();
    });
  }, sheets);
}

declare global {
  interface Window {
    readonly drawnPairs: typeof drawnPairs;
  }
}
