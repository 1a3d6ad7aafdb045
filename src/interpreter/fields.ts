import { type TSchema, Type } from "@sinclair/typebox";
import { numberOrVariable } from "./schema.ts";

/**
 * Schemas of the fields of stored documents: options of blocks, themes, settings. Descriptions are their documentation. A default
 * is what an absent field means; it is never written into what a client gets.
 */
export function textOption(description: string, byDefault?: string) {
  return Type.Optional(Type.String(described(description, byDefault)));
}

/** The id of a variable that the block writes: see `writtenVariables`. */
export function writtenVariableOption(description: string) {
  return Type.Optional(Type.String({ description, namesWrittenVariable: true }));
}

/** The id of a variable that the block reads. */
export function readVariableOption(description: string) {
  return Type.Optional(Type.String({ description, namesReadVariable: true }));
}

/** JavaScript: a variable in it is a value of the code, not a part of a text. */
export function codeOption(description: string) {
  return Type.Optional(Type.String({ description, isCode: true }));
}

/** A field that a guest of a publicly shared bot does not see: see `withoutHidden`. */
export function hiddenFromGuests<T extends TSchema>(field: T): T {
  return { ...field, isHiddenFromGuests: true };
}

export function flagOption(description: string, byDefault = false) {
  return Type.Optional(Type.Boolean(described(description, byDefault)));
}

export function numberOption(description: string, byDefault?: number) {
  return Type.Optional(Type.Number(described(description, byDefault)));
}

/** A number, or a reference to a variable that holds one. */
export function numberOrVariableOption(description: string, byDefault?: number) {
  return Type.Optional(Type.Union(numberOrVariable.anyOf, described(description, byDefault)));
}

/** One of these words; any other counts as absent. */
export function wordOption<const Word extends string>(words: readonly Word[], description: string, byDefault?: Word) {
  return Type.Optional(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      described(description, byDefault),
    ),
  );
}

function described<T>(description: string, byDefault: T | undefined): { description: string; default?: T } {
  return { description, ...(byDefault !== undefined && { default: byDefault }) };
}
