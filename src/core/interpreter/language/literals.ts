import { findVariables } from "./template-scan.ts";

/**
 * Replaces each `{{Name}}` inside a string, template literal or regular expression with the variable's value. The value
 * is escaped so that the result is correct in all three. Other mentions are not changed. If code is mistaken for a
 * literal, the result is invalid code because the value starts with an escape sequence.
 */
export function valuesIntoLiterals(code: string, textOf: (name: string) => string | undefined): string {
  const references = findVariables(code);
  if (references.length === 0) return code;
  const scanner = createScanner(code);
  let written = "";
  let from = 0;
  for (const { start, end, inner } of references) {
    const text = scanner.isLiteralAt(start) ? textOf(inner) : undefined;
    written += code.slice(from, start) + (text === undefined ? code.slice(start, end) : escaped(text));
    scanner.passOver(end);
    from = end;
  }
  return written + code.slice(from);
}

/**
 * Returns the start of each mention inside string and template literals. Regular expressions are ignored because they
 * are easily confused with divisions.
 */
export function mentionsInLiterals(code: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!/["'`]/.test(code)) return found;
  const scanner = createScanner(code);
  for (const { start, end } of findVariables(code)) {
    if (scanner.isLiteralAt(start) && !scanner.isInPattern()) found.add(start);
    scanner.passOver(end);
  }
  return found;
}

/**
 * Replaces each mention outside of strings with `$` and each string with `"`. `isClosed` tells whether all strings are
 * closed. Returns undefined if the code contains regular expressions, comments or template literals with values.
 */
export function outsideLiterals(code: string): { readonly text: string; readonly isClosed: boolean } | undefined {
  const scanner = createScanner(code);
  const references = new Map(findVariables(code).map(({ start, end }) => [start, end]));
  let text = "";
  for (let at = 0; at < code.length; at++) {
    const isLiteral = scanner.isLiteralAt(at);
    const place = scanner.place();
    if (place === "pattern" || place === "line comment" || place === "block comment" || scanner.depth() > 2)
      return undefined;
    const end = references.get(at);
    if (end !== undefined) {
      if (!isLiteral) text += "$";
      scanner.passOver(end);
      at = end - 1;
    } else if (!isLiteral) text += /["'`]/.test(code.charAt(at)) ? '"' : code.charAt(at);
  }
  return { text, isClosed: !scanner.isLiteralAt(code.length) };
}

/**
 * Escapes a text for use inside a literal. ASCII letters, digits and spaces are not escaped, except for the first
 * character.
 */
export function escaped(text: string): string {
  return text.replaceAll(/^[\s\S]|[^A-Za-z0-9 ]/g, (character) => {
    const unit = character.charCodeAt(0);
    return unit < 0x100 ? `\\x${unit.toString(16).padStart(2, "0")}` : `\\u${unit.toString(16).padStart(4, "0")}`;
  });
}

type Place = "code" | "line comment" | "block comment" | "pattern" | "'" | '"' | "`";

/** Reads code from left to right in enough detail to find its literals. */
function createScanner(code: string) {
  let at = 0;
  /**
   * The enclosing constructs, innermost last. An entry `code` inside a template literal ends at its closing bracket.
   */
  const open: { place: Place; brackets: number; isInClass?: boolean }[] = [{ place: "code", brackets: 0 }];
  /** The last word of code, or the last character if that is neither a letter nor blank. */
  let before = "";

  const inCode = (here: { brackets: number }): void => {
    const character = code.charAt(at);
    const next = code.charAt(at + 1);
    if (character === "/" && next === "/") open.push({ place: "line comment", brackets: 0 });
    else if (character === "/" && next === "*") open.push({ place: "block comment", brackets: 0 });
    else if (character === "/" && beginsPattern(before)) open.push({ place: "pattern", brackets: 0 });
    else if (character === "'" || character === '"' || character === "`") open.push({ place: character, brackets: 0 });
    else if (character === "{") here.brackets++;
    else if (character === "}") {
      if (here.brackets === 0 && open.length > 1) open.pop();
      else here.brackets--;
    }
    if (/\s/.test(character)) return;
    before =
      /[\w$]/.test(character) && /[\w$]$/.test(before) && /[\w$]/.test(code.charAt(at - 1))
        ? before + character
        : character;
  };
  const inLiteral = (here: { place: Place; isInClass?: boolean }): void => {
    const character = code.charAt(at);
    if (character === "\\") at++;
    else if (here.place === "`" && character === "$" && code.charAt(at + 1) === "{") {
      at++;
      open.push({ place: "code", brackets: 0 });
      before = "";
    } else if (here.place === "pattern" && character === "[") here.isInClass = true;
    else if (here.place === "pattern" && character === "]") here.isInClass = false;
    else if (here.place === "pattern" ? character === "/" && !here.isInClass : character === here.place) end(")");
    // A line break ends an unclosed string, or text that was mistaken for a string.
    else if (here.place !== "`" && /[\n\r]/.test(character)) end(")");
  };
  const end = (standsFor: string): void => {
    open.pop();
    before = standsFor;
  };
  const step = (): void => {
    const here = open.at(-1);
    if (!here) return;
    switch (here.place) {
      case "code":
        inCode(here);
        break;
      case "line comment":
        if (/[\n\r\u2028\u2029]/.test(code.charAt(at))) open.pop();
        break;
      case "block comment":
        if (code.startsWith("*/", at) && !code.startsWith("/*/", at - 1)) {
          at++;
          open.pop();
        }
        break;
      default:
        inLiteral(here);
    }
    at++;
  };
  return {
    isLiteralAt(index: number): boolean {
      while (at < index) step();
      const place = open.at(-1)?.place;
      return place !== undefined && place !== "code" && place !== "line comment" && place !== "block comment";
    },
    isInPattern: () => open.at(-1)?.place === "pattern",
    place: () => open.at(-1)?.place,
    depth: () => open.length,
    /** Continues after a mention, which counts as a value. */
    passOver(index: number): void {
      if (at < index) {
        at = index;
        if (open.at(-1)?.place === "code") before = ")";
      }
    },
  };
}

/** Whether a slash at this position starts a regular expression rather than a division. */
function beginsPattern(before: string): boolean {
  return before === "" || /^[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || wordsBeforePatterns.has(before);
}

const wordsBeforePatterns = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "void",
  "delete",
  "throw",
  "new",
  "else",
  "do",
  "await",
  "yield",
]);
