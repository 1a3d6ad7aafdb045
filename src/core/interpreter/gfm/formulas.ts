/** A formula that is a block. `isAlone`: it may begin directly below the words of a paragraph. */
type FormulaBlock = { readonly closing: "$$" | "\\]"; readonly isClosed: boolean; readonly isAlone: boolean };

/**
 * The formula that begins with this line, between `$$` and `$$` or between `\[` and `\]`. After a closed formula its
 * line is empty.
 */
export function formulaBlock(line: string): FormulaBlock | undefined {
  const [, mark, text = ""] = /^(\$\$(?!\$)|\\\[)[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
  if (mark === undefined) return undefined;
  const closing = mark === "$$" ? "$$" : "\\]";
  const isClosed = text !== closing && text.endsWith(closing) && text.indexOf(closing) === text.length - closing.length;
  const isBegun = !text.includes(closing.slice(1));
  if (!isClosed && !isBegun) return undefined;
  if (mark === "\\[" && text !== "" && !isCalculated(text)) return undefined;
  return { closing, isClosed, isAlone: isClosed || text === "" };
}

/**
 * Whether the text between `\(` and `\)`, or `\[` and `\]`, is a formula: these marks are also brackets with a
 * backslash before them, around words or a number.
 */
export function isBracketed(text: string, bracket: string): boolean {
  if (text.length > longestFormula || text.includes("`")) return false;
  return isCalculated(text) || (bracket === "(" && /\S/.test(text) && !/\p{Ll}{3}|\p{Lo}/u.test(text));
}

/** Longer formulas are not recognised within a sentence. */
export const longestFormula = 1_000;

/** Whether a text has a sign, a command or an index that occurs only in formulas. */
function isCalculated(text: string): boolean {
  return /[=+<>^{}|]|\\[A-Za-z]|\b[A-Za-z]_/.test(text);
}

/** The places where formulas in brackets may end, the first last. */
export type BracketEnds = Readonly<Record<"(" | "[", number[]>>;

export function bracketEnds(text: string): BracketEnds {
  const ends: BracketEnds = { "(": [], "[": [] };
  for (const { 0: sign, index } of text.matchAll(/\\[\s\S]/g)) {
    if (sign === "\\)") ends["("].push(index);
    else if (sign === "\\]") ends["["].push(index);
  }
  ends["("].reverse();
  ends["["].reverse();
  return ends;
}
