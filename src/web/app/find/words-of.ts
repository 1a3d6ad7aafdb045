import type { Path } from "../../../editing/change.ts";
import type { IsWord } from "../../../editing/texts.ts";
import type { BlockType } from "../forms/index.ts";
import { schemaAt } from "../forms/values.ts";

/** Tells the few words that a field takes, such as those of a list to choose from, from texts: they are not searched, and never replaced. */
export function wordsOf(types: ReadonlyMap<string, BlockType> | undefined): IsWord {
  return (type, path) => {
    const schema = types?.get(type)?.schema;
    const field = schema && schemaAt(schema, path);
    const choices = field?.anyOf ?? (field ? [field] : []);
    return choices.length > 0 && choices.every((choice) => choice.const !== undefined);
  };
}

/** What the field of a text is called; undefined where nobody gave it a name. */
export function fieldTitle(types: ReadonlyMap<string, BlockType> | undefined, type: string, path: Path) {
  const schema = types?.get(type)?.schema;
  return schema && schemaAt(schema, path)?.title;
}
