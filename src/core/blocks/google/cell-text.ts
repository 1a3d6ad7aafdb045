import { limits } from "../../../limits/index.ts";
import { cleanText } from "../../interpreter/language/values.ts";

/**
 * A value as it is typed into a cell. The author's own text may be a formula. A text with variables is never one: what
 * would be a formula, or would lose its leading zero or its last digits as a number, gets the apostrophe that makes it
 * a text.
 */
export function cellText(template: string, value: string): { readonly text: string; readonly isCut: boolean } {
  const clean = cleanText(value);
  const isGuarded = template.includes("{{") && isChangedByTyping(clean);
  const text = isGuarded ? `'${clean}` : clean;
  if (text.length <= limits.sheets.cellCharacters) return { text, isCut: false };
  // A cut between the halves of a character leaves one of them.
  return { text: cleanText(text.slice(0, limits.sheets.cellCharacters)), isCut: true };
}

/**
 * Formulas, also with wide signs or behind blanks that nobody sees; phone numbers and others with a leading sign or
 * zero; more digits than a number keeps; a text that begins with an apostrophe.
 */
function isChangedByTyping(text: string): boolean {
  if (/^(?:[\t']|[\s\u200b]*[=@\uff1d\uff20])/.test(text)) return true;
  if (/^[\s\u200b]*[+\-\uff0b\uff0d]/.test(text)) return !/^-\d+(?:[.,]\d+)?$/.test(text);
  return /^0[\d ]*\d$/.test(text) || /^\d{16,}$/.test(text);
}
