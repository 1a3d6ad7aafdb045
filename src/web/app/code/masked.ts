import { namesIn } from "../../../core/editing/references/references.ts";

/**
 * Replaces each `{{Name}}` with a placeholder of the same length, so that positions stay valid. An incomplete variable
 * at the start or the end of the code, as during typing, is not replaced.
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

/** Returns the ranges of variables in code, including their braces. */
export function variablesIn(
  text: string,
): readonly { readonly start: number; readonly end: number; readonly name: string }[] {
  return namesIn(text, true).flatMap(({ start, end, inner }) =>
    text.startsWith("{{", start - 2) ? [{ start: start - 2, end: end + 2, name: inner.trim() }] : [],
  );
}
