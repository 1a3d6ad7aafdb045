/** A position in a text, with line and column counted from 1 as in editors. */
export type TextPosition = { readonly line: number; readonly column: number };

const blanks = /[ \t\n\r]*/y;
const otherValue = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/**
 * Returns the position of the first syntax error in a JSON text. Returns undefined for valid JSON and for text nested
 * deeper than `depth`. The text is scanned because parsers do not report a position.
 */
export function findJsonFault(text: string, { depth }: { readonly depth: number }): TextPosition | undefined {
  const offset = faultOffset(text, depth);
  return offset === undefined ? undefined : positionAt(text, offset);
}

/** The token that may follow. `first value` also allows the end of a list, and `first key` the end of an object. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "after value";

function faultOffset(text: string, depth: number): number | undefined {
  const open: ("}" | "]")[] = [];
  let expected: Expected = "value";
  let at = skip(blanks, text, 0);
  while (at < text.length) {
    const character = text.charAt(at);
    let end = at + 1;
    switch (expected) {
      case "colon":
        if (character !== ":") return at;
        expected = "value";
        break;
      case "first key":
      case "key":
        if (character === "}" && expected === "first key") {
          open.pop();
          expected = "after value";
          break;
        }
        if (character !== '"') return at;
        end = stringEnd(text, at);
        if (end < 0) return -end;
        expected = "colon";
        break;
      case "after value":
        if (character === "," && open.length > 0) expected = open.at(-1) === "}" ? "key" : "value";
        else if (open.pop() !== character) return at;
        break;
      default:
        if (character === "]" && expected === "first value") {
          open.pop();
          expected = "after value";
        } else if (character === "{" || character === "[") {
          open.push(character === "{" ? "}" : "]");
          if (open.length > depth) return undefined;
          expected = character === "{" ? "first key" : "first value";
        } else {
          end = character === '"' ? stringEnd(text, at) : skip(otherValue, text, at);
          if (end === at) return at;
          if (end < 0) return -end;
          expected = "after value";
        }
    }
    at = skip(blanks, text, end);
  }
  return expected === "after value" && open.length === 0 ? undefined : text.length;
}

/** Returns the end of a match at this position, or the position itself if there is no match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Returns the end of the string that starts at this position. For an invalid or unterminated string, returns the
 * negated position of the error.
 */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < firstVisible) return -at;
    const next = code === backslash ? skip(escaped, text, at) : at + 1;
    if (next === at) return -at;
    at = next;
  }
  return -at;
}

const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const firstVisible = " ".charCodeAt(0);

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}
