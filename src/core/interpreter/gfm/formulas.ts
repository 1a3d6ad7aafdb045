/** A display formula. `isAlone`: whether the formula may start directly below a line of a paragraph. */
type FormulaBlock = { readonly closing: "$$" | "\\]"; readonly isClosed: boolean; readonly isAlone: boolean };

/**
 * Returns the display formula that starts with this line, if any. The formula is between `$$` and `$$` or between `\[`
 * and `\]`. Text after `\[` must look like a formula. A formula that is closed on this line must end with the line.
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
 * Whether the text between `\(` and `\)`, or between `\[` and `\]`, is a formula. If not, the delimiters are escaped
 * brackets around ordinary text.
 */
export function isBracketed(text: string, bracket: string): boolean {
  if (text.length > longestFormula || text.includes("`")) return false;
  return isCalculated(text) || (bracket === "(" && /\S/.test(text) && !/\p{Ll}{3}|\p{Lo}/u.test(text));
}

/** The maximum length of a formula within a sentence. Longer formulas are not recognised. */
export const longestFormula = 1_000;

/** Whether a text contains a sign, command or index that is typical of formulas. */
function isCalculated(text: string): boolean {
  return /[=+<>^{}|]|\\[A-Za-z]|\b[A-Za-z]_/.test(text);
}

/** The positions where bracketed formulas may end, in reverse order. */
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
