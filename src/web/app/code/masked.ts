import { namesIn } from "../../../core/editing/references/references.ts";

/**
 * A text of code in which each `{{Name}}` is replaced by a name of the language, of the same length, so that positions
 * stay valid. A variable that is cut off at the beginning or end of the code, as during typing, is kept.
 */
export function masked(text: string, letter = "_"): string {
  let made = "";
  let from = 0;
  for (const { start, end } of variablesIn(text)) {
    made += text.slice(from, start) + letter.repeat(end - start);
    from = end;
  }
  return made + text.slice(from);
}

/** The places of variables in code, braces included. */
export function variablesIn(
  text: string,
): readonly { readonly start: number; readonly end: number; readonly name: string }[] {
  return namesIn(text, true).flatMap(({ start, end, inner }) =>
    text.startsWith("{{", start - 2) ? [{ start: start - 2, end: end + 2, name: inner.trim() }] : [],
  );
}
