import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/**
 * Returns the problems that axe-core finds on a page or in a frame, according to WCAG 2.2 A and AA and axe-core's best
 * practices. `only` limits the check to some rules, for a page that was fully checked in another size. `within` limits
 * the check to the matching parts of the page, if there are any.
 */
export async function axeProblems(
  page: Page | Frame,
  { only, within }: { readonly only?: readonly string[]; readonly within?: string } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await bringAxe(page);
  // Waits for finite animations, because elements that fade in must be visible for the check.
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
        // Style sheets are loaded only for one rule, which belongs to the full check.
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

/** The pages that load axe-core with their documents. */
const loading = new WeakSet<Page>();
let source: string | undefined;

/**
 * Adds axe-core to a page, minified and in ASCII. Sending the whole source to a page takes 75 ms of processor time, and
 * the minified source 35 ms. If the page loads the source with its next document, it takes almost none.
 */
async function bringAxe(page: Page | Frame): Promise<void> {
  source ??= `${readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8").replace(
    /[^\x20-\x7e\n]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )};0`;
  await page.evaluate(source);
  if (!("addInitScript" in page) || loading.has(page)) return;
  loading.add(page);
  await page.addInitScript(source);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules that axe-core does not run by default. */
const rules = { "target-size": { enabled: true }, "css-orientation-lock": { enabled: true } };
