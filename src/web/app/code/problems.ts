import { type Diagnostic, linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import type { Parser } from "@lezer/common";

/** A syntax error. `line` counts from 1. */
export type Problem = { readonly from: number; readonly to: number; readonly line: number };

const mostProblems = 5;

/**
 * Returns the syntax errors that the parser reports, at most `mostProblems`. Consecutive errors with the same end count
 * as one error.
 */
export function problemsIn(text: string, parser: Parser): readonly Problem[] {
  const found: Problem[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (!node.type.isError || found.length >= mostProblems) return;
      const from = Math.min(node.from, text.length);
      if (found.at(-1)?.to === Math.max(node.to, from)) return;
      const to = Math.max(node.to, from);
      // If code is missing, the letter before the gap is marked.
      found.push({
        from: to === from ? Math.max(0, from - 1) : from,
        to,
        line: text.slice(0, from).split("\n").length,
      });
    },
  });
  return found;
}

/** Marks syntax errors while the author types, and passes them to `tell`. */
export function problemMarks(
  parser: Parser,
  { say, tell }: { readonly say: (line: number) => string; readonly tell: (problems: readonly Problem[]) => void },
): Extension {
  return linter(
    (view) => {
      const text = view.state.doc.toString();
      const problems = text.trim() === "" ? [] : problemsIn(text, parser);
      tell(problems);
      return problems.map(({ from, to, line }): Diagnostic => ({ from, to, severity: "error", message: say(line) }));
    },
    { delay: 400 },
  );
}
