import { eachCondition } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const explodingPattern: Rule = {
  name: "exploding_pattern",
  severity: "warning",
  about:
    "A regular expression repeats a repetition, such as `(a+)+`. For some texts its time doubles with each character, so Parley stops it, and the comparison is false. Patterns with a variable are not checked.",
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
 * Whether a pattern repeats a group without limit that contains only one required character, which is itself repeated
 * without limit, such as `(a+)+`. Long patterns and patterns with variables are not checked.
 */
function explodes(pattern: string): boolean {
  if (pattern.length > mostCharacters || pattern.includes("{{")) return false;
  return repeatedRepetition.test(pattern);
}

/** The length of patterns is limited because the check takes quadratic time. */
const mostCharacters = 1_000;

const atom = String.raw`(?:\\[^1-9]|\[(?:\\.|[^\]\\])*\]|[^\\()[\]|+*?{}^$])`;
const endless = String.raw`(?:[+*]|\{\d+,\})`;
/** An escaped bracket such as `\(` is an ordinary character. */
const repeatedRepetition = new RegExp(
  String.raw`^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[])*?\((?:\?:|\?<\w+>)?(?:${atom}[?*])*${atom}${endless}(?:${atom}[?*])*\)${endless}`,
);
