import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/**
 * What axe-core finds wrong on a page, or in a frame of one: WCAG 2.2 A and AA, and what else it takes for good practice; with `only` some rules, for a page that
 * was looked at wholly in another size, and with `within` only what lies in there, where the rest was looked at before. Empty: nothing.
 */
export async function axeProblems(
  page: Page | Frame,
  { only, within }: { readonly only?: readonly string[]; readonly within?: string } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // Elements that fade in are examined when they are visible.
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map((animation) => animation.finished));
  });
  return page.evaluate(
    async ({ runOnly, rules, within }) => {
      const parts = within === undefined ? [] : [...document.querySelectorAll(within)];
      const found = await window.axe.run(parts.length > 0 ? { include: parts } : document, {
        runOnly,
        rules,
        // Sheets are read for one rule alone, which the whole look has.
        preload: Object.keys(rules).length > 0,
        resultTypes: ["violations"],
      });
      return found.violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`),
      );
    },
    {
      runOnly: only ? { type: "rule" as const, values: [...only] } : { type: "tag" as const, values: tags },
      rules: only ? {} : rules,
      within,
    },
  );
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Off unless asked for. */
const rules = { "target-size": { enabled: true }, "css-orientation-lock": { enabled: true } };
