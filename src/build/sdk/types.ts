/** A JSON Schema in the dialect of OpenAPI 3.1. */
export type Schema = { readonly [keyword: string]: unknown };

/** Generates the declarations of named schemas: an interface for an object, and a type for every other schema. */
export function declareTypes(schemas: Schema): string {
  return Object.entries(schemas)
    .filter((entry): entry is [string, Schema] => isSchema(entry[1]))
    .map(([name, schema]) => `${comment(schema, "")}${declaration(typeName(name), schema)}`)
    .join("\n");
}

/** Generates `export interface Name { … }` or `export type Name = …;`. */
export function declaration(name: string, schema: Schema): string {
  const type = typeOf(schema, "");
  return type.startsWith("{") && type.endsWith("}")
    ? `export interface ${name} ${type}\n`
    : `export type ${name} = ${type};\n`;
}

/** Returns the TypeScript type of a schema. Lines after the first line begin with `indent`. */
export function typeOf(schema: unknown, indent: string): string {
  if (!isSchema(schema)) return "unknown";
  const { $ref, anyOf, oneOf, items, type } = schema;
  if (typeof $ref === "string") return typeName($ref.slice($ref.lastIndexOf("/") + 1));
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((word) => JSON.stringify(word)).join(" | ");
  const choices = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(" | ");
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf(items, indent)}>`;
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

/** Renders the description as a comment that ends with a newline. Returns an empty text if there is no description. */
export function comment({ description }: Schema, indent: string): string {
  if (typeof description !== "string") return "";
  const lines = description.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** Renders a field of an object type with its comment. */
export function field(
  name: string,
  schema: Schema,
  { isRequired, indent }: { isRequired: boolean; indent: string },
): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const type = typeOf(schema, indent);
  return `${comment(schema, indent)}${indent}${key}${isRequired ? `: ${type}` : `?: ${type} | undefined`};\n`;
}

function objectType({ properties, required, additionalProperties }: Schema, indent: string): string {
  const known = isSchema(properties) ? Object.entries(properties) : [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const inner = `${indent}  `;
  const fields = known.map(([name, schema]) =>
    field(name, isSchema(schema) ? schema : {}, { isRequired: needed.includes(name), indent: inner }),
  );
  // The index signature must also match the types of the known fields, so its type is `unknown` if there are known
  // fields.
  if (additionalProperties !== undefined && additionalProperties !== false) {
    fields.push(`${inner}[key: string]: ${known.length > 0 ? "unknown" : typeOf(additionalProperties, inner)};\n`);
  }
  return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("")}${indent}}`;
}

/** The replacements for schema names that have another meaning in TypeScript. */
const ownNames = new Map([["Error", "ErrorBody"]]);

function typeName(name: string): string {
  return ownNames.get(name) ?? name;
}

export function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
