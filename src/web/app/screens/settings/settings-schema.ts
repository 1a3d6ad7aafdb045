import type { FieldSchema } from "../../forms/index.ts";

/** The page's own sentences, by the names of the settings that replace them. */
export type PageWords = { readonly [name: string]: unknown };

/** The schema of settings, in which the bot's own messages default to the page's sentences in the bot's language. */
export function schemaOfSettings(schema: FieldSchema, words: PageWords): FieldSchema {
  return mapField(schema, "general", (general) =>
    mapField(general, "systemMessages", (messages) => said(messages, words)),
  );
}

function said(messages: FieldSchema, words: PageWords): FieldSchema {
  return Object.keys(messages.properties ?? {}).reduce(
    (found, name) =>
      typeof words[name] === "string" ? mapField(found, name, (field) => ({ ...field, default: words[name] })) : found,
    messages,
  );
}

function mapField(schema: FieldSchema, name: string, change: (field: FieldSchema) => FieldSchema): FieldSchema {
  const field = schema.properties?.[name];
  return field ? { ...schema, properties: { ...schema.properties, [name]: change(field) } } : schema;
}
