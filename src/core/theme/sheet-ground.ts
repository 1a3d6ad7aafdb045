import { isDark, type Rgb, readPaint } from "./colors.ts";
import { sheetRules } from "./sheet-rules.ts";

/**
 * The colour that a style sheet sets for the page or its buttons. `isPlain`: whether the colour is neither part of a
 * gradient nor below a picture.
 */
export type SheetGround = { readonly rgb: Rgb; readonly isPlain: boolean };

/**
 * Returns the colour that a style sheet sets for the page or its buttons. Rules inside at-rules are ignored. For a
 * gradient, returns its last colour if all its colours are dark or all are light. Returns undefined if no colour is set
 * or if only a browser can compute it.
 */
export function groundOfSheet(css: string, name: "typebot-container" | "typebot-button" = "typebot-container") {
  if (!css.includes(name)) return undefined;
  const named = new RegExp(`(^|[\\s,>])\\.${name}\\s*(,|$)`);
  let found: SheetGround | undefined;
  for (const { selector, declarations, isConditional } of sheetRules(css)) {
    if (isConditional || !named.test(selector)) continue;
    for (const [, part = "", value = ""] of declarations.matchAll(/(?:^|[;\s])background(-\w+)?\s*:([^;]*)/gi)) {
      if (part === "" || part === "-color") found = groundIn(value);
      // The colour behind a picture is visible in the picture's gaps, and if the picture does not load.
      else if (part === "-image" && !/^\s*none\b/.test(value))
        found = groundIn(value) ?? (found && { ...found, isPlain: false });
    }
  }
  return found;
}

function groundIn(value: string): SheetGround | undefined {
  const paints = [...value.matchAll(/#[\da-f]+|rgba?\([^)]*\)/gi)].map(([color]) => readPaint(color));
  const last = paints.at(-1);
  const isAlike = paints.every((paint) => paint?.alpha === 1 && last && isDark(paint.rgb) === isDark(last.rgb));
  return last && isAlike ? { rgb: last.rgb, isPlain: !/gradient|url/i.test(value) } : undefined;
}
