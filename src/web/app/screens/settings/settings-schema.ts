import type { FieldSchema } from "../../forms/index.ts";

/** The default texts of the chat page, by the names of the settings that replace them. */
export type PageWords = { readonly [name: string]: unknown };

/** Returns the schema of the settings, with the chat page's texts in the bot's language as the defaults of messages. */
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
