import type { FieldSchema } from "./schema.ts";
import { isObject, isSame, type Path, presentValue, textOf } from "./values.ts";
import { widgetOf } from "./widget-of.ts";

/** The fields that several blocks have in common, and the values that are equal in all of them. */
export type Common = {
  /** Undefined if the blocks have no field in common. */
  readonly schema: FieldSchema | undefined;
  readonly value: unknown;
  /**
   * The values of each field that differs between the blocks, most frequent first. The keys are field paths joined with
   * dots.
   */
  readonly mixed: ReadonlyMap<string, readonly Held[]>;
};

/** A value of a field, and the number of blocks with this value. `text` is undefined if the value has no short form. */
export type Held = { readonly text: string | undefined; readonly count: number };

/**
 * Returns the options that several blocks have in common, with their equal and differing values. Lists are excluded,
 * because edges refer to the ids of their entries.
 */
export function commonOf(things: readonly { readonly schema: FieldSchema; readonly value: unknown }[]): Common {
  const schemas = things.map(({ schema }) => ({ properties: onlyOptions(schema) }));
  const schema = sharedField(schemas);
  const mixed = new Map<string, readonly Held[]>();
  const values = things.map(({ value }) => value);
  return { schema, value: schema ? sharedValue(schema, values, { path: [], mixed }) : {}, mixed };
}

function onlyOptions({ properties }: FieldSchema): NonNullable<FieldSchema["properties"]> {
  const options = properties?.["options"];
  return options ? { options } : {};
}

function sharedField(fields: readonly FieldSchema[]): FieldSchema | undefined {
  const [first] = fields;
  if (!first) return undefined;
  if (fields.every(({ properties }) => properties)) {
    const entries = Object.keys(first.properties ?? {}).flatMap((key): [string, FieldSchema][] => {
      const all = fields.flatMap(
        ({ properties = {} }) => (Object.hasOwn(properties, key) ? properties[key] : []) ?? [],
      );
      const field = all.length === fields.length ? sharedField(all) : undefined;
      return field ? [[key, field]] : [];
    });
    return entries.length === 0 ? undefined : { ...first, properties: Object.fromEntries(entries) };
  }
  if (ofOneBlock.has(widgetOf(first)) || fields.some((field) => !isAlike(field, first))) return undefined;
  const { default: byDefault, ...field } = first;
  return fields.every((one) => isSame(one.default, byDefault)) ? first : field;
}

const ofOneBlock = new Set(["condition", "either", "json", "kept", "list", "pairs", "richText", "texts"]);

/** Whether two fields accept the same values. Their titles may differ. */
function isAlike(one: FieldSchema, other: FieldSchema): boolean {
  return isSame(shapeOf(one), shapeOf(other));
}

function shapeOf({
  title: _,
  description: __,
  help: ___,
  default: ____,
  isAdvanced: _____,
  ...shape
}: FieldSchema): object {
  return shape;
}

type Place = { readonly path: Path; readonly mixed: Map<string, readonly Held[]> };

function sharedValue(schema: FieldSchema, values: readonly unknown[], { path, mixed }: Place): unknown {
  if (schema.properties) {
    if (path.length > 1 && values.every((value) => value === undefined)) return undefined;
    const inner = Object.entries(schema.properties).map(([key, field]): [string, unknown] => [
      key,
      sharedValue(
        field,
        values.map((value) => own(value, key)),
        { path: [...path, key], mixed },
      ),
    ]);
    return Object.fromEntries(inner.filter(([, value]) => value !== undefined));
  }
  const [first] = values;
  if (values.every((value) => isSame(presentValue(value), presentValue(first)))) return presentValue(first);
  mixed.set(path.join("."), heldBy(schema, values));
  return undefined;
}

function heldBy(schema: FieldSchema, values: readonly unknown[]): readonly Held[] {
  const counts = new Map<string | undefined, number>();
  for (const value of values) {
    const text = wordFor(schema, presentValue(value) ?? schema.default);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
}

/**
 * Returns a short text for a value. The text of a missing value is empty. Returns undefined for ids, which mean nothing
 * to an author, and for texts that are empty or too long.
 */
function wordFor(schema: FieldSchema, value: unknown): string | undefined {
  if (value === undefined) return "";
  if (typeof value === "boolean") return value ? "✓" : "✗";
  const text = textOf(value);
  return text === "" || text.length > 40 || named.has(widgetOf(schema)) ? undefined : text;
}

const named = new Set(["block", "bot", "credentials", "group", "variable"]);

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
