import { isJsonObject, type JsonObject, textAt } from "../../../core/interpreter/flow.ts";
import { type FieldSchema, said, schemaAt, widgetOf, wordTitle } from "../forms/reading.ts";
import type { AllNames } from "./names.ts";

export type ValueWords = {
  readonly on: string;
  readonly off: string;
  readonly unsentId: string;
  readonly thisBot: string;
};

export type Saying = { readonly names: AllNames; readonly words: ValueWords };

/**
 * Returns a value as a form shows it, with names instead of ids, and a line for each entry and field. Returns an empty
 * text if the field has no value.
 */
export function valueText(value: unknown, schema: FieldSchema | undefined, changed: Saying): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? changed.words.on : changed.words.off;
  if (schema === undefined) return plainText(value);
  if (typeof value === "string" || typeof value === "number") return scalarText(String(value), schema, changed);
  if (Array.isArray(value)) return listText(value, schema, changed);
  if (schema.isCondition && isJsonObject(value)) return said(schema, value, changed.names);
  return isJsonObject(value) ? fieldsText(value, schema, changed).join("\n") : plainText(value);
}

/** Whether a field is shown as code, in a monospaced font with its line breaks. */
export function isCode(schema: FieldSchema | undefined, value: unknown): boolean {
  if (schema === undefined) return typeof value === "object" && value !== null;
  const widget = widgetOf(schema);
  return widget === "code" || (widget === "json" && typeof value === "object");
}

function scalarText(text: string, schema: FieldSchema, changed: Saying): string {
  const { names, words } = changed;
  switch (widgetOf(schema)) {
    case "variable":
      return names.variable(text) ?? unnamed(text, words);
    case "group":
      return text.includes("{{") ? text : (names.group(text) ?? unnamed(text, words));
    case "block":
      return names.block(text) ?? unnamed(text, words);
    case "bot":
      return text === "current" ? changed.words.thisBot : (names.bot(text) ?? unnamed(text, words));
    case "credentials":
      return names.credentials(text) ?? unnamed(text, words);
    case "choice":
      return wordTitle(schema, text);
    default:
      return text;
  }
}

/**
 * Returns the replacement for an id without a name, for example because the object was deleted or this person may not
 * see it.
 */
function unnamed(text: string, { unsentId }: ValueWords): string {
  return text === "" ? "" : unsentId;
}

function listText(list: readonly unknown[], schema: FieldSchema, changed: Saying): string {
  if (widgetOf(schema) === "richText") return list.map(richText).join("\n").trim();
  const isOfTexts = list.every((entry) => typeof entry !== "object" || entry === null);
  return schema.items || isOfTexts ? entryTexts(list, schema, changed).join("\n") : plainText(list);
}

/** Returns the entries of a list, each as one line, without empty entries. */
export function entryTexts(
  list: readonly unknown[],
  schema: FieldSchema | undefined,
  changed: Saying,
): readonly string[] {
  const items = schema?.items;
  return list
    .map((entry) =>
      isJsonObject(entry) && items ? entryText(entry, items, changed) : valueText(entry, items, changed),
    )
    .filter((text) => text !== "");
}

/** Returns an entry as one line: its name and value, or its fields with their labels. */
function entryText(entry: JsonObject, schema: FieldSchema, changed: Saying): string {
  if (schema.isCondition) return said(schema, entry, changed.names);
  const { key, value } = entry;
  if (typeof key === "string" && (value === undefined || typeof value === "string")) return `${key}: ${value ?? ""}`;
  return fieldsText(entry, schema, changed).join(" · ");
}

/** Returns the fields that have a value, with their labels. A single field has no label. */
function fieldsText(value: JsonObject, schema: FieldSchema, changed: Saying): readonly string[] {
  const fields = Object.entries(value).flatMap(([key, inner]): (readonly [string, string])[] => {
    const field = schemaAt(schema, [key]);
    if (isKept(key, field)) return [];
    const text = valueText(inner, field, changed);
    return text === "" ? [] : [[field?.title ?? spokenKey(key), text.replaceAll("\n", " · ")]];
  });
  const [first, ...others] = fields;
  if (first && others.length === 0) return [first[1]];
  return fields.map(([label, text]) => `${label}: ${text}`);
}

function isKept(key: string, field: FieldSchema | undefined): boolean {
  return key === "id" || key === "outgoingEdgeId" || field?.widget === "kept";
}

/** Returns the text of a rich text, with the URLs of its links. */
function richText(node: unknown): string {
  if (!isJsonObject(node)) return "";
  const { text, children, url, type } = node;
  if (!Array.isArray(children)) return typeof text === "string" ? text : "";
  const inner = children.map(richText);
  const isList = children.some((child) => ["li", "p", "ul", "ol"].includes(textAt(child, "type") ?? ""));
  const words = inner.join(isList ? "\n" : "");
  return type === "a" && typeof url === "string" && url !== words ? `${words} (${url})` : words;
}

function plainText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  const text = JSON.stringify(value, null, 2) ?? "";
  return text === "[]" || text === "{}" ? "" : text;
}

/** Returns the stored form, for values that would otherwise read the same. */
export function storedText(value: unknown): string {
  return value === undefined ? "" : plainText(value);
}

/** Turns a key into a label, for example `maxWidth` into "Max width". */
export function spokenKey(key: string): string {
  const words = key.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
