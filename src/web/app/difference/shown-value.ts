import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import { type FieldSchema, widgetOf } from "../forms/reading.ts";
import { entryTexts, type Saying, valueText } from "./values.ts";

/** A value as it is displayed: as text, and as a colour or a picture if possible. */
export type ShownValue = {
  readonly text: string;
  /** A CSS colour. */
  readonly color?: string;
  /** The URL of a picture that can be displayed. */
  readonly picture?: string;
  /** Whether the field has no value of its own. `text` is then the default value, if known. */
  readonly isByDefault: boolean;
};

type Place = {
  readonly field: FieldSchema | undefined;
  /** The object that contains the field, and its schema. The type of the field may depend on a sibling. */
  readonly around: { readonly value: unknown; readonly schema: FieldSchema | undefined };
};

/** Returns the displayed form of a value. Null counts as absent, so that the default applies. */
export function shownValue(stored: unknown, { field, around }: Place, saying: Saying): ShownValue {
  const isByDefault = stored === undefined || stored === null;
  const value = isByDefault ? field?.default : stored;
  const isPicture = field !== undefined && holdsPicture(field, around);
  const address = isPicture ? pictureIn(value) : undefined;
  const color = !isPicture && mayBeColor(field) ? colorIn(value, field) : undefined;
  const text = address?.said ?? valueText(value, field, saying);
  return {
    text,
    isByDefault,
    ...(color !== undefined && { color }),
    ...(address?.shown !== undefined && { picture: address.shown }),
  };
}

/**
 * Returns the entries of both lists as texts. Returns undefined if a value is not a list of entries, or if neither
 * value exists.
 */
export function listsOf(
  from: unknown,
  to: unknown,
  field: FieldSchema | undefined,
  sayings: { readonly before: Saying; readonly after: Saying },
): { readonly before: readonly string[]; readonly after: readonly string[] } | undefined {
  if (!isList(from, field) || !isList(to, field) || (from ?? to) === undefined) return undefined;
  return {
    before: entryTexts(from ?? [], field, sayings.before),
    after: entryTexts(to ?? [], field, sayings.after),
  };
}

function isList(value: unknown, field: FieldSchema | undefined): value is readonly unknown[] | undefined | null {
  if (value === undefined || value === null) return true;
  if (!Array.isArray(value) || (field !== undefined && widgetOf(field) === "richText")) return false;
  return field?.items !== undefined || value.every((entry) => typeof entry !== "object");
}

function holdsPicture(field: FieldSchema, { value, schema }: Place["around"]): boolean {
  const widget = widgetOf(field);
  if (widget === "media") return (field.holds ?? "image") === "image";
  if (widget !== "background") return false;
  const type: unknown = (isJsonObject(value) ? own(value, "type") : undefined) ?? schema?.properties?.["type"]?.default;
  return type === "Image";
}

function own(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns a short text for a picture, and its URL or data URL if the picture can be displayed. Undefined if the value
 * is not a text.
 */
function pictureIn(value: unknown): { readonly said: string; readonly shown?: string } | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^<svg[\s>]/i.test(text)) return { said: "SVG", shown: `data:image/svg+xml,${encodeURIComponent(text)}` };
  const [, type] = /^data:image\/([\w.-]+)/.exec(text) ?? [];
  if (type !== undefined) return { said: (type.split("+")[0] ?? type).toUpperCase(), shown: text };
  return /^https?:\/\/[^\s{}]+$/.test(text) ? { said: value, shown: text } : { said: value };
}

const colorWidgets: ReadonlySet<string> = new Set(["color", "background"]);

/** Whether the field may contain a colour. For a value without a schema, its format decides. */
function mayBeColor(field: FieldSchema | undefined): boolean {
  return field === undefined || colorWidgets.has(widgetOf(field));
}

function colorIn(value: unknown, field: FieldSchema | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const isHex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text);
  const isCalled =
    field !== undefined && /^([a-z]{3,30}|(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\([^{}();]*\))$/i.test(text);
  return isHex || isCalled ? text : undefined;
}
