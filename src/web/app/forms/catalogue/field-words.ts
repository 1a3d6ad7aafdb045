import type { FieldSchema } from "../schema.ts";
import type { BlockType } from "./block-type.ts";

/** The words that a field may have: its fixed values, and the options of a list. */
export function wordsOf({ anyOf, examples, widget }: FieldSchema): readonly string[] {
  if (anyOf) return anyOf.flatMap((choice) => (typeof choice.const === "string" ? [choice.const] : []));
  return widget === "choice" ? (examples ?? []) : [];
}

/** A word of the flow language as a label. */
export function wordTitle({ wordTitles }: FieldSchema, word: string): string {
  return wordTitles?.[word] ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** The part of the palette for a type: types that call a model have a part of their own. */
export function sectionOf({ family, editor }: BlockType): BlockType["family"] | "ai" {
  return editor.family === "thinks" ? "ai" : family;
}
