import { reservedWords } from "./code-names.ts";
import { builtInNames } from "./expression-shortcuts.ts";
import { mentionsInLiterals, outsideLiterals } from "./literals.ts";
import { findVariables, mentions } from "./template-scan.ts";

/** Why an expression always fails, or returns less than its author expects. */
export type ExpressionFault =
  | { readonly kind: "unclosed" }
  | { readonly kind: "missing_value"; readonly operator: string }
  /** A word without a definition: it may be the name of a variable. */
  | { readonly kind: "unknown_name"; readonly name: string }
  /** A variable that is mentioned only within `${…}` has no value there. */
  | { readonly kind: "unread_variable"; readonly name: string }
  /** If commas separate values, the last one is used. */
  | { readonly kind: "comma" }
  /** A variable within quotes gives its id. */
  | { readonly kind: "quoted"; readonly name: string };

/**
 * The fault of an expression that can be found without running it. Ignores all syntax that it does not understand, such
 * as patterns, comments and functions.
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
 * The first variable within a string of code. Two adjacent values are not code, so that the expression is a text, with
 * all its values.
 */
function quotedVariable(expression: string, text: string): string | undefined {
  if (/[\w$")\]]\s*["$]|["$]\s*\w/.test(text.replaceAll(/\breturn\b/g, ";"))) return undefined;
  const quoted = mentionsInLiterals(expression);
  return findVariables(expression).find(({ start }) => quoted.has(start))?.inner;
}

const onlyCommas = /^\{\{[^{}]+\}\}(?:\s*,\s*\{\{[^{}]+\}\})+$/;

/** Whether each bracket has its counterpart. */
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

/** An operator without an operand on one of its sides. */
function danglingOperator(text: string): string | undefined {
  const [, last] = /(\*\*|[-+*/%]|&&|\|\||\?\?|[=!]==?|[<>]=?)\s*$/.exec(text) ?? [];
  // `++` and `--` follow their value.
  if (last !== undefined && !/(?:\+\+|--)\s*$/.test(text)) return last;
  const [, first] = /^\s*(\*\*|[*/%]|&&|\|\||\?\?|[=!]==?|[<>]=?)/.exec(text) ?? [];
  return first;
}

/** For `${{{Name}}}` without another mention: the output contains the name instead of the value. */
function unreadVariable(expression: string): string | undefined {
  const read = new Set(mentions(expression).map(({ inner }) => inner));
  return findVariables(expression).find(({ inner }) => !read.has(inner))?.inner;
}

/** The first word without a value, in expressions that define no names. */
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

/** The sign for a mention in `outsideLiterals`. */
const mentionWord = "$";
