import { eachCondition } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const explodingPattern: Rule = {
  name: "exploding_pattern",
  severity: "warning",
  about:
    "A regular expression repeats a repetition, such as `(a+)+`. For some texts, each additional character doubles the time of the match, so Parley stops the match, and the comparison is false. Patterns with a variable are not checked.",
  advice: "Write the repetition once: `a+`.",
  *find(linted) {
    for (const { condition, place } of eachCondition(linted)) {
      const isExploding = condition.comparisons.some(
        (comparison) => comparison?.operator.endsWith("regex") && explodes(comparison.value ?? ""),
      );
      if (!isExploding) continue;
      yield {
        ...place,
        message: "For some texts, this regular expression takes too long, and the comparison is then false.",
      };
    }
  },
};

/**
 * Whether a pattern contains a nested repetition such as `(a+)+`: a group that is repeated without limit, and whose
 * only required character is also repeated without limit. Long patterns and patterns with variables are not checked.
 */
function explodes(pattern: string): boolean {
  if (pattern.length > mostCharacters || pattern.includes("{{")) return false;
  return repeatedRepetition.test(pattern);
}

/** The maximum length of a pattern that is checked. The check takes quadratic time. */
const mostCharacters = 1_000;

const atom = String.raw`(?:\\[^1-9]|\[(?:\\.|[^\]\\])*\]|[^\\()[\]|+*?{}^$])`;
const endless = String.raw`(?:[+*]|\{\d+,\})`;
/** Matches a nested repetition. An escaped bracket such as `\(` counts as an ordinary character. */
const repeatedRepetition = new RegExp(
  String.raw`^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[])*?\((?:\?:|\?<\w+>)?(?:${atom}[?*])*${atom}${endless}(?:${atom}[?*])*\)${endless}`,
);
