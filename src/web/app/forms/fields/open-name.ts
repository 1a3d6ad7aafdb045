/** A variable name that is being typed, from its opening braces to the caret. */
export type OpenName = { readonly start: number; readonly typed: string };

/**
 * Returns the unfinished name at the caret, which follows an unclosed `{{`; undefined if there is none. Inline code,
 * which begins with `{{=`, is not a name.
 */
export function openNameAt(text: string, caret: number): OpenName | undefined {
  const opening = text.lastIndexOf("{{", caret - 1);
  if (opening < 0 || opening + 2 > caret) return undefined;
  const typed = text.slice(opening + 2, caret);
  return /[{}\n]/.test(typed) || typed.startsWith("=") ? undefined : { start: opening + 2, typed };
}

/** Returns the text with the completed name and closing braces, and the caret position after the name. */
export function withName(
  text: string,
  open: OpenName,
  name: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(open.start + open.typed.length);
  const before = `${text.slice(0, open.start)}${name}}}`;
  return { text: before + (rest.startsWith("}}") ? rest.slice(2) : rest), caret: before.length };
}

/** Returns the text with a range replaced by opening braces, and the caret position after them. */
export function withBraces(text: string, from: number, to: number): { readonly text: string; readonly caret: number } {
  return { text: `${text.slice(0, from)}{{${text.slice(to)}`, caret: from + 2 };
}
