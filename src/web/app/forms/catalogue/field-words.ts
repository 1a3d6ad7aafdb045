import type { FieldSchema } from "../schema.ts";
import type { BlockType } from "./block-type.ts";

/** Returns the keywords that a field accepts or offers. Empty for other fields. */
export function wordsOf({ anyOf, examples, widget }: FieldSchema): readonly string[] {
  if (anyOf) return anyOf.flatMap((choice) => (typeof choice.const === "string" ? [choice.const] : []));
  return widget === "choice" ? (examples ?? []) : [];
}

/** Returns the label of a keyword of the flow format. */
export function wordTitle({ wordTitles }: FieldSchema, word: string): string {
  return wordTitles?.[word] ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns the section of the palette for a type. Types that call a model have their own section. */
export function sectionOf({ family, editor }: BlockType): BlockType["family"] | "ai" {
  return editor.family === "thinks" ? "ai" : family;
}
