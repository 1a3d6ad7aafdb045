import { findVariables, inlineCodes } from "./template-scan.ts";

/**
 * Whether a text is an expression to compute: an operator or a call is next to one of its variables. `Thank you,
 * {{Name}}!` and addresses are not expressions; the dash between words, and punctuation of prose, count only beside
 * values.
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

/** Inline code in an expression runs even if the rest is a text. */
function withoutInlineCode(text: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of inlineCodes(text)) {
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
}

// The characters next to a variable decide.
const window = 100;

/** A value, as the other operand of an operator. */
const opens = String.raw`[\d"'\x60([{!-]`;
const closes = String.raw`[\d"'\x60)\]}]`;
const afterVariable = new RegExp(
  [
    // A member, an index, a call.
    String.raw`^\??\.[A-Za-z_$][\w$]*(?:$|[\s.()[\]+*/,;=<>?:&|-])`,
    "^[[(]",
    // Operators that prose does not have.
    String.raw`^\s*(?:[*+<>]|[=!]==?|&&|\|\||\?\?|\*\*)=?\s*\S`,
    // Operators that also occur in prose.
    String.raw`^\s*[-/%&|^]\s*${opens}`,
    // Nothing follows the operator: the operand is missing.
    String.raw`^\s*[*+/]\s*$`,
  ].join("|"),
);
const beforeVariable = new RegExp(
  [
    // Within the brackets of a call.
    String.raw`[A-Za-z_$][\w$]*\([^()]*$`,
    String.raw`\S\s*(?:[*+<>]|[=!]==?|&&|\|\||\?\?)=?\s*$`,
    String.raw`${closes}\s*[-/%&|^]\s*$`,
    String.raw`^\s*[*+/]\s*$`,
    // Within a template literal.
    String.raw`\$\{[^{}]*$`,
    String.raw`\breturn\s+$`,
  ].join("|"),
);

/** `{{Age}} ? "yes" : "no"` */
function isChoice(text: string, start: number, after: string): boolean {
  return text.slice(0, start).trim() === "" && /^\s*\?[^.?:]+:/.test(after);
}

/** Whether the mention is part of a word with the punctuation of an address, a path or a query. */
function isInAddress(before: string, after: string): boolean {
  const [head = ""] = /\S*$/.exec(before) ?? [];
  const [tail = ""] = /^\S*/.exec(after) ?? [];
  return /:\/\/|^(?:mailto|tel):|^www\.|^[/?#]|^[\w.-]+@$/.test(head) || /^@[\w-]+\.\w/.test(tail);
}
