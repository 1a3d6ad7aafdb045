import type { Path } from "../../../../../core/editing/changes/change.ts";
import type { IsWord } from "../../../../../core/editing/references/texts.ts";
import type { BlockType, FieldSchema, FlowSchemas } from "../../../forms/index.ts";
import { schemaAt } from "../../../forms/values.ts";

/** The descriptions of fields: of blocks, and of theme and settings. */
export type Known = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly schemas: FlowSchemas | undefined;
};

/**
 * Distinguishes fixed words of a field, such as the options of a list, from texts: fixed words are not searched, and
 * never replaced.
 */
export function wordsOf(known: Known): IsWord {
  return (type, path) => {
    const schema = schemaOf(known, type);
    // A value of a theme that may be a fixed word is not replaced.
    if (!schema && isPart(type)) return true;
    const field = schema && schemaAt(schema, path);
    const choices = field?.anyOf ?? (field ? [field] : []);
    return choices.length > 0 && choices.every((choice) => choice.const !== undefined);
  };
}

/** The name of a text's field; undefined if it has none. */
export function fieldTitle(known: Known, type: string, path: Path): string | undefined {
  const schema = schemaOf(known, type);
  return schema && schemaAt(schema, path)?.title;
}

function schemaOf({ types, schemas }: Known, type: string): FieldSchema | undefined {
  return isPart(type) ? schemas?.[type] : types?.get(type)?.schema;
}

function isPart(type: string): type is "theme" | "settings" {
  return type === "theme" || type === "settings";
}
