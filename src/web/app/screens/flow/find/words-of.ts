import type { Path } from "../../../../../core/editing/changes/change.ts";
import type { IsWord } from "../../../../../core/editing/references/texts.ts";
import type { BlockType, FieldSchema, FlowSchemas } from "../../../forms/index.ts";
import { schemaAt } from "../../../forms/values.ts";

/** The descriptions of the fields of blocks, theme and settings. */
export type Known = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly schemas: FlowSchemas | undefined;
};

/**
 * Returns a function that tells whether the value of a field is a keyword, such as an option of a list. The search does
 * not find or replace keywords.
 */
export function wordsOf(known: Known): IsWord {
  return (type, path) => {
    const schema = schemaOf(known, type);
    // Without a schema, any value of the theme or settings may be a keyword.
    if (!schema && isPart(type)) return true;
    const field = schema && schemaAt(schema, path);
    const choices = field?.anyOf ?? (field ? [field] : []);
    return choices.length > 0 && choices.every((choice) => choice.const !== undefined);
  };
}

/** Returns the title of a text's field; undefined if the field has no title. */
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
