import { reservedWords } from "./code-names.ts";
import { builtInNames } from "./expression-shortcuts.ts";
import { mentionsInLiterals, outsideLiterals } from "./literals.ts";
import { findVariables, mentions } from "./template-scan.ts";

/** A reason why an expression always fails, or returns a result that its author does not expect. */
export type ExpressionFault =
  | { readonly kind: "unclosed" }
  | { readonly kind: "missing_value"; readonly operator: string }
  /** An undefined name, which may be the name of a variable. */
  | { readonly kind: "unknown_name"; readonly name: string }
  /** A variable that is mentioned only within `${…}` and therefore has no value. */
  | { readonly kind: "unread_variable"; readonly name: string }
  /** Values are separated by commas, so only the last value is used. */
  | { readonly kind: "comma" }
  /** A variable within quotes is replaced by its id. */
  | { readonly kind: "quoted"; readonly name: string };

/**
 * Returns a fault, if any, that can be detected without running the expression. Expressions without `{{` are not
 * checked, and expressions with patterns, comments or functions are checked only in part.
 */
export function expressionFault(expression: string): ExpressionFault | undefined {
  if (!expression.includes("{{")) return undefined;
  const unread = unreadVariable(expression);
  if (unread !== undefined) return { kind: "unread_variable", name: unread };
  const code = outsideLiterals(expression);
  if (code === undefined) return undefined;
  if (!code.isClosed || !hasPairs(code.text)) return { kind: "unclosed" };
  if (onlyCommas.test(expression.trim())) return { kind: "comma" };
  const operator = danglingOperator(code.text);
  if (operator !== undefined) return { kind: "missing_value", operator };
  const name = unknownName(code.text);
  if (name !== undefined) return { kind: "unknown_name", name };
  const quoted = quotedVariable(expression, code.text);
  return quoted === undefined ? undefined : { kind: "quoted", name: quoted };
}

/**
 * Returns the first variable inside a string of code, if any. Returns undefined if two values are adjacent. Such an
 * expression is not valid code, so it is used as text and all its values are inserted.
 */
function quotedVariable(expression: string, text: string): string | undefined {
  if (/[\w$")\]]\s*["$]|["$]\s*\w/.test(text.replaceAll(/\breturn\b/g, ";"))) return undefined;
  const quoted = mentionsInLiterals(expression);
  return findVariables(expression).find(({ start }) => quoted.has(start))?.inner;
}

const onlyCommas = /^\{\{[^{}]+\}\}(?:\s*,\s*\{\{[^{}]+\}\})+$/;

/** Whether all brackets are balanced. */
function hasPairs(text: string): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    const closing = closings.get(bracket);
    if (closing !== undefined) open.push(closing);
    else if (open.pop() !== bracket) return false;
  }
  return open.length === 0;
}

const closings = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Returns an operator that lacks an operand, if any. */
function danglingOperator(text: string): string | undefined {
  const [, last] = /(\*\*|[-+*/%]|&&|\|\||\?\?|[=!]==?|[<>]=?)\s*$/.exec(text) ?? [];
  // `++` and `--` may follow their operand.
  if (last !== undefined && !/(?:\+\+|--)\s*$/.test(text)) return last;
  const [, first] = /^\s*(\*\*|[*/%]|&&|\|\||\?\?|[=!]==?|[<>]=?)/.exec(text) ?? [];
  return first;
}

/**
 * Returns a variable that is mentioned only in the form `${{{Name}}}`, if any. The output contains its name instead of
 * its value.
 */
function unreadVariable(expression: string): string | undefined {
  const read = new Set(mentions(expression).map(({ inner }) => inner));
  return findVariables(expression).find(({ inner }) => !read.has(inner))?.inner;
}

/** Returns the first undefined word. Expressions that may define names are not checked. */
function unknownName(text: string): string | undefined {
  if (/=>|[^=!<>]=[^=]|\b(?:function|const|let|var|class|catch|setVariable)\b|;/.test(text)) return undefined;
  for (const { 0: word, index } of text.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    const before = text.slice(0, index).trimEnd();
    const after = text.slice(index + word.length).trimStart();
    const isMember = before.endsWith(".") && !before.endsWith("...");
    const isKey = after.startsWith(":") && /[{,]$/.test(before);
    const isKnown = reservedWords.has(word) || builtInNames.has(word) || word === mentionWord;
    if (!isMember && !isKey && !isKnown && !/[\d.]$/.test(text.slice(0, index))) return word;
  }
  return undefined;
}

/** The character that `outsideLiterals` writes in place of a mention. */
const mentionWord = "$";
