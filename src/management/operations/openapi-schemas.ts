import descriptions from "./field-words.json";

export type Json = Record<string, unknown>;

/** Schemas that the document lists under their names. */
export type NamedSchemas = Map<string, Json>;

/**
 * Converts a TypeBox schema to plain JSON Schema for the document, without Parley's own keywords. Schemas with an `$id`
 * become references and are added to `named`. A union of named objects that one field distinguishes gets a
 * discriminator. A field without a description gets the description in `field-words.json`.
 */
export function documentedSchema(schema: unknown, named: NamedSchemas): Json {
  if (!isJson(schema)) return {};
  const written = writeKeywords(schema, named);
  const { $id } = schema;
  if (typeof $id !== "string") return written;
  const known = named.get($id);
  if (known && JSON.stringify(known) !== JSON.stringify(written)) throw new Error(`Two schemas are named ${$id}`);
  named.set($id, written);
  return { $ref: `${schemaPlace}${$id}` };
}

/** Converts a field of an object, or a parameter, with its description. */
export function documentedField(name: string, schema: unknown, named: NamedSchemas): Json {
  const written = documentedSchema(schema, named);
  const words = (written["type"] === "array" ? listWords : fieldWords).get(name);
  return isDescribed(written) || words === undefined ? written : { ...written, description: words };
}

/**
 * Descriptions of fields and parameters by their name, for all schemas. A name is listed only if it has the same
 * meaning everywhere. A description in a schema takes precedence, and a field whose name is not listed needs a
 * description in its schema.
 */
const fieldWords: ReadonlyMap<string, string> = new Map(Object.entries(descriptions.fields));

/** Descriptions of lists. A field with the same name that is not a list has another meaning. */
const listWords: ReadonlyMap<string, string> = new Map(Object.entries(descriptions.lists));

const schemaPlace = "#/components/schemas/";

/** Whether a schema has a description, or refers to a schema that has a description. */
function isDescribed({ description, $ref, anyOf }: Json): boolean {
  if (description !== undefined || $ref !== undefined) return true;
  return Array.isArray(anyOf) && anyOf.some((choice) => isJson(choice) && isDescribed(choice));
}

function writeKeywords(schema: Json, named: NamedSchemas): Json {
  const written = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (plainKeywords.has(keyword)) return [[keyword, value]];
    switch (keyword) {
      case "properties":
        return [[keyword, mapValues(value, (field, name) => documentedField(name, field, named))]];
      case "items":
        return [[keyword, documentedSchema(value, named)]];
      case "additionalProperties":
        return [[keyword, typeof value === "boolean" ? value : documentedSchema(value, named)]];
      case "patternProperties":
        return [["additionalProperties", ofAnyName(value, named)]];
      case "anyOf":
        return writeChoices(value, named);
      // All other keys are Parley's own keywords.
      default:
        return [];
    }
  });
  return Object.fromEntries(written);
}

const plainKeywords = new Set([
  ...["type", "const", "enum", "required", "description", "default", "examples", "deprecated"],
  ...["pattern", "format", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxProperties"],
]);

/** Converts the schema of a record, whose fields can have any name. */
function ofAnyName(patterns: unknown, named: NamedSchemas): Json | boolean {
  const [schema] = isJson(patterns) ? Object.values(patterns) : [];
  const written = documentedSchema(schema, named);
  return Object.keys(written).length === 0 ? true : written;
}

function writeChoices(value: unknown, named: NamedSchemas): [string, unknown][] {
  const choices: unknown[] = Array.isArray(value) ? value : [];
  const objects = choices.filter((choice) => isJson(choice) && typeof choice["$id"] === "string");
  const discriminator = discriminatorOf(objects);
  const variants = discriminator ? objects : [];
  const others = choices
    .filter((choice) => !variants.includes(choice))
    .map((choice) => documentedSchema(choice, named));
  const words = others.flatMap((choice) => (isWord(choice) ? [choice["const"]] : []));
  const merged: Json[] = [
    ...(words.length > 0 ? [{ type: "string", enum: words }] : []),
    ...others.filter((choice) => !isWord(choice)),
    ...(discriminator ? [{ oneOf: variants.map((choice) => documentedSchema(choice, named)), discriminator }] : []),
  ];
  const [only] = merged;
  return merged.length === 1 && only ? Object.entries(only) : [["anyOf", merged]];
}

/** Whether a choice is a string constant without a description. */
function isWord(choice: Json): boolean {
  return typeof choice["const"] === "string" && choice["description"] === undefined;
}

/**
 * Returns the field, `type` or `kind`, that distinguishes named objects; undefined unless each object has one or more
 * unique values in this field.
 */
function discriminatorOf(choices: readonly unknown[]): Json | undefined {
  for (const propertyName of ["type", "kind"]) {
    const mapping: Record<string, string> = {};
    const isDistinct = choices.every((choice) => {
      const words = isJson(choice) && typeof choice["$id"] === "string" ? wordsAt(choice, propertyName) : [];
      for (const word of words) {
        if (Object.hasOwn(mapping, word)) return false;
        if (isJson(choice)) mapping[word] = `${schemaPlace}${choice["$id"]}`;
      }
      return words.length > 0;
    });
    if (isDistinct && choices.length > 1) return { propertyName, mapping };
  }
  return undefined;
}

function wordsAt({ properties }: Json, name: string): string[] {
  const field: unknown = isJson(properties) ? properties[name] : undefined;
  if (!isJson(field)) return [];
  const words: unknown[] = Array.isArray(field["enum"]) ? field["enum"] : [field["const"]];
  return words.filter((word) => typeof word === "string");
}

function mapValues(value: unknown, change: (value: unknown, name: string) => unknown): Json {
  if (!isJson(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, change(entry, name)]));
}

function isJson(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
