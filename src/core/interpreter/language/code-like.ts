import { findVariables, inlineCodes } from "./template-scan.ts";

/**
 * Whether a text is an expression to compute, with an operator or a call next to one of its variables. `Thank you,
 * {{Name}}!` and web addresses are not expressions. An operator that also occurs in prose, such as a dash, counts only
 * if its other operand is a value.
 */
export function computesWithVariables(expression: string): boolean {
  const text = withoutInlineCode(expression);
  return findVariables(text).some(({ start, end }) => {
    const before = text.slice(Math.max(0, start - window), start);
    const after = text.slice(end, end + window);
    if (isInAddress(before, after)) return false;
    return afterVariable.test(after) || beforeVariable.test(before) || isChoice(text, start, after);
  });
}

/** Removes inline code, which runs even if the rest of the expression is text. */
function withoutInlineCode(text: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of inlineCodes(text)) {
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
}

// The number of characters examined on each side of a variable.
const window = 100;

/** The characters with which the other operand of an operator may begin (`opens`) or end (`closes`). */
const opens = String.raw`[\d"'\x60([{!-]`;
const closes = String.raw`[\d"'\x60)\]}]`;
const afterVariable = new RegExp(
  [
    // A property access, an index or a call.
    String.raw`^\??\.[A-Za-z_$][\w$]*(?:$|[\s.()[\]+*/,;=<>?:&|-])`,
    "^[[(]",
    // Operators that do not occur in prose.
    String.raw`^\s*(?:[*+<>]|[=!]==?|&&|\|\||\?\?|\*\*)=?\s*\S`,
    // Operators that also occur in prose.
    String.raw`^\s*[-/%&|^]\s*${opens}`,
    // An operator without a second operand.
    String.raw`^\s*[*+/]\s*$`,
  ].join("|"),
);
const beforeVariable = new RegExp(
  [
    // A position inside the brackets of a call, or after an operator.
    String.raw`[A-Za-z_$][\w$]*\([^()]*$`,
    String.raw`\S\s*(?:[*+<>]|[=!]==?|&&|\|\||\?\?)=?\s*$`,
    String.raw`${closes}\s*[-/%&|^]\s*$`,
    String.raw`^\s*[*+/]\s*$`,
    // A position inside `${…}`, or after `return`.
    String.raw`\$\{[^{}]*$`,
    String.raw`\breturn\s+$`,
  ].join("|"),
);

/** Whether the text is a conditional such as `{{Age}} ? "yes" : "no"`. */
function isChoice(text: string, start: number, after: string): boolean {
  return text.slice(0, start).trim() === "" && /^\s*\?[^.?:]+:/.test(after);
}

/** Whether the mention is part of a word with the punctuation of a URL, a path, a query string or a mail address. */
function isInAddress(before: string, after: string): boolean {
  const [head = ""] = /\S*$/.exec(before) ?? [];
  const [tail = ""] = /^\S*/.exec(after) ?? [];
  return /:\/\/|^(?:mailto|tel):|^www\.|^[/?#]|^[\w.-]+@$/.test(head) || /^@[\w-]+\.\w/.test(tail);
}
