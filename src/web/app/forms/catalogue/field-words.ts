import type { FieldSchema } from "../schema.ts";
import type { BlockType } from "./block-type.ts";

/** The words that a field may have: those that it takes alone, and those of a list to choose from. */
export function wordsOf({ anyOf, examples, widget }: FieldSchema): readonly string[] {
  if (anyOf) return anyOf.flatMap((choice) => (typeof choice.const === "string" ? [choice.const] : []));
  return widget === "choice" ? (examples ?? []) : [];
}

/** A word of the flow language as a label. */
export function wordTitle({ wordTitles }: FieldSchema, word: string): string {
  return wordTitles?.[word] ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** The part of the palette that a type is in: those that ask a model have one of their own. */
export function sectionOf({ family, editor }: BlockType): BlockType["family"] | "ai" {
  return editor.family === "thinks" ? "ai" : family;
}
